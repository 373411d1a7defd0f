//! Selectors: the one at an offset, those that an edit would break, and the workspace's names.

use std::path::Path;

use crate::document::Document;
use crate::format::Context;
pub use crate::format::selectors::moved::Rewriting;
use crate::format::selectors::names::Names;
use crate::format::selectors::{copy, moved};
use crate::ide::opaque;
use crate::source::Source;
use crate::world::World;

/// The selector of the node at `offset`.
pub fn selector(document: &Document, cx: &Context, offset: usize) -> Option<String> {
    copy::selector(cx, offset).filter(|_| !opaque::holds(document, offset))
}

/// The selectors in all files whose target has changed since the document was edited.
pub fn rewriting(cx: &Context) -> Option<Rewriting> {
    if moved::is_spoken_of(cx) { moved::rewriting(cx) } else { None }
}

/// Records that they were rewritten.
pub fn rewritten(cx: &Context) {
    moved::rewritten(cx);
}

/// Updates a file's name and the documents that it refers to.
pub fn learn(world: &dyn World, path: &Path, source: &Source) {
    Names::of(world).learn(path, source);
}

/// Removes a file.
pub fn forget(world: &dyn World, path: &Path) {
    Names::of(world).forget(path);
}

/// Marks all files as known; returns whether a request came before that.
pub fn finish(world: &dyn World) -> bool {
    Names::of(world).finish()
}
