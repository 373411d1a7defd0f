//! Front matter that begins after the first line, where clients don't look for it.

use std::collections::HashSet;

use crate::format::front_matter::broken::key;
use crate::source::Source;
use crate::text::Span;

/// At most this many bytes at the start of a file are read.
const REACH: usize = 4096;

/// Front matter after blank lines, a comment or the opening of a fence.
#[derive(Debug, PartialEq, Eq)]
pub struct Late {
    /// Its opening `---`.
    pub opening: Span,
    /// From the opening line through the closing one.
    pub span: Span,
    /// The text before it.
    pub before: Span,
}

/// Finds front matter with keys `known` for the kind of file, if the document has none at its
/// start.
pub fn find(source: &Source, known: &HashSet<&str>) -> Option<Late> {
    let reach = crate::text::floor(source.text(), source.len().min(REACH));
    let text = source.slice(0..reach);
    let start = crate::markdown::front::mark_length(&text);
    let mut at = start;
    let mut comment = false;
    let mut heading = false;
    let mut opening = None;
    for line in text.get(start..)?.split_inclusive('\n') {
        let content = line.trim();
        let begin = at;
        at += line.len();
        if comment || content.starts_with("<!--") {
            comment = !content.contains("-->");
        } else if line.trim_end() == "---" {
            opening = Some(begin);
            break;
        } else if content.starts_with("# ") && !heading {
            heading = true;
        } else if !(content.is_empty()
            || content.starts_with("```") && !heading
            || is_badges(content))
        {
            return None;
        }
    }
    let opening = opening?;
    let mut keys = 0;
    let mut closing = None;
    let mut inside = at;
    for line in text.get(at..)?.split_inclusive('\n') {
        inside += line.len();
        let content = line.trim_end();
        if content == "---" {
            closing = Some(inside);
            break;
        }
        let key = key(content);
        // Below a heading, `---` may also be a rule between sections.
        if heading && key.is_none() && !content.starts_with([' ', '\t', '#', '-', ']']) {
            return None;
        }
        keys += usize::from(key.is_some_and(|key| known.contains(key)));
    }
    (keys > usize::from(heading) && opening > start).then_some(Late {
        opening: opening..opening + 3,
        span: opening..closing?,
        before: start..opening,
    })
}

/// Whether a line has only images, such as badges.
fn is_badges(line: &str) -> bool {
    let mut rest = line;
    loop {
        let end = if rest.starts_with("[![") { ")](" } else { "](" };
        let image = rest.starts_with("![") || rest.starts_with("[![");
        let Some((_, after)) = rest.split_once(end).filter(|_| image) else { break };
        let Some((_, after)) = after.split_once(')') else { break };
        rest = after.trim_start();
    }
    rest.is_empty() && !line.is_empty()
}

/// The first heading or line of text, ignoring comments, badges and rules.
pub fn first_text(source: &Source) -> Option<String> {
    let reach = crate::text::floor(source.text(), source.len().min(REACH));
    let text = source.slice(0..reach);
    let mark = crate::markdown::front::mark_length(&text);
    let mut comment = false;
    for line in text.get(mark..)?.lines().map(str::trim) {
        if comment || line.starts_with("<!--") {
            comment = !line.contains("-->");
        } else if line.chars().any(char::is_alphanumeric)
            && !is_badges(line)
            && !line.starts_with("```")
        {
            return Some(line.trim_start_matches('#').trim().to_owned());
        }
    }
    None
}

/// The first line with content, or the first characters.
pub fn first_content(source: &Source) -> Span {
    let reach = crate::text::floor(source.text(), source.len().min(REACH));
    let text = source.slice(0..reach);
    let mark = crate::markdown::front::mark_length(&text);
    let mut at = mark;
    for line in text.get(mark..).unwrap_or_default().split_inclusive('\n') {
        let content = line.trim();
        if !content.is_empty() {
            let start = at + line.len() - line.trim_start().len();
            return start..start + content.len();
        }
        at += line.len();
    }
    mark..mark
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(text: &str) -> Option<Late> {
        super::find(&Source::new(text), &HashSet::from(["name", "description"]))
    }

    #[test]
    fn front_matter_below_the_first_line() {
        let front = "---\nname: a\ndescription: b\n---\n";
        for (before, late) in [
            ("<!-- x -->\n", true),
            ("\n\n", true),
            ("<!--\nx\n-->\n", true),
            ("\u{feff}\r\n", true),
            ("```yaml\n", true),
            ("", false),
            ("# Title\n", true),
            ("<!-- x -->\n# Title 日本\n\n[![a](b)](c) ![d](e)\n", true),
            ("![logo](a.png) My project\n\n", false),
            ("![a](b)\n[![a](b)](c)\n", true),
            ("# Title\n\n# Other\n", false),
            ("# Title\n\n日本\n", false),
            ("日本\n", false),
        ] {
            let text = format!("{before}{front}\nBody.\n");
            let found = find(&text);
            assert_eq!(found.is_some(), late, "{before:?}");
            if let Some(found) = found {
                assert_eq!((&text[found.opening], &text[found.span]), ("---", front));
            }
        }
        assert_eq!(find("\n---\nSome: text\n---\n"), None);
        // Below a heading, it may be part of a form.
        assert_eq!(find("# Form\n\n---\nname: 日本\npriority: high\n---\n"), None);
    }

    #[test]
    fn the_first_line_with_content() {
        for (text, first) in [
            ("# A\nb", "# A"),
            ("\n\n  日本 🦆 \nx", "日本 🦆"),
            ("\u{feff}a\r\n", "a"),
            ("", ""),
            ("\n \n", ""),
        ] {
            assert_eq!(&text[first_content(&Source::new(text))], first);
        }
    }
}
