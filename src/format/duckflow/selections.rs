//! Selection: content, content with its markers, then the action or section around them.

use super::Response;
use super::region::content_block;
use crate::format::Context;
use crate::text::Span;

/// Stretches around `offset` that are worth selecting as one.
pub(super) fn selections(response: &Response, cx: &Context, offset: usize) -> Vec<Span> {
    let layout = response.layout();
    let mut found = Vec::new();
    if let Some(region) = response.region_at(cx.source, offset) {
        found.push(region.span.clone());
    }
    let index =
        layout.contents.partition_point(|content| content_block(layout, content).start <= offset);
    if let Some(content) = index.checked_sub(1).and_then(|index| layout.contents.get(index)) {
        found.extend([content_block(layout, content), content.span.clone()]);
    }
    if let Some((_, mark)) = response.mark_at(offset) {
        found.extend([mark.name.clone(), mark.span.clone(), mark.value.clone()]);
    }
    found.retain(|span| span.start <= offset && offset <= span.end);
    found
}
