//! Refactorings of a document. They don't fix a finding.

use super::Project;
use super::layout::SectionKind;
use super::order;
use super::rules::entry_number::renumber;
use crate::answer::{Action, ActionKind};
use crate::edit::MarkerKind;
use crate::format::Context;
use crate::text::{Edit, Span};

/// The refactorings available for the characters of `span`.
pub(super) fn actions(project: &Project, cx: &Context, span: &Span) -> Vec<Action> {
    let offers = [
        new_entry(project, cx, span),
        reorder(project, cx, span),
        number(project, span),
        markers(project, cx, span),
    ];
    offers.into_iter().flatten().collect()
}

fn action(title: &str, edits: Vec<Edit>) -> Action {
    Action { title: title.to_owned(), kind: ActionKind::Refactor, edits, snippet: None }
}

fn in_thread(project: &Project, span: &Span) -> bool {
    project.section_at(span.start).is_some_and(|section| section.kind == SectionKind::Conversation)
}

/// The next entry, once the last one is answered.
fn new_entry(project: &Project, cx: &Context, span: &Span) -> Option<Action> {
    let layout = &project.layout;
    let thread = layout
        .sections
        .iter()
        .find(|section| section.kind == SectionKind::Conversation)
        .filter(|_| in_thread(project, span))?;
    let last = layout.entries.last();
    if last.is_some_and(|last| last.assistant.is_none()) || layout.unclosed.is_some() {
        return None;
    }
    let number =
        last.map_or(1, |last| last.number.unwrap_or(layout.entries.len() as u64).saturating_add(1));
    let eol = cx.source.line_break();
    let start = last.map_or(thread.body.start, |last| last.body.start);
    let said = cx.source.slice(start..thread.body.end);
    let at = if said.trim().is_empty() {
        thread.heading.span.end
    } else {
        start + said.trim_end().len()
    };
    let text = format!("{eol}{eol}### Entry {number}{eol}{eol}**Human:** ");
    let snippet = Some(format!("{text}$0"));
    Some(Action { snippet, ..action(&format!("Add entry {number}"), vec![Edit::insert(at, text)]) })
}

fn reorder(project: &Project, cx: &Context, span: &Span) -> Option<Action> {
    let touches = |heading: &Span| heading.start <= span.end && span.start <= heading.end;
    let at_heading = project.layout.sections.iter().any(|section| touches(&section.heading.span));
    let edits = at_heading.then(|| order::sort(&project.layout, cx.source)).flatten()?;
    Some(action("Reorder the sections", edits))
}

fn number(project: &Project, span: &Span) -> Option<Action> {
    let edits = renumber(&project.layout.entries);
    (!edits.is_empty() && in_thread(project, span)).then(|| action("Renumber the entries", edits))
}

/// The markers of all blocks in canonical form.
fn markers(project: &Project, cx: &Context, span: &Span) -> Option<Action> {
    project.block_at(span.start)?;
    let mut edits = Vec::new();
    for placed in project.layout.blocks.iter().filter(|placed| placed.written.dividers.len() <= 1) {
        let names = crate::format::blocks::written::names(placed.written.pair());
        for mark in placed.written.marks().map(|mark| mark.shifted(placed.start)) {
            let right = match mark.marker.kind {
                MarkerKind::Head(_) => format!("<<<<<< {}", names.0),
                MarkerKind::Divider => "=======".to_owned(),
                MarkerKind::End(pair) if pair == placed.written.pair() => {
                    format!(">>>>>> {}", names.1)
                }
                MarkerKind::End(_) => continue,
            };
            if cx.source.slice(mark.span.clone()) != right {
                edits.push(Edit::replace(mark.span, right));
            }
        }
    }
    (edits.len() > 1).then(|| action("Write the markers of all blocks in canonical form", edits))
}
