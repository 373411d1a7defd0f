//! A header that is written wrongly, so that its item is read as part of the one above.

use super::header;
use super::kind::NAMES;
use super::layout::Item;
use crate::source::Source;
use crate::text::Span;

/// A line that was meant as the header of an item.
#[derive(Debug, PartialEq, Eq)]
pub struct Swallowed {
    /// The line, excluding spaces around it.
    pub span: Span,
    /// The right spelling.
    pub header: String,
}

/// Only this much after the fence that closes the content in Markdown is looked at, in bytes.
const NEAR: usize = 1 << 10;

/// The header after the first fence in an item that could close it.
pub fn swallowed(source: &Source, item: &Item) -> Option<Swallowed> {
    let start = item.short.as_ref()?.end;
    let end = item.content.end.min(start + NEAR);
    let text = source.slice(start..end.max(start));
    let mut lines = Lines { text: &text, at: 0 }.filter(|(_, line)| !line.trim().is_empty());
    let (at, line) = lines.next()?;
    let (_, fence) = lines.next()?;
    let header = meant(line)?;
    let opens = fence.trim_start().starts_with("```") || fence.trim_start().starts_with("~~~");
    let from = start + at + (line.len() - line.trim_start().len());
    opens.then(|| Swallowed { span: from..from + line.trim().len(), header })
}

/// Lines with their offsets, without breaks.
struct Lines<'a> {
    text: &'a str,
    at: usize,
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
    let text = line.trim();
    let rest = text.trim_start_matches('#');
    if header::read(line).is_some() || !(3..=6).contains(&(text.len() - rest.len())) {
        return None;
    }
    let rest = rest.trim_start();
    let (name, rest) = NAMES.iter().find_map(|name| {
        let (word, rest) = rest.split_at_checked(name.len())?;
        let same = word.replace([' ', '_'], "-").eq_ignore_ascii_case(name);
        (same && !rest.starts_with(|next: char| next.is_alphanumeric() || next == '-'))
            .then_some((name, rest))
    })?;
    let place = rest.trim_matches([' ', '\t', '(', ')', '[', ']', ':']);
    let place = match place.get(..4) {
        Some(word) if word.eq_ignore_ascii_case("from") => {
            place.get(4..).unwrap_or_default().trim_start_matches([' ', '\t', ':'])
        }
        _ => place,
    };
    // Prose may follow the word in a heading of the content.
    let prose = rest.starts_with(' ') && place == rest.trim();
    if prose {
        return None;
    }
    Some(if place.is_empty() {
        format!("### {name}")
    } else {
        format!("### {name} (from {place})")
    })
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
            "Code (from a.py)",
            "### Codes",
            "### Error handling",
            "### Über",
            "#",
        ] {
            assert_eq!(meant(line), None, "{line}");
        }
    }
}
