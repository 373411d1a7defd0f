//! The list of a document's sections: two levels deep, so that an edit only copies one short run of
//! pointers and the run headers.

use std::ops::Range;
use std::sync::Arc;

use super::Placed;
use crate::markdown::memo::Memo;
use crate::markdown::{Section, Trace, Traces};

/// Short in tests, so that small documents have several.
const RUN: usize = if cfg!(test) { 4 } else { 64 };

#[derive(Debug, Clone, Default)]
pub(super) struct Sections {
    runs: Arc<[Head]>,
    total: Place,
}

/// A start: counts of everything before it.
#[derive(Debug, Clone, Copy, Default)]
struct Place {
    sections: usize,
    bytes: usize,
    breaks: usize,
}

#[derive(Debug, Clone)]
struct Head {
    start: Place,
    run: Arc<Run>,
}

#[derive(Debug)]
struct Run {
    sections: Vec<Arc<Section>>,
    /// The start of each section, relative to the run's.
    starts: Vec<Place>,
    total: Place,
    /// A section has a comment that suppresses findings.
    directives: bool,
    /// What any of the sections has.
    traces: Traces,
    memo: Memo,
}

impl Run {
    fn new(sections: Vec<Arc<Section>>) -> Self {
        let mut total = Place::default();
        let starts = sections.iter().map(|section| {
            let start = total;
            total.sections += 1;
            total.bytes += section.length;
            total.breaks += section.breaks.starts().len();
            start
        });
        let starts = starts.collect();
        let directives = sections.iter().any(|section| !section.directives.is_empty());
        let traces =
            sections.iter().fold(Traces::default(), |traces, section| traces.and(section.traces()));
        Self { sections, starts, total, directives, traces, memo: Memo::default() }
    }
}

/// A line of a document.
#[derive(Debug, Clone)]
pub struct Line {
    /// From 0.
    pub number: usize,
    span: Range<usize>,
    /// The text of its section is ASCII.
    ascii: bool,
}

impl Line {
    /// Whether an offset of the text is in the line.
    pub fn contains(&self, offset: usize) -> bool {
        self.span.contains(&offset)
    }

    /// The offset of its start.
    pub fn start(&self) -> usize {
        self.span.start
    }

    /// With its line break, as far as that is in the same section.
    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    pub fn is_ascii(&self) -> bool {
        self.ascii
    }
}

/// A few dozen sections in a row, with aggregates of all of them.
#[derive(Debug, Clone, Copy)]
pub struct Stretch<'a> {
    /// Where it begins in the document.
    pub start: usize,
    first: usize,
    run: &'a Run,
}

impl<'a> Stretch<'a> {
    /// Data cached for these sections; it must not depend on their position.
    pub fn memo(&self) -> &'a Memo {
        &self.run.memo
    }

    /// Whether a section has a comment that suppresses findings.
    pub fn has_directives(&self) -> bool {
        self.run.directives
    }

    /// False if no section contains this.
    pub fn may_have(&self, trace: Trace) -> bool {
        self.run.traces.has(trace)
    }

    pub fn span(&self) -> Range<usize> {
        self.start..self.start + self.run.total.bytes
    }

    /// The index of the first section.
    pub fn first(&self) -> usize {
        self.first
    }

    /// The index after its last section.
    pub fn end(&self) -> usize {
        self.first + self.run.sections.len()
    }

    pub fn sections(self) -> impl Iterator<Item = Placed<'a>> {
        let Self { start, first, run } = self;
        let place = move |(section, own): (&'a Arc<Section>, &Place)| Placed {
            index: first + own.sections,
            start: start + own.bytes,
            section,
        };
        run.sections.iter().zip(&run.starts).map(place)
    }
}

impl Sections {
    pub(super) fn new(sections: Vec<Arc<Section>>) -> Self {
        let mut rest = sections.into_iter().peekable();
        let mut runs = Vec::new();
        while rest.peek().is_some() {
            runs.push(Arc::new(Run::new(rest.by_ref().take(RUN).collect())));
        }
        Self::from_runs(runs.into_iter())
    }

