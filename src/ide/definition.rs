//! Definition: the target of a link.

use crate::answer::{LinkTarget, Target};
use crate::document::Document;
use crate::format::{Context, selectors};
use crate::ide::links::{anchor, reference_at, target};
use crate::ide::symbols::headings;
use crate::ide::{blocks, opaque};
use crate::source::Source;
use crate::text::Span;

/// The definition of the item at `offset`.
pub fn definition(document: &Document, cx: &Context, offset: usize) -> Vec<Target> {
    let mut found = targets(document, cx, offset);
    for target in &mut found {
        target.origin = with(target.origin.clone(), offset);
    }
    found
}

/// A span up to the cursor, which may be on a quote or a prefix next to it: editors ignore a range
/// without the cursor.
pub(super) fn with(span: Span, offset: usize) -> Span {
    span.start.min(offset)..span.end.max(offset)
}

fn targets(document: &Document, cx: &Context, offset: usize) -> Vec<Target> {
    let mut found = document.model().definition(cx, offset);
    if found.is_empty() {
        found = blocks::places::definition(document, cx, offset);
    }
    if !found.is_empty() || opaque::holds(document, offset) {
        return found;
    }
    let selected = selectors::definition::definition(cx, offset);
    if selected.is_empty() { link_definition(cx, offset).into_iter().collect() } else { selected }
}

/// The link under the cursor: its whole span, its destination, and the span of its destination if
/// it's inline.
pub(super) fn link_at(cx: &Context, offset: usize) -> Option<(Span, String, Option<Span>)> {
    let placed = cx.source.section_at(offset)?;
    let local = offset.checked_sub(placed.start)?;
    let links = cx
        .source
        .blocks(placed)
        .links
        .iter()
        .filter(|link| link.span.start <= local && local <= link.span.end);
    let Some(link) = links.min_by_key(|link| link.span.len()) else {
        let (span, destination) = reference_at(cx.source, offset)?;
        return Some((span, destination, None));
    };
    let shift = |span: &Span| placed.start + span.start..placed.start + span.end;
    Some((shift(&link.span), link.destination.clone(), link.destination_span.as_ref().map(shift)))
}

fn link_definition(cx: &Context, offset: usize) -> Option<Target> {
    let (origin, destination, _) = link_at(cx, offset)?;
    let LinkTarget::File { path, fragment } = target(cx.path, &destination)? else { return None };
    if cx.path == Some(&path) {
        let selection = heading_span(cx.source, &fragment?)?;
        return Some(Target { path: None, span: selection.clone(), selection, origin });
    }
    let source = cx.world.read(&path).ok()?;
    let selection = fragment.and_then(|fragment| heading_span(&source, &fragment)).unwrap_or(0..0);
    Some(Target { path: Some(path), span: selection.clone(), selection, origin })
}

/// The heading with an anchor. Equal headings are distinguished by `-1`, `-2`, in order.
pub fn heading_span(source: &Source, fragment: &str) -> Option<Span> {
    let wanted = percent_encoding::percent_decode_str(fragment).decode_utf8_lossy().to_lowercase();
    let mut seen = std::collections::HashMap::new();
    headings(source).find_map(|heading| {
        let base = anchor(heading.title);
        let count: &mut usize = seen.entry(base.clone()).or_default();
        let name = if *count == 0 { base } else { format!("{base}-{count}") };
        *count += 1;
        (name == wanted).then_some(heading.span)
    })
}
