//! Reads many spans of a rope that are near each other.

use std::borrow::Cow;
use std::cell::Cell;

use super::{Rope, Span, slice};

/// Remembers the piece of the rope that it last read: finding a piece takes longer than reading a
/// short span in it.
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
        self.go_to(span.start);
        match within(self.piece.get(), &span) {
            Some(text) => Cow::Borrowed(text),
            None => slice(self.rope, span),
        }
    }

    /// The byte at an offset; `None` after the end.
    pub fn byte(&self, offset: usize) -> Option<u8> {
        let known = || {
            let (chunk, start) = self.piece.get();
            chunk.as_bytes().get(offset.checked_sub(start)?).copied()
        };
        known().or_else(|| {
            self.go_to(offset);
            known()
        })
    }

    fn go_to(&self, offset: usize) {
        if let Some((chunk, start, ..)) = self.rope.get_chunk_at_byte(offset) {
            self.piece.set((chunk, start));
        }
    }
}

fn within<'a>((chunk, start): (&'a str, usize), span: &Span) -> Option<&'a str> {
    chunk.get(span.start.checked_sub(start)?..span.end.checked_sub(start)?)
}
