//! Edit blocks wherever they stand: in a bare reply, in what an assistant says in an LLMD document.
//! What is common to both is here: how the blocks of a text are written, what becomes of them, and
//! what can be wrong with them.
//!
//! The format itself is that of bare replies: SEARCH/REPLACE in its dialects, unified diffs in
//! fences, `apply_patch`, and no other format around them.

pub mod apply;
pub mod chain;
pub mod check;
pub mod files;
pub mod identity;
mod outline;
pub mod parse;
mod recognise;
mod repair;
pub mod rules;
mod signs;
pub mod written;

use std::any::Any;
use std::sync::Arc;

use super::{Context, Format, GRAMMARS, Model};
use crate::answer::{Fold, Highlight, Symbol};
use crate::edit::Block;
use crate::plan::choice::Goal;
use crate::plan::order::Order;
use crate::plan::standing::Standing;
use crate::plan::{Plan, path};
use crate::reply::{self, Draft};
use crate::rule::Report;
use crate::source::Source;
use crate::text::Span;

pub static FORMAT: Format = Format {
    name: "edits",
    recognise: recognise::recognise,
    read: |source, _| Arc::new(Reply::read(source)),
    rules: rules::all,
    workspace: &(),
};

/// The model of a reply.
#[derive(Debug, PartialEq)]
pub struct Reply {
    /// What its text asks for. Which file a block is about depends on those that exist.
    pub draft: Arc<Draft>,
    /// The content of blocks isn't Markdown.
    opaque: Vec<Span>,
}

impl Reply {
    pub fn read(source: &Source) -> Self {
        let draft = reply::read_source(source, GRAMMARS);
        let mut opaque: Vec<Span> = Vec::new();
        for span in draft.steps.iter().map(|step| step.block.span.clone()) {
            match opaque.last_mut() {
                Some(last) if span.start < last.end => last.end = last.end.max(span.end),
                _ => opaque.push(span),
            }
        }
        Self { draft, opaque }
    }

    /// The blocks as they are written, in order: some do not know their files.
    pub fn written(&self) -> impl Iterator<Item = &Block> {
        self.draft.steps.iter().map(|step| &step.block)
    }

    /// The reply with the file of every block, as far as the workspace tells.
    pub fn resolved(&self, cx: &Context) -> reply::Reply {
        let root = cx.root();
        self.draft.resolve(&|written| {
            root.as_ref().is_some_and(|root| path::is_file(cx.world, root, written))
        })
    }
}

impl Model for Reply {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn opaque(&self) -> &[Span] {
        &self.opaque
    }

    fn symbols(&self, cx: &Context) -> Vec<Symbol> {
        outline::symbols(self, cx)
    }

    fn folds(&self, cx: &Context) -> Vec<Fold> {
        outline::folds(self, cx)
    }

    fn highlights(&self, cx: &Context, span: Span) -> Vec<Highlight> {
        outline::highlights(self, cx, &span)
    }

    fn check(&self, cx: &Context, report: &mut Report) {
        rules::of_reply(self, cx, report);
    }

    fn blocks(&self, _: &Context) -> Vec<(u64, Span)> {
        (1..).zip(self.written()).map(|(number, block)| (number, block.span.clone())).collect()
    }

    fn goals(&self) -> &'static [Goal] {
        &[Goal::Workspace]
    }

    fn standings(&self, cx: &Context, _: Goal) -> Vec<Standing> {
        apply::standings(self, cx)
    }

    fn apply(&self, cx: &Context, order: &Order) -> Option<Plan> {
        apply::apply(&self.draft, cx, order)
    }
}

#[cfg(test)]
mod tests;
