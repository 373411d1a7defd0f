//! Front matter without its closing `---`: a line that was meant as such, or where it was meant to end.

use super::broken;
use crate::rule::Fix;
use crate::source::{FrontMatter, Source};
use crate::text::{self, Edit, Span};

/// Bytes below the front matter that are looked at.
const REACH: usize = 512;

/// What is wrong at the end of front matter that is never closed, and its fix.
pub fn finding(
    source: &Source,
    front: &FrontMatter,
    known: &dyn Fn(&str) -> bool,
) -> (Span, String, Fix) {
    let start = front.yaml_span.start;
    let reach = text::floor(source.text(), source.len().min(front.yaml_span.end + REACH));
    let text = source.slice(start..reach.max(front.yaml_span.end));
    if let Some(end) = mistyped_end(&text, front.yaml_span.len(), start) {
        return (end.span, end.message, end.fix);
    }
    let end = meant(&text, front.yaml_span.len(), known);
    let edit = Edit::insert(start + end.at, format!("{}---", source.line_break()));
    let title = "Insert the closing `---`";
    let fix = match end.sure {
        true => Fix::safe(title, vec![edit]),
        false => Fix::suggestion(title, vec![edit]),
    };
    (front.opening.clone(), "front matter is never closed".to_owned(), fix)
}

/// Where front matter was meant to end.
#[derive(Debug, PartialEq, Eq)]
pub struct End {
    /// After its last line, without the line break.
    pub at: usize,
    /// It can't mean anything else.
    pub sure: bool,
}

/// What may follow the last key, if its value isn't complete in its line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Open {
    /// The value is in the line of its key.
    No,
    /// No line of the value so far.
    Empty,
    /// Items at column 0.
    Items,
    /// Indented lines.
    Nested,
}

/// Where YAML ends and the body begins, in a text of which `extent` bytes look like YAML.
pub fn meant(text: &str, extent: usize, known: &dyn Fn(&str) -> bool) -> End {
    let (mut at, mut end) = (0, 0);
    let (mut gap, mut open) = (false, Open::No);
    let mut seen: Vec<&str> = Vec::new();
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    for (index, line) in lines.iter().enumerate() {
        let start = at;
        at += line.len();
        let content = line.trim_end();
        if content.trim_start().is_empty() {
            gap = true;
            continue;
        }
        let below = lines.get(index + 1).copied().unwrap_or_default().trim_end();
        let goes_on = || broken::key(below).is_some_and(known);
        let heading = content.trim_start_matches('#').starts_with(' ') && content.starts_with('#');
        if start >= extent {
            return End { at: end, sure: gap || heading };
        }
        let indented = content.starts_with([' ', '\t']);
        let item = content == "-" || content.starts_with("- ");
        let sure = match broken::key(content) {
            // A comment, or a heading.
            None if content.starts_with('#') => (!goes_on()).then_some(heading),
            Some(key) if known(key) && !seen.contains(&key) => {
                seen.push(key);
                let value = content.split_once(':').map_or("", |(_, value)| value.trim());
                let block =
                    value.starts_with(['|', '>']) || value.starts_with(['[', '{', '"', '\'']);
                open = match (value.is_empty(), block) {
                    (true, _) => Open::Empty,
                    (_, true) => Open::Nested,
                    _ => Open::No,
                };
                None
            }
            Some(key) if gap => Some(!broken::is_like_a_key(key)),
            Some(key) if broken::is_like_a_key(key) => {
                open = Open::Nested;
                None
            }
            Some(_) => Some(false),
            None if indented => match (gap, open) {
                (true, Open::No | Open::Items) => Some(false),
                (_, Open::Empty) => {
                    open = Open::Nested;
                    None
                }
                _ => None,
            },
            None if item => match (gap, open) {
                (false, Open::Empty | Open::Items) => {
                    open = Open::Items;
                    None
                }
                (true, Open::No | Open::Nested) => Some(true),
                _ => Some(false),
            },
            None => Some(false),
        };
        match sure {
            Some(sure) => return End { at: end, sure },
            None => end = start + content.len(),
        }
        gap = false;
    }
    End { at: end, sure: true }
}

/// A line that was meant to end front matter.
pub struct MistypedEnd {
    /// Its characters, in bytes of the document.
    pub span: Span,
    pub message: String,
    pub fix: Fix,
}

/// A last line with an indented `---`, or a line below keys with another number of dashes. The first `extent` bytes of
/// `text`, at `start` in the document, look like YAML.
pub fn mistyped_end(text: &str, extent: usize, start: usize) -> Option<MistypedEnd> {
    if let Some(end) = mistyped_dashes(text, start) {
        return Some(end);
    }
    let text = text.get(..extent).unwrap_or(text).trim_end();
    let last = text.rfind(['\n', '\r']).map_or(0, |at| at + 1);
    let indent = text.get(last..).unwrap_or_default().strip_suffix("---").filter(|indent| {
        !indent.is_empty() && indent.chars().all(|char| matches!(char, ' ' | '\t'))
    })?;
    let at = start + last;
    let end = at + indent.len();
    Some(MistypedEnd {
        span: end..end + 3,
        message: "the closing `---` is indented; remove the indentation".to_owned(),
        fix: Fix::safe("Remove the indentation", vec![Edit::replace(at..end, "")]),
    })
}

