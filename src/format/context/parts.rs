//! The packs of a document, stretch by stretch. A stretch keeps its items while it's read in the
//! same way, so a key press reads the items that it touches.

use std::ops::Deref;
use std::sync::{Arc, OnceLock};

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

/// Consecutive items.
#[derive(Debug)]
pub enum Part {
    /// The items of a stretch that begin and end in it.
    Own { start: usize, meaning: Arc<Meaning>, first: usize },
    /// An item that reaches into another stretch.
    Long { item: Box<Item>, first: usize },
}

impl Part {
    /// Its items, as places of the document.
    pub fn items(&self) -> Vec<Item> {
        match self {
            Self::Own { start, meaning, .. } => {
                meaning.items.iter().map(|item| item.shifted(*start)).collect()
            }
            Self::Long { item, .. } => vec![(**item).clone()],
        }
    }

    /// The number of items before it.
    fn first(&self) -> usize {
        match self {
            Self::Own { first, .. } | Self::Long { first, .. } => *first,
        }
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

/// A stretch with lines that can belong to a pack.
struct Placed<'a> {
    stretch: Stretch<'a>,
    run: Arc<Run>,
    /// The text before its first line.
    gap: Gap,
    /// The number of lines before it.
    first: usize,
}

struct Stretches<'a> {
    reader: Reader<'a>,
    length: usize,
    list: Vec<Placed<'a>>,
    /// The text after the last line.
    tail: Gap,
}

impl<'a> Stretches<'a> {
    fn of(source: &'a Source) -> Self {
        let (mut list, mut tail, mut first) = (Vec::new(), Gap::None, 0);
        for stretch in source.stretches() {
            let run = Run::of(source, stretch);
            let Some(line) = run.lines.first() else {
                tail = tail.max(run.tail);
                continue;
            };
            let gap = line.gap.max(tail);
            (tail, first) = (run.tail, first + run.lines.len());
            list.push(Placed { first: first - run.lines.len(), stretch, run, gap });
        }
        Self { reader: source.reader(), length: source.len(), list, tail }
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

    /// The lines from one line on, as far as wanted, as places of the document or of the stretch
    /// that begins with the line.
    fn lines(&self, first: usize, count: usize, in_document: bool) -> Vec<Set<'_>> {
        let index = self.list.partition_point(|placed| placed.first <= first).saturating_sub(1);
        let placed = self.list.get(index..).unwrap_or_default();
        let from = if in_document { 0 } else { placed.first().map_or(0, |own| own.stretch.start) };
        let lines = placed.iter().flat_map(|placed| {
            let base = placed.stretch.start - from;
            placed.run.lines.iter().enumerate().map(move |(index, line)| {
                let gap = if index == 0 { placed.gap } else { line.gap };
                Set { base, line, gap }
            })
        });
        let skipped = placed.first().map_or(0, |own| first - own.first);
        lines.skip(skipped).take(count).collect()
    }

    /// The start of a line, or the end of the document.
    fn start_of(&self, line: usize) -> usize {
        self.lines(line, 1, true).first().map_or(self.length, |set| set.span().start)
    }

    /// The item with its header at a line, which ends before another line.
    fn item(&self, header: usize, next: usize, closer: Option<usize>) -> Option<Item> {
        let lines = self.lines(header, next.saturating_sub(header).max(2), true);
        let byte = |at: usize| self.reader.byte(at);
        let closer = closer.and_then(|closer| closer.checked_sub(header));
        let builder = Builder { lines: &lines, byte: &byte };
        builder.item(0, closer, next - header, self.start_of(next))
    }
}

impl Parts {
    /// Reads the packs of a document.
    pub fn read(source: &Source) -> Self {
        let stretches = Stretches::of(source);
        let mut readings = Readings::start();
        let mut passages = Vec::with_capacity(stretches.list.len());
        for (placed, next) in stretches.list.iter().zip(stretches.nexts()) {
            let count = placed.run.lines.len();
            let lines = || (stretches.lines(placed.first, count + 2, false), count);
            let passage = read(placed.stretch.memo(), readings, placed.gap, next, lines);
            readings = Readings::after(&passage);
            passages.push(passage);
        }
        let (mut reading, ends) = readings.best(stretches.tail);
        let mut meanings = Vec::with_capacity(passages.len());
        for (placed, passage) in stretches.list.iter().zip(&passages).rev() {
            let lines = || stretches.lines(placed.first, passage.count(), false);
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

    fn add_long(&mut self, item: Option<Item>) {
        let Some(item) = item else { return };
        if let Some(pack) = self.packs.last_mut() {
            (pack.items.end, pack.end) = (self.count + 1, item.end);
        }
        self.parts.push(Part::Long { item: Box::new(item), first: self.count });
        self.count += 1;
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
            let (count, first) = (meaning.items.len(), self.count);
            self.parts.push(Part::Own { start, meaning, first });
            self.count += count;
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
        let index = self.parts.partition_point(|part| part.first() <= item).checked_sub(1)?;
        let part = self.parts.get(index)?;
        match part {
            Part::Own { start, meaning, first } => {
                Some(meaning.items.get(item - first)?.line.start + start)
            }
            Part::Long { item, .. } => Some(item.line.start),
        }
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
