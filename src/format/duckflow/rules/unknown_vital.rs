use super::super::mark::MarkKind;
use super::RuleContext;
use crate::declare_rule;
use crate::rule::{Fix, Report};
use crate::suggestion::did_you_mean;
use crate::text::Edit;

declare_rule! {
    /// A vital isn't one of the four: `CONFIDENCE`, `MOOD`, `FOCUS`, `STAMINA`. agentmd keeps it;
    /// the reference parser ignores it.
    ///
    /// The format is extensible, so this is only a mistake if it is a typo.
    ///
    /// ````markdown bad
    /// [REASONING]
    /// All tests pass.
    ///
    /// [CONFIDENSE] 0.9
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
    /// [CONFIDENCE] 0.9
    /// [MOOD] 0.8
    /// [FOCUS] 0.9
    /// [STAMINA] 0.7
    ///
    /// [ACTION_0_TYPE] finish
    /// [ACTION_0_RESULT] Nothing was left to do.
    /// ````
    pub static RULE = "duckflow/unknown-vital", Info, "Unknown vital";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    for (index, mark) in context.marks().filter(|(_, mark)| mark.kind == MarkKind::ExtraVital) {
        let meant = context.meant_as(index);
        let message = format!(
            "unknown vital `{}`, which the reference parser ignores{}",
            context.text(&mark.span),
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
