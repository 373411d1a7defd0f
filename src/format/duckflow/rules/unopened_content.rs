use super::RuleContext;
use super::context::index_of;
use crate::declare_rule;
use crate::rule::{Fix, Report};
use crate::text::Edit;

declare_rule! {
    /// A `[ACTION_N_CONTENT_END]` has no `[ACTION_N_CONTENT_START]` before it. The text meant as
    /// content is read as something else, and the reference parser empties the content of the
    /// action.
    ///
    /// Add the start marker above the content, or remove a duplicate end marker.
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
    /// print("hello")
    /// [ACTION_0_CONTENT_END]
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
    pub static RULE = "duckflow/unopened-content", Error, "Unmatched end of content";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    for at in &context.layout().unopened {
        let Some((mark, (index, _))) =
            context.mark(*at).and_then(|mark| Some((mark, index_of(mark)?)))
        else {
            continue;
        };
        if context.means_key(index, "CONTENT_START") {
            continue;
        }
        let twice =
            context.layout().actions.get(&index).is_some_and(|action| !action.contents.is_empty());
        let loss = if twice {
            "so the reference parser empties the content of the action"
        } else {
            "so the action has no content"
        };
        let finding = report.add(
            &RULE,
            mark.span.clone(),
            format!("unmatched end of content, {loss}; add `[ACTION_{index}_CONTENT_START]`, or remove this end"),
        );
        let before = at.checked_sub(1).and_then(|before| context.mark(before));
        let lost = before
            .map(|before| before.line.end..mark.line.start)
            .filter(|lost| !context.text(lost).trim().is_empty());
        match (lost, before) {
            (Some(_), Some(before)) if !twice => {
                let line = format!("{}[ACTION_{index}_CONTENT_START]", context.line_break);
                finding.fix(Fix::suggestion(
                    "Add the start",
                    vec![Edit::insert(before.line.end, line)],
                ));
            }
            (lost, _) => {
                let remove = Fix::suggestion(
                    "Remove the end",
                    vec![Edit::delete(context.lines(&mark.line))],
                );
                finding.fix(Fix { safe: twice && lost.is_none(), ..remove });
            }
        }
    }
}
