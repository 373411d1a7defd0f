//! The part of a program that the model gets: its body, without the blank line before it.

use super::program::Header;
use crate::source::Source;

/// The source of the body's template, and its start in the document. `None` without front matter.
pub fn body(source: &Source, header: &Header) -> Option<(usize, String)> {
    let end = header.front.as_ref()?.span.end;
    let start = end + blank_line(&source.slice(end..source.len()));
    Some((start, source.slice(start..source.len()).to_string()))
}

/// The length of the blank line at the start of some text; zero if the line isn't blank.
fn blank_line(text: &str) -> usize {
    let rest = text.trim_start_matches([' ', '\t']);
    let rest = rest.strip_prefix("\r\n").or_else(|| rest.strip_prefix(['\n', '\r']));
    rest.map_or(0, |rest| text.len() - rest.len())
}
