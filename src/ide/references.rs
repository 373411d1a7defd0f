//! References: every occurrence of an item.

use crate::answer::Occurrence;
use crate::document::Document;
use crate::format::{Context, selectors};
use crate::ide::opaque;

/// The occurrences of the item at `offset`; definitions are only included on request.
pub fn references(
    document: &Document,
    cx: &Context,
    offset: usize,
    definitions: bool,
) -> Vec<Occurrence> {
    let mut found = document.model().references(cx, offset);
    if !opaque::holds(document, offset) {
        found.extend(selectors::references::references(cx, offset));
    }
    found.retain(|occurrence| definitions || !occurrence.defines);
    found
}
