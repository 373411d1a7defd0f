//! Bare replies: SEARCH/REPLACE in its dialects, unified diffs in fences, and `apply_patch`,
//! without another format around them. The blocks themselves are handled in
//! [`blocks`](super::blocks).

mod outline;
pub mod parse;
mod recognise;
mod signs;

use std::any::Any;
use std::sync::Arc;

use super::blocks::chain::Manner;
use super::blocks::check::{Item, RuleContext};
use super::blocks::files::Workspace;
use super::blocks::written::{BlockOf, Written};
use super::blocks::{apply, rules};
use super::{Context, Format, GRAMMARS, Model, Parse};
use crate::answer::{Fold, Highlight, Symbol};
use crate::client;
use crate::edit::Block;
use crate::plan::Plan;
use crate::plan::choice::Goal;
use crate::plan::order::Order;
use crate::plan::standing::Standing;
use crate::reply::{self, Draft};
use crate::rule::{Report, Severity};
use crate::source::Source;
use crate::text::Span;

pub static FORMAT: Format = Format {
    name: "edits",
    recognise: recognise::recognise,
    read: |source, _| Arc::new(Reply::read(source)),
    rules: rules::all,
    workspace: &(),
    start: &(),
    parse: Some(Parse { name: "reply", read: parse::parse, accepts: parse::is_reply }),
};

/// The model of a reply.
#[derive(Debug, PartialEq)]
pub struct Reply {
    /// The edits that its text asks for. Which file a block is about depends on the files that
    /// exist.
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

    /// The blocks as written, in order. Some don't name their file.
    pub fn written(&self) -> impl Iterator<Item = &Block> {
        self.draft.steps.iter().map(|step| &step.block)
    }

    /// The reply with the file of every block that the workspace determines.
    pub fn resolved(&self, cx: &Context) -> reply::Reply {
        let root = cx.root();
        root.map_or_else(
            || self.draft.resolve(&|_| false),
            |root| apply::resolve(&self.draft, cx.world, &root),
        )
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
        let whole = 0..cx.source.len();
        let reply = self.resolved(cx);
        let before = report.diagnostics.len();
        rules::check_faults(&reply, cx, report);
        // With the exact capacity, since there may be very many blocks.
        let mut written = Vec::with_capacity(reply.blocks.len());
        written.extend(reply.blocks.iter().filter_map(|block| Written::of(cx.source, block)));
        let items = written.iter().map(|written| Item {
            block: BlockOf::Known(&written.block),
            written,
            start: 0,
            part: whole.clone(),
            quoted: false,
            current: true,
        });
        let files = Workspace::new(cx);
        let context = RuleContext::new(cx, Manner::Reply, items.collect(), Vec::new(), &files);
        rules::check(&context, report);
        // In documentation, templates and tests, edits are only shown, not applied.
        if cx.place().is_some_and(client::is_aside) {
            let found = report.diagnostics.iter_mut().skip(before);
            found.for_each(|finding| finding.severity = Severity::Hint);
        }
    }

    fn blocks(&self, _: &Context) -> Vec<(u64, Span)> {
        (1..).zip(self.written()).map(|(number, block)| (number, block.span.clone())).collect()
    }

    fn goals(&self) -> &'static [Goal] {
        &[Goal::Workspace]
    }

    fn standings(&self, cx: &Context, _: Goal) -> Vec<Standing> {
        apply::standings(&self.resolved(cx).blocks, cx)
    }

    fn apply(&self, cx: &Context, order: &Order) -> Option<Plan> {
        apply::apply(&self.draft, cx, order)
    }
}

#[cfg(test)]
mod tests;
