//! Code lenses: what can be applied to files, above the block that says so.

use crate::document::Document;
use crate::format::Context;
use crate::ide::apply::{Application, applications};
use crate::plan::FileChange;

/// The lenses of a document, in order.
pub fn lenses(document: &Document, cx: &Context, together: &dyn Fn(&FileChange) -> bool) -> Vec<Application> {
    applications(document, cx, &(0..cx.source.len()), together)
}
