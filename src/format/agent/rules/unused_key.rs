use crate::declare_rule;
use crate::format::agent::problem::Cause;
use crate::format::agent::subject::Subject;
use crate::rule::Report;

declare_rule! {
    /// No judged client reads the key. It does no harm, except in skills that are uploaded to
    /// claude.ai or the API: those accept only the keys of the open specification. Keep such data
    /// under `metadata`.
    ///
    /// One hint names all keys of a file.
    ///
    /// ````markdown bad path=.claude/skills/fix-bike/SKILL.md clients=claude-code
    /// ---
    /// name: fix-bike
    /// description: Repairs a bicycle
    /// category: bikes
    /// ---
    ///
    /// Repair it.
    /// ````
    ///
    /// ````markdown good path=.claude/skills/fix-bike/SKILL.md clients=claude-code
    /// ---
    /// name: fix-bike
    /// description: Repairs a bicycle
    /// metadata:
    ///   category: bikes
    /// ---
    ///
    /// Repair it.
    /// ````
    pub static RULE = "agent/unused-key", Hint, "Key that no client reads", off;
}

pub fn check(subject: &Subject, report: &mut Report) {
    let groups = subject.groups(Cause::UnusedKey);
    let Some(first) = groups.first().and_then(|group| group.first()) else { return };
    let keys: Vec<String> =
        groups.iter().filter_map(|group| Some(format!("`{}`", group.first()?.key()?))).collect();
    let finding =
        report.add(&RULE, first.span.clone(), format!("no client reads {}", keys.join(", ")));
    finding.unnecessary();
}
