//! Editor features for a program's body, which is a template over the program's input. One file per
//! feature.

mod complete;
mod definition;
mod folds;
mod highlight;
mod hover;
mod inlay;
mod keywords;
mod linked;
mod references;
mod rename;
mod selection;
mod signature;
mod symbols;
mod templates;
pub mod uses;
mod variables;

pub use complete::complete;
pub use definition::definition;
pub use folds::folds;
pub use highlight::highlights;
pub use hover::hover;
pub use inlay::inlays;
pub use linked::linked;
pub use references::{occurrences, references};
pub use rename::{renamable, rename};
pub use selection::selections;
pub use signature::signature;
pub use symbols::symbols;

use super::Program;
use super::body::PlacedGroup;
use crate::template::node::Template;
use crate::template::part::{Part, PartKind};
use crate::text::Span;

/// A piece of the body whose blocks are balanced, and its start in the document.
#[derive(Clone, Copy)]
pub struct Piece<'a> {
    pub start: usize,
    pub template: &'a Template,
}

/// A part of the template, and its span in the document.
pub struct Found<'a> {
    pub span: Span,
    pub kind: PartKind<'a>,
}

impl Piece<'_> {
    /// Converts a span in the template to the document.
    pub fn absolute(&self, span: &Span) -> Span {
        self.start + span.start..self.start + span.end
    }
}

impl Program {
    /// The pieces of the body that touch `span`.
    pub fn pieces<'a>(&'a self, span: &Span) -> impl Iterator<Item = Piece<'a>> + use<'a> {
        let (start, end) = (span.start, span.end);
        let contents = self.body.groups_in(span).iter().flat_map(PlacedGroup::contents);
        let touched =
            contents.filter(move |(at, content)| *at <= end && start <= at + content.length);
        touched.map(|(start, content)| Piece { start, template: &content.template })
    }

    /// The part of the body that `offset` touches: a name rather than the braces next to it.
    pub fn part_at(&self, offset: usize) -> Option<Found<'_>> {
        let found = self.pieces(&(offset..offset)).filter_map(|piece| {
            let local = offset.checked_sub(piece.start)?;
            let parts = piece.template.parts(&(local..local)).into_iter();
            let Part { span, kind } =
                parts.filter(|part| !part.span.is_empty()).min_by_key(|part| rank(&part.kind))?;
            Some(Found { span: piece.absolute(&span), kind })
        });
        found.min_by_key(|found| rank(&found.kind))
    }
}

/// The smaller part takes precedence.
fn rank(kind: &PartKind) -> u8 {
    match kind {
        PartKind::Delimiter => 2,
        PartKind::Dot | PartKind::Comment => 1,
        _ => 0,
    }
}

/// Whether a name can follow a dot.
pub fn identifier(name: &str) -> bool {
    name.chars().all(is_name_character) && name.starts_with(|first: char| !first.is_ascii_digit())
}

/// A letter, a digit or `_`.
pub fn is_name_character(character: char) -> bool {
    character == '_' || character.is_alphanumeric()
}
