//! YAML for front matter: a tree with exact spans that survives errors.
//!
//! [`parse`] never fails: invalid YAML becomes an [`Error`] on the characters to look at, and
//! everything else is in the [`Tree`]. granit-parser does the reading; where it fails, `recover`
//! cuts the text by indentation until only the broken lines are left, and `value` explains their
//! mistakes. Interpretation is separate: [`resolve`] for types and anchors, [`json`], [`path`] from
//! JSON pointers and offsets to spans, [`cursor`] for completion in incomplete text, [`edit`] and
//! [`scalar`] for writing.

mod build;
pub mod cursor;
mod delimited;
pub mod edit;
pub mod json;
mod line;
mod messages;
mod node;
mod parse;
pub mod path;
mod recover;
pub mod resolve;
pub mod scalar;
pub mod tabs;
mod value;

#[cfg(test)]
mod tests;

pub use cursor::{CursorContext, Place, Segment, position_context};
pub use edit::{append_item, insert_entry, remove_entry, remove_item, replace_value};
pub use json::{Converted, Problem, ProblemKind, to_json};
pub use node::*;
pub use parse::parse;
pub use path::{Side, Step, Target, at, locate};
pub use resolve::{Anchors, ScalarType, scalar_type};
pub use scalar::{print_flow_scalar, print_scalar, quote, quote_if_needed};
