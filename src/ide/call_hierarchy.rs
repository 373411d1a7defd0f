//! Call hierarchy: which programs call which, and which tools.

use crate::answer::{Call, Callable};
use crate::document::Document;
use crate::format::Context;

/// What is called or calls at `offset`.
pub fn prepare(document: &Document, cx: &Context, offset: usize) -> Option<Callable> {
    document.model().callable(cx, offset)
}

/// What calls the program, or the tool of this name that it declares. Waits until the workspace is
/// known.
pub fn incoming(document: &Document, cx: &Context, tool: Option<&str>) -> Vec<Call> {
    document.model().callers(cx, tool)
}

/// What the program calls.
pub fn outgoing(document: &Document, cx: &Context) -> Vec<Call> {
    document.model().calls(cx)
}
