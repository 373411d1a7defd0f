//! Inlay hints: what is shown between the characters of a document, where the settings allow it.

use crate::answer::Inlay;
use crate::document::Document;
use crate::format::Context;
use crate::ide::blocks;
use crate::text::Span;

/// The hints that stand in `span`, in order.
pub fn inlays(document: &Document, cx: &Context, span: Span) -> Vec<Inlay> {
    if !cx.config.options().inlay_hints {
        return Vec::new();
    }
    let mut found = document.model().inlays(cx, span.clone());
    found.extend(blocks::places::inlays(document, cx, &span));
    found.retain(|inlay| span.start <= inlay.offset && inlay.offset <= span.end);
    found.sort_by_key(|inlay| inlay.offset);
    found
}
