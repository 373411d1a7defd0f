use crate::declare_rule;
use crate::format::agent::problem::Cause;
use crate::format::agent::subject::Subject;
use crate::format::agent::weight::Claim;
use crate::rule::Report;
use crate::rule::{Fix, Severity};

declare_rule! {
    /// The tool has another name now. The old one still works.
    ///
    /// ````markdown bad path=.github/agents/finder.agent.md clients=copilot
    /// ---
    /// description: Finds things
    /// tools: ['codebase']
    /// ---
    ///
    /// Find it.
    /// ````
    ///
    /// ````markdown good path=.github/agents/finder.agent.md clients=copilot
    /// ---
    /// description: Finds things
    /// tools: ['search/codebase']
    /// ---
    ///
    /// Find it.
    /// ````
    pub static RULE = "agent/renamed-tool", Info, "Renamed tool";
}

pub fn check(subject: &Subject, report: &mut Report) {
    for group in subject.groups(Cause::RenamedTool) {
        let Some(first) = group.first() else { continue };
        let mut new: Vec<String> = first
            .instead
            .iter()
            .flat_map(|names| names.split(' '))
            .map(|name| format!("`{name}`"))
            .collect();
        new.dedup();
        let several = first.detail.contains(", ");
        let words = format!(
            "{} {} renamed; use {}",
            first.detail,
            if several { "are" } else { "is" },
            new.join(", ")
        );
        let finding = report.add(&RULE, first.span.clone(), words);
        finding.severity = subject.weigh(Claim::Text, Severity::Info);
        if first.instead.iter().all(|names| !names.contains(' '))
            && let Some(edits) = super::unknown_tool::replaced(subject, first)
        {
            finding.fix(Fix::suggestion("Use the new names", edits));
        }
        super::unknown_tool::explain(subject, first, finding);
    }
}
