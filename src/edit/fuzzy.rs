//! A SEARCH text with mistakes: misspelt and omitted lines. Safe by structure, not by a threshold:
//! every line has a partner, and the lines that change match exactly.

use std::collections::{HashMap, HashSet};

use rustc_hash::FxHashSet;
use similar::DiffOp;

use super::lines::{Level, Lines, normal};
use super::locate::{Alignment, Found, Place, Tier, pair_blanks};
use super::merge::differences;
use crate::text::Span;

/// Lines with more occurrences than this don't identify a place.
const COMMON: usize = 64;
/// The number of windows to examine.
const MOST_WINDOWS: usize = 24;
const LARGEST_TARGET: usize = 150_000;
const LARGEST_SEARCH: usize = 2_000;
const SMALLEST_SCORE: f64 = 0.72;
/// If a second place scores this close to the best, both are doubtful.
const MARGIN: f64 = 0.08;
/// Different spelling, but the same line.
const TYPO: f64 = 0.9;
const SKIPPED: f64 = 0.05;

/// The places that have nearly all of `search`.
pub fn find(target: &Lines, search: &Lines, replace: &Lines) -> Vec<Found> {
    let mut found = likely(target, search, replace);
    let best = found.iter().map(|found| found.score).fold(0.0, f64::max);
    found.retain(|found| found.score > best - MARGIN);
    found.sort_by_key(|found| found.line(target));
    found
}

/// The same, including places that lose to a better one.
pub(super) fn likely(target: &Lines, search: &Lines, replace: &Lines) -> Vec<Found> {
    let filled: Vec<usize> = (0..search.len()).filter(|index| !search.is_blank(*index)).collect();
    let solid: usize = filled
        .iter()
        .map(|index| {
            search.content(*index).chars().filter(|character| !character.is_whitespace()).count()
        })
        .sum();
    if filled.len() < 2
        || solid < 24
        || target.len() > LARGEST_TARGET
        || filled.len() > LARGEST_SEARCH
    {
        return Vec::new();
    }
    let mut touched: HashSet<usize> = HashSet::new();
    for difference in differences(search, replace, Tier::Fuzzy) {
        match difference {
            DiffOp::Equal { .. } => {}
            // New lines go next to their neighbours, so these must exist too.
            DiffOp::Insert { old_index, .. } => {
                touched.extend(filled.iter().rev().find(|index| **index < old_index));
                touched.extend(filled.iter().find(|index| **index >= old_index));
            }
            other => touched.extend(other.old_range()),
        }
    }
    let mut found: Vec<Found> = Vec::new();
    for window in windows(target, search, &filled) {
        let best = align(target, search, &filled, &touched, window.clone());
        // The window may contain another place, on either side.
        let (start, end) = best.as_ref().map_or((0, 0), |found| found.lines());
        let others = [
            window.start..start.max(window.start),
            end.min(window.end).max(window.start)..window.end,
        ];
        let others = others
            .into_iter()
            .filter(|_| best.is_some())
            .filter_map(|other| align(target, search, &filled, &touched, other));
        for new in best.clone().into_iter().chain(others) {
            let overlaps = |old: &Found| matches!((&old.place, &new.place), (Place::Lines(a), Place::Lines(b)) if a.lines.start < b.lines.end && b.lines.start < a.lines.end);
            match found.iter_mut().find(|old| overlaps(old)) {
                Some(old) if old.score < new.score => *old = new,
                Some(_) => {}
                None => found.push(new),
            }
        }
    }
    found
}

/// Ranges of the target that have the rare lines of `search`.
pub(super) fn windows(target: &Lines, search: &Lines, filled: &[usize]) -> Vec<Span> {
    let mut places: HashMap<u64, Vec<usize>> = HashMap::new();
    let wanted: FxHashSet<u64> = filled
        .iter()
        .filter_map(|index| search.keys(Level::Trimmed).get(*index).copied())
        .collect();
    target.each_of(Level::Trimmed, &wanted, |key, line| {
        let lines = places.entry(key).or_default();
        if lines.len() <= COMMON {
            lines.push(line);
        }
    });
    let slack = (search.len() / 3).max(3);
    let mut votes: HashMap<usize, f64> = HashMap::new();
    for index in filled {
        let Some(lines) = search
            .keys(Level::Trimmed)
            .get(*index)
            .and_then(|key| places.get(key))
            .filter(|lines| lines.len() <= COMMON)
        else {
            continue;
        };
        for line in lines {
            #[allow(clippy::cast_precision_loss)]
            let weight = 1.0 / lines.len() as f64;
            *votes.entry((line + search.len() - index) / slack).or_default() += weight;
        }
    }
    let mut votes: Vec<(usize, f64)> = votes.into_iter().collect();
    votes.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    votes.truncate(MOST_WINDOWS);
    let windows = votes.into_iter().map(|(bucket, _)| {
        let start = (bucket * slack).saturating_sub(search.len());
        start.saturating_sub(slack)..(start + search.len() + 3 * slack).min(target.len())
    });
    windows.collect()
}

#[derive(Clone, Copy)]
struct Cell {
    score: f64,
    /// The line of the window that is the search line's partner.
    line: Option<usize>,
}

