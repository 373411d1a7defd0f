//! Positions of many offsets, most of them near the one before.

use super::json;
use crate::source::{Line, Source};
use crate::text::{Encoding, Position, Span};

/// Columns in longer lines, in bytes, are looked up in the rope, which remembers counts.
const LONGEST_LINE: usize = 2048;

pub(super) struct Places<'s> {
    source: &'s Source,
    encoding: Encoding,
    /// The last lines that were looked up, the newest first.
    lines: [Known; LINES],
}

/// The places of an item are near each other, or one of them is near the last item's.
const LINES: usize = 3;

/// A line, and its text if columns need it.
#[derive(Default)]
struct Known {
    line: Option<Line>,
    text: Option<String>,
    /// The text is ASCII.
    ascii: bool,
}

impl Known {
    fn holds(&self, offset: usize) -> bool {
        self.line.as_ref().is_some_and(|line| line.contains(offset))
    }
}

impl<'s> Places<'s> {
    pub(super) fn new(source: &'s Source, encoding: Encoding) -> Self {
        Self { source, encoding, lines: Default::default() }
    }

    /// The same as [`Source::position`].
    pub(super) fn position(&mut self, offset: usize) -> Position {
        let (source, encoding) = (self.source, self.encoding);
        let offset = offset.min(source.len());
        let known = self.lines.iter().position(|known| known.holds(offset));
        if let Some(recent) = self.lines.get_mut(..=known.unwrap_or(LINES - 1)) {
            recent.rotate_right(1);
        }
        let [Known { line, text, ascii }, ..] = &mut self.lines;
        if known.is_none() {
            (*line, *text, *ascii) = (None, None, false);
        }
        let line = line.get_or_insert_with(|| source.line_at(offset));
        let column = if line.is_ascii() {
            offset - line.start()
        } else if line.span().len() > LONGEST_LINE {
            source.position(offset, encoding).column as usize
        } else {
            let text = text.get_or_insert_with(|| {
                let text = source.slice(line.span()).into_owned();
                *ascii = text.is_ascii();
                text
            });
            let end = text.floor_char_boundary(offset - line.start());
            match ascii {
                true => end,
                false => encoding.count(text.get(..end).unwrap_or_default()),
            }
        };
        Position { line: line.number as u32, column: column as u32 }
    }

    /// Appends a `Range`.
    pub(super) fn range(&mut self, span: &Span, out: &mut String) {
        out.push_str(r#"{"start":"#);
        write(self.position(span.start), out);
        out.push_str(r#","end":"#);
        write(self.position(span.end), out);
        out.push('}');
    }
}

fn write(position: Position, out: &mut String) {
    out.push_str(r#"{"line":"#);
    json::number(position.line, out);
    out.push_str(r#","character":"#);
    json::number(position.column, out);
    out.push('}');
}
