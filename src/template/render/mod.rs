//! A template filled in with an input, as Go's `text/template` does it, with the improvements of
//! MDL-15: integers stay integers, numbers compare by value, `join` and `slice` take their
//! arguments in either order.
//!
//! Nothing is ever read as a template twice: what the input holds is printed as it stands (MDL-17).
//! Every template ends, within the [`Limits`]; what a template makes is counted before it is made.

mod case;
mod compare;
mod escape;
mod evaluate;
mod execute;
mod float;
mod format;
mod functions;
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

/// How much a template may do.
#[derive(Clone, Copy)]
pub struct Limits<'a> {
    /// Bytes of the text that comes out.
    pub output: usize,
    /// Bytes of all the text and lists that are made on the way.
    pub memory: usize,
    /// Nodes, calls and elements; text that is read counts too.
    pub steps: usize,
    /// Asked now and then: nobody wants the result any more.
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

/// What came out.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Rendered {
    pub text: String,
    /// The pipelines that printed `<no value>`, each once, in the order in which they first did.
    pub missing: Vec<Span>,
}

/// Why a template cannot be filled in. The message is in Go's words, with the types of JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RenderError {
    /// In the text of the template.
    pub span: Span,
    pub message: String,
}

/// Fills in a template. `text` is what it was parsed from.
///
/// # Errors
/// When it was not parsed without mistakes, does what its input does not allow, or does more than
/// `limits` allow.
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
