//! Reads the layout of a document. Sections cache their markers, so a key press only reads those of
//! the section that it touches.

use std::sync::{Arc, LazyLock, OnceLock};

use super::layout::{self, Layout};
use super::mark::{self, Mark};
use super::sym_ops;
use crate::source::{Placed, Source, Stretch};
use crate::text::Span;

#[derive(Debug, Default)]
pub(super) struct Marks {
    marks: Box<[Mark]>,
    /// The first line of Sym-Ops vitals.
    vitals: Option<Span>,
}

/// What most sections have.
static NONE: LazyLock<Arc<Marks>> = LazyLock::new(Arc::default);

impl Marks {
    /// The markers of a section, with offsets from its start, which is the start of a line.
    pub(super) fn of(source: &Source, placed: Placed) -> Arc<Self> {
        placed.section.memo.share(|| {
            let text = source.section_text(placed);
            let (marks, vitals) = (mark::marks(&text), sym_ops::vitals(&text));
            if marks.is_empty() && vitals.is_none() {
                return Arc::clone(&NONE);
            }
            Arc::new(Self { marks: marks.into(), vitals })
        })
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Mark> {
        self.marks.iter()
    }

    pub(super) fn vitals(&self) -> Option<&Span> {
        self.vitals.as_ref()
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
    let runs: Vec<(usize, Arc<Run>)> =
        source.stretches().map(|stretch| (stretch.start, Run::of(source, stretch))).collect();
    let found = || runs.iter().filter_map(|(start, run)| Some((*start, run.0.get()?)));
    let mut marks = Vec::with_capacity(found().map(|(_, marks)| marks.len()).sum());
    for (start, run) in found() {
        marks.extend(run.iter().map(|mark| mark.shifted(start)));
    }
    let reader = source.reader();
    layout::layout(&|span| reader.slice(span), source.len(), marks)
}
