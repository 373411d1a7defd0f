//! A message to the client as text, in pieces: text written earlier is shared, not copied.

use std::ops::Range;
use std::sync::Arc;

/// The text of a message. It can be long, and mostly the same as that of the previous message.
#[derive(Debug, Default)]
pub(super) struct Message {
    pieces: Vec<Piece>,
    length: usize,
}

#[derive(Debug)]
enum Piece {
    Own(String),
    Shared(Arc<str>, Range<usize>),
}

/// Shorter pieces are copied.
const SHORT: usize = 512;

impl Message {
    /// The number of bytes.
    pub(super) fn len(&self) -> usize {
        self.length
    }

    pub(super) fn is_empty(&self) -> bool {
        self.length == 0
    }

    pub(super) fn push_str(&mut self, text: &str) {
        self.length += text.len();
        match self.pieces.last_mut() {
            Some(Piece::Own(own)) => own.push_str(text),
            _ => self.pieces.push(Piece::Own(text.to_owned())),
        }
    }

    /// Appends a range of `text`, without copying it if it is long.
    pub(super) fn share(&mut self, text: &Arc<str>, range: Range<usize>) {
        let Some(shared) = text.get(range.clone()) else { return };
        if shared.len() < SHORT {
            return self.push_str(shared);
        }
        self.length += shared.len();
        self.pieces.push(Piece::Shared(Arc::clone(text), range));
    }

    /// Appends the text that `write` appends to a string.
    pub(super) fn write(&mut self, write: impl FnOnce(&mut String)) {
        let mut own = match self.pieces.pop() {
            Some(Piece::Own(own)) => own,
            other => {
                self.pieces.extend(other);
                String::new()
            }
        };
        self.length -= own.len();
        write(&mut own);
        self.length += own.len();
        self.pieces.push(Piece::Own(own));
    }

    /// Appends another message.
    pub(super) fn append(&mut self, other: Self) {
        self.length += other.length;
        self.pieces.extend(other.pieces);
    }

    /// The message with text around it.
    #[must_use]
    pub(super) fn within(mut self, before: String, after: &str) -> Self {
        self.length += before.len();
        self.pieces.insert(0, Piece::Own(before));
        self.push_str(after);
        self
    }

    pub(super) fn pieces(&self) -> impl Iterator<Item = &str> {
        self.pieces.iter().map(|piece| match piece {
            Piece::Own(own) => own.as_str(),
            Piece::Shared(text, range) => text.get(range.clone()).unwrap_or_default(),
        })
    }
}

impl From<String> for Message {
    fn from(text: String) -> Self {
        Self { length: text.len(), pieces: vec![Piece::Own(text)] }
    }
}
