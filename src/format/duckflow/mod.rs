//! Duckflow: replies of language models, written with markers (DUCK of the conformance list).

pub(super) mod actions;
pub mod complete;
mod folds;
mod highlight;
mod hover;
pub mod layout;
mod links;
pub mod mark;
pub mod parse;
pub mod plan;
mod read;
mod recognise;
pub mod region;
pub mod reply;
pub mod rules;
mod selections;
pub mod sym_ops;
mod symbols;
pub mod vocabulary;
pub mod write;

use std::any::Any;
use std::sync::{Arc, OnceLock};

use super::{Context, Format, Model};
use crate::answer::{Action, Completion, Fold, Highlight, Hover, Link, Symbol, Target};
use crate::plan::Plan;
use crate::rule::Report;
use crate::source::Source;
use crate::text::Span;
use layout::Layout;
use mark::Mark;
pub use read::read;
use region::{Region, RegionKind};

pub static FORMAT: Format =
    Format { name: "duckflow", recognise: recognise::recognise, read: |source, _| Arc::new(Response::new(read(source))), rules: rules::all };

/// The model of a reply.
#[derive(Debug)]
pub struct Response {
    pub layout: Layout,
    /// The content blocks.
    opaque: Vec<Span>,
    /// Where markers outside content begin.
    breaks: Vec<usize>,
    regions: OnceLock<Vec<Region>>,
}

impl Response {
    pub fn new(layout: Layout) -> Self {
        let opaque = layout.contents.iter().map(|content| content.span.clone()).filter(|span| !span.is_empty()).collect();
        let marks = layout.marks.iter().zip(&layout.inside);
        let breaks = marks.filter(|(mark, inside)| inside.is_none() && mark.kind.is_marker()).map(|(mark, _)| mark.line.start).collect();
        Self { layout, opaque, breaks, regions: OnceLock::new() }
    }

    /// What an author sees as one thing each, in order.
    pub fn regions(&self, source: &Source) -> &[Region] {
        self.regions.get_or_init(|| region::regions(&self.layout, source))
    }

    /// The region that holds `offset`, its ends included.
    pub(super) fn region_at(&self, source: &Source, offset: usize) -> Option<&Region> {
        let regions = self.regions(source);
        let index = regions.partition_point(|region| region.span.start <= offset).checked_sub(1)?;
        regions.get(index).filter(|region| offset <= region.span.end)
    }

    /// The marker in the line of `offset`, if it stands in no content.
    pub(super) fn mark_at(&self, offset: usize) -> Option<(usize, &Mark)> {
        let index = self.layout.marks.partition_point(|mark| mark.line.start <= offset).checked_sub(1)?;
        let mark = self.layout.marks.get(index).filter(|mark| offset <= mark.line.end)?;
        self.layout.inside.get(index).is_none_or(Option::is_none).then_some((index, mark))
    }
}

impl Model for Response {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn opaque(&self) -> &[Span] {
        &self.opaque
    }

    fn breaks(&self) -> &[usize] {
        &self.breaks
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

    fn blocks(&self, cx: &Context) -> Vec<(u64, Span)> {
        plan::blocks(self, cx.source)
    }

    fn plan(&self, cx: &Context, blocks: &[u64]) -> Plan {
        plan::plan(self, cx, blocks)
    }
}

#[cfg(test)]
mod tests;
