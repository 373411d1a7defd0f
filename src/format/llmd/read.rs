//! Reads the layout of a document. Parts are cached as long as the sections that contain them don't
//! change.

use std::cell::Cell;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use super::event::events;
use super::layout::{Layout, assemble};
use crate::format::blocks::written::{self, Passage};
use crate::source::Source;
use crate::text::Span;

/// The cached parts of a document, in order, and the document.
#[derive(Debug)]
pub(super) struct Passages {
    list: Vec<(Span, Arc<Passage>)>,
    source: Source,
}

/// The parts of a document that haven't changed since an earlier version.
struct Known<'a> {
    passages: &'a Passages,
    /// The end of the common prefix.
    start: usize,
    /// The start of the common suffix, in the new and in the old version.
    end: (usize, usize),
    /// The index after the last passage found: they are requested in order.
    next: Cell<usize>,
}

impl<'a> Known<'a> {
    fn new(source: &Source, passages: &'a Passages) -> Self {
        let old = &passages.source;
        let (prefix, suffix) = source.shared_sections(old);
        let end = |source: &Source| source.section_start(source.section_count() - suffix);
        Self {
            passages,
            start: source.section_start(prefix),
            end: (end(source), end(old)),
            next: Cell::new(0),
        }
    }

    fn get(&self, span: &Span) -> Option<Arc<Passage>> {
        let (now, before) = self.end;
        let span = if span.end <= self.start {
            span.clone()
        } else if span.start >= now {
            span.start - now + before..span.end - now + before
        } else {
            return None;
        };
        let list = &self.passages.list;
        let mut index = self.next.get();
        if list.get(index).is_none_or(|(other, _)| other.start != span.start) {
            index = list.binary_search_by_key(&span.start, |(other, _)| other.start).ok()?;
        }
        self.next.set(index + 1);
        list.get(index).filter(|(other, _)| *other == span).map(|(_, found)| Arc::clone(found))
    }
}

/// The layout of a document, and its passages to cache; `known` are those of the previous version.
fn read(source: &Source, known: Option<&Passages>) -> (Layout, Passages) {
    let known = known.map(|passages| Known::new(source, passages));
    let mut list = Vec::new();
    let mut passage = |span: &Span| {
        let found = known.as_ref().and_then(|known| known.get(span));
        let found = found.unwrap_or_else(|| Arc::new(written::read(&source.slice(span.clone()))));
        list.push((span.clone(), Arc::clone(&found)));
        found
    };
    let layout = assemble(&events(source).list(), extent(source), &mut passage);
    list.sort_by_key(|(span, _)| span.start);
    // Without the caches of the document.
    let source = source.part(0..source.section_count());
    (layout, Passages { list, source })
}

/// The layout of a document, read when it is needed: a key press may only need the entries that it
/// touches.
#[derive(Debug, Default)]
pub struct Whole {
    source: Source,
    layout: OnceLock<Layout>,
    passages: OnceLock<Arc<Passages>>,
    /// The passages of an earlier version.
    former: Option<Arc<Passages>>,
}

impl Whole {
    pub(super) fn new(source: &Source, former: Option<&Self>) -> Self {
        let former = former.and_then(|former| former.passages.get().or(former.former.as_ref()));
        let source = source.part(0..source.section_count());
        Self { source, former: former.cloned(), ..Self::default() }
    }

    /// A layout that has already been read.
    pub(super) fn known(layout: Layout) -> Self {
        Self { layout: OnceLock::from(layout), ..Self::default() }
    }
}

impl Deref for Whole {
    type Target = Layout;

    fn deref(&self) -> &Layout {
        self.layout.get_or_init(|| {
            let (layout, passages) = read(&self.source, self.former.as_deref());
            let _ = self.passages.set(Arc::new(passages));
            layout
        })
    }
}

/// The text without byte order mark and surrounding blank lines.
pub(super) fn extent(source: &Source) -> Span {
    let mut start = 0;
    for chunk in source.text().chunks() {
        let blank = chunk.len()
            - chunk
                .trim_start_matches(|character: char| {
                    character.is_whitespace() || character == '\u{feff}'
                })
                .len();
        start += blank;
        if blank < chunk.len() {
            break;
        }
    }
    start..source.len()
}
