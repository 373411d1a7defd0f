use super::{Rope, Span};

/// The unit of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Encoding {
    Utf8,
    #[default]
    Utf16,
    Utf32,
}

/// A position in a user's or a protocol's terms: line and column count from 0, the column in units
/// of an [`Encoding`]. Lines end with `\n`, `\r\n` or a lone `\r`, and nothing else.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Position {
    pub line: u32,
    pub column: u32,
}

impl Encoding {
    /// The column of `offset` in a line that starts at `line_start`; an offset inside a character
    /// counts as its start.
    pub(crate) fn column(self, rope: &Rope, line_start: usize, offset: usize) -> usize {
        // In ordinary lines, count; for long lines, the rope has the counts.
        if offset - line_start < 2048
            && let Some(line) = rope.get_byte_slice(line_start..super::floor(rope, offset))
        {
            return line.chunks().map(|chunk| self.count(chunk)).sum();
        }
        let offset = super::floor(rope, offset);
        match self {
            Self::Utf8 => offset - line_start,
            Self::Utf32 => rope.byte_to_char(offset) - rope.byte_to_char(line_start),
            Self::Utf16 => {
                let units = |byte| rope.char_to_utf16_cu(rope.byte_to_char(byte));
                units(offset) - units(line_start)
            }
        }
    }

    /// The length of `text`.
    pub fn count(self, text: &str) -> usize {
        match self {
            Self::Utf8 => text.len(),
            Self::Utf32 => text.chars().count(),
            Self::Utf16 => text
                .bytes()
                .map(|byte| usize::from(byte & 0xc0 != 0x80) + usize::from(byte >= 0xf0))
                .sum(),
        }
    }

    /// The byte offset of `column` in the line `line`: clamped to the line's end, and to the start
    /// of a character that the column would split.
    pub(crate) fn offset(self, rope: &Rope, line: Span, column: usize) -> usize {
        let offset = match self {
            Self::Utf8 => super::floor(rope, line.start.saturating_add(column)),
            Self::Utf32 => {
                let char = rope.byte_to_char(line.start).saturating_add(column);
                if char >= rope.len_chars() { rope.len_bytes() } else { rope.char_to_byte(char) }
            }
            Self::Utf16 => {
                let unit =
                    rope.char_to_utf16_cu(rope.byte_to_char(line.start)).saturating_add(column);
                if unit >= rope.len_utf16_cu() {
                    rope.len_bytes()
                } else {
                    rope.char_to_byte(rope.utf16_cu_to_char(unit))
                }
            }
        };
        offset.min(line.end)
    }
}

/// The line starts of some text: the offset after every line break.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineBreaks(Starts);

/// Most sections of a document with very many have one line.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Starts {
    One(u32),
    All(Box<[u32]>),
}

impl LineBreaks {
    /// Finds the line breaks of `text`.
    pub fn read(text: &str) -> Self {
        let bytes = text.as_bytes();
        let mut breaks = Vec::new();
        for at in memchr::memchr2_iter(b'\n', b'\r', bytes) {
            if bytes.get(at) == Some(&b'\r') && bytes.get(at + 1) == Some(&b'\n') {
                continue;
            }
            breaks.push(u32::try_from(at + 1).unwrap_or(u32::MAX));
        }
        match breaks.as_slice() {
            [one] => Self(Starts::One(*one)),
            _ => Self(Starts::All(breaks.into())),
        }
    }

    pub fn starts(&self) -> &[u32] {
        match &self.0 {
            Starts::One(one) => std::slice::from_ref(one),
            Starts::All(all) => all,
        }
    }

    /// Line (from 0) and the start of that line, for a byte offset.
    pub fn line_at(&self, offset: usize) -> (usize, usize) {
        let starts = self.starts();
        let line = starts.partition_point(|&start| start as usize <= offset);
        (line, line.checked_sub(1).and_then(|i| starts.get(i)).map_or(0, |&start| start as usize))
    }

    /// The start of line `line` (from 0); `None` after the last line.
    pub fn start_of(&self, line: usize) -> Option<usize> {
        match line.checked_sub(1) {
            None => Some(0),
            Some(i) => self.starts().get(i).map(|&start| start as usize),
        }
    }
}
