use crate::declare_rule;
use crate::format::agent::subject::Subject;
use crate::format::agent::weight::Claim;
use crate::format::agent::{body, tools};
use crate::rule::Report;
use crate::rule::Severity;

declare_rule! {
    /// The body runs a command, with `` !`command` `` or in a block that begins with ```` ```! ````, and
    /// `allowed-tools` doesn't contain `Bash`: the client asks, or skips the whole file.
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

pub fn check(subject: &Subject, report: &mut Report) {
    let mut judged = subject.file.judged.iter();
    let found = judged.find_map(|role| {
        let substitutes = role.reads.substitutes.as_ref()?;
        let needs = substitutes.shell_needs.as_ref()?;
        Some((&role.client.title, needs, substitutes.shell_block))
    });
    let Some((client, needs, blocks)) = found else { return };
    let Some(entry) = subject.entry(&needs.key) else { return };
    let allowed = tools::named(subject, entry);
    if allowed.is_empty() || allowed.iter().any(|named| needs.tools.contains(&named.name)) {
        return;
    }
    let shell = body::mentions(subject.cx.source).find_map(|(placed, found)| {
        let block = found.shell_blocks.first().filter(|_| blocks);
        let opening = block.map(|span| span.start..span.start + "```!".len());
        let first =
            found.shell.first().cloned().into_iter().chain(opening).min_by_key(|span| span.start);
        first.map(|span| placed.start + span.start..placed.start + span.end)
    });
    if let Some(span) = shell {
        let tool = needs.tools.first().map(String::as_str).unwrap_or_default();
        let words = format!(
            "`{}` does not contain `{tool}` ({client}: asks before the command runs, or skips the file)",
            needs.key
        );
        let finding = report.add(&RULE, span, words);
        finding.severity = subject.weigh(Claim::Text, Severity::Warning);
    }
}
