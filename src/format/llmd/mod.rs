//! LLMD: project documents whose conversation edits the project (LLMD of the conformance list).

pub mod layout;
pub mod plan;
mod recognise;
pub mod rules;

use std::any::Any;
use std::sync::Arc;

use super::{Context, Format, Model};
use crate::rule::Report;
use crate::source::Source;
use layout::Layout;

pub static FORMAT: Format = Format { name: "llmd", recognise: recognise::recognise, read: |source, _| Arc::new(read(source)), rules: rules::all };

/// The model of a document.
#[derive(Debug)]
pub struct Project {
    pub layout: Layout,
}

/// Reads a document.
pub fn read(source: &Source) -> Project {
    Project { layout: layout::layout(&source.slice(0..source.len()), false) }
}

impl Model for Project {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn check(&self, cx: &Context, report: &mut Report) {
        rules::check(self, cx, report);
    }
}

#[cfg(test)]
mod tests;
