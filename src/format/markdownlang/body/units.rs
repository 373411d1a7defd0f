//! Splits a body into units, and reuses those that an edit leaves alone.

use std::sync::{Arc, OnceLock};

use super::definitions::collect;
use super::{Body, Content, Memo, Names, Unit};
use crate::markdown::{Section, SectionKind};
use crate::source::Source;
use crate::template::{self, Outlook, Piece};
use crate::text::Span;

/// With more variables than these, the rest is one unit: each unit stores the names declared before
/// it.
const MOST_OUTER: usize = 500;

pub(super) fn read(source: &Source, previous: Option<&Body>) -> Body {
    let mut placed = source.sections().peekable();
    placed.next_if(|placed| matches!(placed.section.kind, SectionKind::Front(_)));
    let start = placed.peek().map_or(source.len(), |placed| placed.start);
    let sections: Vec<Arc<Section>> = placed.map(|placed| Arc::clone(placed.section)).collect();
    let old: &[Arc<Section>] = previous.map_or(&[], |previous| &previous.sections);
    let same = |(a, b): &(&Arc<Section>, &Arc<Section>)| Arc::ptr_eq(a, b);
    let prefix = old.iter().zip(&sections).take_while(same).count();
    let most = old.len().min(sections.len()) - prefix;
    let suffix = old.iter().rev().zip(sections.iter().rev()).take(most).take_while(same).count();
    let mut reader = Reader {
        source,
        offset: start,
        next: 0,
        units: Vec::new(),
        outer: Arc::default(),
        outlook: Outlook::default(),
        sections,
    };
    if let Some(previous) = previous {
        let unchanged = prefix == old.len() && prefix == reader.sections.len();
        reader.keep_first(previous, prefix, unchanged);
    }
    let mut window = Window::default();
    while reader.next < reader.sections.len() {
        let kept = previous.is_some_and(|previous| reader.keep_rest(previous, suffix));
        if !kept {
            reader.read_unit(&mut window);
        }
    }
    let (definitions, duplicates) = collect(&reader.units);
    Body { units: reader.units, sections: reader.sections, definitions, duplicates }
}

struct Reader<'s> {
    source: &'s Source,
    sections: Vec<Arc<Section>>,
    units: Vec<Unit>,
    /// The next section, and its start.
    next: usize,
    offset: usize,
    outer: Arc<[String]>,
    outlook: Outlook,
}

/// A piece of the document as text.
#[derive(Default)]
struct Window {
    start: usize,
    /// The section after it.
    behind: usize,
    text: String,
    /// The ends of its sections, in the document.
    ends: Vec<usize>,
}

impl Reader<'_> {
    /// Reuses the units of an earlier version that consist of its first `prefix` sections, which
    /// are unchanged.
    fn keep_first(&mut self, previous: &Body, prefix: usize, unchanged: bool) {
        for unit in &previous.units {
            let behind = unit.first + unit.count;
            let seen = unit.watched.checked_add(behind).is_some_and(|watched| watched <= prefix);
            if !unchanged && !seen {
                break;
            }
            self.keep(unit);
        }
    }

    /// Reuses all units from here on, if one of the last `suffix` sections begins here and a unit
    /// did so before, with the same variables.
    fn keep_rest(&mut self, previous: &Body, suffix: usize) -> bool {
        let left = self.sections.len() - self.next;
        let Some(first) = previous.sections.len().checked_sub(left).filter(|_| left <= suffix)
        else {
            return false;
        };
        let index = previous.units.partition_point(|unit| unit.first < first);
        let Some(rest) = previous.units.get(index..) else { return false };
        if rest.first().is_none_or(|unit| unit.first != first || unit.outer != self.outer) {
            return false;
        }
        rest.iter().for_each(|unit| self.keep(unit));
        true
    }

    fn keep(&mut self, unit: &Unit) {
        self.add(Unit { start: self.offset, first: self.next, ..unit.clone() });
    }

    fn add(&mut self, unit: Unit) {
        self.next += unit.count;
        self.offset += unit.length;
        if !unit.declared.is_empty() {
            let mut outer = unit.outer.to_vec();
            outer.extend(unit.declared.iter().filter(|name| !unit.outer.contains(name)).cloned());
            self.outer = outer.into();
        } else {
            self.outer = Arc::clone(&unit.outer);
        }
        self.units.push(unit);
    }

    /// Reads enough sections to make a unit.
    fn read_unit(&mut self, window: &mut Window) {
        let mut count = 1;
        let (piece, complete) = loop {
            window.open(self, count);
            let complete = self.next + count >= self.sections.len();
            let (offset, split, last) =
                (self.offset, self.outer.len() < MOST_OUTER, self.source.len());
            let ends = &window.ends;
            // A section begins with a heading or a letter, so no action in it trims whitespace
            // before it.
            let mut end = |span: Span| {
                let end =
                    *ends.get(ends.partition_point(|end| *end < offset + span.start.max(1)))?;
                (end <= offset + span.end && (split || end == last)).then(|| end - offset)
            };
            let text = window.text(offset, count);
            match template::read(text, &self.outer, &mut self.outlook, &mut end, complete) {
                Some(piece) => break (piece, complete),
                // Never happens: the last piece of text is always complete.
                None if complete => break (Piece::of_text(text), complete),
                None => count *= 2,
            }
        };
        let ends = |reach: usize| {
            window.ends.partition_point(|end| *end < self.offset.saturating_add(reach))
        };
        let first = ends(1);
        let count = ends(piece.length) + 1 - first;
        let unwatched = piece.reach == usize::MAX || complete && !piece.whole;
        let watched = if unwatched {
            usize::MAX
        } else {
            (ends(piece.reach.max(piece.length)) + 1 - first).saturating_sub(count)
        };
        let template = Arc::new(piece.template);
        let content = Arc::new(Content {
            length: piece.length,
            names: Arc::new(Names::read(&template)),
            template,
            outer: Arc::clone(&self.outer),
            memo: Memo::default(),
            analysed: OnceLock::new(),
            named: OnceLock::new(),
            declared: piece.declared.into(),
            count,
            watched,
        });
        self.add(Unit { start: self.offset, first: self.next, content });
    }
}

impl Window {
    /// Makes the window contain at least `count` sections from the next one on.
    fn open(&mut self, reader: &Reader, count: usize) {
        let behind = (reader.next + count).min(reader.sections.len());
        if self.behind >= behind {
            return;
        }
        self.start = reader.offset;
        self.behind = behind;
        self.ends.clear();
        let mut end = reader.offset;
        for section in reader.sections.get(reader.next..behind).unwrap_or_default() {
            end += section.length;
            self.ends.push(end);
        }
        self.text = reader.source.slice(reader.offset..end).into_owned();
    }

    /// The text of `count` sections from `offset` on.
    fn text(&self, offset: usize, count: usize) -> &str {
        let first = self.ends.partition_point(|end| *end <= offset);
        let end = self.ends.get(first + count - 1).or(self.ends.last()).map_or(offset, |end| *end);
        self.text.get(offset - self.start..end - self.start).unwrap_or_default()
    }
}
