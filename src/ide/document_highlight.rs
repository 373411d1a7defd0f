//! Document highlights: all occurrences of the item under the cursor.

use crate::answer::Occurrence;
use crate::document::Document;
use crate::format::Context;

/// The occurrences in this document of the item at `offset`, in order.
pub fn occurrences(document: &Document, cx: &Context, offset: usize) -> Vec<Occurrence> {
    let mut found = document.model().occurrences(cx, offset);
    found.retain(|occurrence| occurrence.path.is_none());
    found.sort_by_key(|occurrence| (occurrence.span.start, occurrence.span.end));
    found.dedup_by(|next, kept| next.span == kept.span);
    found
}
