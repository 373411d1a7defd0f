//! JSON Schema, draft 2020-12: valid content, errors and meaning of schemas.
//!
//! Everything here works on `serde_json::Value` and answers with **JSON pointers** and the [`Part`]
//! to mark, independent of where a schema is written; formats map pointers to characters with
//! `yaml::locate`. Nothing here reads a file or the network: a `$ref` that leaves the schema is an
//! error.
//!
//! - [`check_schema`]: errors that make a schema unusable; [`lint_schema`]: valid but suspicious
//!   schemas; [`analyse`]: both, cancellable; [`strict_problems`]: why a model provider would
//!   refuse it in strict mode.
//! - [`keyword`], [`Type`], [`formats`]: the vocabulary, documented; [`context`]: which words are
//!   valid at a place in a schema.
//! - [`summary`], [`properties`]: a schema in one line, and line by line.
//! - [`Companions`]: which schemas describe the same values; [`Descent`]: those of a value's parts.
//! - [`compile`]: a schema compiled for validation, with errors as findings.

mod companion;
mod compile;
mod context;
mod cost;
mod descent;
mod describe;
mod equality;
mod finding;
mod fitting;
mod format_name;
mod keyword;
mod lint;
pub mod pointer;
mod reference;
mod retired;
mod shape;
mod strict;
mod type_name;
mod validate;
mod walk;

#[cfg(test)]
mod tests;

use serde_json::Value;

pub use companion::{Companions, renamed_reference};
pub use compile::{Compiled, ValueError, compile};
pub use context::{Position, context};
pub use descent::{Classes, Descent};
pub use describe::{Describer, Property, properties, summary};
pub use equality::is_equal;
pub use finding::{Change, Finding, Fix, Part};
pub use format_name::{FormatName, format_name, formats};
pub use keyword::{Keyword, Vocabulary, keyword, keywords};
pub use lint::{Level, LintKind, SchemaLint, lint_schema};
pub use reference::{References, Target};
pub use retired::{Retired, retired};
pub use shape::Shape;
pub use strict::{StrictProblem, StrictProblemKind, strict_problems};
pub use type_name::{Type, types};
pub use validate::{SchemaError, SchemaErrorKind, analyse, check_schema, empty_type};

/// The only dialect that markdownlang supports.
pub const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";

/// How deeply a schema may be nested, counted in steps of a JSON pointer. Deeper parts are reported
/// and not read.
pub const MAX_DEPTH: usize = 256;

/// The names that a schema's own `required` lists.
pub fn required(schema: &Value) -> impl Iterator<Item = &str> {
    let names = schema.get("required").and_then(Value::as_array);
    names.into_iter().flatten().filter_map(Value::as_str)
}
