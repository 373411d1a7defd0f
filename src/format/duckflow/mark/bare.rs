//! Markers in other brackets or in none: `ACTION_0_PATH: a.txt`, `<MOOD> 0.8`, `\\[NOTES\\]`.

use super::super::vocabulary::VITALS;
use super::{LONGEST_DRESS, Mark, MarkKind, named};

/// What may be around a name instead of brackets, or in addition to them.
const OPENING: &[char] =
    &[' ', '\t', '>', '#', '*', '_', '`', '+', '-', '<', '(', '{', '"', '[', '\\', '/', '【', '［'];
const CLOSING: &[char] = &['*', '`', '>', ')', '}', ']', '"', '\\', '/', ':', '】', '］'];

/// Adds such lines.
pub(super) fn add(text: &str, found: &mut Vec<Mark>) {
    let breaks = memchr::memchr2_iter(b'\n', b'\r', text.as_bytes());
    let starts = std::iter::once(0).chain(breaks.map(|at| at + 1));
    let mut more = Vec::new();
    for start in starts {
        let Some(at) = name_in(text, start) else { continue };
        if found.binary_search_by_key(&at, |mark| mark.name.start).is_err() {
            more.extend(read(text, start, at));
        }
    }
    if !more.is_empty() {
        found.extend(more);
        found.sort_by_key(|mark| mark.span.start);
    }
}

/// Where the name of a marker begins in a line, unless other text precedes it.
fn name_in(text: &str, start: usize) -> Option<usize> {
    let line = text.get(start..)?;
    // Every line of a reply goes through it.
    if line.starts_with(|first: char| first.is_ascii_lowercase()) {
        return None;
    }
    let before = line.chars().take(LONGEST_DRESS + 1);
    let dress: usize =
        before.take_while(|letter| OPENING.contains(letter)).map(char::len_utf8).sum();
    let name = line
        .get(dress..)
        .filter(|name| name.starts_with(|first: char| first.is_ascii_uppercase()))?;
    let is_name = name.starts_with("ACTION_")
        || name.starts_with("REASONING")
        || VITALS.iter().any(|vital| name.starts_with(vital.name));
    is_name.then_some(start + dress)
}

/// The marker in a line whose name begins at an offset.
fn read(text: &str, start: usize, at: usize) -> Option<Mark> {
    let rest = text.get(at..)?;
    let end = memchr::memchr2(b'\n', b'\r', rest.as_bytes()).unwrap_or(rest.len());
    let line = rest.get(..end)?;
    let word =
        line.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
    let (name, after) = line.split_at_checked(word)?;
    // `[ NAME ]`
    let tight = Some(after.trim_start_matches(' ')).filter(|rest| rest.starts_with(']'));
    let closed = tight.unwrap_or(after).trim_start_matches(CLOSING);
    let signed = closed.trim_start_matches([' ', '\t']).strip_prefix('=').unwrap_or(closed);
    let indent = text.get(start..at)?;
    let is_bold = indent.contains('*');
    let value = if is_bold { signed.trim().trim_end_matches('*') } else { signed }.trim();
    let is_apart = signed.starts_with([' ', '\t']) || signed.len() < after.len();
    let fits = match named(name)? {
        MarkKind::Vital(_) => value.starts_with(|first: char| first.is_ascii_digit()),
        MarkKind::Section(0) => is_apart && closed.len() < after.len() || line == name,
        MarkKind::Action { .. } | MarkKind::ContentStart { .. } | MarkKind::ContentEnd { .. } => {
            let is_marked =
                indent.contains(['[', '<', '(', '{', '*']) || signed.len() < after.len();
            (value.is_empty() || is_apart && is_marked) && !value.starts_with(['(', '['])
        }
        _ => false,
    };
    let from = at + line.len() - signed.trim_start().len();
    fits.then(|| Mark {
        kind: MarkKind::LookAlike,
        line: start..at + end,
        span: start + indent.len() - indent.trim_start().len()..at + line.len() - signed.len(),
        name: at..at + word,
        value: from..from + value.len(),
    })
}
