//! Document highlights: all occurrences of the item under the cursor.

use crate::answer::Occurrence;
use crate::document::Document;
use crate::format::Context;
use crate::text::Span;

/// The occurrences in this document of the item at `offset`, in order. None unless the cursor touches
/// one.
pub fn occurrences(document: &Document, cx: &Context, offset: usize) -> Vec<Occurrence> {
    let mut found = document.model().occurrences(cx, offset);
    found.retain(|occurrence| occurrence.path.is_none());
    let touches = |span: &Span| span.start <= offset && offset <= span.end;
    if !found.iter().any(|occurrence| touches(&occurrence.span)) {
        return Vec::new();
    }
    found.sort_by_key(|occurrence| (occurrence.span.start, occurrence.span.end));
    found.dedup_by(|next, kept| next.span == kept.span);
    found
}
