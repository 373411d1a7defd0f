//! Document highlights: what belongs to the thing under the cursor, marked while the cursor stands
//! there.

use crate::answer::Occurrence;
use crate::document::Document;
use crate::format::Context;

/// The places of this document that speak of the thing at `offset`, in order.
pub fn occurrences(document: &Document, cx: &Context, offset: usize) -> Vec<Occurrence> {
    let mut found = document.model().occurrences(cx, offset);
    found.retain(|occurrence| occurrence.path.is_none());
    found.sort_by_key(|occurrence| (occurrence.span.start, occurrence.span.end));
    found.dedup_by(|next, kept| next.span == kept.span);
    found
}
