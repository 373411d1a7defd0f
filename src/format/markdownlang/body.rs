//! The body of a program: the template behind its front matter, in units that are read alone.

mod definitions;
mod memo;
mod units;

use std::sync::Arc;

use crate::markdown::Section;
use crate::source::Source;
use crate::template::error::SyntaxError;
use crate::template::node::Template;
use crate::text::Span;
pub use definitions::{Defined, Duplicate, Names};
pub use memo::Memo;

/// The template of a program. Its units together are the body, in order.
#[derive(Debug, Clone, Default)]
pub struct Body {
    pub units: Vec<Unit>,
    /// What the units were read from.
    sections: Vec<Arc<Section>>,
    definitions: Vec<Defined>,
    duplicates: Vec<Duplicate>,
}

/// A piece of the body: the fewest whole sections at whose end no action and no block is open. What
/// an edit leaves alone keeps its template and its memo: the same `Arc` means the same answer.
#[derive(Debug, Clone)]
pub struct Unit {
    /// Where it begins in the document. Everything in its template counts from here.
    pub start: usize,
    /// Bytes.
    pub length: usize,
    pub template: Arc<Template>,
    /// The variables that the units before it declare, `$` aside.
    pub outer: Arc<[String]>,
    /// The definitions and calls in it.
    pub names: Arc<Names>,
    /// What was found out about it.
    pub memo: Arc<Memo>,
    /// The variables that it declares for the units behind it.
    declared: Arc<[String]>,
    /// The sections of [`Body`] that it is.
    first: usize,
    count: usize,
    /// How many sections behind it say that it is complete; `usize::MAX` if it was looked for to
    /// the end of the document.
    watched: usize,
}

impl Body {
    /// Reads the body of a document; units of `previous` that are still the same are kept.
    pub fn read(source: &Source, previous: Option<&Self>) -> Self {
        units::read(source, previous)
    }

    /// The unit that holds the byte at `offset` of the document; the last one for the end of the
    /// body.
    pub fn unit_at(&self, offset: usize) -> Option<&Unit> {
        let index = self.units.partition_point(|unit| unit.start <= offset).checked_sub(1)?;
        self.units.get(index).filter(|unit| offset <= unit.start + unit.length)
    }

    /// Every template that the body defines, once, by name: where a name is defined twice, the one
    /// that counts.
    pub fn definitions(&self) -> &[Defined] {
        &self.definitions
    }

    /// The definition of a name.
    pub fn definition(&self, name: &str) -> Option<&Defined> {
        let index =
            self.definitions.binary_search_by(|known| known.name.as_str().cmp(name)).ok()?;
        self.definitions.get(index)
    }

    /// Definitions of a name that is defined already, in the order of the text.
    pub fn duplicates(&self) -> &[Duplicate] {
        &self.duplicates
    }

    /// Every syntax error, in the order of the text, with the unit that it is in.
    pub fn errors(&self) -> impl Iterator<Item = (&Unit, &SyntaxError)> {
        self.units
            .iter()
            .flat_map(|unit| unit.template.errors.iter().map(move |error| (unit, error)))
    }
}

impl Unit {
    /// A place in the unit as a place in the document.
    pub fn absolute(&self, span: &Span) -> Span {
        span.start + self.start..span.end + self.start
    }

    pub fn span(&self) -> Span {
        self.start..self.start + self.length
    }
}