/// A line below keys with other dashes than three, or with text after them, as [`mistyped_end`].
pub fn mistyped_dashes(yaml: &str, start: usize) -> Option<MistypedEnd> {
    let mut at = start;
    let lines = yaml.trim_end().split_inclusive('\n');
    for line in lines.take_while(|line| !line.trim().is_empty()) {
        let content = line.trim_end();
        let span = at..at + content.len();
        if at > start && is_rule(content) {
            return Some(MistypedEnd {
                message: format!("`{content}` doesn't close the front matter; write `---`"),
                fix: Fix::safe("Replace with `---`", vec![Edit::replace(span.clone(), "---")]),
                span,
            });
        }
        if let Some(after) = content.strip_prefix("---").filter(|_| at > start) {
            let gap = after.len() - after.trim_start().len();
            let edit = Edit::replace(
                at + 3..at + 3 + gap,
                if line.ends_with("\r\n") { "\r\n" } else { "\n" },
            );
            return Some(MistypedEnd {
                span,
                message: "text follows the closing `---`; write it on the next line".to_owned(),
                fix: Fix::suggestion("Start a new line after `---`", vec![edit]),
            });
        }
        // Dashes below a sentence make it a heading.
        if broken::key(content).is_none() && !line.starts_with([' ', '\t', '-', '#', ']', '}']) {
            return None;
        }
        at += line.len();
    }
    None
}

/// Whether a line consists of dashes: `--`, `----`, `- - -`, or what an editor makes of them.
pub fn is_rule(line: &str) -> bool {
    let dashes = || line.chars().filter(|letter| *letter != ' ');
    let long = |dash: char| matches!(dash, '–' | '—' | '―' | '−');
    line.starts_with(|first| first == '-' || long(first))
        && dashes().all(|dash| dash == '-' || long(dash))
        && (dashes().count() > 1 || dashes().any(long))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::apply;

    fn known(word: &str) -> bool {
        ["name", "description", "model", "tools", "paths"].contains(&word)
    }

    /// The document with the fix, and whether that is safe.
    fn closed(text: &str) -> (String, bool) {
        let source = Source::new(text);
        let front = source.front_matter().unwrap();
        let (_, _, fix) = finding(&source, &front, &known);
        (apply(text, &fix.edits).unwrap(), fix.safe)
    }

    #[test]
    fn front_matter_ends_where_the_body_begins() {
        for (front, body, safe) in [
            ("name: r\ndescription: d", "\n## Role\nYou are 日本.\n", true),
            ("paths: \"src/**\"\ndescription: d", "\n# TypeScript rules\n\nText.\n", true),
            ("name: r\nmodel: opus", "\n#Role\nYou are r.\n", false),
            ("name: r\n# the fast one\nmodel: opus", "\n\n# Role\n\nText.\n", true),
            ("name: r\ndescription: d", "\n\nNote: you are r.\nTip: be nice.\n\nMore.\n", true),
            ("name: r\n\ndescription: d", "\n\nRole: reviewer\n\nMore.\n", true),
            ("name: r\ndescription: d", "\nNote: you are r.\n", false),
            ("name: r\ndescription: d", "\n\nrole: reviewer\n\nMore.\n", false),
            ("name: r\ntools:\n  - Read", "\n\n- be nice\n- be fast\n\nMore.\n", true),
            ("name: r\ntools:\n- Read", "\n\n- be nice\n\nMore.\n", false),
            ("name: r\ntools:\n- Read", "\n\nBe nice.\n", true),
            ("name: r\ndescription: d", "\n- be nice\n\nMore.\n", false),
            ("name: r\ndescription: d", "\n\n    code\n\nMore.\n", false),
            ("name: r\ndescription: |\n  d\n\n  e", "\n\nText.\n", true),
            ("name: r\ndescription: d", "\nBody text.\n\nMore: text\n", false),
            ("name: r\ndescription: d", "\n***\n\nBody\n", false),
            ("name: r\ndescription: d", "\n\nBody\n", true),
        ] {
            for end in ["\n", "\r\n"] {
                let text = format!("---\n{front}{body}").replace('\n', end);
                let wanted = format!("---\n{front}\n---{body}").replace('\n', end);
                assert_eq!(closed(&text), (wanted, safe), "{text:?}");
            }
        }
    }

    #[test]
    fn a_mistyped_end_is_repaired() {
        for (line, wanted, safe) in [
            ("----", "---", true),
            ("--", "---", true),
            ("- - -", "---", true),
            ("—", "---", true),
            ("---foo", "---\nfoo", false),
            ("--- # 日本", "---\n# 日本", false),
            ("  ---", "---", true),
        ] {
            let text = |end: &str| format!("---\nname: r\ndescription: d\n{end}\n\nBody\n");
            assert_eq!(closed(&text(line)), (text(wanted), safe), "{line}");
        }
    }
}