/// The best alignment within a window, if it's good enough.
fn align(
    target: &Lines,
    search: &Lines,
    filled: &[usize],
    touched: &HashSet<usize>,
    window: Span,
) -> Option<Found> {
    let theirs: Vec<_> =
        window.clone().map(|line| normal(target.content(line), Level::Trimmed)).collect();
    let keys = target.keys(Level::Trimmed).get(window.clone())?;
    let width = theirs.len();
    const NONE: f64 = f64::NEG_INFINITY;
    let mut rows: Vec<Vec<Cell>> = vec![vec![Cell { score: 0.0, line: None }; width + 1]];
    for index in filled {
        let mine = normal(search.content(*index), Level::Trimmed);
        let key = *search.keys(Level::Trimmed).get(*index)?;
        let before = rows.last()?;
        let mut row = vec![Cell { score: NONE, line: None }; width + 1];
        for column in 0..width {
            let skipped = *row.get(column)?;
            let cost = if theirs.get(column)?.is_empty() { 0.0 } else { SKIPPED };
            let mut best = Cell { score: skipped.score - cost, line: skipped.line };
            let reached = before.get(column)?.score;
            if reached > NONE {
                let gain = if *keys.get(column)? == key {
                    Some(1.0)
                } else {
                    (!touched.contains(index) && is_typo(&mine, theirs.get(column)?))
                        .then_some(TYPO)
                };
                if let Some(gain) = gain.filter(|gain| reached + gain > best.score) {
                    best = Cell { score: reached + gain, line: Some(column) };
                }
            }
            *row.get_mut(column + 1)? = best;
        }
        rows.push(row);
    }
    let last = rows.last()?;
    let end = (0..=width)
        .filter(|column| last.get(*column).is_some_and(|cell| cell.score > NONE))
        .max_by(|a, b| {
            let score = |column: &usize| last.get(*column).map_or(NONE, |cell| cell.score);
            score(a).total_cmp(&score(b)).then(b.cmp(a))
        })?;
    let mut partners = vec![None; search.len()];
    let mut column = end;
    for (row, index) in rows.iter().skip(1).zip(filled).rev() {
        let line = row.get(column)?.line?;
        *partners.get_mut(*index)? = Some(window.start + line);
        column = line;
    }
    judge(target, search, filled, partners)
}

fn is_typo(mine: &str, theirs: &str) -> bool {
    let length = mine.chars().count();
    let allowed = (length * 8 / 100).max(2);
    length >= 6 && is_within(mine, theirs, allowed)
}

/// Whether at most `most` characters are added, missing or different, in time linear in the length
/// of the lines.
fn is_within(mine: &str, theirs: &str, most: usize) -> bool {
    if mine.len().abs_diff(theirs.len()) > most * 4 {
        return false;
    }
    let (mine, theirs): (Vec<char>, Vec<char>) = (mine.chars().collect(), theirs.chars().collect());
    let start = mine.iter().zip(&theirs).take_while(|(a, b)| a == b).count();
    let (mine, theirs) =
        (mine.get(start..).unwrap_or_default(), theirs.get(start..).unwrap_or_default());
    let end = mine.iter().rev().zip(theirs.iter().rev()).take_while(|(a, b)| a == b).count();
    let mine = mine.get(..mine.len() - end).unwrap_or_default();
    let theirs = theirs.get(..theirs.len() - end).unwrap_or_default();
    if mine.len().abs_diff(theirs.len()) > most {
        return false;
    }
    // Only cells near the diagonal can have a distance that small.
    let far = most + 1;
    let mut row: Vec<usize> = (0..=theirs.len()).map(|column| column.min(far)).collect();
    for (index, letter) in mine.iter().enumerate() {
        let (from, to) = (index.saturating_sub(most), (index + most + 1).min(theirs.len()));
        let mut diagonal = row.get(from).copied().unwrap_or(far);
        let mut left = if from == 0 { (index + 1).min(far) } else { far };
        if let Some(cell) = row.get_mut(from) {
            *cell = left;
        }
        let mut least = left;
        for column in from..to {
            let above = row.get(column + 1).copied().unwrap_or(far);
            let same = diagonal + usize::from(theirs.get(column) != Some(letter));
            let best = same.min(above + 1).min(left + 1).min(far);
            diagonal = above;
            left = best;
            least = least.min(best);
            if let Some(cell) = row.get_mut(column + 1) {
                *cell = best;
            }
        }
        // Cells to the right of the band are too far.
        if let Some(cell) = row.get_mut(to + 1) {
            *cell = far;
        }
        if least > most {
            return false;
        }
    }
    row.last().is_some_and(|distance| *distance <= most)
}

#[allow(clippy::cast_precision_loss)]
fn judge(
    target: &Lines,
    search: &Lines,
    filled: &[usize],
    mut partners: Vec<Option<usize>>,
) -> Option<Found> {
    let known: Vec<usize> = partners.iter().copied().flatten().collect();
    let lines = *known.first()?..*known.last()? + 1;
    let keys = |lines: &Lines, index: usize| lines.keys(Level::Trimmed).get(index).copied();
    let exact = filled
        .iter()
        .filter(|index| {
            partners.get(**index).copied().flatten().and_then(|line| keys(target, line))
                == keys(search, **index)
        })
        .count();
    let typos = filled.len() - exact;
    let omitted = lines
        .clone()
        .filter(|line| !target.is_blank(*line) && known.binary_search(line).is_err())
        .count();
    let total = filled.len();
    let score = (exact as f64 + TYPO * typos as f64) / (total as f64 + 0.5 * omitted as f64);
    let good = exact * 2 >= total
        && typos * 3 <= total
        && omitted <= (total / 4).max(1)
        && score >= SMALLEST_SCORE;
    pair_blanks(target, search, &mut partners);
    good.then(|| Found {
        score,
        ..Found::new(Tier::Fuzzy, Place::Lines(Alignment { lines, partners }))
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use strsim::levenshtein;

    use super::*;

    proptest! {
        #[test]
        fn small_distances_are_exact(a in "[abé]{0,14}", b in "[abé]{0,14}", most in 0..6usize) {
            prop_assert_eq!(is_within(&a, &b, most), levenshtein(&a, &b) <= most);
        }
    }
}
