//! A line as a block parser reads it: columns, indentation, and constructs that its first character
//! can start.

/// Reads one line from left to right, counting columns as CommonMark does (a tab reaches to the
/// next multiple of four).
#[derive(Clone, Copy)]
pub(super) struct Line<'a> {
    rest: &'a [u8],
    column: usize,
    /// The remaining columns of a partly consumed tab.
    pending: usize,
}

impl<'a> Line<'a> {
    pub(super) fn new(line: &'a [u8]) -> Self {
        Self { rest: line, column: 0, pending: 0 }
    }

    /// The columns of whitespace at the cursor, and the line from the first other byte.
    fn blanks(&self) -> (usize, usize) {
        let (mut columns, mut bytes) = (self.pending, 0);
        for byte in self.rest {
            match byte {
                b' ' => columns += 1,
                b'\t' => columns += 4 - (self.column + columns) % 4,
                _ => break,
            }
            bytes += 1;
        }
        (columns, bytes)
    }

    pub(super) fn indent(&self) -> usize {
        self.blanks().0
    }

    /// The line without leading whitespace.
    pub(super) fn content(&self) -> &'a [u8] {
        self.rest.get(self.blanks().1..).unwrap_or_default()
    }

    pub(super) fn is_blank(&self) -> bool {
        self.content().is_empty()
    }

    pub(super) fn skip_indent(&mut self) {
        let (columns, bytes) = self.blanks();
        self.rest = self.rest.get(bytes..).unwrap_or_default();
        self.column += columns;
        self.pending = 0;
    }

    /// Consumes `count` columns of whitespace, which the caller has checked.
    pub(super) fn skip_columns(&mut self, mut count: usize) {
        while count > 0 {
            if self.pending > 0 {
                let taken = count.min(self.pending);
                self.pending -= taken;
                self.column += taken;
                count -= taken;
                continue;
            }
            match self.rest.split_first() {
                Some((b'\t', rest)) => {
                    self.pending = 4 - self.column % 4;
                    self.rest = rest;
                }
                Some((b' ', rest)) => {
                    self.column += 1;
                    count -= 1;
                    self.rest = rest;
                }
                _ => break,
            }
        }
    }

    /// Consumes `count` bytes other than whitespace.
    pub(super) fn skip_bytes(&mut self, count: usize) {
        self.rest = self.rest.get(count..).unwrap_or_default();
        self.column += count;
    }
}

/// The level of an ATX heading that starts here.
pub(super) fn heading_level(content: &[u8]) -> Option<u8> {
    let level = run(content, b'#');
    let after = content.get(level);
    ((1..=6).contains(&level) && matches!(after, None | Some(b' ' | b'\t')))
        .then_some(u8::try_from(level).unwrap_or(6))
}

/// The fence that opens here: its character and length.
pub(super) fn opening_fence(content: &[u8]) -> Option<(u8, usize)> {
    let char = *content.first()?;
    let length = run(content, char);
    let info = content.get(length..).unwrap_or_default();
    let valid =
        length >= 3 && (char == b'~' || char == b'`' && memchr::memchr(b'`', info).is_none());
    valid.then_some((char, length))
}

pub(super) fn closes_fence(content: &[u8], char: u8, length: usize) -> bool {
    let found = run(content, char);
    found >= length && is_blank(content.get(found..).unwrap_or_default())
}

pub(super) fn is_setext_underline(content: &[u8]) -> bool {
    match content.first() {
        Some(char @ (b'=' | b'-')) => {
            is_blank(content.get(run(content, *char)..).unwrap_or_default())
        }
        _ => false,
    }
}

pub(super) fn is_thematic_break(content: &[u8]) -> bool {
    let Some(char @ (b'*' | b'-' | b'_')) = content.first() else { return false };
    let mut count = 0;
    content.iter().all(|byte| {
        count += usize::from(byte == char);
        byte == char || matches!(byte, b' ' | b'\t')
    }) && count >= 3
}

/// The width of the list marker that starts here and, for an ordered one, its number.
pub(super) fn list_marker(content: &[u8]) -> Option<(usize, Option<u64>)> {
    let (width, number) = match content.first()? {
        b'-' | b'+' | b'*' => (1, None),
        b'0'..=b'9' => {
            let digits = content.iter().take_while(|byte| byte.is_ascii_digit()).count();
            if digits > 9 || !matches!(content.get(digits), Some(b'.' | b')')) {
                return None;
            }
            let number =
                content.iter().take(digits).fold(0, |sum, byte| sum * 10 + u64::from(byte - b'0'));
            (digits + 1, Some(number))
        }
        _ => return None,
    };
    matches!(content.get(width), None | Some(b' ' | b'\t')).then_some((width, number))
}

/// A line that is exactly `---`, except for trailing whitespace: opens and closes front matter.
pub(super) fn is_delimiter(line: &[u8]) -> bool {
    line.strip_prefix(b"---").is_some_and(is_blank)
}

pub(super) fn is_blank(bytes: &[u8]) -> bool {
    bytes.iter().all(|byte| matches!(byte, b' ' | b'\t'))
}

pub(super) fn run(content: &[u8], char: u8) -> usize {
    content.iter().take_while(|&&byte| byte == char).count()
}

/// The first line of `bytes` without its line break, and the length with it.
pub(super) fn first_line(bytes: &[u8]) -> (&[u8], usize) {
    match memchr::memchr2(b'\n', b'\r', bytes) {
        None => (bytes, bytes.len()),
        Some(at) => {
            let pair = bytes.get(at) == Some(&b'\r') && bytes.get(at + 1) == Some(&b'\n');
            (bytes.get(..at).unwrap_or_default(), at + 1 + usize::from(pair))
        }
    }
}
