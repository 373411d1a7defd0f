//! markdownlang: programs for language models, written in Markdown with YAML front matter (MDL of
//! the conformance list).

pub mod body;
pub mod checked;
mod calls;
pub mod complete;
pub mod convert;
mod declaration;
mod definition;
pub mod doubt;
pub mod expansion;
pub mod field;
mod folds;
pub mod graph;
mod highlight;
mod hover;
pub mod known;
mod imported;
mod insertion;
pub mod interface;
mod links;
pub mod mention;
pub mod parse;
mod moves;
mod naming;
pub mod program;
pub mod prompt;
mod read;
mod reads;
mod recognise;
mod runnable;
pub mod rules;
pub mod schemas;
pub mod skeleton;
mod spot;
mod start;
mod subject;
pub mod suite;
mod symbols;
pub mod template;
mod workspace;

use std::any::Any;
use std::path::Path;
use std::sync::Arc;

use super::{Context, Format, Model, Parse};
use crate::answer::{
    Call, Callable, Completion, Fold, Highlight, Hover, Inlay, Insertion, Link, Occurrence,
    Renamable, Renaming, Runnable, Signature, Symbol, Target,
};
use crate::rule::Report;
use crate::text::Span;
pub use program::Program;
pub use read::{header, read};
pub use rules::suite::concerns_tests;

pub static FORMAT: Format = Format {
    name: "markdownlang",
    recognise: recognise::recognise,
    read: |source, previous| {
        Arc::new(read(source, previous.and_then(|model| model.as_any().downcast_ref())))
    },
    rules: rules::all,
    workspace: &workspace::Programs,
    start: &start::Begun,
    parse: Some(Parse { name: "markdownlang", read: parse::parse, accepts: |_| false }),
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
        found.extend(template::complete(self, cx, offset));
        found.extend(mention::complete(self, cx, offset));
        found
    }

    fn hover(&self, cx: &Context, offset: usize) -> Option<Hover> {
        hover::hover(self, cx, offset)
            .or_else(|| suite::hover(&suite::Subject::of_program(cx, self)?, offset))
    }

    fn definition(&self, cx: &Context, offset: usize) -> Vec<Target> {
        definition::definition(self, cx, offset)
    }

    fn links(&self, cx: &Context) -> Vec<Link> {
        let mut found = links::links(self, cx);
        found.extend(suite::Subject::of_program(cx, self).iter().flat_map(suite::links));
        found.sort_by_key(|link| link.span.start);
        found
    }

    fn highlights(&self, cx: &Context, span: Span) -> Vec<Highlight> {
        let mut found = highlight::highlights(self, &span);
        found.extend(template::highlights(self, cx, &span));
        // The template handles tools in strings of actions.
        let own = found.len();
        for mention in mention::highlights(self, cx.source, &span) {
            let next = found
                .get(..own)
                .unwrap_or_default()
                .partition_point(|other| other.span.end <= mention.span.start);
            if found
                .get(next)
                .is_none_or(|other| next >= own || mention.span.end <= other.span.start)
            {
                found.push(mention);
            }
        }
        found.sort_by_key(|highlight| highlight.span.start);
        found
    }

    fn symbols(&self, cx: &Context) -> Vec<Symbol> {
        let mut found = symbols::symbols(self, cx);
        found.extend(template::symbols(self, cx));
        found
    }

    fn runnables(&self, cx: &Context) -> Vec<Runnable> {
        runnable::runnables(self, cx)
    }

    fn insertions(&self, cx: &Context, _: usize, file: &Path) -> Vec<Insertion> {
        insertion::import(self, cx, file).into_iter().collect()
    }

    fn folds(&self, cx: &Context) -> Vec<Fold> {
        let mut found = folds::folds(self, cx);
        found.extend(template::folds(self, cx));
        found
    }

    fn signature(&self, cx: &Context, offset: usize) -> Option<Signature> {
        template::signature(self, cx, offset)
    }

    fn inlays(&self, cx: &Context, span: Span) -> Vec<Inlay> {
        template::inlays(self, cx, &span)
    }

    fn references(&self, cx: &Context, offset: usize) -> Vec<Occurrence> {
        let found = calls::references(self, cx, offset)
            .unwrap_or_else(|| template::references(self, cx, offset));
        if found.is_empty() { mention::references(self, cx, offset) } else { found }
    }

    fn occurrences(&self, cx: &Context, offset: usize) -> Vec<Occurrence> {
        let found = calls::occurrences(self, cx, offset)
            .unwrap_or_else(|| template::occurrences(self, cx, offset));
        if found.is_empty() { mention::occurrences(self, cx, offset) } else { found }
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

    fn selections(&self, _: &Context, offset: usize) -> Vec<Span> {
        template::selections(self, offset)
    }

    fn renamable(&self, cx: &Context, offset: usize) -> Option<Renamable> {
        let found =
            naming::renamable(self, cx, offset).or_else(|| template::renamable(self, cx, offset));
        found.or_else(|| mention::renamable(self, cx, offset))
    }

    fn rename(&self, cx: &Context, offset: usize, name: &str) -> Result<Renaming, String> {
        let renamed = naming::rename(self, cx, offset, name)
            .or_else(|| template::rename(self, cx, offset, name));
        let renamed = renamed.or_else(|| mention::rename(self, cx, offset, name));
        let renamed = renamed.unwrap_or_else(|| Err("nothing here can be renamed".to_owned()));
        renamed.map(Into::into)
    }

    fn linked(&self, cx: &Context, offset: usize) -> Vec<Span> {
        template::linked(self, cx, offset)
    }
}

#[cfg(test)]
mod tests;
