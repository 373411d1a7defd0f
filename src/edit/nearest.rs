//! The closest match of a missing SEARCH text: shown to the author, never applied.

use rustc_hash::FxHashMap;
use similar::{Algorithm, DiffOp};
use strsim::normalized_levenshtein;

use super::fuzzy;
use super::lines::{Level, Lines, normal, words};
use crate::text::{Span, lines};

/// Below this similarity, nothing is reported.
const LEAST: f64 = 0.4;
/// In longer targets, only lines that share rare words are compared.
const FEW_LINES: usize = 200;
/// Words in more lines than this don't identify a place.
const COMMON: usize = 64;
const MOST_LINES: usize = 8;
/// The number of SEARCH lines to look for.
const LONGEST_LINES: usize = 3;
const LONGEST_LINE: usize = 1000;
/// A longer SEARCH text isn't compared line by line.
const LARGEST_SEARCH: usize = 2_000;

/// A region of the target and how it differs.
#[derive(Debug, Clone, PartialEq)]
pub struct Nearest {
    pub lines: Span,
    /// From 0 to 1.
    pub similarity: f64,
    pub differences: Vec<Difference>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// In the target, counted from 0; for a missing line, the line before which it would be.
    pub line: usize,
    /// The SEARCH text's version.
    pub want: Option<String>,
    /// The target's version.
    pub have: Option<String>,
    pub kind: DifferenceKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DifferenceKind {
    TrailingBlanks,
    Indent,
    Unicode,
    Typo,
    MissingInFile,
    ExtraInFile,
}

/// Longer pieces of a line are cut off in messages.
const LONGEST_PIECE: usize = 60;

impl Difference {
    /// The differing parts of the target's line and the SEARCH text's line, without the words that
    /// both share at the start and the end. `None` if one of the lines is missing or blank, or if
    /// they only differ in whitespace.
    pub fn pieces(&self) -> Option<(String, String)> {
        let (have, want) = (self.have.as_deref()?, self.want.as_deref()?);
        let (ours, theirs) = (word_spans(have), word_spans(want));
        let least = ours.len().min(theirs.len());
        let same = |(a, b): &(&Span, &Span)| have.get((*a).clone()) == want.get((*b).clone());
        let mut front = ours.iter().zip(&theirs).take_while(same).count();
        let rest = ours.iter().rev().zip(theirs.iter().rev()).take(least - front);
        let mut back = rest.take_while(same).count();
        if least == 0 || (front == least && ours.len() == theirs.len()) {
            return None;
        }
        if front + back == least {
            // Words that only one of them has are shown with those around them.
            (front, back) = (front.saturating_sub(1), back.saturating_sub(1));
        }
        let have = have.get(ours.get(front)?.start..ours.get(ours.len() - back - 1)?.end)?;
        let want = want.get(theirs.get(front)?.start..theirs.get(theirs.len() - back - 1)?.end)?;
        let alike = have.chars().zip(want.chars()).take_while(|(a, b)| a == b).count();
        let is_long = |text: &str| text.chars().nth(LONGEST_PIECE).is_some();
        let skipped = match is_long(have) || is_long(want) {
            true => alike.saturating_sub(LONGEST_PIECE / 4),
            false => 0,
        };
        Some((cut(have, skipped), cut(want, skipped)))
    }
}

/// Skips characters at the start, and truncates the rest to [`LONGEST_PIECE`].
fn cut(text: &str, skipped: usize) -> String {
    let dots = |is_cut| if is_cut { "…" } else { "" };
    let kept: String = text.chars().skip(skipped).take(LONGEST_PIECE).collect();
    let is_cut = text.chars().nth(skipped + LONGEST_PIECE).is_some();
    format!("{}{kept}{}", dots(skipped > 0), dots(is_cut))
}

/// The words of a line, and the runs of signs between them.
fn word_spans(line: &str) -> Vec<Span> {
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let mut spans: Vec<Span> = Vec::new();
    let mut before = None;
    for (at, letter) in line.char_indices() {
        let now = (!letter.is_whitespace()).then(|| is_word(letter));
        match spans.last_mut() {
            Some(last) if now.is_some() && now == before => last.end = at + letter.len_utf8(),
            _ if now.is_some() => spans.push(at..at + letter.len_utf8()),
            _ => {}
        }
        before = now;
    }
    spans
}

impl DifferenceKind {
    /// The same as JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::TrailingBlanks => "trailing_ws",
            Self::Indent => "indent",
            Self::Unicode => "unicode",
            Self::Typo => "typo",
            Self::MissingInFile => "missing_in_file",
            Self::ExtraInFile => "extra_in_file",
        }
    }
}

/// The region of `target` most similar to `search`.
pub fn nearest(target: &Lines, search: &Lines) -> Option<Nearest> {
    if search.len() > LARGEST_SEARCH {
        return None;
    }
    let filled: Vec<usize> = (0..search.len()).filter(|index| !search.is_blank(*index)).collect();
    let mut windows = fuzzy::windows(target, search, &filled);
    windows.truncate(4);
    if windows.is_empty() {
        windows.extend(by_longest_lines(target, search));
    }
    let compared = windows.into_iter().filter_map(|window| compare(target, search, &window));
    compared
        .filter(|found| found.similarity >= LEAST)
        .max_by(|a, b| a.similarity.total_cmp(&b.similarity))
}

