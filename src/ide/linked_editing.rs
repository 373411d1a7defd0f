//! Linked editing: ranges that change together while one of them is edited.

use crate::document::Document;
use crate::format::Context;
use crate::text::Span;

/// The ranges linked with the one at `offset`, in order, including that one; all have the same
/// content. Empty without links.
pub fn linked(document: &Document, cx: &Context, offset: usize) -> Vec<Span> {
    let mut found = document.model().linked(cx, offset);
    found.sort_by_key(|span| (span.start, span.end));
    found.dedup();
    if found.len() < 2 { Vec::new() } else { found }
}
