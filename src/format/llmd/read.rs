//! Reads the layout of a document. What was read of a part is kept while the sections that it
//! stands in are the same.

use std::collections::HashMap;
use std::sync::Arc;

use super::event::events;
use super::layout::{Layout, assemble};
use crate::format::edits::identity::{Key, key};
use crate::format::edits::written::{self, Passage};
use crate::source::Source;
use crate::text::Span;

/// The parts that were read, by what they are made of.
pub(super) type Passages = HashMap<Key, Arc<Passage>>;

/// The layout of a document, and what is worth keeping of it; `known` is what was kept of an
/// earlier version.
pub(super) fn read(source: &Source, known: Option<&Passages>) -> (Layout, Passages) {
    let mut kept = Passages::new();
    let mut passage = |span: &Span| {
        let key = key(source, span);
        let found = known.and_then(|known| known.get(&key)).cloned();
        let found = found.unwrap_or_else(|| Arc::new(written::read(&source.slice(span.clone()))));
        kept.insert(key, Arc::clone(&found));
        found
    };
    let layout = assemble(&events(source), extent(source), &mut passage);
    (layout, kept)
}

/// Where the text begins, behind a byte order mark and blank lines, and where it ends.
fn extent(source: &Source) -> Span {
    let mut start = 0;
    for chunk in source.text().chunks() {
        let blank = chunk.len()
            - chunk
                .trim_start_matches(|character: char| {
                    character.is_whitespace() || character == '\u{feff}'
                })
                .len();
        start += blank;
        if blank < chunk.len() {
            break;
        }
    }
    start..source.len()
}
