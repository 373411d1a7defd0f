//! A header that is written wrongly, so that its item is read as part of the one above.

use super::header::{self, Meant};
use super::kind::{NAMES, named};
use super::layout::Item;
use crate::source::Source;
use crate::suggestion::closest;
use crate::text::Span;

/// A line that was meant as the header of an item.
#[derive(Debug, PartialEq, Eq)]
pub struct Swallowed {
    /// The line, excluding spaces at its end.
    pub span: Span,
    /// The right spelling.
    pub header: String,
    /// It is written right, but no fence follows it.
    pub lacks_fence: bool,
}

/// Only this much after the fence that closes the content in Markdown is looked at, in bytes.
const NEAR: usize = 1 << 10;

/// The header after the first fence in an item that could close it.
pub fn swallowed(source: &Source, item: &Item) -> Option<Swallowed> {
    let start = item.short.as_ref()?.end;
    let end = item.content.end.min(start + NEAR);
    find(&source.slice(start..end.max(start)), start)
}

/// The header in the first line of a text that isn't blank, if it's written wrongly or lacks its
/// fence. The text begins at an offset.
pub fn find(text: &str, start: usize) -> Option<Swallowed> {
    let mut lines = Lines { text, at: 0 }.filter(|(_, line)| !line.trim().is_empty());
    let (at, line) = lines.next()?;
    let fence = lines.next().map(|(_, fence)| fence).unwrap_or_default();
    let is_fence = |line: &str| line.starts_with("```") || line.starts_with("~~~");
    let (opens, bare) = (is_fence(fence.trim_start()), is_fence(fence));
    let span = start + at..start + at + line.trim_end().len();
    match meant(line) {
        Some(header) => opens.then_some(Swallowed { span, header, lacks_fence: false }),
        None => (is_named(line) && !bare).then(|| Swallowed {
            span,
            header: line.trim().to_owned(),
            lacks_fence: true,
        }),
    }
}

/// A header that names a file, with the known type that its unknown one was meant to be.
pub fn of_known_type(line: &str) -> Option<String> {
    let header = header::read(line)?;
    let kind = line.get(header.kind.clone()).filter(|kind| named(kind).is_none())?;
    header.file.filter(|file| !file.is_empty())?;
    let meant = closest(kind, NAMES)?;
    Some(format!("### {meant}{}", line.get(header.kind.end..)?.trim_end()))
}

/// Whether a line is a header with a known type and a file.
pub fn is_named(line: &str) -> bool {
    header::read(line).is_some_and(|header| {
        let known = line.get(header.kind).and_then(named).is_some();
        known && header.file.is_some_and(|file| !file.is_empty())
    })
}

/// Lines with their offsets, without breaks.
pub struct Lines<'a> {
    pub text: &'a str,
    pub at: usize,
}

