use super::RuleContext;
use super::vital_range::is_percent;
use crate::declare_rule;
use crate::rule::{Fix, Report};
use crate::text::Edit;

declare_rule! {
    /// The number of a vital is followed by text that is neither a comment (`# …`) nor a percent
    /// sign. The reference parser reads the number and ignores the rest; the author's newer parser
    /// ignores the vital.
    ///
    /// Write only the number, or add a comment after it.
    ///
    /// ````markdown bad
    /// [REASONING]
    /// All tests pass.
    ///
    /// [CONFIDENCE] 0.9/1.0
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
    /// [CONFIDENCE] 0.9 # the tests pass
    /// [MOOD] 0.8
    /// [FOCUS] 0.9
    /// [STAMINA] 0.7
    ///
    /// [ACTION_0_TYPE] finish
    /// [ACTION_0_RESULT] Nothing was left to do.
    /// ````
    pub static RULE = "duckflow/vital-text", Warning, "Text after the number of a vital";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    for vital in &context.layout().vitals {
        let Some((number, span)) = &vital.number else { continue };
        let rest = context.text(&vital.rest);
        if rest.is_empty() || !(0.0..=1.0).contains(number) || is_percent(&rest) {
            continue;
        }
        let message =
            format!("`{rest}` after the number makes some parsers ignore the vital; remove it");
        let edits = vec![Edit::delete(span.end..vital.rest.end)];
        report
            .add(&RULE, vital.rest.clone(), message)
            .fix(Fix::suggestion("Remove the text after the number", edits));
    }
}
