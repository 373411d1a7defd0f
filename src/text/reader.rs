//! Reads many spans of a rope that are near each other.

use std::borrow::Cow;
use std::cell::Cell;

use super::{Rope, Span, slice};

/// Remembers the piece of the rope that it last read: the way to a piece takes longer than reading
/// a short span in it.
#[derive(Debug)]
pub struct Reader<'a> {
    rope: &'a Rope,
    /// A piece, and its start in the rope.
    piece: Cell<(&'a str, usize)>,
}

impl<'a> Reader<'a> {
    pub fn new(rope: &'a Rope) -> Self {
        Self { rope, piece: Cell::new(("", 0)) }
    }

    /// The same as [`slice()`].
    pub fn slice(&self, span: Span) -> Cow<'a, str> {
        if let Some(text) = within(self.piece.get(), &span) {
            return Cow::Borrowed(text);
        }
        if let Some((chunk, start, ..)) = self.rope.get_chunk_at_byte(span.start) {
            self.piece.set((chunk, start));
            if let Some(text) = within((chunk, start), &span) {
                return Cow::Borrowed(text);
            }
        }
        slice(self.rope, span)
    }
}

fn within<'a>((chunk, start): (&'a str, usize), span: &Span) -> Option<&'a str> {
    chunk.get(span.start.checked_sub(start)?..span.end.checked_sub(start)?)
}
