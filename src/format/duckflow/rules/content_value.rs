use super::super::layout::{Action, Parameter};
use super::super::vocabulary::Content;
use super::RuleContext;
use crate::declare_rule;
use crate::rule::{Fix, Report};
use crate::text::Edit;

declare_rule! {
    /// An action's content is written as the value of a parameter. The reference parser reads only
    /// its first line, and no parser treats it as the content of the action.
    ///
    /// Write the content on separate lines, between `CONTENT_START` and `CONTENT_END`.
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
    /// [ACTION_0_PATH] new.py
    /// [ACTION_0_CONTENT]
    /// print("hello")
    ///
    /// [ACTION_1_TYPE] finish
    /// [ACTION_1_RESULT] There is a greeting.
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
    /// [ACTION_0_PATH] new.py
    /// [ACTION_0_CONTENT_START]
    /// print("hello")
    /// [ACTION_0_CONTENT_END]
    ///
    /// [ACTION_1_TYPE] finish
    /// [ACTION_1_RESULT] There is a greeting.
    /// ````
    pub static RULE = "duckflow/content-value", Warning, "Content as the value of a parameter", strict;
}

pub fn check(context: &RuleContext, report: &mut Report) {
    for (index, action) in &context.order {
        let Some(parameter) = found(context, action) else { continue };
        let (Some(mark), Some(last)) = (context.mark(parameter.mark), parameter.pieces.last())
        else {
            continue;
        };
        let key = context.key(mark);
        let message = format!(
            "content in the value of `{key}`: put it between `CONTENT_START` and `CONTENT_END`"
        );
        let finding = report.add(&RULE, mark.span.clone(), message);
        let end = context.trimmed_end(&(mark.span.end..last.end));
        let text = context.text(&(mark.span.end..end));
        // Text in the marker's line is the first line of the content.
        let content = text
            .strip_prefix("\r\n")
            .or_else(|| text.strip_prefix(['\n', '\r']))
            .unwrap_or(text.trim_start_matches([' ', '\t']));
        let (start, stop) =
            (format!("[ACTION_{index}_CONTENT_START]"), format!("[ACTION_{index}_CONTENT_END]"));
        let lines = [start.as_str(), content, stop.as_str()].join(context.line_break);
        finding.fix(Fix::suggestion(
            "Make it the content",
            vec![Edit::replace(mark.span.start..end, lines)],
        ));
    }
}

/// The parameter that was meant as content.
pub fn found<'a>(context: &RuleContext, action: &'a Action) -> Option<&'a Parameter> {
    let wanted = context.known_type(action).is_some_and(|kind| kind.content != Content::Unused);
    let is_content = |parameter: &&Parameter| {
        context
            .mark(parameter.mark)
            .is_some_and(|mark| matches!(context.key(mark).as_str(), "CONTENT" | "CODE"))
    };
    action.parameters.iter().rev().find(is_content).filter(|_| wanted && action.contents.is_empty())
}
