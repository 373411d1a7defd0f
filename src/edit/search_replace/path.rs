//! The file that a block names: above its head, in the info string of its fence, or in a comment.

use super::super::block::Path;
use super::{Line, Marker};

/// How many lines with something in them are looked at above a head.
const LINES_ABOVE: usize = 3;

/// Files that have no extension.
const BARE_NAMES: &[&str] = &["Makefile", "Dockerfile", "README", "LICENSE", "Justfile", "Gemfile", "Rakefile", "Procfile", "CMakeLists.txt"];

/// The path of the block whose head is in line `start`; nothing is looked for above line `free`.
pub(super) fn find(lines: &[Line], marks: &[Option<Marker>], free: usize, start: usize) -> Option<Path> {
    let mut seen = 0;
    for index in (free..start).rev() {
        let line = lines.get(index)?;
        let text = line.text.trim();
        if text.is_empty() {
            continue;
        }
        if marks.get(index).is_some_and(Option::is_some) {
            return None;
        }
        if seen == LINES_ABOVE {
            return None;
        }
        seen += 1;
        let name = match fence(text) {
            Some(info) => in_info(info),
            None => in_line(text),
        };
        if let Some(name) = name {
            let offset = line.text.find(name)?;
            let at = line.span.start + offset;
            return Some(Path { text: name.to_owned(), span: at..at + name.len(), inherited: false });
        }
    }
    None
}

/// The info string of a fence.
fn fence(text: &str) -> Option<&str> {
    let rest = text.strip_prefix("```").or_else(|| text.strip_prefix("~~~"))?;
    Some(rest.trim_start_matches(['`', '~']).trim())
}

/// `md f.md`, `python:src/a.py`, `src/a.py`
fn in_info(info: &str) -> Option<&str> {
    let word = info.split_whitespace().next_back()?;
    let word = word.split_once(':').map_or(word, |(_, path)| path);
    let word = word.rsplit_once('=').map_or(word, |(_, path)| path.trim_matches('"'));
    (word.contains('.') && is_path(word)).then_some(word)
}

/// `path`, `` `path` ``, `**path**`, `### path`, `File: path`, `- path:`, `// path`
fn in_line(text: &str) -> Option<&str> {
    let mut rest = text;
    loop {
        let next = rest
            .trim()
            .trim_start_matches(['#', '*', '`', '-', '>'])
            .trim_start_matches("//")
            .trim_start_matches("<!--")
            .trim_end_matches("-->")
            .trim_end_matches(['*', '`', ':'])
            .trim();
        let named = ["File:", "file:", "Path:", "path:", "Filename:", "filename:", "FILE:"].iter().find_map(|mark| next.strip_prefix(mark));
        let next = named.unwrap_or(next);
        if next == rest {
            break;
        }
        rest = next;
    }
    // A comment sign or a rooted path: both begin with a slash.
    let rooted = text.starts_with('/') && !text.starts_with("//");
    let rest = if rooted { text.trim_end_matches(':') } else { rest };
    let quoted = text.contains('`') || text.contains("**");
    (is_path(rest) || quoted && rest.contains('.') && !rest.contains('`') && rest.len() < 200).then_some(rest).filter(|path| !path.is_empty())
}

fn is_path(text: &str) -> bool {
    let known = BARE_NAMES.contains(&text);
    let shaped = text.contains(['.', '/', '\\']) && !text.ends_with(['.', ',', ';', '!', '?']);
    !text.is_empty() && text.len() < 400 && !text.contains(char::is_whitespace) && !text.contains(['<', '>', '|', '"']) && (known || shaped)
}