impl<'a> Iterator for Lines<'a> {
    type Item = (usize, &'a str);

    fn next(&mut self) -> Option<Self::Item> {
        let rest = self.text.get(self.at..).filter(|rest| !rest.is_empty())?;
        let end = rest.find(['\n', '\r']).unwrap_or(rest.len());
        let at = self.at;
        self.at += (end + 1).min(rest.len());
        Some((at, rest.get(..end)?))
    }
}

/// The header that a line was meant as, unless it is one.
fn meant(line: &str) -> Option<String> {
    let text = line.trim().trim_end_matches(['*', '_']);
    let level = text.len() - text.trim_start_matches('#').len();
    if header::read(line).is_some() || level > 6 {
        return None;
    }
    // `1. Code`, `**Code`, `📄 Code`
    let rest = text.trim_start_matches(|letter: char| !letter.is_alphabetic());
    let (name, rest) = NAMES.iter().find_map(|name| {
        let (word, rest) = rest.split_at_checked(name.len())?;
        let same = word.replace([' ', '_'], "-").eq_ignore_ascii_case(name);
        (same && !rest.starts_with(|next: char| next.is_alphanumeric() || next == '-'))
            .then_some((name, rest))
    })?;
    let written = rest.trim_matches([' ', '\t', ':', ',']).trim_start_matches(['-', '–', ' ']);
    let enclosed = |open: char, close: char| written.strip_prefix(open)?.strip_suffix(close);
    let inside = enclosed('(', ')').or_else(|| enclosed('[', ']'));
    let place = inside.unwrap_or_else(|| written.trim_start_matches(['(', '['])).trim();
    let word = place.get(..4).filter(|word| word.eq_ignore_ascii_case("from"));
    let place = match word {
        Some(word) => {
            place.get(word.len()..).unwrap_or_default().trim_start_matches([' ', '\t', ':'])
        }
        None if inside.is_some() => without_word(place),
        None => place,
    };
    let place = place.replace(['`', '"'], "");
    let place = place.trim_matches('\'');
    let lines = header::meant(place).filter(|meant| meant.end.is_some());
    let is_place = lines.as_ref().map_or(is_path(place), |meant| is_path(&meant.file));
    // Prose may follow the word in a heading of the content.
    let prose = word.is_none() && inside.is_none() && !place.is_empty() && !is_place;
    // Without the marks of a heading, or with those of a section, it may be a title.
    if prose || level < 3 && (word.is_none() || inside.is_none()) {
        return None;
    }
    let place = match lines {
        Some(Meant { file, start, end: Some(end) }) => format!("{file}:{start}-{end}"),
        _ => place.to_owned(),
    };
    Some(if place.is_empty() {
        format!("### {name}")
    } else {
        format!("### {name} (from {place})")
    })
}

/// Whether some words are only a path.
fn is_path(text: &str) -> bool {
    !text.contains(' ') && text.contains(['.', '/'])
}

/// A path without the short word before it: `in a.py`
fn without_word(place: &str) -> &str {
    let Some((word, path)) = place.split_once(' ') else { return place };
    let is_short = word.len() <= 4 && word.bytes().all(|byte| byte.is_ascii_lowercase());
    if is_short && path.contains(['.', '/']) { path.trim_start() } else { place }
}

#[cfg(test)]
mod tests {
    use super::meant;

    #[test]
    fn headers_that_were_meant() {
        let whole = "### Code (from a.py:1-2)";
        for line in [
            "#### Code (from a.py:1-2)",
            "### Code(from a.py:1-2)",
            "### Code  (from a.py:1-2)",
            "### Code (From a.py:1-2)",
            "### Code (from: a.py:1-2)",
            "### Code from a.py:1-2",
            " ### Code (from a.py:1-2)",
            "###  Code (from a.py:1-2)",
            "###Code (from a.py:1-2)",
            "### code: a.py:1-2",
            "#### Code [from a.py:1-2]",
            "### Code from `a.py:1-2`",
            "### Code (in a.py:1-2)",
            "### Code: a.py (1-2)",
            "### Code - a.py:1-2",
            "### Code (a.py#L1-L2)",
            "#### Code (from `a.py`, lines 1-2)",
            "## Code (from a.py:1-2)",
            "**Code (from a.py:1-2)**",
            "Code (from a.py:1-2)",
            "### 1. Code (from a.py:1-2)",
            "### 📄 Code (from a.py:1-2)",
            "### **Code (from a.py:1-2)**",
            "\\### Code (from a.py:1-2)",
            "### Code, from a.py:1-2",
        ] {
            assert_eq!(meant(line).as_deref(), Some(whole), "{line}");
        }
        assert_eq!(meant("### REPL History").as_deref(), Some("### Repl-History"));
        assert_eq!(meant("### Code ()").as_deref(), Some("### Code"));
        assert_eq!(
            meant("#### Text (from 日本 🦆.md)").as_deref(),
            Some("### Text (from 日本 🦆.md)")
        );
        for line in [
            "### Code",
            "# Code",
            "Code from a.py",
            "Code (a.py)",
            "### Code – what it does",
            "### Codes",
            "### Error handling",
            "### Über",
            "#",
        ] {
            assert_eq!(meant(line), None, "{line}");
        }
    }
}
