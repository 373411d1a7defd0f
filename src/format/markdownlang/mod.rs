//! markdownlang: programs for language models, written in Markdown with YAML front matter (MDL of the conformance list).

pub mod complete;
pub mod field;
pub mod imports;
pub mod program;
mod read;
mod recognise;
pub mod rules;
pub mod schemas;

use std::any::Any;
use std::sync::Arc;

use super::{Context, Format, Model};
use crate::answer::{Completion, Link, Target};
use crate::rule::Report;
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

    fn definition(&self, cx: &Context, offset: usize) -> Vec<Target> {
        imports::definition(self, cx, offset).into_iter().collect()
    }

    fn links(&self, cx: &Context) -> Vec<Link> {
        imports::links(self, cx)
    }

    fn complete(&self, cx: &Context, offset: usize) -> Vec<Completion> {
        complete::complete(cx, offset, true)
    }
}

#[cfg(test)]
mod tests;
