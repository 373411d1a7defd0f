use super::super::mark::MarkKind;
use super::RuleContext;
use crate::declare_rule;
use crate::rule::{Fix, Report};
use crate::text::Edit;

declare_rule! {
    /// Text follows `CONTENT_START` or `CONTENT_END` on the same line. Every parser ignores it.
    ///
    /// If it is content, put it on a separate line.
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
    /// [ACTION_0_CONTENT_END] # done
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
    pub static RULE = "duckflow/text-after-marker", Hint, "Text after a marker without a value";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    for (_, mark) in context.marks() {
        let start = matches!(mark.kind, MarkKind::ContentStart { .. });
        if mark.value.is_empty() || !start && !matches!(mark.kind, MarkKind::ContentEnd { .. }) {
            continue;
        }
        let value = context.value(mark);
        if value.is_empty() {
            continue;
        }
        let (text, marker) = (context.text(&value), context.text(&mark.span));
        let finding = report.add(
            &RULE,
            value.clone(),
            format!("`{text}` is ignored, because `{marker}` takes no value; move it to the next line or remove it"),
        );
        if start {
            let line = format!("{}{text}", context.line_break);
            finding.fix(Fix::suggestion(
                "Move it into the content",
                vec![Edit::replace(mark.span.end..value.end, line)],
            ));
        }
        finding.fix(Fix::suggestion("Remove it", vec![Edit::delete(mark.span.end..value.end)]));
    }
}
