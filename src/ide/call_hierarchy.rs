//! Call hierarchy: the programs and tools that a program calls, and its callers.

use crate::answer::{Call, Callable};
use crate::document::Document;
use crate::format::Context;

/// The item at `offset`.
pub fn prepare(document: &Document, cx: &Context, offset: usize) -> Option<Callable> {
    document.model().callable(cx, offset)
}

/// The callers of the program, or of the tool of this name that it declares. Waits until the whole
/// workspace is known.
pub fn incoming(document: &Document, cx: &Context, tool: Option<&str>) -> Vec<Call> {
    document.model().callers(cx, tool)
}

/// The calls of the program.
pub fn outgoing(document: &Document, cx: &Context) -> Vec<Call> {
    document.model().calls(cx)
}
