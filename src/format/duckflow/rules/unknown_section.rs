use super::super::mark::MarkKind;
use super::RuleContext;
use crate::declare_rule;
use crate::rule::{Fix, Report};
use crate::suggestion::did_you_mean;
use crate::text::Edit;

declare_rule! {
    /// A section isn't one of `[REASONING]`, `[PLANNING]` and `[NOTES]`. agentmd keeps it apart.
    /// The reference parser only knows `[REASONING]`: below it, it adds this section to the
    /// reasoning, marker included; elsewhere it drops the section.
    ///
    /// The format is extensible, so this is only a mistake if it is a typo.
    ///
    /// ````markdown bad
    /// [REASONING]
    /// All tests pass.
    ///
    /// [NOTSE]
    /// Remember the milk.
    ///
    /// [CONFIDENCE] 0.9
    /// [MOOD] 0.8
    /// [FOCUS] 0.9
    /// [STAMINA] 0.7
    ///
    /// [ACTION_0_TYPE] finish
    /// [ACTION_0_RESULT] Nothing was left to do.
    /// ````
    ///
    /// ````markdown good
    /// [REASONING]
    /// All tests pass.
    ///
    /// [NOTES]
    /// Remember the milk.
    ///
    /// [CONFIDENCE] 0.9
    /// [MOOD] 0.8
    /// [FOCUS] 0.9
    /// [STAMINA] 0.7
    ///
    /// [ACTION_0_TYPE] finish
    /// [ACTION_0_RESULT] Nothing was left to do.
    /// ````
    pub static RULE = "duckflow/unknown-section", Info, "Unknown section";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    for (index, mark) in context.marks().filter(|(_, mark)| mark.kind == MarkKind::UnknownSection) {
        let meant = context.meant_as(index);
        let marker = context.text(&mark.span);
        let message = format!(
            "unknown section `{marker}`, which the reference parser drops or adds to the reasoning{}",
            did_you_mean(meant.map(|meant| format!("[{}]", meant.name)).as_deref())
        );
        let finding = report.add(&RULE, mark.span.clone(), message);
        if let Some(meant) = meant {
            finding.fix(Fix::suggestion(
                format!("Replace with `[{}]`", meant.name),
                vec![Edit::replace(mark.name.clone(), meant.name.clone())],
            ));
        }
    }
}
