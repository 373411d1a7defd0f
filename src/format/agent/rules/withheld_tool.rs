use crate::declare_rule;
use crate::format::agent::problem::Cause;
use crate::format::agent::subject::Subject;
use crate::rule::Report;

declare_rule! {
    /// Some tools need the main conversation: a subagent doesn't get them, even if it lists them.
    ///
    /// ````markdown bad path=.claude/agents/asker.md clients=claude-code
    /// ---
    /// name: asker
    /// description: Asks
    /// tools: Read, AskUserQuestion
    /// ---
    ///
    /// Ask.
    /// ````
    ///
    /// ````markdown good path=.claude/agents/asker.md clients=claude-code
    /// ---
    /// name: asker
    /// description: Asks
    /// tools: Read
    /// ---
    ///
    /// Ask.
    /// ````
    pub static RULE = "agent/withheld-tool", Warning, "Tool that a subagent never gets";
}

pub fn check(subject: &Subject, report: &mut Report) {
    for group in subject.groups(Cause::WithheldTool) {
        let Some(first) = group.first() else { continue };
        let words = format!("{} can't be used here", first.detail);
        let finding = subject.report(&RULE, &group, first.span.clone(), &words, report);
        super::unknown_tool::explain(subject, first, finding);
    }
}
