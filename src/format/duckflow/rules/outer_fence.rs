use super::RuleContext;
use crate::declare_rule;
use crate::rule::{Fix, Report};
use crate::text::Edit;

declare_rule! {
    /// The whole reply is in a fence. Parsers don't know fences: they skip the first line, and add
    /// the last one to the value before it if that value may have several lines. agentmd ignores
    /// both.
    ///
    /// ````markdown bad
    /// ```
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
    ///
    /// ```
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
    pub static RULE = "duckflow/outer-fence", Info, "Reply in a fence";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    let Some((open, close)) = &context.layout().fence else { return };
    let message =
        "the whole reply is in a fence, which the reference parser does not know; remove the fence";
    let finding = report.add(&RULE, open.clone(), message);
    finding.relate(close.clone(), "the fence ends here");
    finding.fix(Fix::safe(
        "Remove the fence",
        vec![Edit::delete(context.lines(open)), Edit::delete(context.lines(close))],
    ));
}
