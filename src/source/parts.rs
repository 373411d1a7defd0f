//! Parts: a long document is read in parts that begin with certain sections and don't change when
//! other parts do. Results for a part are kept with it, and results for some dozens of parts with
//! their group, so a key press looks at the part that it touches, at the others in its group, and
//! at the groups.

use std::marker::PhantomData;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use super::{Placed, Source, Stretch};

/// How documents of one kind are divided, and which results are kept.
pub trait Division: Send + Sync + 'static {
    /// The result for a part. It depends on nothing but the part.
    type Part: Send + Sync;
    /// The result for a group, from its parts.
    type Group: Send + Sync;
    /// Whether a part begins with a section.
    fn begins(source: &Source, placed: Placed) -> bool;
}

/// Consecutive sections of a document. Offsets count from the start of the part.
#[derive(Debug)]
pub struct Part<T> {
    pub source: Source,
    /// It is the first part.
    pub is_head: bool,
    /// The line break of the whole document, for fixes.
    pub line_break: &'static str,
    made: OnceLock<T>,
}

/// A part, and its offset.
#[derive(Debug)]
pub struct PlacedPart<T> {
    pub start: usize,
    part: Arc<Part<T>>,
}

/// Some dozens of consecutive parts, with offsets from the first one. The same group means the same
/// parts.
#[derive(Debug)]
struct Group<T, S> {
    parts: Vec<PlacedPart<T>>,
    /// The first section of each part, counted from the group's.
    firsts: Vec<usize>,
    /// The number of sections.
    sections: usize,
    length: usize,
    made: OnceLock<S>,
}

/// A group, and its offset.
#[derive(Debug)]
pub struct PlacedGroup<T, S> {
    pub start: usize,
    /// Its first section.
    first: usize,
    group: Arc<Group<T, S>>,
}

/// The parts of a document.
#[derive(Debug)]
pub struct Parts<D: Division> {
    groups: Vec<PlacedGroup<D::Part, D::Group>>,
    /// The document, without its caches.
    source: Source,
    line_break: &'static str,
}

/// Groups have between half and twice this many parts. Short in tests, so that small documents have
/// several.
pub const GROUP: usize = if cfg!(test) { 4 } else { 24 };

/// The parts of nothing.
impl<D: Division> Default for Parts<D> {
    fn default() -> Self {
        Self { groups: Vec::new(), source: Source::default(), line_break: "\n" }
    }
}

impl<T> Clone for PlacedPart<T> {
    fn clone(&self) -> Self {
        self.shifted(0)
    }
}

impl<T, S> Clone for PlacedGroup<T, S> {
    fn clone(&self) -> Self {
        Self { start: self.start, first: self.first, group: Arc::clone(&self.group) }
    }
}

impl<T> Deref for PlacedPart<T> {
    type Target = Part<T>;

    fn deref(&self) -> &Part<T> {
        &self.part
    }
}

impl<T> Part<T> {
    /// The result for the part, computed on first use.
    pub fn made(&self, make: impl FnOnce(&Self) -> T) -> &T {
        self.made.get_or_init(|| make(self))
    }

    /// Whether the result for the part already exists.
    pub fn is_made(&self) -> bool {
        self.made.get().is_some()
    }
}

impl<T> PlacedPart<T> {
    /// Whether this is the same part as `other`, regardless of their positions.
    #[cfg(test)]
    pub fn same_as(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.part, &other.part)
    }

    /// The same part in a document that has `by` bytes before this one.
    #[must_use]
    pub fn shifted(&self, by: usize) -> Self {
        Self { start: self.start + by, part: Arc::clone(&self.part) }
    }
}

impl<T, S> PlacedGroup<T, S> {
    /// The result for the parts, computed on first use. Their offsets count from the group's.
    pub fn made(&self, make: impl FnOnce(&[PlacedPart<T>]) -> S) -> &S {
        self.group.made.get_or_init(|| make(&self.group.parts))
    }

    /// The parts, with offsets from the start of the group.
    pub fn own_parts(&self) -> &[PlacedPart<T>] {
        &self.group.parts
    }

    pub fn parts(&self) -> impl Iterator<Item = PlacedPart<T>> {
        self.group.parts.iter().map(|part| part.shifted(self.start))
    }

    /// Whether this is the same group as `other`, regardless of their positions.
    #[cfg(test)]
    pub fn same_as(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.group, &other.group)
    }

    fn end(&self) -> usize {
        self.first + self.group.sections
    }

    /// The part that begins with a section of the document and ends before another.
    fn part(&self, first: usize, end: usize) -> Option<&Arc<Part<T>>> {
        let index = self.group.firsts.binary_search(&first.checked_sub(self.first)?).ok()?;
        let next = self.group.firsts.get(index + 1).copied().unwrap_or(self.group.sections);
        let part = self.group.parts.get(index)?;
        (next + self.first == end).then_some(&part.part)
    }
}

/// The sections in a stretch that parts begin with.
struct Begins<D>(OnceLock<Box<[usize]>>, PhantomData<D>);

impl<D> Default for Begins<D> {
    fn default() -> Self {
        Self(OnceLock::new(), PhantomData)
    }
}

