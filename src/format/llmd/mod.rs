//! LLMD: project documents whose conversation edits the project (LLMD of the conformance list).

mod actions;
mod apply;
mod complete;
mod entries;
mod event;
pub mod files;
mod folds;
mod highlight;
mod hover;
pub mod layout;
mod links;
mod order;
pub mod parse;
mod place;
pub mod plan;
pub mod read;
mod recognise;
pub mod rules;
mod selections;
mod symbols;

use std::any::Any;
use std::sync::{Arc, OnceLock};

use super::{Context, Format, Model, Parse};
use crate::answer::{Action, Completion, Fold, Highlight, Hover, Link, Symbol, Target};
use crate::plan::Plan;
use crate::plan::choice::Goal;
use crate::plan::order::Order;
use crate::plan::standing::Standing;
use crate::rule::Report;
use crate::source::Source;
use crate::text::Span;
use entries::Parts;
use layout::Role;
use read::Whole;

pub static FORMAT: Format = Format {
    name: "llmd",
    recognise: recognise::recognise,
    read: |source, previous| Arc::new(read(source, previous)),
    rules: rules::all,
    workspace: &(),
    start: &(),
    parse: Some(Parse { name: "llmd", read: parse::parse, accepts: |_| false }),
};

/// The model of a document.
#[derive(Debug, Default)]
pub struct Project {
    pub layout: Whole,
    parts: Parts,
    /// In a project that a check sees, how many entries are left out before each entry.
    elided: Vec<usize>,
    /// The blocks, whose content isn't Markdown.
    opaque: OnceLock<Vec<Span>>,
}

/// Reads a document; reuses the unchanged parts of `previous`.
pub fn read(source: &Source, previous: Option<&dyn Model>) -> Project {
    let previous = previous.and_then(|model| model.as_any().downcast_ref::<Project>());
    Project {
        layout: Whole::new(source, previous.map(|previous| &previous.layout)),
        parts: Parts::read(source, previous.map(|previous| &previous.parts)),
        ..Project::default()
    }
}

impl Model for Project {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn opaque(&self) -> &[Span] {
        self.opaque.get_or_init(|| {
            let whole = self.layout.blocks.iter().filter(|placed| {
                placed.role != Role::Documentation && placed.written.end.is_some()
            });
            whole.map(|placed| placed.block.span()).collect()
        })
    }

    fn check(&self, cx: &Context, report: &mut Report) {
        rules::check(self, cx, report);
    }

    fn blocks(&self, _: &Context) -> Vec<(u64, Span)> {
        apply::blocks(self)
    }

    fn goals(&self) -> &'static [Goal] {
        &[Goal::Context, Goal::Workspace]
    }

    fn standings(&self, cx: &Context, goal: Goal) -> Vec<Standing> {
        apply::standings(self, cx, goal)
    }

    fn apply(&self, cx: &Context, order: &Order) -> Option<Plan> {
        apply::apply(self, cx, order)
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
}

#[cfg(test)]
mod tests;
