//! The packs of a document, stretch by stretch. A stretch keeps its items while it's read in the
//! same way, so a key press reads the items that it touches.

use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use parking_lot::Mutex;

use super::layout::passage::{Ending, Mark, Meaning, Next, Passage, Peek, Readings, read};
use super::layout::{Builder, Item, Layout, Pack, Set};
use super::line::{Gap, Line, Lines};
use crate::source::{Source, Stretch};
use crate::text::Reader;

/// The packs of a document. The layout with the places in the document is only made if it is
/// needed.
#[derive(Debug, Default)]
pub struct Parts {
    parts: Vec<Part>,
    pub packs: Vec<Pack>,
    /// The start of the text below the first `## Request` after a pack.
    request: Option<usize>,
    /// The number of items.
    count: usize,
    length: usize,
    layout: OnceLock<Layout>,
}

/// Consecutive items that begin in one stretch. At most the last one ends in another.
#[derive(Debug)]
pub struct Part {
    /// The start of the stretch.
    pub start: usize,
    pub meaning: Arc<Meaning>,
    /// The number of items before it.
    first: usize,
}

impl Part {
    /// Its items, as places of the document.
    pub fn items(&self) -> Vec<Item> {
        self.meaning.items.iter().map(|item| item.shifted(self.start)).collect()
    }
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

/// An item that reaches into another stretch, kept with the stretch that it begins in.
#[derive(Debug, Default)]
struct Long(Mutex<Option<(LongKey, Arc<Meaning>)>>);

/// What such an item depends on.
#[derive(Debug)]
struct LongKey {
    /// The line of its header, counted from the first one of the stretch.
    header: usize,
    /// These are counted from its header.
    next: usize,
    closer: Option<usize>,
    /// The stretches from the one with its header to the one with the next line.
    runs: Box<[Arc<Run>]>,
}

impl LongKey {
    fn is(&self, (header, next, closer): (usize, usize, Option<usize>), runs: &[Arc<Run>]) -> bool {
        let same = |(one, other): (&Arc<Run>, &Arc<Run>)| Arc::ptr_eq(one, other);
        (self.header, self.next, self.closer) == (header, next, closer)
            && self.runs.len() == runs.len()
            && self.runs.iter().zip(runs).all(same)
    }
}

/// A stretch with lines that can belong to a pack.
struct Placed<'a> {
    stretch: Stretch<'a>,
    run: Arc<Run>,
    /// The number of stretches before it.
    index: usize,
    /// The text before its first line.
    gap: Gap,
    /// The number of lines before it.
    first: usize,
}

struct Stretches<'a> {
    reader: Reader<'a>,
    length: usize,
    /// The lines of each stretch.
    runs: Vec<Arc<Run>>,
    list: Vec<Placed<'a>>,
    /// The text after the last line.
    tail: Gap,
}

impl<'a> Stretches<'a> {
    fn of(source: &'a Source) -> Self {
        let (mut list, mut tail, mut first) = (Vec::new(), Gap::None, 0);
        let mut runs: Vec<Arc<Run>> = Vec::new();
        for stretch in source.stretches() {
            let run = Run::of(source, stretch);
            let index = runs.len();
            runs.push(Arc::clone(&run));
            let Some(line) = run.lines.first() else {
                tail = tail.max(run.tail);
                continue;
            };
            let gap = line.gap.max(tail);
            (tail, first) = (run.tail, first + run.lines.len());
            list.push(Placed { first: first - run.lines.len(), stretch, run, index, gap });
        }
        Self { reader: source.reader(), length: source.len(), runs, list, tail }
    }

    /// The two lines after each stretch.
    fn nexts(&self) -> Vec<Next> {
        let mut next: Next = [None, None];
        let mut nexts: Vec<Next> = Vec::with_capacity(self.list.len());
        for placed in self.list.iter().rev() {
            nexts.push(next);
            let peek = |line: &Line, gap: Gap| Some((Peek::of(&line.kind), gap));
            next = match &*placed.run.lines {
                [] => next,
                [one] => [peek(one, placed.gap), next[0]],
                [one, two, ..] => [peek(one, placed.gap), peek(two, two.gap)],
            };
        }
        nexts.reverse();
        nexts
    }

