//! The content of a new program.

use super::field::{self, FIELDS};
use crate::format::snippet;
use crate::yaml::print_scalar;

/// The text of a new program: its fields are those that completion writes.
pub fn text(name: &str) -> String {
    let mut out = format!("---\nname: {}\n", print_scalar(name));
    for field in ["description", "input", "output"] {
        if let Some(field) = field::find(FIELDS, field) {
            out.push_str(&snippet::plain(field.snippet));
            out.push('\n');
        }
    }
    out.push_str("---\n\nSay what to do with this text:\n\n{{ .text }}\n");
    out
}
