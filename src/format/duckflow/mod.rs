//! Duckflow: replies of language models, written with markers (DUCK of the conformance list).

pub(super) mod actions;
pub mod complete;
mod folds;
mod highlight;
mod hover;
pub mod grammar;
pub mod layout;
mod links;
pub mod mark;
pub mod parse;
pub mod part;
pub mod plan;
mod read;
mod recognise;
pub mod region;
pub mod reply;
pub mod rules;
mod selections;
pub mod sym_ops;
mod start;
mod symbols;
pub mod vocabulary;
pub mod write;

use std::any::Any;
use std::sync::{Arc, OnceLock};

use super::{Context, Format, Model, Parse};
use crate::answer::{Action, Completion, Fold, Highlight, Hover, Later, Link, Symbol, Target};
use crate::plan::Plan;
use crate::plan::order::Order;
use crate::rule::Report;
use crate::source::Source;
use crate::text::Span;
use layout::Layout;
use mark::Mark;
use part::Parts;
pub use read::read;
use region::{Region, RegionKind};

pub static FORMAT: Format = Format {
    name: "duckflow",
    recognise: recognise::recognise,
    read: |source, earlier| {
        Arc::new(Response::new(source, earlier.and_then(|model| model.as_any().downcast_ref())))
    },
    rules: rules::all,
    workspace: &(),
    start: &start::Begun,
    parse: Some(Parse { name: "duckflow", read: parse::parse, accepts: parse::is_json }),
};

/// The model of a reply. Questions about the whole are answered lazily: a key press only needs the
/// parts that it touches.
#[derive(Debug)]
pub struct Response {
    source: Source,
    parts: Parts,
    layout: OnceLock<Layout>,
    opaque: OnceLock<Vec<Span>>,
    breaks: OnceLock<Vec<usize>>,
    regions: OnceLock<Vec<Region>>,
}

impl Response {
    /// Reads a reply; `earlier` is the model of the previous version.
    pub fn new(source: &Source, earlier: Option<&Self>) -> Self {
        let parts = Parts::read(source, earlier.map(|earlier| &earlier.parts));
        Self {
            source: source.clone(),
            parts,
            layout: OnceLock::new(),
            opaque: OnceLock::new(),
            breaks: OnceLock::new(),
            regions: OnceLock::new(),
        }
    }

    /// The location of every part.
    pub fn layout(&self) -> &Layout {
        self.layout.get_or_init(|| read(&self.source))
    }

    fn parts(&self) -> &Parts {
        &self.parts
    }

    /// The stretches that an author sees as one thing, in order.
    pub fn regions(&self, source: &Source) -> &[Region] {
        self.regions.get_or_init(|| region::regions(self.layout(), source))
    }

    /// The region that contains `offset`, including its ends.
    pub(super) fn region_at(&self, source: &Source, offset: usize) -> Option<&Region> {
        let regions = self.regions(source);
        let index = regions.partition_point(|region| region.span.start <= offset).checked_sub(1)?;
        regions.get(index).filter(|region| offset <= region.span.end)
    }

    /// The marker in the line of `offset`, unless it is inside content.
    pub(super) fn mark_at(&self, offset: usize) -> Option<(usize, &Mark)> {
        let index =
            self.layout().marks.partition_point(|mark| mark.line.start <= offset).checked_sub(1)?;
        let mark = self.layout().marks.get(index).filter(|mark| offset <= mark.line.end)?;
        self.layout().inside.get(index).is_none_or(Option::is_none).then_some((index, mark))
    }
}

impl Model for Response {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn opaque(&self) -> &[Span] {
        self.opaque.get_or_init(|| {
            let contents = self.layout().contents.iter();
            contents.map(|content| content.span.clone()).filter(|span| !span.is_empty()).collect()
        })
    }

    fn breaks(&self) -> &[usize] {
        self.breaks.get_or_init(|| {
            let marks = self.layout().marks.iter().zip(&self.layout().inside);
            marks
                .filter(|(mark, inside)| inside.is_none() && mark.kind.is_marker())
                .map(|(mark, _)| mark.line.start)
                .collect()
        })
    }

    fn check(&self, cx: &Context, report: &mut Report) {
        rules::check(self, cx, report);
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

    fn folds(&self, cx: &Context) -> Vec<Fold> {
        folds::folds(self, cx)
    }

    fn selections(&self, cx: &Context, offset: usize) -> Vec<Span> {
        selections::selections(self, cx, offset)
    }

    fn actions(&self, cx: &Context, span: Span) -> Vec<Action> {
        actions::actions(self, cx, &span)
    }

    fn later<'a>(&'a self, cx: &'a Context, span: Span) -> Vec<Later<'a>> {
        actions::to_json(self, cx, &span).into_iter().collect()
    }

    fn blocks(&self, cx: &Context) -> Vec<(u64, Span)> {
        plan::blocks(self, cx.source)
    }

    fn apply(&self, cx: &Context, order: &Order) -> Option<Plan> {
        plan::apply(self, cx, order)
    }
}

/// A reply without markers, as the reference parser reads it.
#[derive(Debug)]
pub struct Unmarked(reply::Reply);

impl Unmarked {
    pub fn read(source: &Source) -> Self {
        Self(reply::read(&source.slice(0..source.len())))
    }

    pub fn is_json(&self) -> bool {
        self.0.source == reply::ReplySource::Json
    }
}

impl Model for Unmarked {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn apply(&self, cx: &Context, order: &Order) -> Option<Plan> {
        plan::of_reply(&self.0, cx, order)
    }
}

#[cfg(test)]
mod tests;
