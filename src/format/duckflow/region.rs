//! Regions: stretches of a reply that an author sees as one thing: a section, the vitals, an
//! action.

use smallvec::{SmallVec, smallvec};

use super::layout::{Content, End, Layout};
use super::mark::{Mark, MarkKind};
use crate::source::Source;
use crate::text::{Reader, Span};

/// Adjacent marks that belong together, with their text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Region {
    pub kind: RegionKind,
    /// From the start of the first marker's line to the end of the last one's text.
    pub span: Span,
    /// Indices into [`Layout::marks`].
    pub marks: SmallVec<[usize; 4]>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RegionKind {
    Section,
    Vitals,
    Action(u64),
}

/// The regions of a reply, in order; they don't overlap.
pub fn regions(layout: &Layout, source: &Source) -> Vec<Region> {
    let mut found: Vec<Region> = Vec::new();
    let reader = source.reader();
    for (at, mark, kind) in kinds(layout) {
        let end = end(layout, &reader, source.len(), at);
        match found.last_mut() {
            Some(last) if last.kind == kind && kind != RegionKind::Section => {
                last.span.end = end.max(last.span.end);
                last.marks.push(at);
            }
            _ => found.push(Region { kind, span: mark.line.start..end, marks: smallvec![at] }),
        }
    }
    found
}

/// Whether the regions of actions are in the order of their indices. Asks for no text.
pub fn are_in_order(layout: &Layout) -> bool {
    let index = |(.., kind): (usize, &Mark, RegionKind)| match kind {
        RegionKind::Action(index) => Some(index),
        RegionKind::Section | RegionKind::Vitals => None,
    };
    kinds(layout).filter_map(index).is_sorted()
}

/// The markers outside content, and what each belongs to.
fn kinds(layout: &Layout) -> impl Iterator<Item = (usize, &Mark, RegionKind)> {
    layout.marks.iter().enumerate().filter_map(|(at, mark)| {
        if layout.inside.get(at).is_some_and(Option::is_some) {
            return None;
        }
        let kind = match mark.kind {
            MarkKind::Section(_) | MarkKind::UnknownSection => RegionKind::Section,
            MarkKind::Vital(_) | MarkKind::ExtraVital => RegionKind::Vitals,
            MarkKind::Action { index, .. } | MarkKind::ContentStart { index, .. } => {
                RegionKind::Action(index)
            }
            // An end marker was added along with its content.
            MarkKind::ContentEnd { index, .. } if layout.unopened.binary_search(&at).is_ok() => {
                RegionKind::Action(index)
            }
            _ => return None,
        };
        Some((at, mark, kind))
    })
}

/// The content that begins at a `CONTENT_START` mark.
pub fn content_of(layout: &Layout, start: usize) -> Option<&Content> {
    let index = layout.contents.binary_search_by_key(&start, |content| content.start).ok()?;
    layout.contents.get(index)
}

/// The content with its markers.
pub fn content_block(layout: &Layout, content: &Content) -> Span {
    let line = |mark: usize| layout.marks.get(mark).map(|mark| mark.line.clone());
    let start = line(content.start).map_or(content.span.start, |line| line.start);
    let end = match content.end {
        End::Mark(end) | End::WrongIndex(end) => {
            line(end).map_or(content.span.end, |line| line.end)
        }
        End::Missing(_) => content.span.end,
    };
    start..end.max(start)
}

/// The end of the text that belongs to a mark of a document of `length` bytes.
fn end(layout: &Layout, reader: &Reader, length: usize, index: usize) -> usize {
    let Some(mark) = layout.marks.get(index) else { return 0 };
    match mark.kind {
        MarkKind::ContentStart { .. } => content_of(layout, index)
            .map_or(mark.line.end, |content| content_block(layout, content).end),
        MarkKind::Section(_)
        | MarkKind::UnknownSection
        | MarkKind::Action { is_type: false, .. } => {
            let mut rest = layout.marks.get(index + 1..).unwrap_or_default().iter();
            let close = layout.fence.as_ref().map_or(length, |(_, close)| close.start);
            let mut end =
                rest.find(|next| next.kind.is_marker()).map_or(close, |next| next.line.start);
            while end > mark.line.end
                && reader.byte(end - 1).is_some_and(|byte| byte.is_ascii_whitespace())
            {
                end -= 1;
            }
            end.max(mark.line.end)
        }
        _ => mark.line.end,
    }
}
