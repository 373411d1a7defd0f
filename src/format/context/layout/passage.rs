//! Reads the lines of a stretch. How they can be interpreted depends on the interpretations of the
//! text before it, and on two lines after it; while these stay the same, the result does. So a key
//! press reads the stretch that it touches, and the one before it.

use std::sync::{Arc, OnceLock};

use parking_lot::Mutex;

use super::super::line::{Fence, Gap, LineKind, Naming};
use super::super::rules::{Key, Name};
use super::{Builder, Item, Last, Place, Reader, Reading, Set, Step, What, prune};
use crate::markdown::memo::Memo;
use crate::rule::kept::Kept;
use crate::text::Span;

/// What the reading of a stretch depends on besides its lines. Lines are counted from its first
/// one.
#[derive(Debug, PartialEq)]
struct Before {
    /// The interpretations so far, with their costs above the lowest.
    readings: Vec<(u32, Place)>,
    /// The text before the first line.
    gap: Gap,
    next: Next,
}

impl Before {
    fn is(&self, readings: &[Reading], gap: Gap, next: Next) -> bool {
        self.gap == gap
            && self.next == next
            && self.readings.len() == readings.len()
            && self
                .readings
                .iter()
                .zip(readings)
                .all(|((cost, place), reading)| *cost == reading.cost && *place == reading.place)
    }
}

/// The two lines after a stretch, each with the text before it.
pub type Next = [Option<(Peek, Gap)>; 2];

/// All that matters of a line after the stretch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Peek {
    Fence(Fence),
    /// Whether it names a file.
    Header(Naming, bool),
    Chat,
    Other,
}

impl Peek {
    pub fn of(kind: &LineKind) -> Self {
        match kind {
            LineKind::Fence(fence) => Self::Fence(*fence),
            LineKind::Header(header, naming) => Self::Header(*naming, header.file.is_some()),
            LineKind::Chat(_) => Self::Chat,
            _ => Self::Other,
        }
    }
}

/// How the lines of a stretch were read. Lines are counted from its first one.
#[derive(Debug)]
pub struct Passage {
    key: Before,
    /// The number of lines.
    count: usize,
    steps: Vec<Step>,
    /// The interpretations after it, with their costs above the lowest one before it.
    readings: Vec<Reading>,
    /// The same for the next stretch.
    after: Readings,
    /// What each of these means for the stretch.
    meanings: Vec<OnceLock<Arc<Meaning>>>,
}

/// The last passage of a stretch.
#[derive(Debug, Default)]
struct Slot(Mutex<Option<Arc<Passage>>>);

/// What one interpretation makes of a stretch. Offsets count from its start.
#[derive(Debug, Default)]
pub struct Meaning {
    /// The interpretation before it.
    before: usize,
    /// The first decision: it ends an item that began in an earlier stretch.
    pub first: Option<Ending>,
    /// The items that begin and end in it.
    pub items: Vec<Item>,
    /// The other decisions, each with the number of `items` before it.
    pub marks: Vec<(usize, Mark)>,
    /// The line of the header of an item that doesn't end in it.
    pub open: Option<usize>,
    /// Its items that name a file.
    pub names: OnceLock<Vec<Name>>,
    /// The findings about its items.
    pub kept: Mutex<Option<(Key, Arc<Kept>)>>,
}

impl Meaning {
    /// That of a stretch with one item.
    pub fn of(item: Item) -> Self {
        Self { items: vec![item], ..Self::default() }
    }
}

/// Where an item ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ending {
    /// The line of the next decision.
    pub at: usize,
    /// The line that closes the item.
    pub closer: Option<isize>,
}

/// A decision that concerns a whole pack.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mark {
    /// A pack begins with this heading.
    Begin { heading: Span, chat: bool },
    /// `</context>`, and its end.
    Close(usize),
    /// `## Request`, and the start of the text below it.
    Request(usize),
}

/// The interpretations before a stretch.
#[derive(Debug)]
pub struct Readings(Vec<Reading>);

impl Readings {
    pub fn start() -> Self {
        Self(vec![Reading::start()])
    }

    /// Those after a stretch with so many lines.
    fn after(readings: &[Reading], count: usize) -> Self {
        let lowest = readings.iter().map(|reading| reading.cost).min().unwrap_or_default();
        let moved = readings.iter().enumerate().map(|(index, reading)| Reading {
            cost: reading.cost - lowest,
            place: moved(reading.place, count),
            last: Last::Before(index),
        });
        Self(moved.collect())
    }

