use super::super::layout::{Action, End};
use super::super::mark::MarkKind;
use super::Subject;
use super::subject::index_of;
use crate::declare_rule;
use crate::rule::{Fix, Report};
use crate::text::{Edit, Span};
use std::collections::{HashMap, HashSet};

declare_rule! {
    /// A section, a vital, the type, a parameter or the content of an action stands in the reply
    /// twice. The last one counts, for agentmd as for the specification's reader; only two
    /// reasonings does that reader join, and two values of an action are easily two actions with
    /// one index.
    ///
    /// Keep the one that is meant.
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
    pub static RULE = "duckflow/duplicate", Error, "Something that a reply has once stands in it twice";
}

/// What stands once: a mark, and the text that it has.
type Place = (usize, Span);

pub fn check(subject: &Subject, report: &mut Report) {
    let layout = subject.layout();
    let mut known: HashMap<String, Place> = HashMap::new();
    let line = |mark: usize| subject.mark(mark).map_or(0..0, |mark| mark.line.clone());
    for section in &layout.sections {
        let last = section.pieces.last().map_or(0, |piece| piece.end);
        one(subject, &mut known, (section.mark, line(section.mark).start..last), report);
    }
    known.clear();
    for vital in &layout.vitals {
        one(subject, &mut known, (vital.mark, line(vital.mark)), report);
    }
    let mut renumbered = false;
    for (index, action) in &subject.order {
        known.clear();
        let again = second_actions(subject, action);
        for mark in &again {
            let message = format!(
                "A second action {index} begins here, and every reader puts it in the place of the first. Number it anew."
            );
            let Some(mark) = subject.mark(*mark) else { continue };
            let finding = report.add(&RULE, mark.span.clone(), message);
            if let Some(first) = subject.mark(action.first) {
                finding.relate(first.span.clone(), format!("the first action {index}"));
            }
            if let Some(edits) =
                renumber(subject).filter(|_| !std::mem::replace(&mut renumbered, true))
            {
                finding.fix(Fix::suggestion("Number all actions in the order of the text", edits));
            }
        }
        if !again.is_empty() {
            continue;
        }
        for mark in &action.types {
            one(subject, &mut known, (*mark, line(*mark)), report);
        }
        for parameter in &action.parameters {
            let last = parameter.pieces.last().map_or(0, |piece| piece.end);
            one(subject, &mut known, (parameter.mark, line(parameter.mark).start..last), report);
        }
        for content in action.contents.iter().filter_map(|content| layout.contents.get(*content)) {
            let end = match content.end {
                End::Mark(end) | End::WrongIndex(end) => line(end).end,
                End::Missing(_) => content.span.end,
            };
            one(subject, &mut known, (content.start, line(content.start).start..end), report);
        }
    }
}

/// The types that begin another action of the same number: more than the type stands behind them
/// for the second time.
fn second_actions(subject: &Subject, action: &Action) -> Vec<usize> {
    let [_, rest @ ..] = action.types.as_slice() else { return Vec::new() };
    let keys: Vec<(usize, String)> = subject
        .group_of(action)
        .into_iter()
        .filter_map(|at| Some((at, subject.key(subject.mark(at)?))))
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

/// With more actions of one number nobody knows what was meant.
const MOST_SECOND: usize = 64;

/// The edits that give every type the next number, and what follows it the same; `None` where that
/// is not clear.
fn renumber(subject: &Subject) -> Option<Vec<Edit>> {
    if subject.layout().contents.iter().any(|content| !matches!(content.end, End::Mark(_))) {
        return None;
    }
    let (mut next, mut numbers, mut edits) = (0_u64, HashMap::new(), Vec::new());
    for (_, mark) in subject.marks() {
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

/// Reports what is known already.
fn one(subject: &Subject, known: &mut HashMap<String, Place>, place: Place, report: &mut Report) {
    let Some(mark) = subject.mark(place.0) else { return };
    let name = subject.text(&mark.name).to_ascii_uppercase();
    let Some((first, old)) = known.insert(name.clone(), place.clone()) else { return };
    let count = match mark.kind {
        MarkKind::Section(0) => {
            "the last one counts, but the specification's reader joins both texts"
        }
        MarkKind::Section(_) | MarkKind::UnknownSection => "the last one counts",
        _ => "the last one counts, for the specification's reader too",
    };
    let finding = report.add(
        &RULE,
        mark.span.clone(),
        format!("`[{name}]` stands here for the second time; {count}. Keep one of the two."),
    );
    if let Some(first) = subject.mark(first) {
        finding.relate(first.span.clone(), format!("the first `[{name}]`"));
    }
    let equal = subject.text(&old).trim() == subject.text(&place.1).trim();
    // What stands between the two is kept.
    let remove = |span: Span| {
        let lines = subject.lines(&(span.start..span.start + subject.text(&span).trim_end().len()));
        vec![Edit::delete(lines.start..lines.end.max(span.end.min(subject.cx.source.len())))]
    };
    finding.fix(Fix { safe: equal, ..Fix::suggestion("Remove this one", remove(place.1)) });
    finding.fix(Fix::suggestion("Remove the first one", remove(old)));
}
