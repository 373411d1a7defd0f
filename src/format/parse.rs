//! The content of a document as JSON.

use serde_json::{Value, json};

use super::{Context, FORMATS};
use crate::source::Source;
use crate::text::{Encoding, Span};

/// A format's reader for programs: its JSON is a contract.
pub struct Parse {
    /// The name on the command line and in the JSON.
    pub name: &'static str,
    pub read: fn(&Context) -> Value,
    /// Whether a document that no format recognises may still be of this one: replies in JSON
    /// aren't Markdown.
    pub accepts: fn(&Context) -> bool,
}

/// All readers.
pub fn all() -> impl Iterator<Item = &'static Parse> {
    FORMATS.iter().filter_map(|format| format.parse.as_ref())
}

/// An error in the shape shared by all formats.
pub fn error(code: &str, message: &str, source: &Source, span: &Span) -> Value {
    let place = |offset: usize| {
        let position = source.position(offset, Encoding::Utf32);
        json!({ "line": position.line + 1, "column": position.column + 1, "offset": offset })
    };
    let start = place(span.start);
    json!({ "code": code, "message": message, "line": start["line"], "range": { "start": start, "end": place(span.end) } })
}
