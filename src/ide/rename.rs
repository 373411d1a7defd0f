//! Rename: a new name for an item, everywhere.

use crate::answer::{Renamable, Renaming};
use crate::document::Document;
use crate::format::Context;

/// The name at `offset`, if it can be renamed.
pub fn prepare(document: &Document, cx: &Context, offset: usize) -> Option<Renamable> {
    document.model().renamable(cx, offset).filter(|found| holds(found, offset))
}

/// Whether the cursor touches a name, rather than a quote or a prefix next to it.
fn holds(found: &Renamable, offset: usize) -> bool {
    found.span.start <= offset && offset <= found.span.end
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
    let model = document.model();
    if model.renamable(cx, offset).is_some_and(|found| !holds(&found, offset)) {
        return Err("nothing here can be renamed".to_owned());
    }
    Ok(model.rename(cx, offset, name)?.sorted())
}
