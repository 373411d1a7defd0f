//! Links: from an item to the lines of its file.

use super::Packs;
use super::compare;
use super::file::{Files, Place};
use super::layout::Item;
use crate::answer::{Link, LinkTarget, Target};
use crate::format::Context;
use crate::text::Span;
use crate::world::EntryKind;

/// Each file of the workspace costs a disk access, so any more than this get no links.
const MOST: usize = 1000;

/// A link for each item whose file exists in the workspace or is outside of it.
pub(super) fn links(packs: &Packs, cx: &Context) -> Vec<Link> {
    let named = packs.layout.items.iter().filter(|item| item.header.file.is_some()).take(MOST);
    let files = Files::new(cx);
    named.take_while(|_| !(cx.cancelled)()).filter_map(|item| link(cx, &files, item)).collect()
}

fn link(cx: &Context, files: &Files, item: &Item) -> Option<Link> {
    let path = match files.place(&compare::name(cx, item)?)? {
        Place::Inside(path) => (cx.world.kind(&path)? == EntryKind::File).then_some(path)?,
        Place::Outside(path) => path,
    };
    let fragment = item
        .header
        .range
        .as_ref()
        .filter(|range| range.start > 0)
        .map(|range| format!("L{}", range.start));
    Some(Link { span: span(item)?, target: LinkTarget::File { path, fragment }, tooltip: None })
}

/// The file of an item and its lines.
pub(super) fn span(item: &Item) -> Option<Span> {
    let file = item.header.file.clone().filter(|file| !file.is_empty())?;
    Some(file.start..item.header.range.as_ref().map_or(file.end, |range| range.span.end))
}

/// The lines that the header at `offset` names. Files outside the workspace are not read, so they
/// have none.
pub(super) fn definition(packs: &Packs, cx: &Context, offset: usize) -> Option<Target> {
    let item = packs.item_at(offset)?;
    let origin = span(item).filter(|span| span.start <= offset && offset <= span.end)?;
    let text = Files::new(cx).text(&compare::name(cx, item)?).ok()?;
    let lines = item.header.range.as_ref().and_then(|range| text.lines(range.start, range.end));
    let start = lines.as_ref().map_or(0, |lines| lines.start);
    Some(Target {
        path: Some(text.path),
        span: lines.unwrap_or(0..0),
        selection: start..start,
        origin,
    })
}