    /// The best one if the document ends with `tail`; and, if an item ends with it, the line that
    /// closes the item, counted from the end of the lines.
    pub fn best(&self, tail: Gap) -> (usize, Option<Option<isize>>) {
        let finished = self.0.iter().map(|reading| reading.finish(tail)).enumerate();
        let best = finished.min_by_key(|(_, (cost, _))| *cost);
        best.map(|(index, (_, ends))| (index, ends)).unwrap_or_default()
    }
}

/// A place, counted from `by` lines later.
fn moved(place: Place, by: usize) -> Place {
    let Place::Inside(mut inside) = place else { return place };
    if let Some(closer) = &mut inside.closer {
        closer.line -= by.cast_signed();
    }
    Place::Inside(inside)
}

/// Reads a stretch; `lines` makes its lines and the two after them, if they are needed.
pub fn read<'a>(
    memo: &Memo,
    before: &Readings,
    gap: Gap,
    next: Next,
    lines: impl FnOnce() -> (Vec<Set<'a>>, usize),
) -> Arc<Passage> {
    let Readings(readings) = before;
    let slot = memo.get::<Slot>();
    let known = slot.0.lock().clone();
    if let Some(known) = known.filter(|known| known.key.is(readings, gap, next)) {
        return known;
    }
    let key = Before {
        readings: readings.iter().map(|reading| (reading.cost, reading.place)).collect(),
        gap,
        next,
    };
    let (lines, count) = lines();
    let mut reader = Reader { lines: &lines, steps: Vec::new() };
    let (mut readings, mut next) = (readings.clone(), Vec::new());
    for at in 0..count {
        for reading in readings.drain(..) {
            reader.take(at, reading, &mut next);
        }
        prune(&mut next);
        std::mem::swap(&mut readings, &mut next);
    }
    let steps = reader.steps;
    let meanings = readings.iter().map(|_| OnceLock::new()).collect();
    let after = Readings::after(&readings, count);
    let passage = Arc::new(Passage { key, count, steps, readings, after, meanings });
    *slot.0.lock() = Some(Arc::clone(&passage));
    passage
}

impl Passage {
    /// What one of the interpretations after it makes of it; `lines` makes its lines with offsets
    /// from its start, if they are needed.
    pub fn meaning<'a>(
        &self,
        reading: usize,
        lines: impl FnOnce() -> Vec<Set<'a>>,
        byte: &dyn Fn(usize) -> Option<u8>,
    ) -> Arc<Meaning> {
        let Some(meaning) = self.meanings.get(reading) else { return Arc::default() };
        Arc::clone(meaning.get_or_init(|| {
            let mut steps = Vec::new();
            let mut last = self.readings.get(reading).map(|reading| reading.last);
            let mut before = 0;
            while let Some(next) = last.take() {
                match next {
                    Last::Before(index) => before = index,
                    Last::Here(index) => {
                        last = self.steps.get(index).map(|step| {
                            steps.push(step);
                            step.previous
                        });
                    }
                }
            }
            steps.reverse();
            Arc::new(Meaning { before, ..meaning_of(&steps, &lines(), byte) })
        }))
    }

    /// The interpretation before a stretch that leads to one after it.
    pub fn before(meaning: &Meaning) -> usize {
        meaning.before
    }

    /// The interpretations before the next stretch.
    pub fn after(&self) -> &Readings {
        &self.after
    }

    /// The number of lines.
    pub fn count(&self) -> usize {
        self.count
    }
}

fn meaning_of(steps: &[&Step], lines: &[Set], byte: &dyn Fn(usize) -> Option<u8>) -> Meaning {
    let builder = Builder { lines, byte };
    let mut out = Meaning::default();
    let ending = |step: &Step| Ending { at: step.at, closer: step.closer };
    out.first = steps.first().filter(|step| step.ends).map(|step| ending(step));
    for step in steps {
        let set = lines.get(step.at);
        if let Some(header) = out.open.take().filter(|_| step.ends) {
            let closer = step.closer.and_then(|closer| usize::try_from(closer).ok());
            let limit = set.map_or(0, |set| set.span().start);
            out.items.extend(builder.item(header, closer, step.at, limit));
        }
        let Some(set) = set else { continue };
        let mark = match (step.what, &set.line.kind) {
            (What::Begin { chat }, _) => Mark::Begin { heading: set.span(), chat },
            (What::Item, _) => {
                out.open = Some(step.at);
                continue;
            }
            (What::Leave, LineKind::Request) => Mark::Request(set.next()),
            (What::Leave, LineKind::Close) => Mark::Close(set.span().end),
            (What::Leave, _) => continue,
        };
        out.marks.push((out.items.len(), mark));
    }
    out
}
