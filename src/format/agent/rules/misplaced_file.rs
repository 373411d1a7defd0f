use crate::client::Kind;
use crate::declare_rule;
use crate::format::agent::names;
use crate::format::agent::problem::Cause;
use crate::format::agent::subject::Subject;
use crate::rule::{Report, Severity};

declare_rule! {
    /// The file is next to those that a client reads, and its name is not one that it reads: `.md`
    /// in Cursor's rules, `skill.md` instead of `SKILL.md`, a skill without its folder. A page for people
    /// is a hint: one without front matter among skills; among rules, one with a name in capitals, or whose front matter
    /// has no key of a rule. So is a file that the manifest of a plugin names.
    ///
    /// ````markdown bad path=.cursor/rules/naming.md clients=cursor
    /// ---
    /// description: Names
    /// alwaysApply: true
    /// ---
    ///
    /// Spell words out.
    /// ````
    ///
    /// ````markdown good path=.cursor/rules/naming.mdc clients=cursor
    /// ---
    /// description: Names
    /// alwaysApply: true
    /// ---
    ///
    /// Spell words out.
    /// ````
    pub static RULE = "agent/misplaced-file", Error, "File with a name that no client reads";
}

/// Reports it.
pub fn check(subject: &Subject, report: &mut Report) {
    for group in subject.groups(Cause::Misplaced) {
        let Some(first) = group.first() else { continue };
        let remedy = first.instead.first().map(String::as_str).unwrap_or_default();
        let words = format!("this file is not read: {remedy}");
        let finding = subject.report(&RULE, &group, first.span.clone(), &words, report);
        let listed = || {
            let root = subject.cx.root();
            names::is_listed(subject.cx.world, subject.file.path, root.as_deref())
        };
        if is_page(subject) || listed() {
            finding.severity = Severity::Hint;
        }
    }
}

/// Whether a file next to rules or skills is a page: it has no front matter, and next to rules its
/// name is in capitals, as in `README`, or its front matter is none of a rule.
fn is_page(subject: &Subject) -> bool {
    let stem = subject.file.stem().unwrap_or_default();
    if subject.file.kind == Kind::Skill && !stem.eq_ignore_ascii_case("skill") {
        return subject.front.is_none();
    }
    let is_rule = |key: &str| subject.entry(key).is_some();
    let other = subject.entries().next().is_some()
        && !["description", "globs", "alwaysApply", "paths", "trigger"].into_iter().any(is_rule);
    if subject.file.kind == Kind::Rule && other {
        return true;
    }
    let capitals = stem.contains(|letter: char| letter.is_ascii_uppercase())
        && !stem.contains(|letter: char| letter.is_ascii_lowercase());
    capitals && subject.file.kind == Kind::Rule && subject.front.is_none()
}
