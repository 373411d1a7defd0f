//! Rename: another name for one thing, wherever it is written.

use crate::answer::{FileEdit, Renamable};
use crate::document::Document;
use crate::format::Context;

/// The name at `offset`, if it can be renamed.
pub fn prepare(document: &Document, cx: &Context, offset: usize) -> Option<Renamable> {
    document.model().renamable(cx, offset)
}

/// The edits that give the thing at `offset` another name, file by file, each in the order of its
/// text.
///
/// # Errors
/// Says why that cannot be, in words for the author.
pub fn rename(
    document: &Document,
    cx: &Context,
    offset: usize,
    name: &str,
) -> Result<Vec<FileEdit>, String> {
    let mut files = document.model().rename(cx, offset, name)?;
    for file in &mut files {
        file.edits.sort_by_key(|edit| (edit.span.start, edit.span.end));
        file.edits.dedup();
    }
    files.retain(|file| !file.edits.is_empty());
    Ok(files)
}
