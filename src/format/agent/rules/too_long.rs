use crate::declare_rule;
use crate::format::agent::problem::Cause;
use crate::format::agent::subject::Subject;
use crate::rule::Report;

declare_rule! {
    /// A value, the body or the whole file is longer than a client accepts: it cuts the text or
    /// skips the file. The finding starts where the limit is passed, if the text is written as it
    /// is read.
    ///
    /// The length of a value is counted as clients count it, after YAML has joined its lines.
    ///
    /// ````markdown bad path=.agents/skills/count-sheep/SKILL.md clients=codex
    /// ---
    /// name: count-sheep
    /// description: steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady steady
    /// ---
    ///
    /// Count them.
    /// ````
    ///
    /// ````markdown good path=.agents/skills/count-sheep/SKILL.md clients=codex
    /// ---
    /// name: count-sheep
    /// description: Counts sheep
    /// ---
    ///
    /// Count them.
    /// ````
    pub static RULE = "agent/too-long", Warning, "Text longer than a client takes";
}

pub fn check(subject: &Subject, report: &mut Report) {
    for group in subject.groups(Cause::TooLong) {
        let Some(first) = group.first() else { continue };
        let mut parts = first.detail.split('/');
        let words = match first.key() {
            Some(key) => {
                let (length, most) =
                    (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
                format!("`{key}` has {length} characters, more than {most}")
            }
            None => {
                let (of, length, most, unit) = (
                    parts.next().unwrap_or_default(),
                    parts.next().unwrap_or_default(),
                    parts.next().unwrap_or_default(),
                    parts.next().unwrap_or_default(),
                );
                format!("the {of} has {length} {unit}, more than {most}")
            }
        };
        subject.report(&RULE, &group, first.span.clone(), &words, report);
    }
}
