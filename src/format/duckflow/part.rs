//! Parts: a long reply is checked in stretches that begin with the type of an action and don't
//! change when other stretches do. A part caches its findings, so a key press only checks the part
//! that it touches.

use std::sync::{Arc, OnceLock};

use super::Response;
use super::mark::MarkKind;
use super::read::Marks;
use super::rules::facts::{Checked, Summary};
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

/// Some dozens of consecutive parts, with offsets from the first one. The same group means the same
/// parts.
#[derive(Debug)]
pub struct Group {
    parts: Vec<PlacedPart>,
    /// The first section of each part, counted from the group's.
    firsts: Vec<usize>,
    /// The number of sections.
    sections: usize,
    length: usize,
    summary: OnceLock<Summary>,
}

/// A group and its offset.
#[derive(Debug, Clone)]
pub struct PlacedGroup {
    pub start: usize,
    /// Its first section.
    first: usize,
    group: Arc<Group>,
}

/// The parts of a reply.
#[derive(Debug)]
pub struct Parts {
    groups: Vec<PlacedGroup>,
    /// The reply.
    source: Source,
    line_break: &'static str,
}

/// Groups have between half and twice this many parts. Short in tests, so that small replies have
/// several.
const GROUP: usize = if cfg!(test) { 4 } else { 64 };

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

    /// The same part in a reply that has `by` bytes before this one.
    pub fn shifted(&self, by: usize) -> Self {
        Self { start: self.start + by, part: Arc::clone(&self.part) }
    }
}

impl PlacedGroup {
    /// What other groups need to know about the parts, and their findings.
    pub fn summary(&self, cx: &Context) -> &Summary {
        self.group.summary.get_or_init(|| Summary::new(&self.group.parts, cx))
    }

    pub fn parts(&self) -> impl Iterator<Item = PlacedPart> {
        self.group.parts.iter().map(|part| part.shifted(self.start))
    }

    /// Whether this is the same group as `other`, wherever each of them is.
    #[cfg(test)]
    pub fn same_as(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.group, &other.group)
    }

    fn end(&self) -> usize {
        self.first + self.group.sections
    }

    /// The part that begins with a section of the reply and ends before another.
    fn part(&self, first: usize, end: usize) -> Option<&Arc<Part>> {
        let index = self.group.firsts.binary_search(&first.checked_sub(self.first)?).ok()?;
        let next = self.group.firsts.get(index + 1).copied().unwrap_or(self.group.sections);
        let part = self.group.parts.get(index)?;
        (next + self.first == end).then_some(&part.part)
    }
}

/// The sections of a stretch with which parts begin.
#[derive(Default)]
struct Begins(OnceLock<Box<[usize]>>);

/// What an earlier version of a reply has in common with this one.
struct Earlier<'a> {
    parts: &'a Parts,
    /// How many sections at the start are the same, and how many at the end.
    shared: (usize, usize),
    was: usize,
    now: usize,
}

impl Parts {
    /// Reads the parts of a reply; reuses those that are unchanged.
    pub fn read(source: &Source, earlier: Option<&Self>) -> Self {
        let line_break = source.line_break();
        let now = source.section_count();
        let earlier = earlier.filter(|earlier| earlier.line_break == line_break);
        let earlier = earlier.map(|parts| Earlier {
            shared: source.shared_sections(&parts.source),
            was: parts.source.section_count(),
            now,
            parts,
        });
        let (before, after) = earlier.as_ref().map_or((&[][..], &[][..]), Earlier::kept);
        let end = earlier.as_ref().map_or(now, |earlier| earlier.begin(after));
        let begins = |before: &[PlacedGroup]| {
            let first = before.last().map_or(0, PlacedGroup::end);
            begins_in(source, first, end)
        };
        let (mut own, mut before) = (begins(before), before);
        // A few parts join the group before them, which bounds the number of groups.
        if let Some((_, rest)) = before.split_last().filter(|_| own.len() < GROUP / 2) {
            before = rest;
            own = begins(before);
        }
        let mut reader = Reader { source, earlier, line_break, groups: before.to_vec() };
        reader.read(&own, end);
        for group in after {
            reader.push(Arc::clone(&group.group));
        }
        // Without what is remembered of the reply.
        Self { groups: reader.groups, source: source.part(0..now), line_break }
    }

    pub fn groups(&self) -> &[PlacedGroup] {
        &self.groups
    }

    /// Whether there is more than one.
    pub fn are_several(&self) -> bool {
        self.groups.len() > 1 || self.groups.iter().any(|group| group.group.parts.len() > 1)
    }
}

