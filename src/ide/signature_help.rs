//! Signature help: the call that is being typed.

use crate::answer::Signature;
use crate::document::Document;
use crate::format::Context;

/// The call around `offset`, with the parameter that is typed there.
pub fn signature(document: &Document, cx: &Context, offset: usize) -> Option<Signature> {
    document.model().signature(cx, offset)
}
