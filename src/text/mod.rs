//! What a file is: characters in a rope, places in it, and changes to it.
//!
//! Everything inside the crate counts bytes. [`position`] converts to lines and columns, once, at the edge.

mod edit;
mod hunks;
mod position;

pub use edit::{Edit, OverlappingEdits, apply, difference};
pub use hunks::hunks;
pub use position::{Encoding, LineBreaks, Position};

/// A range of bytes, half-open, on character boundaries.
pub type Span = std::ops::Range<usize>;

/// The text of a document. Offsets are bytes; a clone shares everything.
pub use ropey::Rope;

use std::borrow::Cow;

/// The text of `span`, borrowed where the rope holds it in one piece. A span that is not inside the rope or splits a
/// character gives what lies inside, to the nearest character boundary.
pub fn slice(rope: &Rope, span: Span) -> Cow<'_, str> {
    let (start, end) = (floor(rope, span.start), floor(rope, span.end));
    if start >= end {
        return Cow::Borrowed("");
    }
    rope.get_byte_slice(start..end).map_or(Cow::Borrowed(""), Cow::from)
}

/// The largest character boundary that is not after `offset` nor after the end.
pub fn floor(rope: &Rope, offset: usize) -> usize {
    if offset >= rope.len_bytes() {
        return rope.len_bytes();
    }
    rope.char_to_byte(rope.byte_to_char(offset))
}
