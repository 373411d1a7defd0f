use crate::declare_rule;
use crate::format::agent::forbidden::is_forbidden;
use crate::format::agent::subject::Subject;
use crate::format::agent::weight::Claim;
use crate::format::agent::{body, tools};
use crate::rule::Report;
use crate::rule::Severity;

declare_rule! {
    /// The body refers to a tool with `#tool:` that the list in `tools` doesn't contain, so the
    /// agent can't use it. A set counts as listed if one of its tools is. Where the text says not to
    /// use the tool, this is a hint.
    ///
    /// ````markdown bad path=.github/agents/finder.agent.md clients=copilot
    /// ---
    /// description: Finds things
    /// tools: ['read']
    /// ---
    ///
    /// Use #tool:search/codebase.
    /// ````
    ///
    /// ````markdown good path=.github/agents/finder.agent.md clients=copilot
    /// ---
    /// description: Finds things
    /// tools: ['read', 'search']
    /// ---
    ///
    /// Use #tool:search/codebase.
    /// ````
    pub static RULE = "agent/tool-not-enabled", Warning, "Tool that is mentioned and not enabled";
}

pub fn check(subject: &Subject, report: &mut Report) {
    let copilot = subject.file.judged.iter().any(|role| role.client.name == "copilot");
    let Some(entry) = subject.entry("tools").filter(|_| copilot) else { return };
    let enabled: Vec<String> =
        tools::named(subject, entry).into_iter().map(|named| named.name.to_lowercase()).collect();
    if enabled.is_empty() || enabled.iter().any(|name| name == "*") {
        return;
    }
    for (placed, found) in body::mentions(subject.cx.source) {
        for (span, tool) in &found.tools {
            let name = tool.to_lowercase();
            let set = name.split('/').next().unwrap_or_default();
            let last = name.rsplit('/').next().unwrap_or_default();
            let has = |other: &String| {
                *other == name
                    || *other == set
                    || *other == last
                    || *other == format!("{set}/*")
                    || other.rsplit('/').next() == Some(last)
                    // A set with some of its tools enabled.
                    || other.split_once('/').is_some_and(|(others, _)| others == name)
            };
            if enabled.iter().any(has) {
                continue;
            }
            let start = placed.start + span.start;
            let forbidden = is_forbidden(subject.cx.source, start);
            let severity = if forbidden { Severity::Hint } else { Severity::Warning };
            let words = format!("`{tool}` is not among `tools`");
            let finding = report.add(&RULE, start..placed.start + span.end, words);
            finding.severity = subject.weigh(Claim::Text, severity);
        }
    }
}
