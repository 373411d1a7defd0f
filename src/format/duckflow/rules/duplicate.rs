use super::super::layout::End;
use super::super::mark::MarkKind;
use super::Subject;
use crate::declare_rule;
use crate::rule::{Fix, Report};
use crate::text::{Edit, Span};
use std::collections::HashMap;

declare_rule! {
    /// A section, a vital, the type, a parameter or the content of an action stands in the reply twice. The last one counts, for
    /// agentmd as for the specification's reader; only two reasonings does that reader join, and two values of an action are
    /// easily two actions with one index.
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
    for (_, action) in &subject.order {
        known.clear();
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

/// Reports what is known already.
fn one(subject: &Subject, known: &mut HashMap<String, Place>, place: Place, report: &mut Report) {
    let Some(mark) = subject.mark(place.0) else { return };
    let name = subject.text(&mark.name).to_ascii_uppercase();
    let Some((first, old)) = known.insert(name.clone(), place.clone()) else { return };
    let count = match mark.kind {
        MarkKind::Section(0) => "the last one counts, but the specification's reader joins both texts",
        MarkKind::Section(_) | MarkKind::UnknownSection => "the last one counts",
        _ => "the last one counts, for the specification's reader too",
    };
    let finding = report.add(&RULE, mark.span.clone(), format!("`[{name}]` stands here for the second time; {count}. Keep one of the two."));
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