impl<'a> Earlier<'a> {
    /// The groups at the start and at the end that are the same.
    fn kept(&self) -> (&'a [PlacedGroup], &'a [PlacedGroup]) {
        let groups = self.parts.groups.as_slice();
        let (prefix, suffix) = self.shared;
        if prefix == self.was && prefix == self.now {
            return (groups, &[]);
        }
        // Where a group ends, a part begins: this must still be so.
        let first = groups.partition_point(|group| group.end() < prefix);
        let last = groups.partition_point(|group| group.first + suffix < self.was);
        // What begins the reply begins no other part.
        let last = last.max(first).max(1).min(groups.len());
        (groups.get(..first).unwrap_or_default(), groups.get(last..).unwrap_or_default())
    }

    /// The section of the reply as it is now with which the groups at its end begin.
    fn begin(&self, after: &[PlacedGroup]) -> usize {
        after.first().map_or(self.now, |group| group.first + self.now - self.was)
    }

    /// The part with these sections, if it was the same.
    fn part(&self, first: usize, end: usize) -> Option<&'a Arc<Part>> {
        let (prefix, suffix) = self.shared;
        let (first, end) = if end <= prefix {
            (first, end)
        } else if first > 0 && first + suffix >= self.now && first + self.was > self.now {
            (first + self.was - self.now, end + self.was - self.now)
        } else {
            return None;
        };
        let groups = &self.parts.groups;
        let index = groups.partition_point(|group| group.first <= first).checked_sub(1)?;
        groups.get(index)?.part(first, end)
    }
}

struct Reader<'a> {
    source: &'a Source,
    earlier: Option<Earlier<'a>>,
    line_break: &'static str,
    groups: Vec<PlacedGroup>,
}

impl Reader<'_> {
    fn push(&mut self, group: Arc<Group>) {
        let last = self.groups.last();
        let (start, first) =
            last.map_or((0, 0), |last| (last.start + last.group.length, last.end()));
        self.groups.push(PlacedGroup { start, first, group });
    }

    /// Reads the parts that begin with some sections, the last of which ends before `end`.
    fn read(&mut self, begins: &[usize], end: usize) {
        let size = if begins.len() <= 2 * GROUP { 2 * GROUP } else { GROUP };
        let alone = begins == [0] && end == self.source.section_count();
        let mut rest = begins;
        while !rest.is_empty() {
            let (own, behind) = rest.split_at(size.min(rest.len()));
            let group = self.group(own, behind.first().copied().unwrap_or(end), alone);
            self.push(Arc::new(group));
            rest = behind;
        }
    }

    fn group(&self, begins: &[usize], end: usize, alone: bool) -> Group {
        let first = begins.first().copied().unwrap_or(end);
        let start = self.source.section_start(first);
        let ends = begins.iter().copied().skip(1).chain([end]);
        let place = |(first, end): (usize, usize)| {
            let known = self.earlier.as_ref().and_then(|earlier| earlier.part(first, end));
            let part = known.cloned().unwrap_or_else(|| {
                let source = if alone { self.source.clone() } else { self.source.part(first..end) };
                let line_break = self.line_break;
                Arc::new(Part { source, is_head: first == 0, line_break, checked: OnceLock::new() })
            });
            PlacedPart { start: self.source.section_start(first) - start, part }
        };
        Group {
            parts: begins.iter().copied().zip(ends).map(place).collect(),
            firsts: begins.iter().map(|begin| begin - first).collect(),
            sections: end - first,
            length: self.source.section_start(end) - start,
            summary: OnceLock::new(),
        }
    }
}

/// The sections of a range with which parts begin; the first section of a reply always does.
fn begins_in(source: &Source, first: usize, end: usize) -> Vec<usize> {
    let mut begins: Vec<usize> = Vec::new();
    if first == 0 && (end > 0 || source.section_count() == 0) {
        begins.push(0);
    }
    for stretch in source.stretches() {
        if stretch.first() < end && first < stretch.end() {
            let memo = stretch.memo().get::<Begins>();
            let own = memo.0.get_or_init(|| begins_of(source, stretch));
            let own = own.iter().map(|index| stretch.first() + index);
            begins.extend(own.filter(|index| *index > 0 && first <= *index && *index < end));
        }
    }
    begins
}

/// Which sections of a stretch begin with the type of an action.
fn begins_of(source: &Source, stretch: Stretch) -> Box<[usize]> {
    let is_start = |placed: &Placed| {
        let marks = Marks::of(source, *placed);
        marks.iter().next().is_some_and(|mark| {
            mark.span.start == 0 && matches!(mark.kind, MarkKind::Action { is_type: true, .. })
        })
    };
    stretch.sections().filter(is_start).map(|placed| placed.index - stretch.first()).collect()
}
