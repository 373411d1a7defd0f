//! Inlay hints: text shown between the characters of a document, if the settings allow it.

use crate::answer::Inlay;
use crate::document::Document;
use crate::format::{Context, selectors};
use crate::ide::{blocks, opaque};
use crate::text::Span;

/// The hints in `span`, in order.
pub fn inlays(document: &Document, cx: &Context, span: Span) -> Vec<Inlay> {
    let options = cx.config.options();
    let mut found = Vec::new();
    if options.inlay_hints {
        found.extend(document.model().inlays(cx, span.clone()));
        found.extend(blocks::places::inlays(document, cx, &span));
    }
    if options.selector_hints {
        let own = selectors::inlays::inlays(cx, &span).into_iter();
        found.extend(own.filter(|inlay| !opaque::holds(document, inlay.offset)));
    }
    found.retain(|inlay| span.start <= inlay.offset && inlay.offset <= span.end);
    found.sort_by_key(|inlay| inlay.offset);
    found
}
