//! The content of files: characters in a rope, positions in it, and edits to it.
//!
//! Offsets inside the crate are bytes. [`position`] converts them to lines and columns, once, at
//! the edge.

mod edit;
mod hunks;
pub mod lines;
mod merge;
mod position;
mod reader;

pub use edit::{Edit, OverlappingEdits, apply, difference};
pub use hunks::hunks;
pub use merge::{Merged, merge};
pub use position::{Encoding, LineBreaks, Position};
pub use reader::Reader;

/// A range of bytes, half-open, on character boundaries.
pub type Span = std::ops::Range<usize>;

/// The text of a document. Offsets are bytes; clones share the data.
pub use ropey::Rope;

use std::borrow::Cow;

/// The text of `span`, borrowed if it's contiguous in the rope. A span outside the rope or inside a
/// character is clamped to the nearest character boundary.
pub fn slice(rope: &Rope, span: Span) -> Cow<'_, str> {
    // Most slices are short and contiguous.
    if let Some((chunk, at, ..)) = rope.get_chunk_at_byte(span.start)
        && let Some(text) = span.end.checked_sub(at).and_then(|end| chunk.get(span.start - at..end))
    {
        return Cow::Borrowed(text);
    }
    let (start, end) = (floor(rope, span.start), floor(rope, span.end));
    if start >= end {
        return Cow::Borrowed("");
    }
    // A slice of the rope counts the characters in its chunks, which takes longer than copying them.
    let Some((chunks, at, ..)) = rope.get_chunks_at_byte(start) else { return Cow::Borrowed("") };
    let mut text = String::with_capacity(end - start);
    let mut from = start - at;
    for chunk in chunks {
        let wanted = (from + end - start - text.len()).min(chunk.len());
        text.push_str(chunk.get(from..wanted).unwrap_or_default());
        if text.len() == end - start {
            break;
        }
        from = 0;
    }
    Cow::Owned(text)
}

/// The largest character boundary that is not after `offset` or the end.
pub fn floor(rope: &Rope, offset: usize) -> usize {
    if offset >= rope.len_bytes() {
        return rope.len_bytes();
    }
    let Some((chunk, start, ..)) = rope.get_chunk_at_byte(offset) else { return rope.len_bytes() };
    (0..=offset - start)
        .rev()
        .find(|at| chunk.is_char_boundary(*at))
        .map_or(offset, |at| start + at)
}

/// Whether a character must not reach a terminal or a log: controls, which can move the cursor, and
/// marks that reorder text or that some programs take for line breaks.
pub fn is_unprintable(char: char) -> bool {
    char.is_control()
        || matches!(char, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slice_is_clamped() {
        for text in ["aé🦆\u{301}b".to_owned(), "日本語 🦆 ab\r\n".repeat(400)] {
            let rope = Rope::from_str(&text);
            let down = |at: usize| {
                (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
            };
            for start in (0..text.len() + 2)
                .filter(|start| text.len() < 100 || start % 97 < 3 || start + 9 > text.len())
            {
                assert_eq!(floor(&rope, start), down(start));
                for end in [
                    start,
                    start + 1,
                    start + 3,
                    start + 900,
                    start + 5000,
                    usize::MAX,
                    start.saturating_sub(1),
                ] {
                    let expected = text.get(down(start)..down(end)).unwrap_or_default();
                    assert_eq!(slice(&rope, start..end), expected, "{start}..{end}");
                }
            }
        }
    }
}
