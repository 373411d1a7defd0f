//! Folds: front matter, sections, and blocks of more than one line.

use crate::answer::{Fold, FoldKind};
use crate::document::Document;
use crate::format::Context;
use crate::ide::opaque;
use crate::ide::symbols::{Bounded, bounded};
use crate::markdown::{BlockKind, SectionKind};
use crate::source::Source;
use crate::text::Span;

/// Every fold of a document, in order; each covers at least two lines.
pub fn folds(document: &Document, cx: &Context) -> Vec<Fold> {
    let source = cx.source;
    let mut found = document.model().folds(cx);
    if let Some(front) = source.front_matter() {
        push(source, &mut found, front.span, FoldKind::Region);
    }
    let mut open: Vec<(u8, usize)> = Vec::new();
    let mut last = source.len();
    for Bounded { heading, limit } in bounded(document, source) {
        let level = if limit == last { heading.level } else { 0 };
        while let Some((_, start)) = open.pop_if(|(other, _)| *other >= level) {
            push(source, &mut found, start..heading.span.start.min(last), FoldKind::Region);
        }
        open.push((heading.level, heading.span.start));
        last = limit;
    }
    for (_, start) in open {
        push(source, &mut found, start..last, FoldKind::Region);
    }
    for placed in
        source.sections().filter(|placed| !matches!(placed.section.kind, SectionKind::Front(_)))
    {
        for block in &source.blocks(placed).blocks {
            let span = placed.start + block.span.start..placed.start + block.span.end;
            if opaque::touches(document, &span) {
                continue;
            }
            match block.kind {
                BlockKind::Heading { .. }
                | BlockKind::Paragraph
                | BlockKind::Row
                | BlockKind::ThematicBreak => {}
                BlockKind::Html
                    if source.slice(span.start..span.end.min(span.start + 4)) == "<!--" =>
                {
                    push(source, &mut found, span, FoldKind::Comment)
                }
                _ => push(source, &mut found, span, FoldKind::Region),
            }
        }
    }
    found.sort_by_key(|fold| (fold.span.start, std::cmp::Reverse(fold.span.end)));
    found.dedup_by_key(|fold| fold.span.clone());
    found
}

/// Adds a fold that ends with the last non-blank line of `span`, unless that is its first.
fn push(source: &Source, found: &mut Vec<Fold>, span: Span, kind: FoldKind) {
    let mut end = span.end;
    while end > span.start
        && source.text().get_byte(end - 1).is_some_and(|byte| byte.is_ascii_whitespace())
    {
        end -= 1;
    }
    // A line ends with its break, before which the fold can't end.
    if source.line_at(span.start).span().end < end {
        found.push(Fold { span: span.start..end, kind });
    }
}
