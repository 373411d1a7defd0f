use crate::declare_rule;
use crate::format::agent::problem::Cause;
use crate::format::agent::subject::Subject;
use crate::rule::Report;

declare_rule! {
    /// The client knows none of the tools in the agent's list, so the agent can't start. The names
    /// often belong to another client.
    ///
    /// ````markdown bad path=.claude/agents/finder.md clients=claude-code
    /// ---
    /// name: finder
    /// description: Finds things
    /// tools: codebase
    /// ---
    ///
    /// Find it.
    /// ````
    ///
    /// ````markdown good path=.claude/agents/finder.md clients=claude-code
    /// ---
    /// name: finder
    /// description: Finds things
    /// tools: Grep
    /// ---
    ///
    /// Find it.
    /// ````
    pub static RULE = "agent/no-usable-tool", Error, "No tool that the client knows";
}

pub fn check(subject: &Subject, report: &mut Report) {
    for group in subject.groups(Cause::NoUsableTool) {
        let Some(first) = group.first() else { continue };
        let finding = subject.report(
            &RULE,
            &group,
            first.span.clone(),
            &format!(
                "unknown {}: {}",
                if first.detail.contains(", ") { "tools" } else { "tool" },
                first.detail
            ),
            report,
        );
        finding.fixes.extend(super::unknown_tool::mapped(subject, first));
        super::unknown_tool::explain(subject, first, finding);
    }
}
