//! Splits a body into units, and reuses those that an edit leaves alone.

use std::sync::{Arc, OnceLock};

use super::definitions::collect;
use super::groups::{Grouping, PlacedGroup};
use super::{Body, Content, Memo, Names, Unit};
use crate::markdown::SectionKind;
use crate::source::Source;
use crate::template::{self, Outlook, Piece};
use crate::text::Span;

/// With more variables than this, the rest is one unit: each unit stores the names declared before
/// it.
const MOST_OUTER: usize = 500;

pub(super) fn read(source: &Source, previous: Option<&Body>) -> Body {
    let count = source.section_count();
    let front = source.sections().next();
    let front = front.filter(|placed| matches!(placed.section.kind, SectionKind::Front(_)));
    let first = usize::from(front.is_some());
    let mut reader = Reader {
        source,
        count,
        offset: source.section_start(first),
        next: first,
        grouping: Grouping::default(),
        outer: Arc::default(),
        outlook: Outlook::default(),
    };
    let shared = previous.map(|previous| source.shared_sections(&previous.source));
    if let Some((previous, (prefix, _))) = previous.zip(shared) {
        let unchanged = prefix == count && prefix == previous.source.section_count();
        reader.keep_first(previous, prefix, unchanged);
    }
    let mut window = Window::default();
    while reader.next < count {
        let earlier = previous.zip(shared);
        let kept =
            earlier.is_some_and(|(previous, (_, suffix))| reader.keep_rest(previous, suffix));
        if !kept {
            reader.read_unit(&mut window);
        }
    }
    let groups = reader.grouping.finish();
    let (definitions, duplicates) = collect(&groups);
    Body { groups, source: source.part(0..count), definitions, duplicates }
}

struct Reader<'s> {
    source: &'s Source,
    /// The number of sections.
    count: usize,
    grouping: Grouping,
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
        for group in &previous.groups {
            if unchanged || group.is_within(prefix) {
                self.keep_group(group);
                continue;
            }
            for unit in group.units() {
                let behind = unit.first + unit.count;
                let seen =
                    unit.watched.checked_add(behind).is_some_and(|watched| watched <= prefix);
                if !seen {
                    return;
                }
                self.keep(&unit);
            }
        }
    }

    /// Reuses all units from here on, if one of the last `suffix` sections begins here and a unit
    /// did so before, with the same variables.
    fn keep_rest(&mut self, previous: &Body, suffix: usize) -> bool {
        let left = self.count - self.next;
        let was = previous.source.section_count();
        let Some(first) = was.checked_sub(left).filter(|_| left <= suffix) else { return false };
        let index = previous.groups.partition_point(|group| group.end() <= first);
        let Some((group, rest)) = previous.groups.get(index..).and_then(<[_]>::split_first) else {
            return false;
        };
        let index = group.index_of(first);
        let is_same = |unit: &Unit| unit.first == first && unit.outer == self.outer;
        if !group.unit(index).is_some_and(|unit| is_same(&unit)) {
            return false;
        }
        if index == 0 {
            self.keep_group(group);
        } else {
            group.units().skip(index).for_each(|unit| self.keep(&unit));
        }
        rest.iter().for_each(|group| self.keep_group(group));
        true
    }

    fn keep_group(&mut self, group: &PlacedGroup) {
        self.grouping.keep(group, self.offset, self.next);
        self.next += group.end() - group.first;
        self.offset += group.span().len();
        self.outer = Arc::clone(group.outer());
    }

    fn keep(&mut self, unit: &Unit) {
        let content = Arc::clone(&unit.content);
        self.add(Unit { start: self.offset, first: self.next, content }, true);
    }

    fn add(&mut self, unit: Unit, is_kept: bool) {
        self.next += unit.count;
        self.offset += unit.length;
        self.outer = unit.outer_behind();
        self.grouping.add(unit, is_kept);
    }

    /// Reads enough sections to make a unit.
    fn read_unit(&mut self, window: &mut Window) {
        let mut count = 1;
        let (piece, complete) = loop {
            window.open(self, count);
            let complete = self.next + count >= self.count;
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
        self.add(Unit { start: self.offset, first: self.next, content }, false);
    }
}

impl Window {
    /// Makes the window contain at least `count` sections from the next one on.
    fn open(&mut self, reader: &Reader, count: usize) {
        let behind = (reader.next + count).min(reader.count);
        if self.behind >= behind {
            return;
        }
        self.start = reader.offset;
        self.behind = behind;
        self.ends.clear();
        let ends = (reader.next..behind).map(|section| reader.source.section_start(section + 1));
        self.ends.extend(ends);
        let end = self.ends.last().copied().unwrap_or(reader.offset);
        self.text = reader.source.slice(reader.offset..end).into_owned();
    }

    /// The text of `count` sections from `offset` on.
    fn text(&self, offset: usize, count: usize) -> &str {
        let first = self.ends.partition_point(|end| *end <= offset);
        let end = self.ends.get(first + count - 1).or(self.ends.last()).map_or(offset, |end| *end);
        self.text.get(offset - self.start..end - self.start).unwrap_or_default()
    }
}