    /// The sections of `range` as a list. Runs entirely inside it are shared.
    pub(super) fn part(&self, range: Range<usize>) -> Self {
        let from = self
            .runs
            .partition_point(|head| head.start.sections + head.run.sections.len() <= range.start);
        let runs = self
            .runs
            .get(from..)
            .unwrap_or_default()
            .iter()
            .take_while(|head| head.start.sections < range.end);
        let pieces = runs.map(|head| {
            let first = range.start.saturating_sub(head.start.sections);
            let end = (range.end - head.start.sections).min(head.run.sections.len());
            match head.run.sections.get(first..end) {
                Some(piece) if piece.len() < head.run.sections.len() => {
                    Arc::new(Run::new(piece.to_vec()))
                }
                _ => Arc::clone(&head.run),
            }
        });
        Self::from_runs(pieces)
    }

    /// Whether `part` consists of exactly the sections of `range`.
    pub(super) fn are_at(&self, range: Range<usize>, part: &Self) -> bool {
        let mut at = range.start;
        range.len() == part.len()
            && part.runs.iter().all(|head| {
                let own = self
                    .runs
                    .partition_point(|own| own.start.sections <= at)
                    .checked_sub(1)
                    .and_then(|own| self.runs.get(own));
                let shared = own.is_some_and(|own| {
                    own.start.sections == at && Arc::ptr_eq(&own.run, &head.run)
                });
                let same = |(index, section): (usize, &Arc<Section>)| {
                    self.get(index).is_some_and(|own| Arc::ptr_eq(own.section, section))
                };
                let found = shared || (at..).zip(&head.run.sections).all(same);
                at += head.run.sections.len();
                found
            })
    }

    /// How many sections at the start are those of `other`, and how many of the others at the end.
    pub(super) fn shared(&self, other: &Self) -> (usize, usize) {
        let same = |(a, b): &(&Head, &Head)| Arc::ptr_eq(&a.run, &b.run);
        let count = |heads: &mut dyn Iterator<Item = (&Head, &Head)>| -> usize {
            heads.take_while(same).map(|(head, _)| head.run.sections.len()).sum()
        };
        let most = self.len().min(other.len());
        let mut prefix = count(&mut self.runs.iter().zip(other.runs.iter()));
        let here = |index: usize| self.get(index).map(|placed| placed.section);
        let there = |index: usize| other.get(index).map(|placed| placed.section);
        let equal = |a: Option<&Arc<Section>>, b: Option<&Arc<Section>>| match (a, b) {
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            _ => false,
        };
        while prefix < most && equal(here(prefix), there(prefix)) {
            prefix += 1;
        }
        let most = most - prefix;
        let mut suffix = count(&mut self.runs.iter().rev().zip(other.runs.iter().rev())).min(most);
        while suffix < most && equal(here(self.len() - suffix - 1), there(other.len() - suffix - 1))
        {
            suffix += 1;
        }
        (prefix, suffix)
    }

    fn from_runs(runs: impl Iterator<Item = Arc<Run>>) -> Self {
        let mut total = Place::default();
        let heads = runs.map(|run| {
            let start = total;
            total.sections += run.total.sections;
            total.bytes += run.total.bytes;
            total.breaks += run.total.breaks;
            Head { start, run }
        });
        let runs = heads.collect();
        Self { runs, total }
    }

    pub(super) fn len(&self) -> usize {
        self.total.sections
    }

    pub(super) fn breaks(&self) -> usize {
        self.total.breaks
    }

