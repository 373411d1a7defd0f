//! Edit blocks wherever they stand: in a bare reply, in what an assistant says in an LLMD document. What is common to both
//! is here: how the blocks of a text are written, what becomes of them, and what can be wrong with them.
//!
//! The format itself is that of bare replies: SEARCH/REPLACE in its dialects, unified diffs in fences, `apply_patch`, and no
//! other format around them.

mod group;
mod read;
mod recognise;
pub mod rules;
mod signs;
pub mod written;

use std::any::Any;
use std::sync::Arc;

use super::{Context, Format, Model};
use crate::edit::Block;
use crate::rule::Report;
use crate::source::Source;

pub static FORMAT: Format =
    Format { name: "edits", recognise: recognise::recognise, read: |source, _| Arc::new(Reply::read(source)), rules: rules::all };

/// The model of a reply.
#[derive(Debug, PartialEq)]
pub struct Reply {
    /// In order. Those that only show how blocks are written are not among them.
    pub blocks: Vec<Block>,
}

impl Reply {
    pub fn read(source: &Source) -> Self {
        Self { blocks: read::read(source).blocks() }
    }
}

impl Model for Reply {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn check(&self, cx: &Context, report: &mut Report) {
        rules::check(self, cx, report);
    }
}

#[cfg(test)]
mod tests;
