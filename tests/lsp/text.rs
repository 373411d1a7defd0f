//! The client's own model of text and positions, written without the server's code so that the two
//! can be compared.

use std::ops::Range as Span;

use tower_lsp::gen_lsp_types::{Position, Range};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    Utf8,
    Utf16,
    Utf32,
}

impl Encoding {
    pub fn named(name: &str) -> Self {
        match name {
            "utf-8" => Self::Utf8,
            "utf-32" => Self::Utf32,
            _ => Self::Utf16,
        }
    }

    fn units(self, text: &str) -> usize {
        match self {
            Self::Utf8 => text.len(),
            Self::Utf16 => text.encode_utf16().count(),
            Self::Utf32 => text.chars().count(),
        }
    }
}

/// The byte span of each line, without its line break.
pub fn lines(text: &str) -> Vec<Span<usize>> {
    let bytes = text.as_bytes();
    let (mut found, mut start, mut at) = (Vec::new(), 0, 0);
    while at < bytes.len() {
        let width = match (bytes[at], bytes.get(at + 1)) {
            (b'\r', Some(b'\n')) => 2,
            (b'\r' | b'\n', _) => 1,
            _ => 0,
        };
        if width > 0 {
            found.push(start..at);
            start = at + width;
        }
        at += width.max(1);
    }
    found.push(start..bytes.len());
    found
}

pub fn position(text: &str, offset: usize, encoding: Encoding) -> Position {
    let lines = lines(text);
    let line = lines.partition_point(|line| line.start <= offset) - 1;
    let end = offset.min(lines[line].end);
    Position { line: line as u32, character: encoding.units(&text[lines[line].start..end]) as u32 }
}

/// Text with its line spans, which are computed once.
pub struct Lined<'a> {
    text: &'a str,
    lines: Vec<Span<usize>>,
    encoding: Encoding,
}

impl<'a> Lined<'a> {
    pub fn new(text: &'a str, encoding: Encoding) -> Self {
        Self { text, lines: lines(text), encoding }
    }

    /// The byte offset of a position from the server, which must be a real place in the text.
    pub fn offset(&self, position: Position) -> Result<usize, String> {
        let Some(line) = self.lines.get(position.line as usize) else {
            return Err(format!("line {} of {}", position.line, self.lines.len()));
        };
        let mut column = 0;
        for (at, character) in self.text[line.clone()].char_indices() {
            if column == position.character as usize {
                return Ok(line.start + at);
            }
            column += self.encoding.units(character.encode_utf8(&mut [0; 4]));
        }
        if column == position.character as usize {
            Ok(line.end)
        } else {
            Err(format!("{position:?} is not in a line of {column} units"))
        }
    }

    pub fn span(&self, range: Range) -> Result<Span<usize>, String> {
        let (start, end) = (self.offset(range.start)?, self.offset(range.end)?);
        if start <= end { Ok(start..end) } else { Err(format!("{range:?} ends before it starts")) }
    }
}

pub fn offset(text: &str, position: Position, encoding: Encoding) -> Result<usize, String> {
    Lined::new(text, encoding).offset(position)
}

pub fn span(text: &str, range: Range, encoding: Encoding) -> Result<Span<usize>, String> {
    Lined::new(text, encoding).span(range)
}

pub fn range(text: &str, span: Span<usize>, encoding: Encoding) -> Range {
    Range { start: position(text, span.start, encoding), end: position(text, span.end, encoding) }
}

/// Applies edits whose spans all refer to the original text.
pub fn apply(text: &str, mut edits: Vec<(Span<usize>, String)>) -> String {
    edits.sort_by_key(|(span, _)| (span.start, span.end));
    let (mut out, mut last) = (String::new(), 0);
    for (span, new) in edits {
        assert!(span.start >= last, "the edits overlap at {}", span.start);
        out += &text[last..span.start];
        out += &new;
        last = span.end;
    }
    out + &text[last..]
}

#[test]
fn positions_are_counted_as_the_protocol_specifies() {
    let text = "a🦆b\r\né\rx\n";
    assert_eq!(lines(text), [0..6, 8..10, 11..12, 13..13]);
    let at = |offset, encoding| {
        (position(text, offset, encoding).line, position(text, offset, encoding).character)
    };
    assert_eq!(
        [at(5, Encoding::Utf8), at(5, Encoding::Utf16), at(5, Encoding::Utf32)],
        [(0, 5), (0, 3), (0, 2)]
    );
    assert_eq!(offset(text, Position { line: 0, character: 3 }, Encoding::Utf16), Ok(5));
    assert!(offset(text, Position { line: 0, character: 2 }, Encoding::Utf16).is_err());
    assert!(offset(text, Position { line: 0, character: 9 }, Encoding::Utf16).is_err());
    assert!(offset(text, Position { line: 4, character: 0 }, Encoding::Utf16).is_err());
    assert_eq!(apply("abc", vec![(2..3, "X".into()), (0..0, "-".into())]), "-abX");
}
