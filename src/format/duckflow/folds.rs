//! Folds: one per region, and one per content block.

use super::Response;
use super::region::{RegionKind, content_block};
use crate::answer::{Fold, FoldKind};
use crate::format::Context;
use crate::text::Span;

/// All folds beyond those of Markdown.
pub(super) fn folds(response: &Response, cx: &Context) -> Vec<Fold> {
    let regions = response
        .regions(cx.source)
        .iter()
        .filter(|region| region.kind != RegionKind::Vitals)
        .map(|region| region.span.clone());
    let contents =
        response.layout().contents.iter().map(|content| content_block(response.layout(), content));
    let long = |span: &Span| cx.source.line_span(span.start).end < span.end;
    regions.chain(contents).filter(long).map(|span| Fold { span, kind: FoldKind::Region }).collect()
}
