//! Reads the packs of a document. Sections cache their lines, so a key press only reads those of
//! the section that it touches.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use super::layout::{self, Layout, Set};
use super::line::{Gap, Lines};
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

fn fresh(source: &Source) -> Layout {
    let sections: Vec<(usize, Arc<Lines>)> =
        source.sections().map(|placed| (placed.start, Lines::of(source, placed))).collect();
    let (mut lines, mut tail) = (Vec::new(), Gap::None);
    for (base, section) in &sections {
        let mut before = tail;
        for line in &section.lines {
            lines.push(Set { base: *base, line, gap: line.gap.max(before) });
            before = Gap::None;
        }
        tail = section.tail.max(before);
    }
    layout::layout(&lines, tail, source.len(), &|at| source.text().get_byte(at))
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
