//! Lines, words and keys as text, where no tree exists: total functions over byte offsets.

use super::node::Span;

/// One line, without its line break.
#[derive(Debug, Clone)]
pub(super) struct Line {
    pub start: usize,
    /// The end of the line's text, before the line break.
    pub end: usize,
    /// The column of the content. Recovery moves it when it reads a `-` or tab as space.
    pub indent: usize,
    /// The first character that isn't a space or tab; `end` on a blank line.
    pub content: usize,
}

impl Line {
    /// Neither blank nor only a comment.
    pub fn is_content(&self, text: &str) -> bool {
        self.content < self.end && text.as_bytes().get(self.content) != Some(&b'#')
    }
}

/// The first line of a range with more than a comment.
pub(super) fn first_content(text: &str, range: Span) -> Option<Line> {
    let mut start = range.start;
    while start < range.end.min(text.len()) {
        let next = next_line(text, start);
        let line = lines(text, start..next.min(range.end)).pop()?;
        if line.is_content(text) {
            return Some(line);
        }
        start = next;
    }
    None
}

/// The lines of a range; `
/// `, `\r
/// ` and a lone `\r` end one.
pub(super) fn lines(text: &str, range: Span) -> Vec<Line> {
    let bytes = text.as_bytes();
    let mut lines = Vec::new();
    let mut start = range.start;
    let stop = range.end.min(bytes.len());
    while start < stop {
        let rest = bytes.get(start..stop).unwrap_or_default();
        let (end, next) = match memchr::memchr2(b'\n', b'\r', rest) {
            None => (stop, stop),
            Some(at) => {
                let crlf = rest.get(at) == Some(&b'\r') && rest.get(at + 1) == Some(&b'\n');
                (start + at, start + at + 1 + usize::from(crlf))
            }
        };
        let content = skip_blanks(text, start..end);
        lines.push(Line { start, end, indent: content - start, content });
        start = next;
    }
    lines
}

pub(super) fn is_blank(byte: u8) -> bool {
    byte == b' ' || byte == b'\t'
}

fn is_space(byte: u8) -> bool {
    is_blank(byte) || byte == b'\n' || byte == b'\r'
}

/// The first offset in `range` that is neither space nor tab.
pub(super) fn skip_blanks(text: &str, range: Span) -> usize {
    let bytes = text.as_bytes();
    let mut at = range.start;
    while at < range.end && bytes.get(at).copied().is_some_and(is_blank) {
        at += 1;
    }
    at
}

/// The first offset from `at` that is neither whitespace nor line break.
pub(super) fn skip_space(text: &str, mut at: usize) -> usize {
    while text.as_bytes().get(at).copied().is_some_and(is_space) {
        at += 1;
    }
    at
}

/// The end of `range` without trailing whitespace and line breaks.
pub(super) fn trim_end(text: &str, range: Span) -> usize {
    let mut end = range.end.min(text.len());
    while end > range.start && text.as_bytes().get(end - 1).copied().is_some_and(is_space) {
        end -= 1;
    }
    end
}

/// The next line break or the end.
pub(super) fn end_of_line(text: &str, at: usize) -> usize {
    let rest = text.as_bytes().get(at..).unwrap_or_default();
    memchr::memchr2(b'\n', b'\r', rest).map_or(text.len(), |found| at + found)
}

/// The start of the line at `at`.
pub(super) fn start_of_line(text: &str, at: usize) -> usize {
    let head = text.as_bytes().get(..at).unwrap_or_default();
    memchr::memrchr2(b'\n', b'\r', head).map_or(0, |found| found + 1)
}

/// The first offset after the line at `at` and its line break.
pub(super) fn next_line(text: &str, at: usize) -> usize {
    let end = end_of_line(text, at);
    match text.as_bytes().get(end..end + 2) {
        Some(b"\r\n") => end + 2,
        _ => (end + 1).min(text.len()),
    }
}

/// The next whitespace, line break or the end.
pub(super) fn end_of_word(text: &str, mut at: usize) -> usize {
    while text.as_bytes().get(at).copied().is_some_and(|byte| !is_space(byte)) {
        at += 1;
    }
    at
}

/// The character boundary at or before `at`.
pub(super) fn floor(text: &str, at: usize) -> usize {
    text.floor_char_boundary(at)
}

/// The end of the content in `range` (one line): without trailing whitespace and comment.
pub(super) fn end_of_content(text: &str, range: Span) -> usize {
    let bytes = text.as_bytes();
    let mut at = range.start;
    let mut end = range.end;
    while let Some(found) = memchr::memchr(b'#', bytes.get(at..range.end).unwrap_or_default()) {
        let hash = at + found;
        if hash == range.start || bytes.get(hash - 1).copied().is_some_and(is_blank) {
            end = hash;
            break;
        }
        at = hash + 1;
    }
    trim_end(text, range.start..end)
}

/// The offset after the closing quote of the quoted scalar at `range.start`.
pub(super) fn close_quote(text: &str, range: Span) -> Option<usize> {
    let bytes = text.as_bytes().get(..range.end)?;
    let quote = *bytes.get(range.start)?;
    let mut at = range.start + 1;
    while let Some(&byte) = bytes.get(at) {
        if byte == b'\\' && quote == b'"' {
            at += 1;
        } else if byte == quote {
            if quote == b'\'' && bytes.get(at + 1) == Some(&quote) {
                at += 1;
            } else {
                return Some(at + 1);
            }
        }
        at += 1;
    }
    None
}

