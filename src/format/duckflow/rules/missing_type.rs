use super::super::layout::Action;
use super::super::mark::{Mark, MarkKind};
use super::super::plan::holds_edit_blocks;
use super::super::vocabulary::{self, ACTION_TYPES, Content};
use super::RuleContext;
use crate::declare_rule;
use crate::rule::{Fix, Report};
use crate::suggestion::closest;
use crate::text::{Edit, Span};

declare_rule! {
    /// An action has parameters or content, but no `[ACTION_N_TYPE]`. Every parser drops the whole
    /// action, including its content.
    ///
    /// Add the type, or correct the index if the lines belong to another action.
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
    /// [ACTION_0_COMMAND] cargo test
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
    /// [ACTION_0_TYPE] run_command
    /// [ACTION_0_COMMAND] cargo test
    ///
    /// [ACTION_1_TYPE] finish
    /// [ACTION_1_RESULT] Nothing was left to do.
    /// ````
    pub static RULE = "duckflow/missing-type", Error, "Action without a type";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    for (index, action) in context
        .order
        .iter()
        .filter(|(index, action)| action.types.is_empty() && !context.means_key(*index, "TYPE"))
    {
        let Some(mark) = context.mark(action.first) else { continue };
        let other = context.torn_from(*index);
        let message = format!("Action {index}: Missing TYPE; every parser drops the action");
        if let Some((wrong, right)) = other {
            let whole = if wrong == *index { right } else { wrong };
            let message = format!("{message}; does it belong to action {whole}?");
            let finding = report.add(&RULE, mark.span.clone(), message);
            finding.fix(Fix::suggestion(
                format!("Number action {wrong} as {right}"),
                context.renumber(wrong, right),
            ));
            continue;
        }
        if let Some((typo, key)) = misspelt(context, action) {
            let message = format!("{message}; did you mean `[ACTION_{index}_TYPE]`?");
            let finding = report.add(&RULE, typo.span.clone(), message);
            let edits = vec![Edit::replace(key, "TYPE")];
            finding.fix(Fix::suggestion("Replace with `TYPE`", edits));
            continue;
        }
        let finding =
            report.add(&RULE, mark.span.clone(), format!("{message}; add `[ACTION_{index}_TYPE]`"));
        if let Some(kind) = evident(context, action) {
            let line = format!("[ACTION_{index}_TYPE] {kind}{}", context.line_break);
            finding.fix(Fix::suggestion(
                format!("Add the type `{kind}`"),
                vec![Edit::insert(mark.line.start, line)],
            ));
        }
    }
}

/// The parameter that was meant as the type, and its key.
fn misspelt<'a>(context: &RuleContext<'a>, action: &Action) -> Option<(&'a Mark, Span)> {
    let marks = action.parameters.iter().filter_map(|parameter| context.mark(parameter.mark));
    let keys = marks.filter_map(|mark| match &mark.kind {
        MarkKind::Action { key, .. } => Some((mark, key.clone())),
        _ => None,
    });
    let is_type = |mark: &Mark, key: &Span| {
        let key = context.text(key).to_ascii_uppercase();
        vocabulary::parameter(&key).is_none()
            && closest(&key, ["TYPE"]).is_some()
            && vocabulary::action_type(&context.text(&mark.value)).is_some()
    };
    keys.into_iter().find(|(mark, key)| is_type(mark, key))
}

/// The type that an action with these parameters has.
fn evident(context: &RuleContext, action: &Action) -> Option<&'static str> {
    let has = |key: &str| context.parameter(action, key).is_some();
    let contents = action.contents.iter().filter_map(|at| context.layout().contents.get(*at));
    if has("PATH") && contents.clone().any(|own| holds_edit_blocks(&context.text(&own.span))) {
        return Some("edit_file");
    }
    let content = !action.contents.is_empty();
    let kinds = ACTION_TYPES.iter().filter(|kind| {
        kind.required.iter().all(|key| has(key)) && (content == (kind.content == Content::Wanted))
    });
    let mut kinds = kinds.filter(|kind| !matches!(kind.name, "delete_file" | "edit_file"));
    kinds.next().map(|kind| kind.name)
}
