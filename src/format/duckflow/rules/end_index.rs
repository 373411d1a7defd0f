use super::super::layout::End;
use super::RuleContext;
use super::context::index_of;
use crate::declare_rule;
use crate::rule::{Fix, Report};
use crate::text::Edit;

declare_rule! {
    /// Content ends with the `CONTENT_END` of another action. agentmd accepts it as the end,
    /// because no other follows. The reference parser gives the content to the action with that
    /// index; if there is none, the content is lost.
    ///
    /// ````markdown bad
    /// [REASONING]
    /// All tests pass.
    ///
    /// [CONFIDENCE] 0.9
    /// [MOOD] 0.8
    /// [FOCUS] 0.9
    /// [STAMINA] 0.7
    ///
    /// [ACTION_0_TYPE] create_file
    /// [ACTION_0_PATH] hello.py
    /// [ACTION_0_CONTENT_START]
    /// print("hello")
    /// [ACTION_1_CONTENT_END]
    ///
    /// [ACTION_1_TYPE] finish
    /// [ACTION_1_RESULT] Nothing was left to do.
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
    /// [ACTION_0_TYPE] create_file
    /// [ACTION_0_PATH] hello.py
    /// [ACTION_0_CONTENT_START]
    /// print("hello")
    /// [ACTION_0_CONTENT_END]
    ///
    /// [ACTION_1_TYPE] finish
    /// [ACTION_1_RESULT] Nothing was left to do.
    /// ````
    pub static RULE = "duckflow/end-index", Error, "End marker with the index of another action";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    for content in &context.layout().contents {
        let End::WrongIndex(end) = content.end else { continue };
        let Some((mark, (wrong, digits))) =
            context.mark(end).and_then(|mark| Some((mark, index_of(mark)?)))
        else {
            continue;
        };
        let right = content.index;
        let reading = match context.layout().actions.contains_key(&wrong) {
            true => "which gets the content in the reference parser",
            false => "which does not exist, so the reference parser loses the content",
        };
        let message = format!(
            "the content of action {right} ends with the index {wrong}, {reading}; write {right}"
        );
        let finding = report.add(&RULE, digits.clone(), message);
        if let Some(start) = context.mark(content.start) {
            finding.relate(start.span.clone(), "the content begins here");
        }
        finding.fix(Fix::safe(
            format!(
                "Replace with `{}`",
                context.text(&mark.name).replacen(&wrong.to_string(), &right.to_string(), 1)
            ),
            vec![Edit::replace(digits, right.to_string())],
        ));
    }
}
