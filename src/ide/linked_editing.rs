//! Linked editing: pieces of text that change together while one of them is typed in.

use crate::document::Document;
use crate::format::Context;
use crate::text::Span;

/// The pieces that are linked with the one at `offset`, in order, that one among them; all have one
/// content. Empty where nothing is linked.
pub fn linked(document: &Document, cx: &Context, offset: usize) -> Vec<Span> {
    let mut found = document.model().linked(cx, offset);
    found.sort_by_key(|span| (span.start, span.end));
    found.dedup();
    if found.len() < 2 { Vec::new() } else { found }
}
