//! Reads the layout of a document. Sections remember their markers: a key reads those of the section that it touches.

use std::sync::{Arc, OnceLock};

use super::layout::{self, Layout};
use super::mark::{self, Mark};
use crate::source::{Placed, Source};
use crate::text::Span;

#[derive(Debug, Default)]
pub(super) struct Marks(OnceLock<Box<[Mark]>>);

impl Marks {
    /// The markers of a section, as places of the section: it begins where a line does.
    pub(super) fn of(source: &Source, placed: Placed) -> Arc<Self> {
        let marks = placed.section.memo.get::<Self>();
        marks.0.get_or_init(|| mark::marks(&source.section_text(placed)).into());
        marks
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Mark> {
        self.0.get().into_iter().flatten()
    }
}

/// The layout of a document.
pub fn read(source: &Source) -> Layout {
    let mut marks = Vec::new();
    for placed in source.sections() {
        marks.extend(Marks::of(source, placed).iter().map(|mark| mark.shifted(placed.start)));
    }
    let reader = |span: Span| source.slice(span);
    layout::layout(&reader, source.len(), marks)
}
