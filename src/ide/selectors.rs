//! Selectors: the one at an offset, those that an edit would break, and the workspace's names.

use crate::document::Document;
use crate::format::Context;
pub use crate::format::selectors::moved::Rewriting;
use crate::format::selectors::{copy, moved};
use crate::ide::opaque;

/// The selector of the node at `offset`.
pub fn selector(document: &Document, cx: &Context, offset: usize) -> Option<String> {
    copy::selector(cx, offset).filter(|_| !opaque::holds(document, offset))
}

/// The selectors in all files whose targets have changed since the document was edited.
pub fn rewriting(cx: &Context) -> Option<Rewriting> {
    if moved::is_spoken_of(cx) { moved::rewriting(cx) } else { None }
}

/// Records that they were rewritten.
pub fn rewritten(cx: &Context) {
    moved::rewritten(cx);
}