/// A key in a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Key {
    pub span: Span,
    pub colon: usize,
    /// Where the value begins; the line's end if it's absent.
    pub value: usize,
}

/// Whether a key or item is indented with a tab, which granit accepts at the start of the text.
pub(super) fn is_tabbed(text: &str, range: Span) -> bool {
    first_content(text, range).is_some_and(|line| {
        let content = line.content..line.end;
        let tab = text.get(line.start..line.content).is_some_and(|lead| lead.contains('\t'));
        tab && (is_dash(text, content.clone()) || key(text, content).is_some())
    })
}

/// The `key:` at the start of a line's content, plain or quoted.
pub(super) fn key(text: &str, range: Span) -> Option<Key> {
    let bytes = text.as_bytes().get(..range.end)?;
    let first = *bytes.get(range.start)?;
    if matches!(first, b'-' | b'?') && bytes.get(range.start + 1).copied().is_none_or(is_blank) {
        return None;
    }
    let (span, colon) = match first {
        b'[' | b'{' | b'#' => return None,
        b'"' | b'\'' => {
            let end = close_quote(text, range.clone())?;
            let colon = skip_blanks(text, end..range.end);
            if bytes.get(colon) != Some(&b':') {
                return None;
            }
            (range.start..end, colon)
        }
        _ => {
            let end = end_of_content(text, range.clone());
            let colon = colon(text, range.start..end)?;
            (range.start..trim_end(text, range.start..colon), colon)
        }
    };
    let after = bytes.get(colon + 1).copied();
    if !after.is_none_or(is_blank) || span.is_empty() {
        return None;
    }
    Some(Key { span, colon, value: skip_blanks(text, colon + 1..range.end) })
}

/// The first `:` in a line that is followed by whitespace or the end.
pub(super) fn colon(text: &str, range: Span) -> Option<usize> {
    let bytes = text.as_bytes().get(..range.end)?;
    let mut at = range.start;
    loop {
        let found = at + memchr::memchr(b':', bytes.get(at..)?)?;
        if bytes.get(found + 1).copied().is_none_or(is_blank) {
            return Some(found);
        }
        at = found + 1;
    }
}

/// Whether the content is `- …` or a lone `-`.
pub(super) fn is_dash(text: &str, range: Span) -> bool {
    let bytes = text.as_bytes().get(..range.end).unwrap_or_default();
    bytes.get(range.start) == Some(&b'-')
        && bytes.get(range.start + 1).copied().is_none_or(is_blank)
}

/// How the bracket at `range.start` ends.
pub(super) enum Bracket {
    /// The offset after the closing one.
    Closed(usize),
    /// Never; with the unclosed quote inside it that causes this, if any, and the brackets that
    /// would close it.
    Open { quote: Option<usize>, closers: String },
    /// By the wrong bracket; with the brackets that would have closed it, and the open one.
    Mismatched { at: usize, open: char, closers: String },
}

/// Finds the end of the flow collection at `range.start`.
pub(super) fn close_bracket(text: &str, range: Span) -> Bracket {
    let bytes = text.as_bytes().get(..range.end).unwrap_or_default();
    let mut open = Vec::new();
    let mut at = range.start;
    // Whether a quote here would begin a quoted scalar rather than be part of a plain one.
    let mut fresh = true;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'[' => open.push(']'),
            b'{' => open.push('}'),
            b']' | b'}' => {
                let expected = open.last().copied().unwrap_or(']');
                if expected != char::from(byte) {
                    let opening = if expected == ']' { '[' } else { '{' };
                    return Bracket::Mismatched {
                        at,
                        open: opening,
                        closers: open.iter().rev().collect(),
                    };
                }
                open.pop();
                if open.is_empty() {
                    return Bracket::Closed(at + 1);
                }
            }
            b'"' | b'\'' if fresh => match close_quote(text, at..range.end) {
                Some(end) => {
                    at = end;
                    fresh = false;
                    continue;
                }
                None => {
                    open.push(char::from(byte));
                    return Bracket::Open { quote: Some(at), closers: open.iter().rev().collect() };
                }
            },
            b'#' if at > 0 && bytes.get(at - 1).copied().is_some_and(is_space) => {
                at = end_of_line(text, at).min(range.end);
                continue;
            }
            _ => {}
        }
        fresh = matches!(byte, b'[' | b'{' | b',' | b':') || (fresh && is_space(byte));
        at += 1;
    }
    Bracket::Open { quote: None, closers: open.iter().rev().collect() }
}

/// A plain scalar over several lines, folded according to YAML.
pub(super) fn fold(text: &str) -> String {
    let mut folded = String::new();
    let mut breaks = 0;
    for line in text.split('\n') {
        let line = line.trim_matches([' ', '\t', '\r']);
        if line.is_empty() {
            breaks += 1;
            continue;
        }
        if !folded.is_empty() {
            if breaks == 0 {
                folded.push(' ');
            }
            folded.extend(std::iter::repeat_n('\n', breaks));
        }
        breaks = 0;
        folded.push_str(line);
    }
    folded
}

/// `at`, or the start of the line break that ends there.
pub(super) fn trim_break(text: &str, at: usize) -> usize {
    let head = text.get(..at).unwrap_or_default();
    head.strip_suffix("\r\n").or_else(|| head.strip_suffix(['\n', '\r'])).map_or(at, str::len)
}
