use super::dead;
use crate::declare_rule;
use crate::format::agent::subject::Subject;
use crate::format::agent::weight::{Claim, Sign};
use crate::rule::Report;
use std::cell::LazyCell;
use std::collections::HashSet;
use std::path::Path;

use crate::client::{Kind, is_made};
use crate::format::agent::forbidden::{MOST_BEFORE, is_forbidden};
use crate::format::agent::{body, files};
use crate::rule::{Fix, Severity};
use crate::text::{Edit, Span};

declare_rule! {
    /// A skill names a file in one of its folders (`scripts/`, `references/`, `assets/`,
    /// `templates/`, `resources/`), and the folder has no such file. A model that follows the skill
    /// looks for it in vain.
    ///
    /// Nothing is reported if the skill has no such folder: the path is then one of the project
    /// that the skill works on. For the same reason, it's a hint if the skill names no other file
    /// of the folder that exists, nor has one with a similar name. Hints are also:
    ///
    /// - paths in examples, in a list of versions, and in skills that explain skills;
    /// - files that the text speaks against, or tells the model to write;
    /// - files that the folder of the plugin, the one around `skills` or another skill has, if it
    ///   is next to this one or the text names it;
    /// - files that the text gives to another skill: the `stew` skill's `references/pots.md`;
    /// - files in a folder such as `cache`, or one that `.gitignore` names, which something makes.
    ///
    /// Paths after `${CLAUDE_SKILL_DIR}/` are checked too, also those into other skills.
    ///
    /// ````markdown bad path=.claude/skills/bake-bread/SKILL.md clients=claude-code
    /// ---
    /// name: bake-bread
    /// description: Bakes a loaf
    /// ---
    ///
    /// Run `python scripts/knead.py`, then `python scripts/bake.py`.
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

pub fn check(subject: &Subject, report: &mut Report) {
    if subject.file.kind != Kind::Skill {
        return;
    }
    let about_skills = subject.is_about_skills();
    let mut seen = HashSet::new();
    let own = LazyCell::new(|| own_folders(subject));
    for (placed, found) in body::mentions(subject.cx.source) {
        let placed_from = found.placed.iter().map(|bundled| (bundled, true));
        for (bundled, is_own) in
            found.bundled.iter().map(|bundled| (bundled, false)).chain(placed_from)
        {
            let folder = first_folder(&bundled.path);
            let beside = is_own && bundled.runs && folder == bundled.path;
            if !seen.insert(bundled.path.clone())
                || !(beside || files::has(subject, folder))
                || !files::is_missing(subject, &bundled.path)
            {
                continue;
            }
            let span = placed.start + bundled.span.start..placed.start + bundled.span.end;
            let words =
                if bundled.runs { "is run here and does not exist" } else { "does not exist" };
            let finding = report.add(&RULE, span.clone(), format!("`{}` {words}", bundled.path));
            let near = match is_own && bundled.path.starts_with("../") {
                true => files::in_renamed(subject, &bundled.path),
                false => files::nearest(subject, &bundled.path),
            };
            let shown = bundled.example || about_skills && !bundled.runs;
            let other = files::in_sibling(subject, &bundled.path)
                || files::in_named(subject, &bundled.path)
                || files::in_plugin(subject, &bundled.path)
                || !bundled.runs
                    && (is_made(Path::new(&bundled.path)) || dead::is_output(subject, span.start))
                || near.is_none() && files::is_ignored(subject, &bundled.path)
                || is_anothers(subject, &span)
                || files::is_shown(subject, &span)
                || is_forbidden(subject.cx.source, span.start);
            let severity = if shown || other { Severity::Hint } else { Severity::Warning };
            let sign = Sign::of(near.is_some(), is_own || own.contains(folder));
            finding.severity = subject.weigh(Claim::Mention(sign), severity);
            if let Some(near) = near {
                finding.fix(Fix::suggestion(
                    format!("Replace with `{near}`"),
                    vec![Edit::replace(span, near)],
                ));
            }
        }
    }
}

/// The folders in which the skill mentions an existing file, so that paths into them are the
/// skill's own.
fn own_folders(subject: &Subject) -> HashSet<String> {
    let linked = files::links(subject).map(|(_, path)| path);
    let mentioned = body::mentions(subject.cx.source).flat_map(|(_, found)| {
        found.bundled.iter().map(|bundled| bundled.path.clone()).collect::<Vec<_>>()
    });
    let paths = linked.chain(mentioned).take(MOST_PATHS);
    let named = |path: String| {
        let path = path.trim_start_matches("./");
        let is_own = path.contains('/') && files::is_beside(subject, path);
        is_own.then(|| first_folder(path).to_owned())
    };
    paths.filter_map(named).collect()
}

/// At most this many paths are looked up to find the skill's own folders.
const MOST_PATHS: usize = 256;

fn first_folder(path: &str) -> &str {
    path.split('/').next().unwrap_or_default()
}

/// Whether the words right before a path assign it to another skill: the `stew` skill's `…`.
fn is_anothers(subject: &Subject, span: &Span) -> bool {
    let source = subject.cx.source;
    let line = source.line_span(span.start);
    let before = source.slice(line.start.max(span.start.saturating_sub(MOST_BEFORE))..span.start);
    let Some((said, between)) = SKILL.iter().find_map(|word| before.rsplit_once(word)) else {
        return false;
    };
    let near = between.chars().count() <= MOST_BETWEEN
        && !between.contains(['.', ',', ';', '。', '、', ')'])
        && between.matches('`').count() <= 1;
    let name = said.trim_end().strip_suffix('`').and_then(|said| said.rsplit('`').next());
    let own = |name: &str| subject.file.path.parent().is_some_and(|folder| folder.ends_with(name));
    near && name.is_some_and(|name| !name.is_empty() && !own(name))
}

/// The word for a skill after its name.
const SKILL: &[&str] = &["skill", "スキル", "技能", "스킬"];
/// At most this many characters are between the word and the path: `'s`, `の`, punctuation.
const MOST_BETWEEN: usize = 6;
