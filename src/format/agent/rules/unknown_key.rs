use crate::declare_rule;
use crate::format::agent::problem::Cause;
use crate::format::agent::subject::Subject;
use crate::rule::Fix;
use crate::rule::{Report, Severity};
use crate::text::Edit;
use crate::yaml::print_flow_scalar;

declare_rule! {
    /// The key is spelled differently by the clients that read the file, or a client refuses files
    /// with keys that it doesn't know.
    ///
    /// Keys that clients merely ignore are reported by [agent/unused-key](unused-key.md), which is
    /// off by default.
    ///
    /// Outside the folders that clients read, this is a hint if most neighbouring files have the key too:
    /// a program of the project may read it. So is a key without a value that clients ignore.
    ///
    /// ````markdown bad path=.claude/skills/fix-bike/SKILL.md clients=claude-code
    /// ---
    /// name: fix-bike
    /// description: Repairs a bicycle
    /// allowed_tools: Read
    /// ---
    ///
    /// Repair it.
    /// ````
    ///
    /// ````markdown good path=.claude/skills/fix-bike/SKILL.md clients=claude-code
    /// ---
    /// name: fix-bike
    /// description: Repairs a bicycle
    /// allowed-tools: Read
    /// ---
    ///
    /// Repair it.
    /// ````
    pub static RULE = "agent/unknown-key", Warning, "Unknown key";
}

/// Reports it.
pub fn check(subject: &Subject, report: &mut Report) {
    for group in subject.groups(Cause::UnknownKey) {
        let Some(first) = group.first() else { continue };
        let key = first.key().unwrap_or_default();
        let instead = group.iter().find_map(|problem| problem.instead.first());
        let words = match instead {
            Some(instead) => format!("unknown key `{key}`; did you mean `{instead}`?"),
            None => format!("unknown key `{key}`"),
        };
        let finding = subject.report(&RULE, &group, first.span.clone(), &words, report);
        // A client that ignores a key without a value loses nothing.
        let entry = first.key().and_then(|key| subject.entry(key));
        if finding.severity == Severity::Warning
            && entry.is_some_and(|entry| entry.value.span.is_empty())
        {
            finding.severity = Severity::Hint;
        }
        if let Some(instead) = instead {
            finding.fix(Fix::suggestion(
                format!("Rename the key to `{instead}`"),
                vec![Edit::replace(first.span.clone(), print_flow_scalar(instead))],
            ));
        }
    }
}
