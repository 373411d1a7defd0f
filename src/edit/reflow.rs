//! The same tokens with other line breaks: a call that the file writes on one line, and the model
//! on five.

use super::lines::{Level, Lines, normal};
use super::locate::{Alignment, Found, Place, Tier};
use super::merge::differences;
use crate::text::{Span, lines};

/// Longer targets aren't searched with other line breaks.
const LARGEST_TARGET: usize = 4 << 20;
/// With fewer characters, a match may be a coincidence.
const SHORTEST: usize = 24;
/// The maximum number of places to return.
const MOST: usize = 16;

/// The places where `search` matches if line breaks, and commas before a closing bracket, are
/// ignored.
pub fn find(target: &Lines, search: &Lines) -> Vec<Found> {
    let needle = Stream::new(search);
    if needle.text.len() < SHORTEST || target.text().len() > LARGEST_TARGET || search.len() < 2 {
        return Vec::new();
    }
    // Whole words match whole words, as they're written if they're ASCII.
    if target.is_ascii() && search.is_ascii() && !target.may_hold(search.text()) {
        return Vec::new();
    }
    let stream = target.stream();
    let mut found = Vec::new();
    let finder = memchr::memmem::Finder::new(&needle.text);
    let mut from = 0;
    while let Some(at) = stream
        .text
        .as_bytes()
        .get(from..)
        .and_then(|rest| finder.find(rest))
        .filter(|_| found.len() < MOST)
    {
        let (start, end) = (from + at, from + at + needle.text.len());
        from = start + 1;
        let (Some(first), Some(last)) = (stream.line_from(start), stream.line_to(end)) else {
            continue;
        };
        let lines = first..last + 1;
        found.push(Found::new(
            Tier::LineBreaks,
            Place::Lines(Alignment { partners: partners(target, search, first, last), lines }),
        ));
    }
    found
}

/// The text of lines without whitespace, and where each line begins in it.
#[derive(Debug)]
pub struct Stream {
    text: String,
    /// The start and index of every line that isn't empty.
    starts: Vec<(usize, usize)>,
}

impl Stream {
    pub fn new(lines: &Lines) -> Self {
        let (mut text, mut starts) = (String::new(), Vec::new());
        for (index, line) in lines.contents().enumerate() {
            let part = normal(line, Level::Blanks);
            if part.is_empty() {
                continue;
            }
            if part.starts_with([')', ']', '}']) && text.ends_with(',') {
                text.pop();
            }
            let is_word = |letter: Option<char>| {
                letter.is_some_and(|letter| letter.is_alphanumeric() || letter == '_')
            };
            if is_word(text.chars().next_back()) && is_word(part.chars().next()) {
                text.push(' ');
            }
            starts.push((text.len(), index));
            for character in part.chars() {
                if matches!(character, ')' | ']' | '}') && text.ends_with(',') {
                    text.pop();
                }
                text.push(character);
            }
        }
        Self { text, starts }
    }

    /// The line that begins at a place.
    fn line_from(&self, at: usize) -> Option<usize> {
        self.starts
            .binary_search_by_key(&at, |(start, _)| *start)
            .ok()
            .and_then(|index| self.starts.get(index))
            .map(|(_, line)| *line)
    }

    /// The line that ends at a place.
    fn line_to(&self, at: usize) -> Option<usize> {
        let index = self.starts.partition_point(|(start, _)| *start < at);
        let end = self.starts.get(index).map_or(self.text.len(), |(start, _)| *start);
        let ends = self.text.get(at..end).is_some_and(|rest| rest.trim().is_empty());
        index
            .checked_sub(1)
            .filter(|_| ends)
            .and_then(|index| self.starts.get(index))
            .map(|(_, line)| *line)
    }
}

/// The edits of such a place. A stretch of lines with other line breaks that the block changes is
/// replaced as a whole; other stretches stay.
pub fn merge(
    search: &Lines,
    replace: &Lines,
    alignment: &Alignment,
) -> Vec<(Span, Vec<(usize, String)>)> {
    // For every line of the SEARCH text: whether it stays, and the new lines before it or in its
    // place.
    let (mut stays, mut new) = (vec![false; search.len()], vec![Vec::new(); search.len() + 1]);
    for difference in differences(search, replace, Tier::LineBreaks) {
        if let similar::DiffOp::Equal { old_index, new_index, len } = difference {
            for offset in 0..len {
                if let (Some(stays), Some(lines)) =
                    (stays.get_mut(old_index + offset), new.get_mut(old_index + offset))
                {
                    *stays = true;
                    lines
                        .push((old_index + offset, replace.content(new_index + offset).to_owned()));
                }
            }
        } else if let Some(lines) = new.get_mut(difference.old_range().start) {
            let near = difference.old_range().start;
            lines.splice(
                0..0,
                difference.new_range().map(|index| (near, replace.content(index).to_owned())),
            );
        }
    }
    let (mut hunks, mut at, mut line) = (Vec::new(), 0, alignment.lines.start);
    while at <= search.len() {
        let stretch =
            (at..search.len()).take_while(|index| alignment.partner(*index).is_none()).count();
        let next = alignment.partner(at + stretch).filter(|_| at + stretch < search.len());
        let end = next.unwrap_or(alignment.lines.end);
        let inside = at..at + stretch;
        let take = |span: Span| {
            new.get(span).unwrap_or_default().iter().flatten().cloned().collect::<Vec<_>>()
        };
        let added = |index: usize| {
            new.get(index).map_or(0, Vec::len) > usize::from(stays.get(index) == Some(&true))
        };
        let changed = inside.clone().any(|index| stays.get(index) != Some(&true) || added(index));
        // Lines added right after the stretch belong to it: only the stretch locates them.
        let kept = next.is_none() || stays.get(at + stretch) == Some(&true);
        let behind: Vec<(usize, String)> = match new.get(at + stretch) {
            Some(lines) if kept => lines
                .iter()
                .take(lines.len() - usize::from(stays.get(at + stretch) == Some(&true)))
                .cloned()
                .collect(),
            _ => Vec::new(),
        };
        if stretch > 0 && (changed || !behind.is_empty()) {
            let mut lines = take(inside);
            lines.extend(behind);
            hunks.push((line..end, lines));
        } else if !behind.is_empty() {
            hunks.push((end..end, behind));
        }
        if let Some(partner) = next {
            if !kept {
                let instead = take(at + stretch..at + stretch + 1);
                match hunks.last_mut() {
                    Some((span, lines)) if span.end == partner => {
                        span.end += 1;
                        lines.extend(instead);
                    }
                    _ => hunks.push((partner..partner + 1, instead)),
                }
            }
            line = partner + 1;
        }
        at += stretch + 1;
    }
    hunks
}

/// Lines that are equal on both sides; the lines between them have other line breaks.
fn partners(target: &Lines, search: &Lines, first: usize, last: usize) -> Vec<Option<usize>> {
    let mine: Vec<_> = search.contents().map(|line| normal(line, Level::Trimmed)).collect();
    let theirs: Vec<_> =
        (first..=last).map(|line| normal(target.content(line), Level::Trimmed)).collect();
    let mut partners = vec![None; mine.len()];
    for operation in lines::compare(similar::Algorithm::Myers, &mine, &theirs) {
        if let similar::DiffOp::Equal { old_index, new_index, len } = operation {
            for offset in 0..len {
                if let Some(slot) = partners.get_mut(old_index + offset) {
                    *slot = Some(first + new_index + offset);
                }
            }
        }
    }
    partners
}
