use super::super::layout::End;
use super::super::mark::Mark;
use super::RuleContext;
use super::context::{FARTHEST, index_of};
use crate::declare_rule;
use crate::rule::{Fix, Report};
use crate::text::Edit;

declare_rule! {
    /// Content ends with the `CONTENT_END` of another action. agentmd accepts it as the end,
    /// because no other follows. The reference parser gives the content to the action with that
    /// index; if there is none, the content is lost.
    ///
    /// If the marker before the content has the index of the end, the start is the wrong one.
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
        if wrong == right {
            wrong_start(context, content.start, right, mark, report);
            continue;
        }
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
        let title = format!(
            "Replace with `{}`",
            context.text(&mark.name).replacen(&wrong.to_string(), &right.to_string(), 1)
        );
        let edits = vec![Edit::replace(digits, right.to_string())];
        // The line may be part of the content, or the end of other content.
        let safe = end == content.start + 1
            && before(context, content.start).is_none_or(|before| before == right)
            && !context.precedes_stray(mark.line.end);
        finding.fix(Fix { safe, ..Fix::suggestion(title, edits) });
    }
}

/// The action of the marker before a mark.
fn before(context: &RuleContext, mark: usize) -> Option<u64> {
    let mut before = (0..mark).rev().take(FARTHEST).filter_map(|at| context.mark(at));
    before.find(|mark| mark.kind.is_marker()).and_then(index_of).map(|(index, _)| index)
}

/// Reports the start of content with an index that neither the marker before it nor its end has.
fn wrong_start(context: &RuleContext, start: usize, right: u64, end: &Mark, report: &mut Report) {
    let Some((mark, (wrong, digits))) =
        context.mark(start).and_then(|mark| Some((mark, index_of(mark)?)))
    else {
        return;
    };
    let message =
        format!("the content of action {right} begins with the index {wrong}; write {right}");
    let finding = report.add(&RULE, digits.clone(), message);
    finding.relate(end.span.clone(), "the content ends here");
    let name = context.text(&mark.name).replacen(&wrong.to_string(), &right.to_string(), 1);
    finding.fix(Fix::suggestion(
        format!("Replace with `{name}`"),
        vec![Edit::replace(digits, right.to_string())],
    ));
}
