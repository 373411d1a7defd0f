//! The header of an item: `### Code (from src/agent.lisp:10-15)` (AQ-9).

use crate::text::Span;

/// A line that can be the header of an item. Spans count from the start of the line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// The displayed type.
    pub kind: Span,
    pub file: Option<Span>,
    pub range: Option<Range>,
    /// The annotation has no `)`.
    pub open: bool,
}

/// The lines in an annotation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Range {
    /// From the first digit to the last.
    pub span: Span,
    pub start: u64,
    pub end: u64,
}

impl Header {
    /// The same in a document that has `by` bytes before this one.
    #[must_use]
    pub fn shifted(&self, by: usize) -> Self {
        let shift = |span: &Span| span.start + by..span.end + by;
        Self {
            kind: shift(&self.kind),
            file: self.file.as_ref().map(shift),
            range: self
                .range
                .as_ref()
                .map(|range| Range { span: shift(&range.span), ..range.clone() }),
            open: self.open,
        }
    }
}

const HASHES: &str = "### ";
const FROM: &str = " (from ";

/// Reads a line, given without its break.
pub fn read(line: &str) -> Option<Header> {
    let line = line.trim_end();
    let rest = line.strip_prefix(HASHES)?;
    let word = rest.find(FROM).unwrap_or(rest.len());
    let kind = HASHES.len()..HASHES.len() + word;
    let name = line.get(kind.clone())?;
    if name.is_empty()
        || !name
            .chars()
            .all(|character| character.is_alphanumeric() || matches!(character, '-' | '_'))
    {
        return None;
    }
    if word == rest.len() {
        return Some(Header { kind, file: None, range: None, open: false });
    }
    let from = kind.end + FROM.len();
    // Editors remove trailing whitespace, so a header may end here while it is typed.
    let written = line.get(from..).unwrap_or_default();
    let Some(inside) = written.strip_suffix(')') else {
        return Some(Header {
            kind,
            file: Some(from.min(line.len())..line.len()),
            range: None,
            open: true,
        });
    };
    let (file, range) = place(inside, from);
    Some(Header { kind, file: Some(file), range, open: false })
}

/// Reads a header in the chat's style, `### agent.lisp:10-15 (:region)`, with the type after the
/// name.
pub fn read_chat(line: &str) -> Option<Header> {
    let line = line.trim_end();
    let (name, kind) = line.strip_prefix(HASHES)?.strip_suffix(')')?.rsplit_once(" (:")?;
    let word =
        !kind.is_empty() && kind.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-');
    let (file, range) = place(name, HASHES.len());
    (word && !file.is_empty()).then(|| Header {
        kind: line.len() - 1 - kind.len()..line.len() - 1,
        file: Some(file),
        range,
        open: false,
    })
}

/// A file and its lines, in text that begins at `from`.
fn place(text: &str, from: usize) -> (Span, Option<Range>) {
    match trailing_range(text) {
        Some((length, start, end)) => (
            from..from + length,
            Some(Range { span: from + length + 1..from + text.len(), start, end }),
        ),
        None => (from..from + text.len(), None),
    }
}

/// The length of the text before a trailing `:<digits>-<digits>`, and the numbers, capped at the
/// maximum.
fn trailing_range(text: &str) -> Option<(usize, u64, u64)> {
    let (file, range) = text.rsplit_once(':')?;
    let (start, end) = range.split_once('-')?;
    let number = |digits: &str| {
        let all = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        all.then(|| digits.parse().unwrap_or(u64::MAX))
    };
    Some((file.len(), number(start)?, number(end)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Type, file, lines.
    type Parts<'a> = (&'a str, Option<&'a str>, Option<(u64, u64)>);

    fn parts(line: &str) -> Option<Parts<'_>> {
        let header = read(line)?;
        let range = header.range.map(|range| (range.start, range.end));
        Some((&line[header.kind], header.file.map(|file| &line[file]), range))
    }

    #[test]
    fn aq_09_the_last_range_before_the_last_parenthesis_is_used() {
        for (line, expected) in [
            ("### Code", ("Code", None, None)),
            ("### Repl-History  ", ("Repl-History", None, None)),
            ("### Code (from src/a.lisp)", ("Code", Some("src/a.lisp"), None)),
            ("### Code (from src/a.lisp:10-12)", ("Code", Some("src/a.lisp"), Some((10, 12)))),
            (
                "### Code (from path/with spaces.lisp)",
                ("Code", Some("path/with spaces.lisp"), None),
            ),
            (
                "### File (from C:\\win\\p (1).lisp:0-0)",
                ("File", Some("C:\\win\\p (1).lisp"), Some((0, 0))),
            ),
            ("### Code (from a:b:1-2.lisp:3-9)", ("Code", Some("a:b:1-2.lisp"), Some((3, 9)))),
            ("### Code (from a (from b):1-2)", ("Code", Some("a (from b)"), Some((1, 2)))),
            ("### Code (from a:1-)", ("Code", Some("a:1-"), None)),
            ("### Code (from 日本/🦆.lisp:1-2)", ("Code", Some("日本/🦆.lisp"), Some((1, 2)))),
            ("### Code (from )", ("Code", Some(""), None)),
            ("### Code (from a:99999999999999999999-2)", ("Code", Some("a"), Some((u64::MAX, 2)))),
            ("### Code (from a:b", ("Code", Some("a:b"), None)),
        ] {
            assert_eq!(parts(line), Some(expected), "{line}");
        }
        for line in [
            "###Code",
            "## Code",
            " ### Code",
            "### ",
            "### Code of conduct",
            "#### Code",
            "### Code: x",
            "### (from x)",
        ] {
            assert_eq!(parts(line), None, "{line}");
        }
    }
}
