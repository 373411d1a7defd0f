use super::RuleContext;
use crate::declare_rule;
use crate::rule::Report;

declare_rule! {
    /// The value of a vital doesn't start with a decimal number. Every parser ignores the vital,
    /// and the reference parser even adds the line to the reasoning above it.
    ///
    /// Write a number from 0 to 1.
    ///
    /// ````markdown bad
    /// [REASONING]
    /// All tests pass.
    ///
    /// [CONFIDENCE] high
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
    pub static RULE = "duckflow/vital-not-number", Error, "Vital without a number";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    for vital in context.layout().vitals.iter().filter(|vital| vital.number.is_none()) {
        let Some(mark) = context.mark(vital.mark) else { continue };
        let (name, value) = (context.text(&mark.name), context.text(&mark.value));
        let (span, message) = if value.is_empty() {
            (mark.span.clone(), format!("missing value of `{name}`; write a number from 0 to 1"))
        } else {
            (
                mark.value.clone(),
                format!(
                    "`{value}` is not a number, so `{name}` is ignored; write a number from 0 to 1"
                ),
            )
        };
        report.add(&RULE, span, message);
    }
}
