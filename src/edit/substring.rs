//! Matches that aren't whole lines.

use std::cell::OnceCell;

use memchr::memmem;

use super::lines::{Level, Lines};
use super::locate::{Found, Place, Tier};
use super::occurrences::occurrences;
use crate::text::Span;

/// Shorter text matches in too many places.
const SHORTEST: usize = 3;
/// The maximum number of places to return.
const MOST: usize = 64;

/// Every exact occurrence, including overlapping ones; its line breaks may be the target's. None
/// splits a line break.
pub fn anywhere(target: &Lines, search: &Lines, all: bool) -> Vec<Found> {
    let needle = search.text();
    if needle.chars().filter(|character| !character.is_whitespace()).count() < SHORTEST {
        return Vec::new();
    }
    let most = if all { usize::MAX } else { MOST };
    let mut found = exact(target.text(), needle, most);
    if needle.contains(['\n', '\r']) && target.text().contains("\r\n") {
        let breaks = |at: usize| {
            at > 0 && target.text().get(at - 1..).is_some_and(|rest| rest.starts_with("\r\n"))
        };
        found.retain(|span| !breaks(span.start) && !breaks(span.end));
        if !needle.contains('\r') || found.is_empty() {
            let converted = needle.replace("\r\n", "\n").replace('\n', "\r\n");
            let more = exact(target.text(), &converted, most);
            found.extend(more.into_iter().filter(|span| !breaks(span.start) && !breaks(span.end)));
            found.sort_by_key(|span| (span.start, span.end));
            found.dedup();
        }
    }
    found.into_iter().map(|span| text(span, false, Tier::Exact)).collect()
}

fn text(span: Span, trimmed: bool, tier: Tier) -> Found {
    Found::new(tier, Place::Text { span, trimmed })
}

/// Overlapping occurrences: `aaa` contains `aa` twice.
fn exact(text: &str, needle: &str, most: usize) -> Vec<Span> {
    let mut found = Vec::new();
    let Some(first) = needle.chars().next() else { return found };
    let finder = memmem::Finder::new(needle);
    let mut at = 0;
    while let Some(next) = text.as_bytes().get(at..).and_then(|rest| finder.find(rest)) {
        found.push(at + next..at + next + needle.len());
        at += next + first.len_utf8();
        if found.len() >= most {
            break;
        }
    }
    found
}

/// Text within one line, or from inside one line through whole ones to inside another; words aren't
/// split.
pub fn within_lines(target: &Lines, search: &Lines) -> Vec<Found> {
    let filled: Vec<usize> = (0..search.len()).filter(|index| !search.is_blank(*index)).collect();
    let (Some(first), Some(last)) = (filled.first(), filled.last()) else { return Vec::new() };
    let solid = filled.iter().map(|index| {
        search.content(*index).chars().filter(|character| !character.is_whitespace()).count()
    });
    if solid.sum::<usize>() < SHORTEST {
        return Vec::new();
    }
    if !target.may_hold(search.text()) {
        return Vec::new();
    }
    if first == last {
        let needle = search.content(*first).trim_end();
        let raw = in_one_line(target, needle, false);
        return if raw.is_empty() { in_one_line(target, needle.trim(), true) } else { raw };
    }
    across(target, search, *first..*last + 1)
}

fn in_one_line(target: &Lines, needle: &str, trimmed: bool) -> Vec<Found> {
    let spans =
        exact(target.text(), needle, MOST).into_iter().filter(|span| is_apart(target.text(), span));
    spans.map(|span| text(span, trimmed, Tier::Substring)).collect()
}

/// Neither end splits a word.
fn is_apart(text: &str, span: &Span) -> bool {
    let word = |character: Option<char>| {
        character.is_some_and(|character| character.is_alphanumeric() || character == '_')
    };
    let inside = text.get(span.clone()).unwrap_or_default();
    let before = text.get(..span.start).and_then(|before| before.chars().next_back());
    let after = text.get(span.end..).and_then(|after| after.chars().next());
    !(word(before) && word(inside.chars().next())
        || word(inside.chars().next_back()) && word(after))
}

/// The lines that end with `tail`.
fn ending_with<'t>(target: &'t Lines, tail: &'t str) -> impl Iterator<Item = usize> + 't {
    let finder = memmem::Finder::new(tail);
    let step = tail.chars().next().map_or(1, char::len_utf8);
    let mut at = 0;
    let places = std::iter::from_fn(move || {
        let found = at + finder.find(target.text().as_bytes().get(at..)?)?;
        at = found + step;
        Some(found)
    });
    places.filter_map(move |found| {
        let line = target.index_at(found);
        (target.line(line).start + target.content(line).trim_end().len() == found + tail.len())
            .then_some(line)
    })
}

fn across(target: &Lines, search: &Lines, lines: Span) -> Vec<Found> {
    let (head, tail) = (search.content(lines.start), search.content(lines.end - 1).trim_end());
    let between =
        search.keys(Level::Trailing).get(lines.start + 1..lines.end - 1).unwrap_or_default();
    // Usually the lines between rule out a match, and an index finds out quickly.
    if !between.is_empty() && target.places(Level::Trailing, between, 1).is_empty() {
        return Vec::new();
    }
    let places = OnceCell::new();
    let fits_between = |start: usize| {
        let places =
            places.get_or_init(|| occurrences(target.keys(Level::Trailing), between, usize::MAX));
        between.is_empty() || places.binary_search(&start).is_ok()
    };
    let mut found = Vec::new();
    let last_start = (target.len() + 1).saturating_sub(lines.len());
    for start in ending_with(target, head.trim_end()).take_while(|start| *start < last_start) {
        let end = start + lines.len() - 1;
        let fits = target.content(end).starts_with(tail) && fits_between(start + 1);
        // A part of a line must be informative, unless it is the whole line.
        let says = |part: &str, whole: &str| {
            part.trim() == whole.trim()
                || part.chars().filter(|letter| letter.is_alphanumeric()).count() >= SHORTEST
        };
        if fits && says(head, target.content(start)) && says(tail, target.content(end)) {
            let line = target.line(start);
            let from = line.start + target.content(start).trim_end().len() - head.trim_end().len();
            let span = from..target.line(end).start + tail.len();
            if is_apart(target.text(), &span) {
                found.push(text(span, false, Tier::Substring));
            }
        }
        if found.len() > MOST {
            break;
        }
    }
    found
}
