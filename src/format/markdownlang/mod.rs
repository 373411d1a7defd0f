//! markdownlang: programs for language models, written in Markdown with YAML front matter (MDL of the conformance list).

pub mod body;
pub mod checked;
mod calls;
pub mod complete;
pub mod convert;
mod declaration;
mod definition;
pub mod field;
mod folds;
pub mod graph;
mod highlight;
mod hover;
pub mod known;
mod imported;
pub mod interface;
mod links;
pub mod mention;
pub mod parse;
pub mod moves;
mod naming;
pub mod program;
mod read;
mod reads;
mod recognise;
pub mod rules;
pub mod schemas;
mod spot;
mod symbols;

use std::any::Any;
use std::sync::Arc;

use super::{Context, Format, Model};
use crate::answer::{Call, Callable, Completion, FileEdit, Fold, Highlight, Hover, Link, Occurrence, Renamable, Symbol, Target};
use crate::rule::Report;
use crate::text::Span;
pub use program::Program;
pub use read::{header, read};

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
        let mut found = complete::complete(cx, offset, true);
        found.extend(mention::complete(self, cx, offset));
        found
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

    fn highlights(&self, cx: &Context, span: Span) -> Vec<Highlight> {
        let mut found = highlight::highlights(self, &span);
        found.extend(mention::highlights(self, cx.source, &span));
        found
    }

    fn symbols(&self, cx: &Context) -> Vec<Symbol> {
        symbols::symbols(self, cx)
    }

    fn folds(&self, cx: &Context) -> Vec<Fold> {
        folds::folds(self, cx)
    }

    fn references(&self, cx: &Context, offset: usize) -> Vec<Occurrence> {
        calls::references(self, cx, offset).unwrap_or_else(|| mention::references(self, cx, offset))
    }

    fn occurrences(&self, cx: &Context, offset: usize) -> Vec<Occurrence> {
        calls::occurrences(self, cx, offset).unwrap_or_else(|| mention::references(self, cx, offset))
    }

    fn callable(&self, cx: &Context, offset: usize) -> Option<Callable> {
        calls::callable(self, cx, offset)
    }

    fn callers(&self, cx: &Context, tool: Option<&str>) -> Vec<Call> {
        calls::callers(self, cx, tool)
    }

    fn calls(&self, cx: &Context) -> Vec<Call> {
        calls::calls(self, cx)
    }

    fn renamable(&self, cx: &Context, offset: usize) -> Option<Renamable> {
        naming::renamable(self, cx, offset).or_else(|| mention::renamable(self, cx, offset))
    }

    fn rename(&self, cx: &Context, offset: usize, name: &str) -> Result<Vec<FileEdit>, String> {
        let renamed = naming::rename(self, cx, offset, name).or_else(|| mention::rename(self, cx, offset, name));
        renamed.unwrap_or_else(|| Err("There is nothing here that can be renamed.".to_owned()))
    }
}

#[cfg(test)]
mod tests;
