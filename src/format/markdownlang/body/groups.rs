//! Groups of units. The results for some dozens of units are kept with their group, so that a key
//! press looks at the units of one group, and at the groups. Unlike the parts of
//! [`crate::source::parts`], units can't be recognised by their first section.

use std::sync::{Arc, OnceLock};

use parking_lot::Mutex;

use super::super::checked::CheckedGroup;
use super::{Content, Unit};
use crate::source::parts::GROUP;
use crate::text::Span;

/// Consecutive units. The same group means the same units.
#[derive(Debug)]
pub struct Group {
    /// Their places count from the group's.
    units: Vec<Unit>,
    /// Bytes.
    length: usize,
    /// The number of sections.
    sections: usize,
    /// How many sections from its first one on were read to see that its units are complete;
    /// `usize::MAX` if the search reached the end of the document.
    watched: usize,
    /// The variables that later units see.
    outer: Arc<[String]>,
    /// Some of its units were in another group before, so it will probably be edited again.
    pub is_edited: bool,
    pub has_errors: bool,
    pub has_calls: bool,
    pub has_definitions: bool,
    /// Its latest analysis.
    pub(in super::super) analysed: Mutex<Option<Arc<CheckedGroup>>>,
    /// Whether it names fields of the output.
    pub(in super::super) names_output: OnceLock<bool>,
}

/// A group and its place.
#[derive(Debug, Clone)]
pub struct PlacedGroup {
    /// Its offset in the document.
    pub start: usize,
    /// The index of its first unit.
    pub index: usize,
    /// Its first section.
    pub(super) first: usize,
    group: Arc<Group>,
}

impl std::ops::Deref for PlacedGroup {
    type Target = Group;

    fn deref(&self) -> &Group {
        &self.group
    }
}

impl PlacedGroup {
    pub fn span(&self) -> Span {
        self.start..self.start + self.length
    }

    /// The number of its units.
    pub fn count(&self) -> usize {
        self.units.len()
    }

    /// Its units, with places in the document.
    pub fn units(&self) -> impl Iterator<Item = Unit> {
        self.units.iter().map(|unit| self.place(unit))
    }

    /// A unit by its index in the group.
    pub fn unit(&self, index: usize) -> Option<Unit> {
        self.units.get(index).map(|unit| self.place(unit))
    }

    /// The same units without copies, each with its start in the document.
    pub fn contents(&self) -> impl Iterator<Item = (usize, &Content)> {
        self.units.iter().map(|unit| (self.start + unit.start, &*unit.content))
    }

    /// Whether this is the same group as `other`, regardless of their positions.
    #[cfg(test)]
    pub fn same_as(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.group, &other.group)
    }

    /// The index in the group of the last unit that begins at `offset` of the document or before.
    pub fn index_at(&self, offset: usize) -> Option<usize> {
        self.units.partition_point(|unit| self.start + unit.start <= offset).checked_sub(1)
    }

    /// The index in the group of the first unit that begins with a section of the document, or
    /// after it.
    pub(super) fn index_of(&self, first: usize) -> usize {
        self.units.partition_point(|unit| self.first + unit.first < first)
    }

    /// Whether the end of the last unit depends only on the first `sections` of the document.
    pub(super) fn is_within(&self, sections: usize) -> bool {
        self.watched.checked_add(self.first).is_some_and(|watched| watched <= sections)
    }

    pub(super) fn end(&self) -> usize {
        self.first + self.sections
    }

    pub(super) fn outer(&self) -> &Arc<[String]> {
        &self.outer
    }

    fn place(&self, unit: &Unit) -> Unit {
        let (start, first) = (self.start + unit.start, self.first + unit.first);
        Unit { start, first, content: Arc::clone(&unit.content) }
    }
}

/// The groups of a body, from its first unit to its last.
#[derive(Default)]
pub(super) struct Grouping {
    groups: Vec<PlacedGroup>,
    /// Units after the groups.
    rest: Vec<Unit>,
    /// Some of them were in a group before.
    is_edited: bool,
}

impl Grouping {
    /// Adds a unit. `is_kept`: it was in a group before.
    pub(super) fn add(&mut self, unit: Unit, is_kept: bool) {
        self.rest.push(unit);
        self.is_edited |= is_kept;
    }

    /// Adds an unchanged group at its new position.
    pub(super) fn keep(&mut self, group: &PlacedGroup, start: usize, first: usize) {
        self.close();
        let index = self.count();
        self.groups.push(PlacedGroup { start, index, first, group: Arc::clone(&group.group) });
    }

    pub(super) fn finish(mut self) -> Vec<PlacedGroup> {
        self.close();
        self.groups
    }

    fn count(&self) -> usize {
        self.groups.last().map_or(0, |last| last.index + last.count())
    }

    /// Makes groups of the units after the last one.
    fn close(&mut self) {
        if self.rest.is_empty() {
            return;
        }
        // A few units join the group before them, which bounds the number of groups.
        if self.rest.len() < GROUP / 2
            && let Some(last) = self.groups.pop()
        {
            self.rest.splice(..0, last.units());
            self.is_edited = true;
        }
        let size = if self.rest.len() <= 2 * GROUP { 2 * GROUP } else { GROUP };
        let mut index = self.count();
        for units in std::mem::take(&mut self.rest).chunks(size) {
            let Some(head) = units.first() else { continue };
            let group = Arc::new(Group::new(units, head, self.is_edited));
            self.groups.push(PlacedGroup { start: head.start, index, first: head.first, group });
            index += units.len();
        }
        self.is_edited = false;
    }
}

impl Group {
    fn new(units: &[Unit], head: &Unit, is_edited: bool) -> Self {
        let place = |unit: &Unit| Unit {
            start: unit.start - head.start,
            first: unit.first - head.first,
            content: Arc::clone(&unit.content),
        };
        let watched =
            |unit: &Unit| unit.watched.saturating_add(unit.first + unit.count - head.first);
        let last = units.last().unwrap_or(head);
        Self {
            length: last.start + last.length - head.start,
            sections: last.first + last.count - head.first,
            watched: units.iter().map(watched).max().unwrap_or_default(),
            outer: last.outer_behind(),
            is_edited,
            has_errors: units.iter().any(|unit| !unit.template.errors.is_empty()),
            has_calls: units.iter().any(|unit| !unit.names.calls.is_empty()),
            has_definitions: units.iter().any(|unit| !unit.names.definitions.is_empty()),
            analysed: Mutex::default(),
            names_output: OnceLock::new(),
            units: units.iter().map(place).collect(),
        }
    }
}