/// The window around the line most similar to one of the longest lines of `search`.
fn by_longest_lines(target: &Lines, search: &Lines) -> Option<Span> {
    let mut longest: Vec<usize> =
        (0..search.len()).filter(|index| !search.is_blank(*index)).collect();
    longest.sort_by_key(|index| std::cmp::Reverse(search.content(*index).trim().len()));
    longest.truncate(LONGEST_LINES);
    let probe = |index: usize| {
        let mine = normal(search.content(index), Level::Trimmed);
        let lines = if target.len() <= FEW_LINES {
            (0..target.len()).collect()
        } else {
            by_words(target, &mine)
        };
        let scored = lines
            .into_iter()
            .map(|line| (line, likeness(&mine, &normal(target.content(line), Level::Trimmed))));
        let (line, score) = scored.max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)))?;
        let start = line.saturating_sub(index);
        (score >= 0.5).then(|| (score, start..(start + search.len()).min(target.len())))
    };
    longest
        .into_iter()
        .filter_map(probe)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, window)| window)
}

/// The lines that share the rarest words with a line.
fn by_words(target: &Lines, line: &str) -> Vec<usize> {
    let mut votes: FxHashMap<usize, f64> = FxHashMap::default();
    for word in words(line) {
        let lines = target.words().lines(word);
        for line in lines.iter().filter(|_| lines.len() <= COMMON) {
            #[allow(clippy::cast_precision_loss)]
            let weight = 1.0 / lines.len() as f64;
            *votes.entry(*line as usize).or_default() += weight;
        }
    }
    let mut votes: Vec<(usize, f64)> = votes.into_iter().collect();
    votes.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    votes.truncate(MOST_LINES);
    votes.into_iter().map(|(line, _)| line).collect()
}

/// The similarity of two lines, from 0 to 1. Very long lines are only compared for equality.
fn likeness(mine: &str, theirs: &str) -> f64 {
    let (long, short) = (theirs.len().max(mine.len()), theirs.len().min(mine.len()));
    if mine == theirs {
        1.0
    } else if long > LONGEST_LINE || short * 3 < long {
        0.0
    } else {
        normalized_levenshtein(mine, theirs)
    }
}

/// A line of the SEARCH text next to one of the window.
type Row = (Option<usize>, Option<usize>);

#[allow(clippy::cast_precision_loss)]
fn compare(target: &Lines, search: &Lines, window: &Span) -> Option<Nearest> {
    let normal_lines = |lines: &Lines, span: Span| {
        span.map(|index| normal(lines.content(index), Level::Trimmed).into_owned())
            .collect::<Vec<_>>()
    };
    let (mine, theirs) =
        (normal_lines(search, 0..search.len()), normal_lines(target, window.clone()));
    let mut rows: Vec<Row> = Vec::new();
    for operation in lines::compare(Algorithm::Myers, &mine, &theirs) {
        rows.extend(paired(&operation, &mine, &theirs));
    }
    // Lines before the first and after the last line with a counterpart aren't part of it.
    let first = rows.iter().position(|(want, _)| want.is_some())?;
    let last = rows.iter().rposition(|(want, _)| want.is_some())?;
    let rows = rows.get(first..=last)?;
    let alike = |row: &Row| match *row {
        (Some(index), Some(line)) => {
            mine.get(index).zip(theirs.get(line)).map_or(0.0, |(a, b)| likeness(a, b))
        }
        _ => 0.0,
    };
    let similarity = rows.iter().map(alike).sum::<f64>() / rows.len() as f64;
    let start = window.start + rows.iter().find_map(|(_, line)| *line)?;
    let end = window.start + rows.iter().rev().find_map(|(_, line)| *line)? + 1;
    let (mut differences, mut next) = (Vec::new(), start);
    for (want, have) in rows {
        let line = have.map_or(next, |line| window.start + line);
        next = line + usize::from(have.is_some());
        differences.extend(difference(
            want.map(|index| search.content(index)),
            have.map(|_| target.content(line)),
            line,
        ));
    }
    Some(Nearest { lines: start..end, similarity, differences })
}

/// The rows of one operation. Of unequal runs, the shorter is aligned where it fits better: at the
/// start or the end.
fn paired(operation: &DiffOp, mine: &[String], theirs: &[String]) -> Vec<Row> {
    let (old, new) = (operation.old_range(), operation.new_range());
    let length = old.len().max(new.len());
    let rows = |old_shift: usize, new_shift: usize| -> Vec<Row> {
        let place = |span: &Span, shift: usize, row: usize| {
            row.checked_sub(shift)
                .map(|offset| span.start + offset)
                .filter(|index| *index < span.end)
        };
        (0..length).map(|row| (place(&old, old_shift, row), place(&new, new_shift, row))).collect()
    };
    let score = |rows: &[Row]| -> f64 {
        rows.iter()
            .filter_map(|(index, line)| Some(likeness(mine.get((*index)?)?, theirs.get((*line)?)?)))
            .sum()
    };
    let (top, bottom) = (rows(0, 0), rows(length - old.len(), length - new.len()));
    if score(&bottom) > score(&top) { bottom } else { top }
}

/// How two lines differ, if at all.
fn difference(want: Option<&str>, have: Option<&str>, line: usize) -> Option<Difference> {
    let kind = match (want, have) {
        (Some(mine), Some(theirs)) if mine == theirs => return None,
        (Some(mine), Some(theirs)) if mine.trim_end() == theirs.trim_end() => {
            DifferenceKind::TrailingBlanks
        }
        (Some(mine), Some(theirs)) if mine.trim() == theirs.trim() => DifferenceKind::Indent,
        (Some(mine), Some(theirs))
            if normal(mine, Level::Trimmed) == normal(theirs, Level::Trimmed) =>
        {
            DifferenceKind::Unicode
        }
        (Some(_), Some(_)) => DifferenceKind::Typo,
        (Some(_), None) => DifferenceKind::MissingInFile,
        _ => DifferenceKind::ExtraInFile,
    };
    Some(Difference { line, want: want.map(str::to_owned), have: have.map(str::to_owned), kind })
}
