//! Completion in plain files: front matter that may become a program's, and the first marker of a reply.

use crate::answer::Completion;
use crate::format::{Context, duckflow, markdownlang};

/// What can be typed at `offset`.
pub fn complete(cx: &Context, offset: usize) -> Vec<Completion> {
    let mut found = markdownlang::complete::complete(cx, offset, false);
    if found.is_empty() {
        found = duckflow::complete::start(cx, offset);
    }
    found
}
