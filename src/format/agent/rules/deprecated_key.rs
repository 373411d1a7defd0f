use crate::declare_rule;
use crate::format::agent::problem::Cause;
use crate::format::agent::subject::Subject;
use crate::format::agent::weight::Claim;
use crate::rule::Report;
use crate::rule::{Fix, Severity};
use crate::text::Edit;

declare_rule! {
    /// The key still works under its old name. Use the new one.
    ///
    /// ````markdown bad path=.github/prompts/plan.prompt.md clients=copilot
    /// ---
    /// description: Plans a change
    /// mode: agent
    /// ---
    ///
    /// Plan it.
    /// ````
    ///
    /// ````markdown good path=.github/prompts/plan.prompt.md clients=copilot
    /// ---
    /// description: Plans a change
    /// agent: agent
    /// ---
    ///
    /// Plan it.
    /// ````
    pub static RULE = "agent/deprecated-key", Info, "Deprecated key";
}

pub fn check(subject: &Subject, report: &mut Report) {
    for group in subject.groups(Cause::DeprecatedKey) {
        let Some(first) = group.first() else { continue };
        let Some(name) = first.instead.first() else { continue };
        let words = format!("`{}` is deprecated; use `{name}`", first.key().unwrap_or_default());
        let finding = report.add(&RULE, first.span.clone(), words);
        finding.severity = subject.weigh(Claim::Text, Severity::Info);
        let boolean = first.key() == Some("infer");
        if subject.entry(name).is_none() && !boolean {
            finding.fix(Fix::suggestion(
                format!("Rename the key to `{name}`"),
                vec![Edit::replace(first.span.clone(), name.clone())],
            ));
        }
    }
}
