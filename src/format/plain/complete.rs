//! Completion in plain files: front matter that may become a program's.

use crate::answer::Completion;
use crate::format::{Context, markdownlang};

/// What can be typed at `offset`.
pub fn complete(cx: &Context, offset: usize) -> Vec<Completion> {
    markdownlang::complete::complete(cx, offset, false)
}
