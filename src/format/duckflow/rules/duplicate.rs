use super::super::layout::{Action, End};
use super::super::mark::MarkKind;
use super::RuleContext;
use super::context::index_of;
use crate::declare_rule;
use crate::rule::{Fix, Report};
use crate::text::{Edit, Span};
use std::collections::{HashMap, HashSet};

declare_rule! {
    /// A section, a vital, a type, a parameter or the content of an action appears twice. agentmd
    /// and the reference parser use the last one, except that the reference parser joins two
    /// reasonings. A duplicate in an action often means that two actions have the same index.
    ///
    /// Keep the one you want.
    ///
    /// ````markdown bad
    /// [REASONING]
    /// All tests pass.
    ///
    /// [CONFIDENCE] 0.9
    /// [MOOD] 0.8
    /// [FOCUS] 0.9
    /// [STAMINA] 0.7
    /// [MOOD] 0.6
    ///
    /// [ACTION_0_TYPE] finish
    /// [ACTION_0_RESULT] Nothing was left to do.
    /// ````
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
    /// [ACTION_0_TYPE] run_command
    /// [ACTION_0_COMMAND] cargo test
    ///
    /// [ACTION_0_TYPE] run_command
    /// [ACTION_0_COMMAND] cargo doc
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
    /// [MOOD] 0.6
    /// [FOCUS] 0.9
    /// [STAMINA] 0.7
    ///
    /// [ACTION_0_TYPE] finish
    /// [ACTION_0_RESULT] Nothing was left to do.
    /// ````
    pub static RULE = "duckflow/duplicate", Error, "Duplicate section, vital, parameter or content";
}

/// Something that a reply has only once: its mark, and the text that belongs to it.
type Place = (usize, Span);

pub fn check(context: &RuleContext, report: &mut Report) {
    let layout = context.layout();
    let mut known: HashMap<String, Place> = HashMap::new();
    let line = |mark: usize| context.mark(mark).map_or(0..0, |mark| mark.line.clone());
    for section in &layout.sections {
        let last = section.pieces.last().map_or(0, |piece| piece.end);
        one(context, &mut known, (section.mark, line(section.mark).start..last), report);
    }
    known.clear();
    for vital in &layout.vitals {
        one(context, &mut known, (vital.mark, line(vital.mark)), report);
    }
    let mut renumbered = false;
    for (index, action) in &context.order {
        known.clear();
        let again = second_actions(context, action);
        for mark in &again {
            let message =
                format!("second action {index}, which replaces the first; give it its own number");
            let Some(mark) = context.mark(*mark) else { continue };
            let finding = report.add(&RULE, mark.span.clone(), message);
            if let Some(first) = context.mark(action.first) {
                finding.relate(first.span.clone(), format!("the first action {index}"));
            }
            if let Some(edits) =
                renumber(context).filter(|_| !std::mem::replace(&mut renumbered, true))
            {
                finding.fix(Fix::suggestion("Number all actions in order", edits));
            }
        }
        if !again.is_empty() {
            continue;
        }
        for mark in &action.types {
            one(context, &mut known, (*mark, line(*mark)), report);
        }
        for parameter in &action.parameters {
            let last = parameter.pieces.last().map_or(0, |piece| piece.end);
            one(context, &mut known, (parameter.mark, line(parameter.mark).start..last), report);
        }
        for content in action.contents.iter().filter_map(|content| layout.contents.get(*content)) {
            let end = match content.end {
                End::Mark(end) | End::WrongIndex(end) => line(end).end,
                End::Missing(_) => content.span.end,
            };
            one(context, &mut known, (content.start, line(content.start).start..end), report);
        }
    }
}

/// The types that start another action with the same number: some other key after them appears for
/// the second time too.
fn second_actions(context: &RuleContext, action: &Action) -> Vec<usize> {
    let [_, rest @ ..] = action.types.as_slice() else { return Vec::new() };
    let keys: Vec<(usize, String)> = context
        .group_of(action)
        .into_iter()
        .filter_map(|at| Some((at, context.key(context.mark(at)?))))
        .collect();
    let twice = |from: usize| {
        let before: HashSet<&str> =
            keys.iter().filter(|(at, _)| *at < from).map(|(_, key)| key.as_str()).collect();
        keys.iter().any(|(at, key)| *at > from && key != "TYPE" && before.contains(key.as_str()))
    };
    if rest.len() > MOST_SECOND || !rest.iter().all(|from| twice(*from)) {
        Vec::new()
    } else {
        rest.to_vec()
    }
}

/// With more actions of one number, the intent is unclear.
const MOST_SECOND: usize = 64;

/// The edits that give every type, and the marks after it, the next number; `None` if that is
/// ambiguous.
fn renumber(context: &RuleContext) -> Option<Vec<Edit>> {
    if context.layout().contents.iter().any(|content| !matches!(content.end, End::Mark(_))) {
        return None;
    }
    let (mut next, mut numbers, mut edits) = (0_u64, HashMap::new(), Vec::new());
    for (_, mark) in context.marks() {
        let Some((written, digits)) = index_of(mark) else { continue };
        if matches!(mark.kind, MarkKind::Action { is_type: true, .. }) {
            numbers.insert(written, next);
            next += 1;
        }
        let number = numbers.get(&written)?;
        if written != *number {
            edits.push(Edit::replace(digits, number.to_string()));
        }
    }
    Some(edits)
}

/// Reports the place if its name is already known.
fn one(
    context: &RuleContext,
    known: &mut HashMap<String, Place>,
    place: Place,
    report: &mut Report,
) {
    let Some(mark) = context.mark(place.0) else { return };
    let name = context.text(&mark.name).to_ascii_uppercase();
    // `[ACTION_00_TYPE]` is `[ACTION_0_TYPE]`.
    let same = index_of(mark)
        .map_or_else(|| name.clone(), |(index, _)| format!("{index} {}", context.key(mark)));
    let Some((first, old)) = known.insert(same, place.clone()) else { return };
    let count = match mark.kind {
        MarkKind::Section(0) => "the last one is used, but the reference parser joins both",
        MarkKind::Section(_) | MarkKind::UnknownSection => "the last one is used",
        _ => "the last one is used",
    };
    let finding = report.add(
        &RULE,
        mark.span.clone(),
        format!("duplicate `[{name}]`: {count}; keep one of the two"),
    );
    if let Some(first) = context.mark(first) {
        finding.relate(first.span.clone(), format!("the first `[{name}]`"));
    }
    // One of the two may be the type of an action that has none. Text after it would continue what
    // is before it.
    let is_type = matches!(mark.kind, MarkKind::Action { is_type: true, .. });
    let safe = context.text(&old).trim() == context.text(&place.1).trim()
        && !context.precedes_stray(place.1.end)
        && !(is_type && context.order.iter().any(|(_, other)| other.types.is_empty()));
    // Text between the two is kept.
    let remove = |span: Span| {
        let lines = context.lines(&(span.start..span.start + context.text(&span).trim_end().len()));
        vec![Edit::delete(lines.start..lines.end.max(span.end.min(context.cx.source.len())))]
    };
    finding.fix(Fix { safe, ..Fix::suggestion("Remove this one", remove(place.1)) });
    finding.fix(Fix::suggestion("Remove the first one", remove(old)));
}
