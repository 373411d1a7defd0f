//! Renders a template with an input, like Go's `text/template`, with the improvements of MDL-15:
//! integers stay integers, numbers compare by value, `join` and `slice` take their arguments in
//! either order.
//!
//! Output is never parsed as a template again: values of the input are printed verbatim (MDL-17).
//! Every template ends, within the [`Limits`]; output is counted before it is produced.

mod case;
mod compare;
mod escape;
mod evaluate;
mod execute;
mod float;
mod format;
mod functions;
mod json;
mod list;
mod number;
mod print;
mod value;

#[cfg(test)]
mod tests;

use std::fmt;

use serde_json::Value as Json;

use super::node::Template;
use crate::text::Span;

/// The limits of a template's work.
#[derive(Clone, Copy)]
pub struct Limits<'a> {
    /// Bytes of output.
    pub output: usize,
    /// Bytes of all strings and lists produced along the way.
    pub memory: usize,
    /// Nodes, calls and elements; text that is read also counts.
    pub steps: usize,
    /// Checked now and then: whether the rendering is cancelled.
    pub cancelled: &'a dyn Fn() -> bool,
}

impl Default for Limits<'_> {
    fn default() -> Self {
        Self { output: 32 << 20, memory: 128 << 20, steps: 10_000_000, cancelled: &|| false }
    }
}

impl fmt::Debug for Limits<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Limits")
            .field("output", &self.output)
            .field("memory", &self.memory)
            .field("steps", &self.steps)
            .finish_non_exhaustive()
    }
}

/// The output.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Rendered {
    pub text: String,
    /// The pipelines that printed `<no value>`, without duplicates, in order of their first output.
    pub missing: Vec<Span>,
}

/// Why rendering failed. The message uses Go's words, with the types of JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RenderError {
    /// A span in the template's text.
    pub span: Span,
    pub message: String,
}

/// Renders a template. `text` is its source.
///
/// # Errors
/// If the template has syntax errors, its input doesn't allow an operation, or it exceeds the
/// `limits`.
pub fn render(
    template: &Template,
    text: &str,
    input: &Json,
    limits: &Limits,
) -> Result<Rendered, RenderError> {
    if let Some(error) = template.errors.first() {
        return Err(RenderError { span: error.span.clone(), message: error.message.clone() });
    }
    execute::execute(template, text, input, limits)
}
