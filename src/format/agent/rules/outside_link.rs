use std::path::Path;

use crate::client::Kind;
use crate::declare_rule;
use crate::format::agent::files;
use crate::format::agent::subject::Subject;
use crate::format::agent::weight::Claim;
use crate::rule::Report;
use crate::rule::Severity;
use crate::world::resolve;

declare_rule! {
    /// A link leads out of the skill's folder. If the skill is installed, copied or uploaded on its
    /// own, the file is missing. Copy it into the skill.
    ///
    /// This is a hint, because the skill may only be used where it is. If the link leaves a plugin,
    /// it's a warning: files outside a plugin's folder are never installed.
    ///
    /// ````markdown file=../../../docs/tea.md
    /// All about tea.
    /// ````
    ///
    /// ````markdown bad path=.claude/skills/brew-tea/SKILL.md clients=claude-code
    /// ---
    /// name: brew-tea
    /// description: Brews tea
    /// ---
    ///
    /// Read [about tea](../../../docs/tea.md).
    /// ````
    ///
    /// ````markdown good path=.claude/skills/brew-tea/SKILL.md clients=claude-code
    /// ---
    /// name: brew-tea
    /// description: Brews tea
    /// ---
    ///
    /// Read `docs/tea.md`.
    /// ````
    pub static RULE = "agent/outside-link", Hint, "Link out of the folder of a skill";
}

pub fn check(subject: &Subject, report: &mut Report) {
    if subject.file.kind != Kind::Skill {
        return;
    }
    let Some(folder) = subject.file.path.parent() else { return };
    let plugin: Option<&Path> = subject
        .file
        .judged
        .iter()
        .find(|role| role.plugin)
        .and_then(|role| subject.file.path.ancestors().nth(role.parts));
    for (span, path) in files::links(subject) {
        let full = resolve(subject.file.path, &path);
        // A link without a target is reported as a dead link.
        if full.starts_with(folder) || !files::exists(subject, &path) {
            continue;
        }
        let installed = plugin.is_none_or(|plugin| full.starts_with(plugin));
        let words = if installed {
            format!("`{path}` is outside of the skill's folder")
        } else {
            format!("`{path}` is outside of the plugin and is not installed with it")
        };
        let severity = if installed { Severity::Hint } else { Severity::Warning };
        report.add(&RULE, span, words).severity = subject.weigh(Claim::Files, severity);
    }
}
