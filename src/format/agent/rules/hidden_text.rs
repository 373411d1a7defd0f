use crate::declare_rule;
use crate::format::agent::body;
use crate::format::agent::subject::Subject;
use crate::format::agent::weight::Claim;
use crate::rule::Report;
use crate::rule::{Fix, Severity};
use crate::text::Edit;

declare_rule! {
    /// These characters are invisible, but a model reads them: controls that reverse the direction
    /// of text, and tags that spell letters. Attackers use them to hide instructions.
    ///
    /// ````markdown bad path=.claude/skills/bake-bread/SKILL.md clients=claude-code
    /// ---
    /// name: bake-bread
    /// description: Bakes a loaf
    /// ---
    ///
    /// Knead 󠁁the dough.
    /// ````
    ///
    /// ````markdown good path=.claude/skills/bake-bread/SKILL.md clients=claude-code
    /// ---
    /// name: bake-bread
    /// description: Bakes a loaf
    /// ---
    ///
    /// Knead the dough.
    /// ````
    pub static RULE = "agent/hidden-text", Warning, "Hidden characters";
}

pub fn check(subject: &Subject, report: &mut Report) {
    for (placed, found) in body::mentions(subject.cx.source) {
        for hidden in &found.hidden {
            let span = placed.start + hidden.start..placed.start + hidden.end;
            let code = subject.cx.source.slice(span.clone()).chars().next().map_or(0, u32::from);
            let finding = report.add(&RULE, span.clone(), format!("hidden character U+{code:04X}"));
            finding.severity = subject.weigh(Claim::Text, Severity::Warning);
            finding.fix(Fix::suggestion("Remove the hidden characters", vec![Edit::delete(span)]));
        }
    }
}
