//! Text of a document that isn't Markdown, according to its format: no request treats it as if it
//! were.

use crate::document::Document;
use crate::text::Span;

/// Whether some of `span` isn't Markdown.
pub fn touches(document: &Document, span: &Span) -> bool {
    let opaque = document.model().opaque();
    let first = opaque.partition_point(|other| other.end <= span.start);
    opaque.get(first).is_some_and(|other| other.start < span.end.max(span.start + 1))
}

/// Whether text typed at `offset` isn't Markdown: the end of such text belongs to it.
pub fn holds(document: &Document, offset: usize) -> bool {
    let opaque = document.model().opaque();
    let first = opaque.partition_point(|other| other.end < offset);
    opaque.get(first).is_some_and(|other| other.start <= offset)
}
