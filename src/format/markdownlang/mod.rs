//! markdownlang: programs for language models, written in Markdown with YAML front matter (MDL of the conformance list).

pub mod complete;
mod declaration;
mod definition;
pub mod field;
mod folds;
mod highlight;
mod hover;
pub mod known;
mod links;
pub mod mention;
pub mod program;
mod read;
mod recognise;
pub mod rules;
pub mod schemas;
mod spot;
mod symbols;

use std::any::Any;
use std::sync::Arc;

use super::{Context, Format, Model};
use crate::answer::{Completion, Fold, Highlight, Hover, Link, Symbol, Target};
use crate::rule::Report;
use crate::text::Span;
pub use program::Program;
pub use read::read;

pub static FORMAT: Format = Format {
    name: "markdownlang",
    recognise: recognise::recognise,
    read: |source, previous| Arc::new(read(source, previous.and_then(|model| model.as_any().downcast_ref()))),
    rules: rules::all,
};

impl Model for Program {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn check(&self, cx: &Context, report: &mut Report) {
        rules::check(self, cx, report);
    }

    fn complete(&self, cx: &Context, offset: usize) -> Vec<Completion> {
        complete::complete(cx, offset, true)
    }

    fn hover(&self, cx: &Context, offset: usize) -> Option<Hover> {
        hover::hover(self, cx, offset)
    }

    fn definition(&self, cx: &Context, offset: usize) -> Vec<Target> {
        definition::definition(self, cx, offset)
    }

    fn links(&self, cx: &Context) -> Vec<Link> {
        links::links(self, cx)
    }

    fn highlights(&self, _: &Context, span: Span) -> Vec<Highlight> {
        highlight::highlights(self, &span)
    }

    fn symbols(&self, cx: &Context) -> Vec<Symbol> {
        symbols::symbols(self, cx)
    }

    fn folds(&self, cx: &Context) -> Vec<Fold> {
        folds::folds(self, cx)
    }
}

#[cfg(test)]
mod tests;
