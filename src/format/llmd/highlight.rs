//! Highlights: markers, paths, speakers.

use super::Project;
use super::event::{ASSISTANT, HUMAN};
use super::layout::Role;
use crate::answer::Highlight;
use crate::format::Context;
use crate::text::Span;

/// The highlights that touch `span`, in order.
pub(super) fn highlights(project: &Project, cx: &Context, span: &Span) -> Vec<Highlight> {
    let layout = &project.layout;
    let mut found = Vec::new();
    let mut push = |at: Span, kind: &'static str| {
        if at.start < span.end && span.start < at.end {
            found.push(Highlight { span: at, kind });
        }
    };
    let first = layout.entries.partition_point(|entry| entry.body.end <= span.start);
    for entry in
        layout.entries.iter().skip(first).take_while(|entry| entry.heading.span.start < span.end)
    {
        for (said, mark) in [(&entry.human, HUMAN), (&entry.assistant, ASSISTANT)] {
            said.iter().for_each(|said| push(said.start - mark.len()..said.start, "class"));
        }
    }
    // A path is within a few lines above its block.
    let first = layout.blocks.partition_point(|placed| placed.block.span().end <= span.start);
    let far = cx.source.line_span(span.end).end.saturating_add(FARTHEST);
    for placed in
        layout.blocks.iter().skip(first).take_while(|placed| placed.block.span().start <= far)
    {
        if placed.role == Role::Documentation {
            continue;
        }
        placed.own_path().into_iter().for_each(|path| push(path.span.clone(), "string"));
        for mark in placed.written.marks() {
            push(mark.shifted(placed.start).span, "keyword");
        }
    }
    found.sort_by_key(|highlight| highlight.span.start);
    found
}

/// A path is at most this many bytes above its block.
const FARTHEST: usize = 1024;