/// What an earlier version of a document has in common with this one.
struct Earlier<'a, D: Division> {
    parts: &'a Parts<D>,
    /// The number of equal sections at the start, and at the end.
    shared: (usize, usize),
    was: usize,
    now: usize,
}

impl<D: Division> Parts<D> {
    /// Reads the parts of a document; reuses those that are unchanged.
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
        let begins = |before: &[PlacedGroup<D::Part, D::Group>]| {
            let first = before.last().map_or(0, PlacedGroup::end);
            begins_in::<D>(source, first, end)
        };
        let (mut own, mut before) = (begins(before), before);
        // A few parts join the group before them, which bounds the number of groups.
        if let Some((_, rest)) = before.split_last().filter(|_| own.len() < GROUP / 2) {
            before = rest;
            own = begins(before);
        }
        let groups = before.to_vec();
        let mut reader = Reader { source, earlier, line_break, groups };
        reader.read(&own, end);
        for group in after {
            reader.push(Arc::clone(&group.group));
        }
        // Without the document's caches.
        Self { groups: reader.groups, source: source.part(0..now), line_break }
    }

    pub fn groups(&self) -> &[PlacedGroup<D::Part, D::Group>] {
        &self.groups
    }

    /// Whether there is more than one.
    pub fn are_several(&self) -> bool {
        self.groups.len() > 1 || self.groups.iter().any(|group| group.group.parts.len() > 1)
    }
}

/// Consecutive groups.
type Groups<'a, D> = &'a [PlacedGroup<<D as Division>::Part, <D as Division>::Group>];

impl<'a, D: Division> Earlier<'a, D> {
    /// The groups at the start and at the end that are the same.
    fn kept(&self) -> (Groups<'a, D>, Groups<'a, D>) {
        let groups = self.parts.groups.as_slice();
        let (prefix, suffix) = self.shared;
        if prefix == self.was && prefix == self.now {
            return (groups, &[]);
        }
        // A part begins where a group ends: this must still be so.
        let first = groups.partition_point(|group| group.end() < prefix);
        let last = groups.partition_point(|group| group.first + suffix < self.was);
        // The section that begins the document doesn't begin any other part.
        let last = last.max(first).max(1).min(groups.len());
        (groups.get(..first).unwrap_or_default(), groups.get(last..).unwrap_or_default())
    }

    /// The section of the current document that the groups at its end begin with.
    fn begin(&self, after: Groups<D>) -> usize {
        after.first().map_or(self.now, |group| group.first + self.now - self.was)
    }

    /// The part with these sections, if it is unchanged.
    fn part(&self, first: usize, end: usize) -> Option<&'a Arc<Part<D::Part>>> {
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

struct Reader<'a, D: Division> {
    source: &'a Source,
    earlier: Option<Earlier<'a, D>>,
    line_break: &'static str,
    groups: Vec<PlacedGroup<D::Part, D::Group>>,
}

impl<D: Division> Reader<'_, D> {
    fn push(&mut self, group: Arc<Group<D::Part, D::Group>>) {
        let last = self.groups.last();
        let (start, first) =
            last.map_or((0, 0), |last| (last.start + last.group.length, last.end()));
        self.groups.push(PlacedGroup { start, first, group });
    }

    /// Reads the parts that begin with these sections; the last one ends before `end`.
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

    fn group(&self, begins: &[usize], end: usize, alone: bool) -> Group<D::Part, D::Group> {
        let first = begins.first().copied().unwrap_or(end);
        let start = self.source.section_start(first);
        let ends = begins.iter().copied().skip(1).chain([end]);
        let place = |(first, end): (usize, usize)| {
            let known = self.earlier.as_ref().and_then(|earlier| earlier.part(first, end));
            let part = known.cloned().unwrap_or_else(|| {
                let source = if alone { self.source.clone() } else { self.source.part(first..end) };
                let line_break = self.line_break;
                Arc::new(Part { source, is_head: first == 0, line_break, made: OnceLock::new() })
            });
            PlacedPart { start: self.source.section_start(first) - start, part }
        };
        Group {
            parts: begins.iter().copied().zip(ends).map(place).collect(),
            firsts: begins.iter().map(|begin| begin - first).collect(),
            sections: end - first,
            length: self.source.section_start(end) - start,
            made: OnceLock::new(),
        }
    }
}

/// The sections in a range that parts begin with; always includes the first section of a document.
fn begins_in<D: Division>(source: &Source, first: usize, end: usize) -> Vec<usize> {
    let mut begins: Vec<usize> = Vec::new();
    if first == 0 && (end > 0 || source.section_count() == 0) {
        begins.push(0);
    }
    for stretch in source.stretches() {
        if stretch.first() < end && first < stretch.end() {
            let memo = stretch.memo().get::<Begins<D>>();
            let own = memo.0.get_or_init(|| begins_of::<D>(source, stretch));
            let own = own.iter().map(|index| stretch.first() + index);
            begins.extend(own.filter(|index| *index > 0 && first <= *index && *index < end));
        }
    }
    begins
}

/// The sections of a stretch that parts begin with.
fn begins_of<D: Division>(source: &Source, stretch: Stretch) -> Box<[usize]> {
    let begins = stretch.sections().filter(|placed| D::begins(source, *placed));
    begins.map(|placed| placed.index - stretch.first()).collect()
}
