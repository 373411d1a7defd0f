//! Refactorings of a reply. They don't fix a finding.

use super::complete::literal;
use super::layout::End;
use super::region::{self, Region, RegionKind};
use super::rules::RuleContext;
use super::{Model, Response, reply, write};
use crate::answer::{Action, ActionKind, Later, Rewritten};
use crate::format::Context;
use crate::text::{Edit, Span, apply};

/// The refactorings available for the characters of `span`.
pub(super) fn actions(response: &Response, cx: &Context, span: &Span) -> Vec<Action> {
    let offers = [sort(response, cx, span), wrap(response, cx, span)];
    offers.into_iter().flatten().collect()
}

fn action(title: &str, edits: Vec<Edit>) -> Action {
    Action { title: title.to_owned(), kind: ActionKind::Refactor, edits, snippet: None }
}

fn touches(region: &Region, span: &Span) -> bool {
    region.span.start <= span.end && span.start <= region.span.end
}

/// Unclosed content can't be moved.
fn all_closed(response: &Response) -> bool {
    response.layout().contents.iter().all(|content| matches!(content.end, End::Mark(_)))
}

fn sort(response: &Response, cx: &Context, span: &Span) -> Option<Action> {
    if region::are_in_order(response.layout()) {
        return None;
    }
    let regions = response.regions(cx.source).iter();
    let actions: Vec<(u64, &Region)> = regions
        .filter_map(|region| match region.kind {
            RegionKind::Action(index) => Some((index, region)),
            _ => None,
        })
        .collect();
    let mut sorted = actions.clone();
    sorted.sort_by_key(|(index, _)| *index);
    let once = sorted.is_sorted_by(|(a, _), (b, _)| a < b);
    if !once || !all_closed(response) || !actions.iter().any(|(_, region)| touches(region, span)) {
        return None;
    }
    let moved = actions.iter().zip(&sorted).filter(|((a, _), (b, _))| a != b);
    let edits = moved.map(|((_, old), (_, new))| {
        Edit::replace(old.span.clone(), cx.source.slice(new.span.clone()))
    });
    Some(action("Sort the actions by index", edits.collect()))
}

pub(super) fn to_json<'a>(response: &Response, cx: &'a Context, span: &Span) -> Option<Later<'a>> {
    let first = response.layout().marks.first()?;
    let touched = first.line.start <= span.end && span.start <= first.line.end;
    touched.then(|| Later {
        title: "Convert the reply to JSON",
        make: Box::new(|| convert(cx, write::Target::Json)),
    })
}

/// A reply in JSON becomes one in markers.
pub(in crate::format) fn from_json<'a>(cx: &'a Context, span: &Span) -> Option<Later<'a>> {
    if cx.source.line_span(0).end < span.start {
        return None;
    }
    let is_json = reply::is_json(&cx.source.slice(0..cx.source.len()));
    is_json.then(|| Later {
        title: "Convert the reply to markers",
        make: Box::new(|| convert(cx, write::Target::Markers)),
    })
}

/// Rewrites the whole reply, if that loses nothing.
fn convert(cx: &Context, target: write::Target) -> Result<Rewritten, String> {
    let text = cx.source.slice(0..cx.source.len());
    let mark = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let (written, left) = write::convert(&text, target)
        .map_err(|reason| format!("the reply cannot be converted: {reason}"))?;
    match left.is_empty() {
        true => Ok(Rewritten {
            edits: vec![Edit::replace(mark..text.len(), written)],
            notes: Vec::new(),
        }),
        false => {
            Err("the conversion would lose part of the reply; run `agentmd convert` to see what"
                .to_owned())
        }
    }
}

/// Turns whole lines of text into the content of a new action.
fn wrap(response: &Response, cx: &Context, span: &Span) -> Option<Action> {
    if span.is_empty() || cx.source.slice(span.clone()).trim().is_empty() {
        return None;
    }
    // A selection that ends at the start of a line excludes that line.
    let last =
        if cx.source.line_span(span.end).start == span.end { span.end - 1 } else { span.end };
    let lines =
        cx.source.line_span(span.start).start..cx.source.line_span(last.max(span.start)).end;
    let overlaps = |other: &Span| other.start < lines.end && lines.start < other.end;
    let first = response.layout().marks.partition_point(|mark| mark.line.end <= lines.start);
    let marked = response.layout().marks.get(first).is_some_and(|mark| overlaps(&mark.line));
    if marked
        || response.opaque().iter().any(overlaps)
        || response.layout().fence.iter().any(|(open, close)| overlaps(open) || overlaps(close))
    {
        return None;
    }
    let (index, renumbered) = place(response, cx, lines.end)?;
    let (line_break, text) = (cx.source.line_break(), cx.source.slice(lines.clone()).into_owned());
    let lines_of = |path: &str, text: &str| {
        [
            format!("[ACTION_{index}_TYPE] create_file"),
            format!("[ACTION_{index}_PATH] {path}"),
            format!("[ACTION_{index}_CONTENT_START]"),
            text.to_owned(),
            format!("[ACTION_{index}_CONTENT_END]"),
        ]
        .join(line_break)
    };
    // A snippet is one edit: it contains the actions with new numbers.
    let end = renumbered.last().map_or(lines.end, |last| last.span.end);
    let rest = cx.source.slice(lines.end..end);
    let local = renumbered.iter().map(|edit| {
        let span = edit.span.start - lines.end..edit.span.end - lines.end;
        Edit::replace(span, edit.text.clone())
    });
    let rest = apply(&rest, &local.collect::<Vec<_>>()).ok()?;
    let snippet = lines_of("${1:path}", &literal(&text)) + &literal(&rest);
    let written = lines_of("path", &text) + &rest;
    Some(Action {
        snippet: Some(snippet),
        ..action(
            "Make the selection the content of a new action",
            vec![Edit::replace(lines.start..end, written)],
        )
    })
}

/// The number of an action that begins at an offset, and the edits that make room for it. `None` if
/// it would follow `finish`, or the actions aren't numbered in order.
fn place(response: &Response, cx: &Context, offset: usize) -> Option<(u64, Vec<Edit>)> {
    let context = RuleContext::new(response, cx, cx.source.line_break());
    let starts = |action: &super::layout::Action| {
        context.mark(action.first).is_some_and(|mark| mark.line.start >= offset)
    };
    let split = context.order.partition_point(|(_, action)| !starts(action));
    let (before, after) = context.order.split_at_checked(split)?;
    let ends = |action: &super::layout::Action| {
        context.type_of(action).is_some_and(|(kind, _)| kind == "finish")
    };
    if before.iter().any(|(_, action)| ends(action)) {
        return None;
    }
    let Some((first, _)) = after.first() else {
        let last = response.layout().actions.keys().next_back();
        return Some((last.map_or(0, |last| last.saturating_add(1)), Vec::new()));
    };
    if !context.order.is_sorted_by_key(|(index, _)| *index) {
        return None;
    }
    let moved = after.iter().map(|(index, _)| *index);
    let edits = moved.flat_map(|index| context.renumber(index, index.saturating_add(1)));
    let mut edits: Vec<Edit> = edits.collect();
    edits.sort_by_key(|edit| edit.span.start);
    edits.dedup_by(|next, kept| next.span == kept.span);
    edits.iter().all(|edit| edit.span.start >= offset).then_some((*first, edits))
}
