//! Front matter whose first line isn't `---`: the line is missing or wrong.

use std::collections::HashSet;

use crate::format::front_matter::{broken, unclosed};
use crate::markdown::front::mark_length;
use crate::source::Source;
use crate::text::{Edit, Span};

/// At most this many bytes at the start of a file are read.
const REACH: usize = 4096;

/// What the file has instead of the opening line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Head {
    /// Nothing: the file begins with a key.
    Key,
    /// `--`, `----`, `—`.
    Dashes,
    /// A `---` with spaces before it.
    Indented,
    /// The start of a code block.
    Fence,
    /// `+++`, which begins TOML.
    Toml,
}

/// Front matter without its opening line.
#[derive(Debug)]
pub struct Opening {
    pub head: Head,
    /// The wrong line, or the first key.
    pub span: Span,
    pub message: String,
    /// The edits that make it front matter, if they are clear.
    pub edits: Vec<Edit>,
    /// Its YAML after these edits.
    pub yaml: String,
    /// Whether the author wrote its end.
    pub closed: bool,
}

/// Finds front matter with keys of the kind of file and no `---` before them, in a document without
/// front matter.
pub fn find(source: &Source, known: &HashSet<&str>) -> Option<Opening> {
    let reach = crate::text::floor(source.text(), source.len().min(REACH));
    let text = source.slice(0..reach);
    let mark = mark_length(&text);
    let body = text.get(mark..)?;
    let blank = body.split_inclusive('\n').take_while(|line| line.trim().is_empty());
    let start = mark + blank.map(str::len).sum::<usize>();
    let line = text.get(start..)?.split_inclusive('\n').next()?;
    let content = line.trim();
    let head = head(line.trim_end(), known)?;
    let inside = if head == Head::Key { start } else { start + line.len() };
    let rest = text.get(inside..)?;
    let lines = lines(rest, head, known);
    let alone = lines.keys == 1 && lines.others == 0 && lines.closing.is_some();
    if lines.keys < 2 && !alone {
        return None;
    }
    let end = source.line_break();
    let at = start + line.len() - line.trim_start().len();
    let span = at..at + content.len();
    let message = match head {
        Head::Key => "front matter must start with a line `---`".to_owned(),
        Head::Dashes => format!("`{content}` doesn't open front matter; write `---`"),
        Head::Indented => "the opening `---` is indented; remove the indentation".to_owned(),
        Head::Fence => "a code block is not front matter; write `---`".to_owned(),
        Head::Toml => {
            "clients don't read front matter in TOML; write YAML between lines `---`".to_owned()
        }
    };
    let mut edits = vec![match head {
        Head::Key => Edit::replace(mark..start, format!("---{end}")),
        _ => Edit::replace(mark..span.end, "---"),
    }];
    let mut yaml = rest.get(..lines.length).unwrap_or_default().to_owned();
    match &lines.closing {
        Some(closing) => {
            let place = inside + closing.start..inside + closing.end;
            edits.push(Edit::replace(place, "---"));
        }
        None => {
            let keys = |word: &str| known.contains(word);
            let stop = unclosed::meant(rest, lines.length, &keys).at;
            yaml.truncate(stop);
            match unclosed::leaves_keys(rest, stop, &keys) {
                true => edits.clear(),
                false => edits.push(Edit::insert(inside + stop, format!("{end}---"))),
            }
        }
    }
    if head == Head::Toml && !edits.is_empty() {
        match converted(&yaml) {
            Some(converted) => {
                edits.insert(1, Edit::replace(inside..inside + yaml.len(), converted.clone()));
                yaml = converted;
            }
            None => edits.clear(),
        }
    }
    Some(Opening { head, span, message, edits, yaml, closed: lines.closing.is_some() })
}

/// The kind of the first line with content, if front matter may follow it.
fn head(line: &str, known: &HashSet<&str>) -> Option<Head> {
    let content = line.trim_start();
    let info = content.strip_prefix("```").or_else(|| content.strip_prefix("~~~"));
    if broken::key(line).is_some_and(|key| known.contains(key)) {
        Some(Head::Key)
    } else if content == "---" {
        // A `---` after blank lines begins front matter that is too late.
        (content.len() < line.len()).then_some(Head::Indented)
    } else if unclosed::is_rule(content) {
        Some(Head::Dashes)
    } else if info.is_some_and(|info| matches!(info.trim(), "" | "yaml" | "yml")) {
        Some(Head::Fence)
    } else {
        (line == "+++").then_some(Head::Toml)
    }
}

