//! Reads a chunk of lines. How its lines can be interpreted depends on the interpretations of the
//! text before it, and on two lines after it; while these stay the same, the result does. So a key
//! press reads the chunk that it touches, and the one before it.

use std::ops::Range;
use std::sync::Arc;

use parking_lot::Mutex;

use super::super::line::{Fence, Gap, LineKind, Naming};
use super::{Chunk, Place, Reader, Reading, Set, Step, What, prune};

/// What the reading of a chunk depends on besides its lines. Lines are counted from its first one.
#[derive(Debug, PartialEq)]
struct Key {
    /// The interpretations so far, with their costs above the lowest.
    readings: Vec<(u32, Place, isize)>,
    /// The text before the first line.
    gap: Option<Gap>,
    next: [Option<(Peek, Gap)>; 2],
}

/// All that matters of a line after the chunk.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Peek {
    Fence(Fence),
    /// Whether it names a file.
    Header(Naming, bool),
    Chat,
    Other,
}

/// How the lines of a chunk were read.
#[derive(Debug)]
struct Passage {
    key: Key,
    steps: Vec<Kept>,
    /// The interpretations after it, with their costs above the lowest one before it.
    readings: Vec<(u32, Place, isize, Last)>,
}

/// The last passage of a chunk.
#[derive(Debug, Default)]
struct Slot(Mutex<Option<Arc<Passage>>>);

/// A step in a chunk.
#[derive(Debug)]
struct Kept {
    previous: Last,
    at: isize,
    closer: Option<isize>,
    ends: bool,
    what: What,
}

/// The step before another one.
#[derive(Debug, Clone, Copy)]
enum Last {
    /// The last one of an interpretation before the chunk.
    Before(usize),
    /// In the chunk.
    Here(usize),
}

/// The line of the closer is kept apart, since it is counted differently.
fn split(place: Place, first: usize) -> (Place, isize) {
    let Place::Inside(mut inside) = place else { return (place, 0) };
    let Some(closer) = &mut inside.closer else { return (place, 0) };
    let line = closer.line.cast_signed() - first.cast_signed();
    closer.line = 0;
    (Place::Inside(inside), line)
}

fn joined(place: Place, line: isize, first: usize) -> Place {
    let Place::Inside(mut inside) = place else { return place };
    let Some(closer) = &mut inside.closer else { return place };
    closer.line = first.saturating_add_signed(line);
    Place::Inside(inside)
}

fn peek(set: &Set) -> (Peek, Gap) {
    let kind = match &set.line.kind {
        LineKind::Fence(fence) => Peek::Fence(*fence),
        LineKind::Header(header, naming) => Peek::Header(*naming, header.file.is_some()),
        LineKind::Chat(_) => Peek::Chat,
        _ => Peek::Other,
    };
    (kind, set.gap)
}

/// The interpretations after a chunk, given those before it.
pub(super) fn read(reader: &mut Reader, chunk: &Chunk, readings: Vec<Reading>) -> Vec<Reading> {
    let Range { start: first, end } = chunk.lines.clone();
    if first == end {
        return readings;
    }
    let lowest = readings.iter().map(|reading| reading.cost).min().unwrap_or_default();
    let key = Key {
        readings: readings
            .iter()
            .map(|reading| {
                let (place, closer) = split(reading.place, first);
                (reading.cost - lowest, place, closer)
            })
            .collect(),
        gap: reader.lines.get(first).map(|set| set.gap),
        next: [end, end + 1].map(|at| reader.lines.get(at).map(peek)),
    };
    let slot = chunk.memo.get::<Slot>();
    let known = slot.0.lock().clone().filter(|known| known.key == key);
    let before: Vec<Option<usize>> = readings.iter().map(|reading| reading.last).collect();
    let base = reader.steps.len();
    if let Some(known) = known {
        return known.repeat(reader, first, lowest, &before);
    }
    let mut readings = readings;
    let mut next = Vec::new();
    for at in first..end {
        for reading in readings.drain(..) {
            reader.take(at, reading, &mut next);
        }
        prune(&mut next);
        std::mem::swap(&mut readings, &mut next);
    }
    let last = |step: Option<usize>| match step.and_then(|step| step.checked_sub(base)) {
        Some(here) => Last::Here(here),
        None => Last::Before(before.iter().position(|other| *other == step).unwrap_or_default()),
    };
    let line = |line: usize| line.cast_signed() - first.cast_signed();
    let keep = |step: &Step| Kept {
        previous: last(step.previous),
        at: line(step.at),
        closer: step.closer.map(line),
        ends: step.ends,
        what: step.what,
    };
    let passage = Passage {
        key,
        steps: reader.steps.get(base..).unwrap_or_default().iter().map(keep).collect(),
        readings: readings
            .iter()
            .map(|reading| {
                let (place, closer) = split(reading.place, first);
                (reading.cost - lowest, place, closer, last(reading.last))
            })
            .collect(),
    };
    *slot.0.lock() = Some(Arc::new(passage));
    readings
}

impl Passage {
    /// The same again for lines from `first` on.
    fn repeat(
        &self,
        reader: &mut Reader,
        first: usize,
        lowest: u32,
        before: &[Option<usize>],
    ) -> Vec<Reading> {
        let base = reader.steps.len();
        let last = |last: Last| match last {
            Last::Before(index) => before.get(index).copied().flatten(),
            Last::Here(index) => Some(base + index),
        };
        let line = |line: isize| first.saturating_add_signed(line);
        reader.steps.extend(self.steps.iter().map(|step| Step {
            previous: last(step.previous),
            at: line(step.at),
            closer: step.closer.map(line),
            ends: step.ends,
            what: step.what,
        }));
        let readings = self.readings.iter().map(|(cost, place, closer, step)| Reading {
            cost: lowest + cost,
            place: joined(*place, *closer, first),
            last: last(*step),
        });
        readings.collect()
    }
}
