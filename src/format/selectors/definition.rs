//! Definition: from a selector to the nodes that it selects.

use super::target::{Target, resolved};
use crate::answer;
use crate::format::Context;
use crate::selector::mention;

/// At most this many targets are offered.
const MOST: usize = 100;

/// The nodes that the selector at `offset` selects.
pub fn definition(cx: &Context, offset: usize) -> Vec<answer::Target> {
    let Some(mention) = mention::at(cx.source, offset) else { return Vec::new() };
    let Some((target, selector)) = resolved(cx, &mention) else { return Vec::new() };
    let Target { path, source, .. } = &target;
    let places = target.contents(selector).into_iter().take(MOST).map(|(_, content)| {
        let line = source.line_span(content.span.start);
        let selection = content.span.start..line.end.min(content.span.end).max(content.span.start);
        answer::Target {
            path: path.clone(),
            span: content.span,
            selection,
            origin: mention.span.clone(),
        }
    });
    places.collect()
}
