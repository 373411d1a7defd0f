//! Folds: the parts of blocks, what speakers say, the text of files.

use super::Project;
use super::layout::{Placed, Role};
use crate::answer::{Fold, FoldKind};
use crate::format::Context;
use crate::text::Span;

/// All folds beyond those of Markdown.
pub(super) fn folds(project: &Project, cx: &Context) -> Vec<Fold> {
    let layout = &project.layout;
    let blocks = layout.blocks.iter().filter(|placed| placed.role != Role::Documentation);
    let said = layout
        .entries
        .iter()
        .flat_map(|entry| [&entry.human, &entry.assistant].into_iter().flatten());
    let said = said.map(|span| {
        let line = cx.source.line_span(span.start).start;
        line..span.start + cx.source.slice(span.clone()).trim_end().len()
    });
    let spans = blocks.flat_map(parts).chain(said);
    let long = |span: &Span| cx.source.line_span(span.start).end < span.end;
    spans.filter(long).map(|span| Fold { span, kind: FoldKind::Region }).collect()
}

/// A block; from its head to the line before the divider, and from the divider to the line before
/// the end.
fn parts(placed: &Placed) -> Vec<Span> {
    let mut found = vec![placed.block.span()];
    let shift = |mark: &crate::format::blocks::written::Mark| mark.shifted(placed.start).line;
    if let ([divider], Some(end)) = (placed.written.dividers.as_slice(), &placed.written.end) {
        let (head, divider, end) = (shift(&placed.written.head), shift(divider), shift(end));
        found.push(head.start..divider.start.saturating_sub(1).max(head.end));
        found.push(divider.start..end.start.saturating_sub(1).max(divider.end));
    }
    found
}
