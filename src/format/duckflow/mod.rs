//! Duckflow: replies of language models, written with markers (DUCK of the conformance list).

pub mod layout;
pub mod mark;
mod read;
mod recognise;
pub mod reply;
pub mod rules;
pub mod sym_ops;
pub mod vocabulary;

use std::any::Any;
use std::sync::Arc;

use super::{Context, Format, Model};
use crate::rule::Report;
use layout::Layout;
pub use read::read;

pub static FORMAT: Format =
    Format { name: "duckflow", recognise: recognise::recognise, read: |source, _| Arc::new(Response { layout: read(source) }), rules: rules::all };

/// The model of a reply.
#[derive(Debug)]
pub struct Response {
    pub layout: Layout,
}

impl Model for Response {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn check(&self, cx: &Context, report: &mut Report) {
        rules::check(self, cx, report);
    }
}

#[cfg(test)]
mod tests;