    /// The stretch that a line is in, as an index of the list.
    fn index_of(&self, line: usize) -> usize {
        self.list.partition_point(|placed| placed.first <= line).saturating_sub(1)
    }

    /// Some lines in a row, with offsets from the start of the stretch of the first one.
    fn lines(&self, first: usize, count: usize) -> Vec<Set<'_>> {
        let placed = self.list.get(self.index_of(first)..).unwrap_or_default();
        let (from, before) =
            placed.first().map_or((0, 0), |own| (own.stretch.start, first - own.first));
        let mut lines = Vec::with_capacity(count);
        let mut skipped = before;
        for placed in placed {
            let base = placed.stretch.start - from;
            let wanted = placed.run.lines.iter().enumerate().skip(skipped);
            lines.extend(wanted.take(count - lines.len()).map(|(index, line)| {
                let gap = if index == 0 { placed.gap } else { line.gap };
                Set { base, line, gap }
            }));
            if lines.len() == count {
                break;
            }
            skipped = 0;
        }
        lines
    }

    /// The item with its header at a line, which ends before the line `next`, as a part of the
    /// stretch that it begins in.
    fn item(&self, header: usize, next: usize, closer: Option<usize>) -> Option<LongItem> {
        let placed = self.list.get(self.index_of(header))?;
        let start = placed.stretch.start;
        let has_next =
            self.list.last().is_some_and(|last| next < last.first + last.run.lines.len());
        let last = self.list.get(self.index_of(next)).filter(|_| has_next);
        let end = last.map_or(self.runs.len(), |last| last.index + 1);
        let runs = self.runs.get(placed.index..end).unwrap_or_default();
        let closer = closer.and_then(|closer| closer.checked_sub(header));
        let place = (header - placed.first, next.saturating_sub(header), closer);
        let slot = placed.stretch.memo().get::<Long>();
        let known = slot.0.lock();
        if let Some((_, meaning)) = known.as_ref().filter(|(key, _)| key.is(place, runs)) {
            return Some(LongItem { start, meaning: Arc::clone(meaning) });
        }
        drop(known);
        let lines = self.lines(header, next.saturating_sub(header).max(2) + 1);
        let limit = lines.get(next - header).filter(|_| has_next);
        let limit = limit.map_or(self.length - start, |set| set.span().start);
        let byte = |at: usize| self.reader.byte(start + at);
        let lines = lines.get(..next.saturating_sub(header).max(2)).unwrap_or(&lines);
        let builder = Builder { lines, byte: &byte };
        let item = builder.item(0, closer, next - header, limit)?;
        let meaning = Arc::new(Meaning::of(item));
        let (header, next, closer) = place;
        let key = LongKey { header, next, closer, runs: runs.into() };
        *slot.0.lock() = Some((key, Arc::clone(&meaning)));
        Some(LongItem { start, meaning })
    }
}

/// An item that reaches into another stretch than the one that begins at `start`.
struct LongItem {
    start: usize,
    meaning: Arc<Meaning>,
}

