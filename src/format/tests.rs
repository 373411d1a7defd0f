//! Properties of every format.

pub mod tiny;
mod traces;

use crate::rule::Diagnostic;
use crate::text;

/// A text after the first fix of each finding in turn, until none has one.
pub fn repaired(text: &str, findings: impl Fn(&str) -> Vec<Diagnostic>) -> String {
    let mut text = text.to_owned();
    for _ in 0..16 {
        let found = findings(&text);
        let Some(fix) = found.iter().find_map(|finding| finding.fixes.first()) else { break };
        text = text::apply(&text, &fix.edits).unwrap();
    }
    text
}
