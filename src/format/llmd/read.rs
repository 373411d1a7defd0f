//! Reads the layout of a document. Parts are cached while the sections that contain them stay the
//! same.

use std::collections::HashMap;
use std::sync::Arc;

use super::event::events;
use super::layout::{Layout, assemble};
use crate::format::blocks::identity::{Key, key};
use crate::format::blocks::written::{self, Passage};
use crate::source::Source;
use crate::text::Span;

/// The cached parts, by what they were made from.
pub(super) type Passages = HashMap<Key, Arc<Passage>>;

/// The layout of a document, and what to cache of it; `known` is the cache of the previous version.
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

/// The text without byte order mark and surrounding blank lines.
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
