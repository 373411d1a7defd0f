//! Reads the packs of a document. Sections cache their lines, so a key press only reads those of
//! the section that it touches.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use super::layout::{self, Chunk, Layout, Set};
use super::line::{Gap, Line, Lines};
use crate::source::{Source, Stretch};

#[derive(Debug, Default)]
struct Known(OnceLock<Arc<Layout>>);

/// One of the sections can start a pack.
#[derive(Debug, Default)]
struct Begins(OnceLock<bool>);

/// The packs of a document.
pub fn read(source: &Source) -> Arc<Layout> {
    let known = source.memo().get::<Known>();
    Arc::clone(known.0.get_or_init(|| Arc::new(fresh(source))))
}

/// The lines of a run of sections, with offsets from its start.
#[derive(Debug, Default)]
struct Run {
    lines: Box<[Line]>,
    tail: Gap,
}

impl Run {
    fn of(source: &Source, stretch: Stretch) -> Arc<Self> {
        stretch.memo().share(|| {
            let (mut lines, mut tail) = (Vec::new(), Gap::None);
            for placed in stretch.sections() {
                let section = Lines::of(source, placed);
                let by = placed.start - stretch.start;
                let mut before = tail;
                for line in &section.lines {
                    let gap = line.gap.max(std::mem::take(&mut before));
                    lines.push(Line { gap, ..line.shifted(by) });
                }
                tail = section.tail.max(before);
            }
            Arc::new(Self { lines: lines.into(), tail })
        })
    }
}

fn fresh(source: &Source) -> Layout {
    let runs: Vec<(Stretch, Arc<Run>)> =
        source.stretches().map(|stretch| (stretch, Run::of(source, stretch))).collect();
    let (mut lines, mut chunks, mut tail) = (Vec::new(), Vec::new(), Gap::None);
    for (stretch, run) in &runs {
        let first = lines.len();
        let mut before = tail;
        for line in &run.lines {
            let gap = line.gap.max(std::mem::take(&mut before));
            lines.push(Set { base: stretch.start, line, gap });
        }
        tail = run.tail.max(before);
        chunks.push(Chunk { lines: first..lines.len(), memo: stretch.memo() });
    }
    let byte = |at: usize| source.text().get_byte(at);
    layout::layout(&lines, &chunks, tail, source.len(), &byte)
}

/// Whether a document contains a pack (AQ-7).
pub fn recognise(_: Option<&Path>, source: &Source) -> bool {
    source
        .stretches()
        .any(|stretch| *stretch.memo().get::<Begins>().0.get_or_init(|| begins(source, stretch)))
        && !read(source).items.is_empty()
}

fn begins(source: &Source, stretch: Stretch) -> bool {
    stretch.sections().any(|placed| Lines::of(source, placed).begins)
}
