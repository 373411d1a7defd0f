use super::super::mark::MarkKind;
use super::RuleContext;
use crate::declare_rule;
use crate::rule::{Fix, Report};
use crate::text::Edit;

declare_rule! {
    /// `[REASONING]` comes first: a model that explains a decision it has already made isn't
    /// reasoning, it is justifying. Parsers accept any order.
    ///
    /// ````markdown bad
    /// [CONFIDENCE] 0.9
    /// [MOOD] 0.8
    /// [FOCUS] 0.9
    /// [STAMINA] 0.7
    ///
    /// [REASONING]
    /// All tests pass.
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
    pub static RULE = "duckflow/reasoning-first", Warning, "Reasoning after other parts";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    let Some((first_index, first)) = context
        .marks()
        .find(|(index, mark)| mark.kind.is_marker() || context.meant_as(*index).is_some())
    else {
        return;
    };
    let layout = context.layout();
    let is_reasoning =
        |mark: usize| context.mark(mark).is_some_and(|mark| mark.kind == MarkKind::Section(0));
    let Some(section) = layout.sections.iter().find(|section| is_reasoning(section.mark)) else {
        return;
    };
    let Some(mark) = context
        .mark(section.mark)
        .filter(|_| section.mark != first_index && !context.means_section(0))
    else {
        return;
    };
    let message = "`[REASONING]` is not the first part; move it to the top";
    let finding = report.add(&RULE, mark.span.clone(), message);
    let end = section.pieces.last().map_or(mark.line.end, |piece| piece.end);
    let text = context.text(&(mark.line.start..end));
    let line_break = context.line_break;
    let edits = vec![
        Edit::insert(first.line.start, format!("{}{}", text.trim_end(), line_break.repeat(2))),
        Edit::delete(mark.line.start..end),
    ];
    finding.fix(Fix::suggestion("Move the reasoning to the top", edits));
}
