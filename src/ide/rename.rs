//! Rename: a new name for an item, everywhere.

use crate::answer::{Renamable, Renaming};
use crate::document::Document;
use crate::format::Context;

/// The name at `offset`, if it can be renamed.
pub fn prepare(document: &Document, cx: &Context, offset: usize) -> Option<Renamable> {
    document.model().renamable(cx, offset)
}

/// The edits that rename the item at `offset`, file by file, each in source order.
///
/// # Errors
/// Why it can't be renamed, as a message for the author.
pub fn rename(
    document: &Document,
    cx: &Context,
    offset: usize,
    name: &str,
) -> Result<Renaming, String> {
    Ok(document.model().rename(cx, offset, name)?.sorted())
}
