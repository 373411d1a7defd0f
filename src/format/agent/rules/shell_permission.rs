use crate::declare_rule;
use crate::format::agent::subject::Subject;
use crate::format::agent::{body, tools};
use crate::rule::Report;
use crate::rule::Severity;

declare_rule! {
    /// The body runs a command with `` !`command` `` and `allowed-tools` doesn't contain `Bash`:
    /// the client asks, or gives up the whole file.
    ///
    /// ````markdown bad path=.claude/commands/state.md clients=claude-code
    /// ---
    /// description: Shows the state
    /// allowed-tools: Read
    /// ---
    ///
    /// State: !`git status`
    /// ````
    ///
    /// ````markdown good path=.claude/commands/state.md clients=claude-code
    /// ---
    /// description: Shows the state
    /// allowed-tools: Read, Bash(git status)
    /// ---
    ///
    /// State: !`git status`
    /// ````
    pub static RULE = "agent/shell-permission", Warning, "Shell command without permission";
}

/// Reports it.
pub fn check(subject: &Subject, report: &mut Report) {
    let runs = subject.file.judged.iter().any(|role| {
        role.client.name == "claude-code"
            && role.reads.substitutes.as_ref().is_some_and(|substitutes| substitutes.shell)
    });
    let Some(entry) = subject.entry("allowed-tools").filter(|_| runs) else { return };
    let allowed = tools::named(subject, entry);
    if allowed.is_empty()
        || allowed.iter().any(|named| matches!(named.name.as_str(), "Bash" | "PowerShell" | "*"))
    {
        return;
    }
    let shell = body::mentions(subject.cx.source).find_map(|(placed, found)| {
        found.shell.first().map(|span| placed.start + span.start..placed.start + span.end)
    });
    if let Some(span) = shell {
        let finding = report.add(&RULE, span, "`allowed-tools` does not contain `Bash`");
        finding.severity = subject.at_most(Severity::Warning);
    }
}
