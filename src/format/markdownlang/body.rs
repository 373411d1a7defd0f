//! The body of a program: the template after its front matter, in units that are parsed separately.

mod definitions;
mod groups;
mod memo;
mod units;

use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use super::checked::Analysed;
use super::rules::Named;
use crate::source::Source;
use crate::template::error::SyntaxError;
use crate::template::node::Template;
use crate::text::Span;
pub use definitions::{Defined, Duplicate, Names};
pub use groups::PlacedGroup;
pub use memo::Memo;

/// The template of a program. Its units in order are the body.
#[derive(Debug, Clone, Default)]
pub struct Body {
    groups: Vec<PlacedGroup>,
    /// The source of the document, without its memo.
    source: Source,
    definitions: Vec<Defined>,
    duplicates: Vec<Duplicate>,
}

/// A piece of the body: the fewest whole sections that end with no action or block open. An edit
/// elsewhere keeps its template and its memo: the same `Arc` means the same answer.
#[derive(Debug, Clone)]
pub struct Unit {
    /// Its start in the document. Everything in its template counts from here.
    pub start: usize,
    /// The first of its sections.
    first: usize,
    content: Arc<Content>,
}

/// A unit without its position.
#[derive(Debug)]
pub struct Content {
    /// Bytes.
    pub length: usize,
    pub template: Arc<Template>,
    /// The variables that earlier units declare, except `$`.
    pub outer: Arc<[String]>,
    /// The definitions and calls in it.
    pub names: Arc<Names>,
    /// Cached answers about it.
    pub memo: Memo,
    /// Its latest analysis where it calls no definition.
    pub(super) analysed: OnceLock<Analysed>,
    /// The fields of the output that it names.
    pub(super) named: OnceLock<Vec<Named>>,
    /// The variables that it declares for later units.
    declared: Arc<[String]>,
    /// The number of its sections.
    count: usize,
    /// How many sections after it were read to see that it is complete; `usize::MAX` if the search
    /// reached the end of the document.
    watched: usize,
}

impl Body {
    /// Reads the body of a document; reuses the unchanged units of `previous`.
    pub fn read(source: &Source, previous: Option<&Self>) -> Self {
        units::read(source, previous)
    }

    /// The units in groups.
    pub fn groups(&self) -> &[PlacedGroup] {
        &self.groups
    }

    pub fn units(&self) -> impl Iterator<Item = Unit> {
        self.groups.iter().flat_map(PlacedGroup::units)
    }

    pub fn unit(&self, index: usize) -> Option<Unit> {
        let group = self.groups.partition_point(|group| group.index <= index).checked_sub(1)?;
        self.groups.get(group).and_then(|group| group.unit(index - group.index))
    }

    /// The last unit that begins at `offset` of the document or before: the index of its group, and
    /// its index there.
    pub fn place_at(&self, offset: usize) -> Option<(usize, usize)> {
        let group = self.groups.partition_point(|group| group.start <= offset).checked_sub(1)?;
        Some((group, self.groups.get(group)?.index_at(offset)?))
    }

    /// The unit that contains the byte at `offset`; the last one for the end of the body.
    pub fn unit_at(&self, offset: usize) -> Option<Unit> {
        let (group, index) = self.place_at(offset)?;
        let unit = self.groups.get(group)?.unit(index)?;
        (offset <= unit.start + unit.length).then_some(unit)
    }

    /// The groups that touch a span.
    pub fn groups_in(&self, span: &Span) -> &[PlacedGroup] {
        let first = self.groups.partition_point(|group| group.span().end < span.start);
        let end = self.groups.partition_point(|group| group.start <= span.end);
        self.groups.get(first..end).unwrap_or_default()
    }

    /// Every template that the body defines, by name: for duplicates, the one that Go uses.
    pub fn definitions(&self) -> &[Defined] {
        &self.definitions
    }

    /// The definition of a name.
    pub fn definition(&self, name: &str) -> Option<&Defined> {
        let index =
            self.definitions.binary_search_by(|known| known.name.as_str().cmp(name)).ok()?;
        self.definitions.get(index)
    }

    /// Definitions of a name that is already defined, in document order.
    pub fn duplicates(&self) -> &[Duplicate] {
        &self.duplicates
    }

    /// Every syntax error, in document order, with its unit.
    pub fn errors(&self) -> impl Iterator<Item = (Unit, &SyntaxError)> {
        let groups = self.groups.iter().filter(|group| group.has_errors);
        groups.flat_map(|group| {
            group.units().zip(group.contents()).flat_map(|(unit, (_, content))| {
                content.template.errors.iter().map(move |error| (unit.clone(), error))
            })
        })
    }
}

impl Deref for Unit {
    type Target = Content;

    fn deref(&self) -> &Content {
        &self.content
    }
}

impl Unit {
    /// Converts a span in the unit to the document.
    pub fn absolute(&self, span: &Span) -> Span {
        span.start + self.start..span.end + self.start
    }

    pub fn span(&self) -> Span {
        self.start..self.start + self.length
    }

    /// The variables that the units after it see, except `$`.
    fn outer_behind(&self) -> Arc<[String]> {
        if self.declared.is_empty() {
            return Arc::clone(&self.outer);
        }
        let new = self.declared.iter().filter(|name| !self.outer.contains(name));
        self.outer.iter().chain(new).cloned().collect()
    }
}