/// The lines below the first one that look like front matter.
struct Lines {
    /// Keys of the kind of file.
    keys: usize,
    others: usize,
    /// Bytes before the line that ends them.
    length: usize,
    closing: Option<Span>,
}

fn lines(text: &str, head: Head, known: &HashSet<&str>) -> Lines {
    let mut found = Lines { keys: 0, others: 0, length: 0, closing: None };
    let (mut at, mut gap) = (0, false);
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let content = line.trim_end();
        let closes = match head {
            Head::Fence => content == "```" || content == "~~~",
            Head::Toml => content == "+++",
            _ => content == "---" || unclosed::is_rule(content),
        };
        if closes {
            found.length = start;
            found.closing = Some(start..start + content.len());
            return found;
        }
        let key = match head {
            Head::Toml => content.split_once('=').map(|(key, _)| key.trim()),
            _ => broken::key(content),
        };
        let aside = content.starts_with([' ', '\t']) || content.starts_with("- ");
        match key {
            _ if content.is_empty() => {
                gap = true;
                continue;
            }
            Some(key) if known.contains(key) => found.keys += 1,
            // After a blank line, `Note: …` belongs to the body.
            Some(key) if !gap || broken::is_like_a_key(key) => found.others += 1,
            None if aside || content.starts_with('#') && !gap => {}
            _ => break,
        }
        gap = false;
        found.length = at;
    }
    found
}

/// Lines of TOML with strings, numbers and lists, converted to YAML.
fn converted(toml: &str) -> Option<String> {
    let line = |line: &str| {
        let content = line.trim();
        if content.is_empty() || content.starts_with('#') {
            return Some(line.to_owned());
        }
        let (key, value) = line.split_once('=')?;
        let plain = |letter: char| letter.is_alphanumeric() || matches!(letter, '-' | '_');
        let plain = key.trim().chars().all(plain) && !value.trim().starts_with("\"\"\"");
        let yaml = format!("{}: {}", key.trim(), value.trim_start());
        (plain && crate::yaml::parse(&yaml).errors.is_empty()).then_some(yaml)
    };
    toml.split_inclusive('\n').map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::apply;

    fn found(text: &str) -> Option<(Head, String)> {
        let known = HashSet::from(["name", "description", "paths"]);
        let opening = find(&Source::new(text), &known)?;
        Some((opening.head, apply(text, &opening.edits).unwrap()))
    }

    #[test]
    fn an_opening_line_that_is_missing_or_wrong() {
        let wanted = "---\nname: tea\ndescription: 日本\n---\n\n# Tea\n";
        let keys = "name: tea\ndescription: 日本\n";
        for (first, last, head) in [
            ("", "---\n", Head::Key),
            ("\n\n", "---\n", Head::Key),
            ("\u{feff}", "---\n", Head::Key),
            ("", "", Head::Key),
            ("--\n", "---\n", Head::Dashes),
            ("----\n", "----\n", Head::Dashes),
            ("—\n", "—\n", Head::Dashes),
            ("\n- - -\n", "---\n", Head::Dashes),
            (" ---\n", "---\n", Head::Indented),
            ("```yaml\n", "```\n", Head::Fence),
        ] {
            let text = format!("{first}{keys}{last}\n# Tea\n");
            let mark = if first.starts_with('\u{feff}') { "\u{feff}" } else { "" };
            for (text, wanted) in [
                (text.clone(), format!("{mark}{wanted}")),
                (text.replace('\n', "\r\n"), format!("{mark}{}", wanted.replace('\n', "\r\n"))),
            ] {
                assert_eq!(found(&text), Some((head, wanted)), "{text:?}");
            }
        }
        let toml = "+++\nname = \"tea\"\ndescription = \"日本\"\n+++\n\n# Tea\n";
        let wanted = "---\nname: \"tea\"\ndescription: \"日本\"\n---\n\n# Tea\n";
        assert_eq!(found(toml), Some((Head::Toml, wanted.to_owned())));
        assert_eq!(
            found("paths: src/**\n---\n\n# Tea\n").unwrap().1,
            "---\npaths: src/**\n---\n\n# Tea\n"
        );
    }

    #[test]
    fn other_files_that_begin_with_a_word_and_a_colon() {
        for text in [
            "",
            "\n---\nname: tea\ndescription: x\n---\n",
            "name: tea\n\nBrew it.\n",
            "Note: brew it\n---\n\nname: x\n",
            "description: tea\nThis is prose.\n",
            "description: tea\nother: x\n---\n",
            "```\nlet x = 1;\n```\n",
            "--\n\nText.\n",
            "+++\n",
            "日本\n",
        ] {
            assert_eq!(found(text), None, "{text:?}");
        }
    }
}
