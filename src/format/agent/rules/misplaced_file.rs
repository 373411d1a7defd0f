use crate::declare_rule;
use crate::format::agent::problem::Cause;
use crate::format::agent::subject::Subject;
use crate::rule::Report;

declare_rule! {
    /// The file is next to those that a client reads, and its name is not one that it reads: `.md`
    /// in Cursor's rules, `skill.md` instead of `SKILL.md`, a skill without its folder.
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
        subject.report(
            &RULE,
            &group,
            first.span.clone(),
            &format!("this file is not read: {remedy}"),
            report,
        );
    }
}
