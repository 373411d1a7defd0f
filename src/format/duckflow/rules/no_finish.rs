use super::super::layout::{Action, End};
use super::super::mark::MarkKind;
use super::super::vocabulary::action_type;
use super::RuleContext;
use crate::declare_rule;
use crate::rule::{Fix, Report};
use crate::suggestion::closest;
use crate::text::Edit;

declare_rule! {
    /// The reply has actions, but no `finish`. That is valid: the program runs the actions and asks
    /// the model again. If the task is done, add a `finish`.
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
    /// [ACTION_0_TYPE] read_file
    /// [ACTION_0_PATH] program.md
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
    /// [ACTION_0_TYPE] read_file
    /// [ACTION_0_PATH] program.md
    ///
    /// [ACTION_1_TYPE] finish
    /// [ACTION_1_RESULT] Nothing was left to do.
    /// ````
    pub static RULE = "duckflow/no-finish", Hint, "No `finish` action";
}

/// Whether an action finishes the task, and whether that is unclear.
pub fn facts(context: &RuleContext) -> (bool, bool) {
    let layout = context.layout();
    let finishes = |action: &Action| {
        context.type_of(action).is_some_and(|(kind, _)| {
            kind == "finish" || action_type(&kind).is_none() && closest(&kind, ["finish"]).is_some()
        })
    };
    // If a type is missing or the reply is cut short, other rules report that instead.
    let unclear = layout.contents.iter().any(|content| content.end == End::Missing(None))
        || layout.actions.values().any(|action| action.types.is_empty())
        || context.marks().any(|(_, mark)| mark.kind == MarkKind::Malformed)
        || context
            .meant
            .iter()
            .any(|meant| matches!(meant.kind, MarkKind::Action { is_type: true, .. }));
    (layout.actions.values().any(finishes), unclear)
}

pub fn check(context: &RuleContext, report: &mut Report) {
    let layout = context.layout();
    if facts(context) != (false, false) {
        return;
    }
    let last = layout.actions.iter().next_back();
    let Some((last, span, mark)) = last.and_then(|(index, action)| {
        Some((*index, context.type_of(action)?.1, context.mark(*action.types.last()?)?))
    }) else {
        return;
    };
    let span = if span.is_empty() { mark.span.clone() } else { span };
    let message = "no `finish` action, so the model is asked again; add one if the task is done";
    let finding = report.add(&RULE, span, message);
    let Some(next) = last.checked_add(1) else { return };
    let line_break = context.line_break;
    let end = layout.fence.as_ref().map_or(context.cx.source.len(), |(_, close)| close.start);
    let from = context.cx.source.line_span(end.saturating_sub(TAIL)).start;
    let text = context.text(&(from..end));
    let lines = |result: &str| {
        format!(
            "{line_break}{line_break}[ACTION_{next}_TYPE] finish{line_break}[ACTION_{next}_RESULT] {result}"
        )
    };
    let fix = Fix::suggestion(
        "Add a `finish`",
        vec![Edit::insert(from + text.trim_end().len(), lines("Done."))],
    );
    finding.fix(fix.with_snippet(lines("${1:Done.}")));
}

/// The end of the text is searched in steps of this many bytes.
const TAIL: usize = 4096;
