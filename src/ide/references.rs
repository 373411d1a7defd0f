//! References: every place that speaks of one thing.

use crate::answer::Occurrence;
use crate::document::Document;
use crate::format::{Context, selectors};
use crate::ide::opaque;

/// The places that speak of the thing at `offset`; those that define it are left out unless they
/// are wanted.
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
