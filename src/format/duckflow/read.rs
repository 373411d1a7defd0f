//! Reads the layout of a document. Sections cache their markers, so a key press only reads those of
//! the section that it touches.

use std::sync::{Arc, LazyLock, OnceLock};

use super::layout::{self, Layout};
use super::mark::{self, Mark};
use crate::source::{Placed, Source, Stretch};
use crate::text::Span;

#[derive(Debug, Default)]
pub(super) struct Marks(Box<[Mark]>);

/// What most sections have.
static NONE: LazyLock<Arc<Marks>> = LazyLock::new(Arc::default);

impl Marks {
    /// The markers of a section, with offsets from its start, which is the start of a line.
    pub(super) fn of(source: &Source, placed: Placed) -> Arc<Self> {
        placed.section.memo.share(|| {
            let marks = mark::marks(&source.section_text(placed));
            if marks.is_empty() { Arc::clone(&NONE) } else { Arc::new(Self(marks.into())) }
        })
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Mark> {
        self.0.iter()
    }
}

/// The markers of consecutive sections, with offsets from the first.
#[derive(Debug, Default)]
struct Run(OnceLock<Box<[Mark]>>);

impl Run {
    fn of(source: &Source, stretch: Stretch) -> Arc<Self> {
        let marks = stretch.memo().get::<Self>();
        marks.0.get_or_init(|| {
            let mut found = Vec::new();
            for placed in stretch.sections() {
                let by = placed.start - stretch.start;
                found.extend(Marks::of(source, placed).iter().map(|mark| mark.shifted(by)));
            }
            found.into()
        });
        marks
    }
}

/// The layout of a document.
pub fn read(source: &Source) -> Layout {
    let mut marks = Vec::new();
    for stretch in source.stretches() {
        let run = Run::of(source, stretch);
        marks.extend(run.0.get().into_iter().flatten().map(|mark| mark.shifted(stretch.start)));
    }
    let reader = |span: Span| source.slice(span);
    layout::layout(&reader, source.len(), marks)
}