    pub(super) fn get(&self, index: usize) -> Option<Placed<'_>> {
        let head = self
            .runs
            .get(self.runs.partition_point(|head| head.start.sections <= index).checked_sub(1)?)?;
        let local = index - head.start.sections;
        let (section, start) = (head.run.sections.get(local)?, head.run.starts.get(local)?);
        Some(Placed { index, start: head.start.bytes + start.bytes, section })
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Placed<'_>> {
        self.runs.iter().flat_map(|head| {
            head.run.sections.iter().zip(&head.run.starts).map(move |(section, start)| Placed {
                index: head.start.sections + start.sections,
                start: head.start.bytes + start.bytes,
                section,
            })
        })
    }

    pub(super) fn runs(&self) -> impl Iterator<Item = Stretch<'_>> {
        self.runs.iter().map(|head| Stretch {
            start: head.start.bytes,
            first: head.start.sections,
            run: &head.run,
        })
    }

    /// The byte offset of section `index`; the document's end for an index after the last.
    pub(super) fn start_of(&self, index: usize) -> usize {
        self.get(index).map_or(self.total.bytes, |placed| placed.start)
    }

    /// The section that contains the byte at `offset`; the last one for an offset after it.
    pub(super) fn index_at(&self, offset: usize) -> usize {
        self.find(|place| place.bytes <= offset).map_or(0, |(start, _, _)| start.sections)
    }

    /// The last section whose start satisfies `before`, with that start and the section itself.
    fn find(&self, before: impl Fn(Place) -> bool) -> Option<(Place, &Arc<Section>, Place)> {
        let head =
            self.runs.get(self.runs.partition_point(|head| before(head.start)).checked_sub(1)?)?;
        let absolute = |start: &Place| Place {
            sections: head.start.sections + start.sections,
            bytes: head.start.bytes + start.bytes,
            breaks: head.start.breaks + start.breaks,
        };
        let local =
            head.run.starts.partition_point(|start| before(absolute(start))).checked_sub(1)?;
        Some((absolute(head.run.starts.get(local)?), head.run.sections.get(local)?, head.start))
    }

    /// The line that contains `offset`.
    pub(super) fn line_at(&self, offset: usize) -> Line {
        let Some((start, section, _)) = self.find(|place| place.bytes <= offset) else {
            return Line { number: 0, span: 0..0, ascii: true };
        };
        let (line, line_start) = section.breaks.line_at(offset - start.bytes);
        let end = section.breaks.start_of(line + 1).unwrap_or(section.length);
        Line {
            number: start.breaks + line,
            span: start.bytes + line_start..start.bytes + end,
            ascii: section.ascii,
        }
    }

    /// The offset of the start of line `line`; `None` after the last line.
    pub(super) fn start_of_line(&self, line: usize) -> Option<usize> {
        if line == 0 {
            return Some(0);
        }
        let (start, section, _) = self.find(|place| place.breaks < line)?;
        Some(start.bytes + section.breaks.start_of(line - start.breaks)?)
    }

    /// These sections, with those of `range` replaced by `new`.
    pub(super) fn splice(&self, range: Range<usize>, new: Vec<Arc<Section>>) -> Self {
        let run_of = |index: usize| {
            self.runs.partition_point(|head| head.start.sections <= index).saturating_sub(1)
        };
        let first_run = run_of(range.start);
        let last_run = if range.end > range.start { run_of(range.end - 1) } else { first_run };
        let mut middle: Vec<Arc<Section>> = Vec::new();
        let mut new = Some(new);
        for head in self.runs.get(first_run..=last_run).unwrap_or_default() {
            for (local, section) in head.run.sections.iter().enumerate() {
                let index = head.start.sections + local;
                if index >= range.start
                    && let Some(new) = new.take()
                {
                    middle.extend(new);
                }
                if !range.contains(&index) {
                    middle.push(Arc::clone(section));
                }
            }
        }
        middle.extend(new.into_iter().flatten());
        // Runs keep between half and twice their size, which bounds both their number and their
        // length.
        let neighbour = self.runs.get(last_run + 1).filter(|_| middle.len() < RUN / 2);
        middle.extend(neighbour.iter().flat_map(|head| head.run.sections.iter().cloned()));
        let behind = last_run + 1 + usize::from(neighbour.is_some());
        let pieces: Vec<Arc<Run>> = if middle.len() <= 2 * RUN {
            Some(middle)
                .filter(|middle| !middle.is_empty())
                .map(|middle| Arc::new(Run::new(middle)))
                .into_iter()
                .collect()
        } else {
            middle.chunks(RUN).map(|piece| Arc::new(Run::new(piece.to_vec()))).collect()
        };
        let before =
            self.runs.get(..first_run).unwrap_or_default().iter().map(|head| Arc::clone(&head.run));
        let after =
            self.runs.get(behind..).unwrap_or_default().iter().map(|head| Arc::clone(&head.run));
        Self::from_runs(before.chain(pieces).chain(after))
    }
}
