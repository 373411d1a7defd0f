//! Selectors: the one of a place, those that an edit leads astray, and what is known of the
//! workspace's.

use std::path::Path;

use crate::document::Document;
use crate::format::Context;
pub use crate::format::selectors::moved::Rewriting;
use crate::format::selectors::names::Names;
use crate::format::selectors::{copy, moved};
use crate::ide::opaque;
use crate::source::Source;
use crate::world::World;

/// The selector of what stands at `offset`.
pub fn selector(document: &Document, cx: &Context, offset: usize) -> Option<String> {
    copy::selector(cx, offset).filter(|_| !opaque::holds(document, offset))
}

/// The selectors of all files that meant something else before the document was edited.
pub fn rewriting(cx: &Context) -> Option<Rewriting> {
    if moved::is_spoken_of(cx) { moved::rewriting(cx) } else { None }
}

/// Notes that they are rewritten.
pub fn rewritten(cx: &Context) {
    moved::rewritten(cx);
}

/// Takes in what a file is called and which documents it speaks of.
pub fn learn(world: &dyn World, path: &Path, source: &Source) {
    Names::of(world).learn(path, source);
}

/// Takes in that a file is gone.
pub fn forget(world: &dyn World, path: &Path) {
    Names::of(world).forget(path);
}

/// All files are known; whether somebody asked before they were.
pub fn finish(world: &dyn World) -> bool {
    Names::of(world).finish()
}