impl Parts {
    /// Reads the packs of a document.
    pub fn read(source: &Source) -> Self {
        let stretches = Stretches::of(source);
        let start = Readings::start();
        let mut passages: Vec<Arc<Passage>> = Vec::with_capacity(stretches.list.len());
        for (placed, next) in stretches.list.iter().zip(stretches.nexts()) {
            let count = placed.run.lines.len();
            let lines = || (stretches.lines(placed.first, count + 2), count);
            let before = passages.last().map_or(&start, |passage| passage.after());
            let passage = read(placed.stretch.memo(), before, placed.gap, next, lines);
            passages.push(passage);
        }
        let last = passages.last().map_or(&start, |passage| passage.after());
        let (mut reading, ends) = last.best(stretches.tail);
        let mut meanings = Vec::with_capacity(passages.len());
        for (placed, passage) in stretches.list.iter().zip(&passages).rev() {
            let lines = || stretches.lines(placed.first, passage.count());
            let byte = |at: usize| stretches.reader.byte(placed.stretch.start + at);
            let meaning = passage.meaning(reading, lines, &byte);
            reading = Passage::before(&meaning);
            meanings.push(meaning);
        }
        meanings.reverse();
        let mut parts = Self { length: source.len(), ..Self::default() };
        let mut open: Option<usize> = None;
        for (placed, meaning) in stretches.list.iter().zip(meanings) {
            if let (Some(header), Some(ending)) = (open, meaning.first) {
                let line = |line: isize| placed.first.checked_add_signed(line);
                let Ending { at, closer } = ending;
                let item = stretches.item(header, placed.first + at, closer.and_then(line));
                parts.add_long(item);
                open = None;
            }
            open = meaning.open.map(|line| line + placed.first).or(open);
            parts.add(placed.stretch.start, meaning);
        }
        if let (Some(header), Some(closer)) = (open, ends) {
            let last = stretches.list.last().map_or(0, |last| last.first + last.run.lines.len());
            let closer = closer.and_then(|closer| last.checked_add_signed(closer));
            parts.add_long(stretches.item(header, last, closer));
        }
        parts
    }

    fn add_long(&mut self, long: Option<LongItem>) {
        let Some(LongItem { start, meaning }) = long else { return };
        if let (Some(pack), Some(item)) = (self.packs.last_mut(), meaning.items.first()) {
            (pack.items.end, pack.end) = (self.count + 1, start + item.end);
        }
        self.push(start, meaning);
    }

    fn push(&mut self, start: usize, meaning: Arc<Meaning>) {
        let first = self.count;
        self.count += meaning.items.len();
        self.parts.push(Part { start, meaning, first });
    }

    fn add(&mut self, start: usize, meaning: Arc<Meaning>) {
        let mut done = 0;
        let to = |parts: &mut Self, done: &mut usize, count: usize| {
            if let Some(last) = count.checked_sub(1).and_then(|last| meaning.items.get(last))
                && count > *done
                && let Some(pack) = parts.packs.last_mut()
            {
                (pack.items.end, pack.end) = (parts.count + count, last.end + start);
            }
            *done = count;
        };
        for (count, mark) in &meaning.marks {
            to(self, &mut done, *count);
            match mark {
                Mark::Begin { heading, chat } => {
                    let heading = heading.start + start..heading.end + start;
                    let first = self.count + count;
                    let end = heading.end;
                    self.packs.push(Pack { heading, items: first..first, chat: *chat, end });
                }
                Mark::Close(end) => {
                    self.packs.last_mut().into_iter().for_each(|pack| pack.end = end + start);
                }
                Mark::Request(below) => _ = self.request.get_or_insert(below + start),
            }
        }
        to(self, &mut done, meaning.items.len());
        if !meaning.items.is_empty() {
            self.push(start, meaning);
        }
    }

    /// Whether there is no item.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// All items, part by part.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// The start of an item's header.
    pub fn start_of(&self, item: usize) -> Option<usize> {
        let index = self.parts.partition_point(|part| part.first <= item).checked_sub(1)?;
        let part = self.parts.get(index)?;
        Some(part.meaning.items.get(item - part.first)?.line.start + part.start)
    }
}

impl Deref for Parts {
    type Target = Layout;

    fn deref(&self) -> &Layout {
        self.layout.get_or_init(|| Layout {
            items: self.parts.iter().flat_map(Part::items).collect(),
            packs: self.packs.clone(),
            request: self.request.map(|start| start..self.length),
        })
    }
}
