//! Context packs: excerpts of files with their provenance, as Agent-Q writes them for a model (AQ
//! of the conformance list).

pub mod actions;
pub mod compare;
pub mod complete;
pub mod file;
mod folds;
pub mod header;
mod highlight;
mod hover;
pub mod kind;
pub mod layout;
pub mod line;
mod links;
pub mod parse;
pub mod parts;
pub mod read;
pub mod refresh;
pub mod rules;
mod start;
pub mod swallowed;
mod symbols;
pub mod write;

use std::any::Any;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use super::{Context, Format, Model, Parse};
use crate::answer::{Action, Completion, Fold, Highlight, Hover, Insertion, Link, Symbol, Target};
use crate::rule::Report;
use crate::text::Span;
use layout::Item;
use parts::Parts;

pub static FORMAT: Format = Format {
    name: "context",
    recognise: read::recognise,
    read: |source, _| Arc::new(Packs::new(read::read(source))),
    rules: rules::all,
    workspace: &(),
    start: &start::Begun,
    parse: Some(Parse { name: "context", read: parse::parse, accepts: |_| false }),
};

/// The model of a document with packs.
#[derive(Debug)]
pub struct Packs {
    pub layout: Arc<Parts>,
    /// The items, each with its header.
    opaque: OnceLock<Vec<Span>>,
}

impl Packs {
    pub fn new(layout: Arc<Parts>) -> Self {
        Self { layout, opaque: OnceLock::new() }
    }

    /// The item that contains `offset`, including its ends.
    pub fn item_at(&self, offset: usize) -> Option<&Item> {
        let index =
            self.layout.items.partition_point(|item| item.line.start <= offset).checked_sub(1)?;
        self.layout.items.get(index).filter(|item| offset <= item.end)
    }
}

impl Model for Packs {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn opaque(&self) -> &[Span] {
        let items = || self.layout.items.iter();
        self.opaque.get_or_init(|| items().map(|item| item.line.start..item.end).collect())
    }

    fn check(&self, cx: &Context, report: &mut Report) {
        rules::check(self, cx, report);
        crate::format::start::check(cx, report);
    }

    fn complete(&self, cx: &Context, offset: usize) -> Vec<Completion> {
        complete::complete(self, cx, offset)
    }

    fn hover(&self, cx: &Context, offset: usize) -> Option<Hover> {
        hover::hover(self, cx, offset)
    }

    fn definition(&self, cx: &Context, offset: usize) -> Vec<Target> {
        links::definition(self, cx, offset).into_iter().collect()
    }

    fn links(&self, cx: &Context) -> Vec<Link> {
        links::links(self, cx)
    }

    fn highlights(&self, cx: &Context, span: Span) -> Vec<Highlight> {
        highlight::highlights(self, cx, &span)
    }

    fn symbols(&self, cx: &Context) -> Vec<Symbol> {
        symbols::symbols(self, cx)
    }

    fn folds(&self, _: &Context) -> Vec<Fold> {
        folds::folds(self)
    }

    fn selections(&self, _: &Context, offset: usize) -> Vec<Span> {
        let Some(item) = self.item_at(offset) else { return Vec::new() };
        let content = Some(item.content.clone())
            .filter(|content| content.start <= offset && offset <= content.end);
        let file = links::span(item).filter(|span| span.start <= offset && offset <= span.end);
        [file, content, Some(item.line.start..item.end)].into_iter().flatten().collect()
    }

    fn actions(&self, cx: &Context, span: Span) -> Vec<Action> {
        actions::actions(self, cx, &span)
    }

    fn insertions(&self, cx: &Context, _: usize, file: &Path) -> Vec<Insertion> {
        actions::insertion(self, cx, file).into_iter().collect()
    }
}

#[cfg(test)]
mod tests;
