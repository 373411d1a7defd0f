//! Parts: a long reply is checked in stretches that begin with the type of an action and don't
//! change when other stretches do. A part caches its findings, so a key press only checks the part
//! that it touches.

use std::sync::{Arc, OnceLock};

use super::Response;
use super::mark::MarkKind;
use super::read::Marks;
use super::rules::facts::Checked;
use crate::format::Context;
use crate::source::{Placed, Source, Stretch};

/// Consecutive sections of a reply. Offsets count from the start of the part.
#[derive(Debug)]
pub struct Part {
    source: Source,
    /// It is the first part.
    is_head: bool,
    /// The line break of the whole reply, for fixes.
    line_break: &'static str,
    checked: OnceLock<Checked>,
}

/// A part and its offset.
#[derive(Debug, Clone)]
pub struct PlacedPart {
    pub start: usize,
    part: Arc<Part>,
}

impl PlacedPart {
    /// Whether this is the same part as `other`, wherever each of them is.
    #[cfg(test)]
    pub fn same_as(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.part, &other.part)
    }

    /// The findings of the part, and what other parts need to know about it.
    pub fn checked(&self, cx: &Context) -> &Checked {
        let Part { source, is_head, line_break, checked } = self.part.as_ref();
        checked.get_or_init(|| {
            let response = Response::new(source, None);
            // Compute the whole cached value, regardless of which caller waits for it.
            let cx = Context { source, cancelled: &|| false, ..*cx };
            Checked::new(&response, &cx, *is_head, line_break)
        })
    }
}

/// The sections of a stretch with which parts begin.
#[derive(Default)]
struct Begins(OnceLock<Box<[usize]>>);

/// The parts of a reply; reuses unchanged parts of the previous version.
pub fn parts(source: &Source, earlier: &[PlacedPart]) -> Vec<PlacedPart> {
    let mut starts: Vec<usize> = Vec::from([0]);
    for stretch in source.stretches() {
        let memo = stretch.memo().get::<Begins>();
        let own = memo.0.get_or_init(|| begins(source, stretch));
        starts.extend(own.iter().map(|index| stretch.first() + index).filter(|index| *index > 0));
    }
    let ends = starts.iter().copied().skip(1).chain([source.section_count()]);
    let line_break = source.line_break();
    let place = |(index, (first, end)): (usize, (usize, usize))| {
        let is_head = index == 0;
        let same = |old: &&PlacedPart| {
            let Part { source: part, is_head: headed, line_break: breaks, .. } = old.part.as_ref();
            *headed == is_head && *breaks == line_break && source.holds(first..end, part)
        };
        // Parts before the edit are matched by their index from the start, parts after it from the
        // end.
        let behind = (earlier.len() + index).checked_sub(starts.len());
        let known = [Some(index), behind]
            .into_iter()
            .flatten()
            .filter_map(|index| earlier.get(index))
            .find(same);
        let part = known.map(|old| Arc::clone(&old.part)).unwrap_or_else(|| {
            let source = if starts.len() == 1 { source.clone() } else { source.part(first..end) };
            Arc::new(Part { source, is_head, line_break, checked: OnceLock::new() })
        });
        PlacedPart { start: source.section_start(first), part }
    };
    starts.iter().copied().zip(ends).enumerate().map(place).collect()
}

/// Which sections of a stretch begin with the type of an action.
fn begins(source: &Source, stretch: Stretch) -> Box<[usize]> {
    let is_start = |placed: &Placed| {
        let marks = Marks::of(source, *placed);
        marks.iter().next().is_some_and(|mark| {
            mark.span.start == 0 && matches!(mark.kind, MarkKind::Action { is_type: true, .. })
        })
    };
    stretch.sections().filter(is_start).map(|placed| placed.index - stretch.first()).collect()
}
