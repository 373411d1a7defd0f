//! Finds front matter: the lines between two `---` at the top of a file (MDL-2), and its probable
//! end while the author is still typing it.

use super::line::{first_line, is_blank, is_delimiter};
use crate::text::Span;

/// The state of the delimiters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Delimiters {
    /// `---` in line 1, and a later `---`.
    Complete,
    /// Only `---` in line 1: front matter extends as far as lines look like YAML.
    Unclosed,
    /// Only a later `---`, after lines with `input:` or `output:` as in a program's front matter.
    Unopened,
}

/// The top of a document.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Top {
    FrontMatter {
        delimiters: Delimiters,
        length: usize,
    },
    Other,
    /// Undecided: the text ends too early.
    More,
}

/// The byte order mark.
pub const BOM: &str = "\u{feff}";

/// The length in bytes of the byte order mark at the start of a document, if any.
pub fn mark_length(text: &str) -> usize {
    text.len() - text.strip_prefix(BOM).unwrap_or(text).len()
}

/// Whether the text's first line opens front matter, so that a `---` anywhere below may close it.
pub fn opens(text: &str) -> bool {
    let bytes = text.strip_prefix(BOM).unwrap_or(text).as_bytes();
    is_delimiter(first_line(bytes).0)
}

/// The length of the front matter at the start of `text`, if it has both delimiters.
pub fn complete_length(text: &str) -> Option<usize> {
    match read_top(text, Known::Part).0 {
        Top::FrontMatter { delimiters: Delimiters::Complete, length } => Some(length),
        _ => None,
    }
}

/// What follows the text being read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Known {
    /// The text is the whole document.
    All,
    /// More follows, and no line of it is `---`.
    NoDelimiterBelow,
    Part,
}

/// Reads the top of a document, and returns how many bytes decided the answer.
pub(super) fn read_top(text: &str, known: Known) -> (Top, usize) {
    let body = text.strip_prefix(BOM).unwrap_or(text);
    let bom = text.len() - body.len();
    let complete = known == Known::All;
    let (first, opening) = first_line(body.as_bytes());
    if !complete && opening == first.len() {
        return (Top::More, 0);
    }
    let rest = body.as_bytes().get(opening..).unwrap_or_default();
    if is_delimiter(first) {
        if let Some(length) = closing(rest, complete) {
            let length = bom + opening + length;
            return (Top::FrontMatter { delimiters: Delimiters::Complete, length }, length);
        }
        if known == Known::Part {
            return (Top::More, 0);
        }
        let extent = yaml_extent(rest, complete);
        let reach = bom + opening + extent.reach;
        return match extent {
            Extent { open_end: true, .. } => (Top::More, 0),
            Extent { keys: 0, blank_only: false, .. } => (Top::Other, reach),
            _ => (
                Top::FrontMatter {
                    delimiters: Delimiters::Unclosed,
                    length: bom + opening + extent.length,
                },
                reach,
            ),
        };
    }
    if !is_key(first) {
        return (Top::Other, bom + opening);
    }
    let extent = yaml_extent(body.as_bytes(), complete);
    if extent.open_end {
        return (Top::More, 0);
    }
    let (line, length) = first_line(body.as_bytes().get(extent.length..).unwrap_or_default());
    if is_delimiter(line) && extent.schema_keys > 0 && extent.keys > 1 {
        let length = bom + extent.length + length;
        return (Top::FrontMatter { delimiters: Delimiters::Unopened, length }, bom + extent.reach);
    }
    (Top::Other, bom + extent.reach)
}

/// The length through the line that closes front matter.
fn closing(bytes: &[u8], complete: bool) -> Option<usize> {
    let mut at = 0;
    while at < bytes.len() {
        let rest = bytes.get(at..)?;
        let (line, length) = first_line(rest);
        if is_delimiter(line) && (complete || length > line.len()) {
            return Some(at + length);
        }
        at += length;
    }
    None
}

struct Extent {
    length: usize,
    /// Lines at column 0 that look like `key:`.
    keys: usize,
    /// How many of them are `input:` or `output:`.
    schema_keys: usize,
    blank_only: bool,
    /// The number of bytes read.
    reach: usize,
    /// The bytes ended while lines still looked like YAML, and more may follow.
    open_end: bool,
}

/// How far the lines look like block YAML: keys, indented lines, list items, comments, an
/// incomplete key.
fn yaml_extent(bytes: &[u8], complete: bool) -> Extent {
    let mut extent =
        Extent { length: 0, keys: 0, schema_keys: 0, blank_only: true, reach: 0, open_end: false };
    let (mut at, mut after_blank) = (0, false);
    while at < bytes.len() {
        let (line, length) = first_line(bytes.get(at..).unwrap_or_default());
        if !complete && length == line.len() {
            extent.open_end = true;
            return extent;
        }
        at += length;
        extent.reach = at;
        if is_blank(line) {
            after_blank = true;
            continue;
        }
        extent.blank_only = false;
        let indented = matches!(line.first(), Some(b' ' | b'\t'));
        let item = line.starts_with(b"- ") || line == b"-";
        let word =
            line.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
                && !is_delimiter(line);
        let key = is_key(line);
        let yaml = key
            || extent.keys > 0 && (indented || item)
            || !after_blank && (line.starts_with(b"#") || word);
        if !yaml {
            return extent;
        }
        extent.keys += usize::from(key);
        extent.schema_keys +=
            usize::from(line.starts_with(b"input:") || line.starts_with(b"output:"));
        extent.length = at;
        after_blank = false;
    }
    if extent.blank_only {
        extent.length = bytes.len();
    }
    extent.open_end = !complete;
    extent
}

/// `word:` at column 0, followed by whitespace or the end of the line.
fn is_key(line: &[u8]) -> bool {
    let Some(colon) = memchr::memchr(b':', line) else { return false };
    let (name, rest) = line.split_at(colon);
    let quoted =
        name.len() > 2 && matches!(name.first(), Some(b'"' | b'\'')) && name.last() == name.first();
    let plain = !name.is_empty()
        && name
            .iter()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'$'));
    (plain || quoted) && matches!(rest.get(1), None | Some(b' ' | b'\t'))
}

/// The span of the front matter's YAML in its section, without the delimiter lines.
pub fn yaml_span(section: &str, delimiters: Delimiters) -> Span {
    let bom = mark_length(section);
    let body = section.as_bytes().get(bom..).unwrap_or_default();
    let start = if delimiters == Delimiters::Unopened { bom } else { bom + first_line(body).1 };
    if delimiters == Delimiters::Unclosed {
        return start..section.len();
    }
    let trimmed = section.as_bytes();
    let mut end = trimmed.len();
    while end > start && matches!(trimmed.get(end - 1), Some(b'\n' | b'\r' | b' ' | b'\t' | b'-')) {
        end -= 1;
        if trimmed.get(end) == Some(&b'-')
            && matches!(trimmed.get(end.wrapping_sub(1)), None | Some(b'\n' | b'\r'))
        {
            return start..end;
        }
    }
    start..start
}

/// The span of the opening `---` in its section: the first line without its line break.
pub fn opening_span(section: &str) -> Span {
    let bom = mark_length(section);
    let line = first_line(section.as_bytes().get(bom..).unwrap_or_default()).0;
    bom..bom + line.len()
}
