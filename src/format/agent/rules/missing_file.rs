use crate::declare_rule;
use crate::format::agent::subject::Subject;
use crate::rule::Report;
use std::collections::HashSet;

use crate::client::Kind;
use crate::format::agent::{body, files};
use crate::rule::{Fix, Severity};
use crate::text::Edit;

declare_rule! {
    /// A skill names a file in one of its folders (`scripts/`, `references/`, `assets/`,
    /// `templates/`, `resources/`), and the folder has no such file. A model that follows the skill
    /// looks for it in vain.
    ///
    /// Nothing is reported if the skill has no such folder: the path is then one of the project
    /// that the skill works on. Paths in examples, in skills that explain skills, and of files that
    /// another skill has, if it is next to this one or the text names it, are hints.
    ///
    /// ````markdown bad path=.claude/skills/bake-bread/SKILL.md clients=claude-code
    /// ---
    /// name: bake-bread
    /// description: Bakes a loaf
    /// ---
    ///
    /// Run `python scripts/bake.py`.
    /// ````
    ///
    /// ````markdown good path=.claude/skills/bake-bread/SKILL.md clients=claude-code
    /// ---
    /// name: bake-bread
    /// description: Bakes a loaf
    /// ---
    ///
    /// Run `python scripts/knead.py`.
    /// ````
    pub static RULE = "agent/missing-file", Warning, "Bundled file is missing";
}

/// Reports it.
pub fn check(subject: &Subject, report: &mut Report) {
    if subject.file.kind != Kind::Skill {
        return;
    }
    // A skill that explains skills shows what their paths look like.
    let about_skills = subject
        .entry("description")
        .and_then(|entry| entry.value.as_str())
        .is_some_and(|text| text.to_lowercase().contains("skill"));
    let mut seen = HashSet::new();
    for (placed, found) in body::mentions(subject.cx.source) {
        for bundled in &found.bundled {
            let folder = bundled.path.split('/').next().unwrap_or_default();
            if !seen.insert(bundled.path.clone())
                || !files::has(subject, folder)
                || !files::is_missing(subject, &bundled.path)
            {
                continue;
            }
            let span = placed.start + bundled.span.start..placed.start + bundled.span.end;
            let words =
                if bundled.runs { "is run here and does not exist" } else { "does not exist" };
            let finding = report.add(&RULE, span.clone(), format!("`{}` {words}", bundled.path));
            let shown = bundled.example || about_skills && !bundled.runs;
            let other = files::in_sibling(subject, &bundled.path)
                || files::in_named(subject, &bundled.path);
            let sure = !shown && !other;
            finding.severity =
                subject.at_most(if sure { Severity::Warning } else { Severity::Hint });
            if let Some(near) = files::nearest(subject, &bundled.path) {
                finding.fix(Fix::suggestion(
                    format!("Replace with `{near}`"),
                    vec![Edit::replace(span, near)],
                ));
            }
        }
    }
}
