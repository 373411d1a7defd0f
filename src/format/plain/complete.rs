//! Completion in plain files: front matter that may become a program's, the first marker of a
//! reply, and the first header of a context pack.

use crate::answer::Completion;
use crate::format::{Context, context, duckflow, markdownlang};

/// The completions at `offset`.
pub fn complete(cx: &Context, offset: usize) -> Vec<Completion> {
    let mut found = markdownlang::complete::complete(cx, offset, false);
    if found.is_empty() {
        found = duckflow::complete::start(cx, offset);
    }
    if found.is_empty() {
        found = context::complete::start(cx, offset);
    }
    found
}
