//! Signature help: the call being typed.

use crate::answer::Signature;
use crate::document::Document;
use crate::format::Context;

/// The call around `offset`, with the parameter being typed.
pub fn signature(document: &Document, cx: &Context, offset: usize) -> Option<Signature> {
    document.model().signature(cx, offset)
}
