//! A diff with outdated context: the lines that it changes exist, but not all lines around them.
//! Half of the informative lines must exist, and inserted lines need one of them next to them.

use similar::DiffOp;
use strsim::normalized_levenshtein;

use super::fuzzy::windows;
use super::lines::{Level, Lines, normal};
use super::locate::{Alignment, Found, Place, Tier, known_pairs, pair_blanks};
use super::merge::differences;
use crate::text::Span;

const LARGEST_TARGET: usize = 150_000;
const LARGEST_SEARCH: usize = 400;
const MOST_WINDOWS: usize = 8;
/// The file may have this many extra lines between two lines of the diff.
const WIDEST_GAP: usize = 40;
/// This many lines of code may be where new lines go.
const MOST_BETWEEN: usize = 2;
/// The share of the diff's lines that must exist.
const LEAST: f64 = 0.5;
/// If a second place scores this close to the best, both are doubtful.
const MARGIN: f64 = 0.15;
const SKIPPED: f64 = 0.25;
const PASSED: f64 = 0.001;

/// The changes of a diff to its old side.
struct Changes {
    /// Deleted lines.
    removed: Vec<bool>,
    /// The lines before which new ones are inserted.
    additions: Vec<usize>,
}

/// The places that have the changed lines and half of the others.
pub fn find(target: &Lines, search: &Lines, replace: &Lines) -> Vec<Found> {
    let filled: Vec<usize> = (0..search.len()).filter(|index| !search.is_blank(*index)).collect();
    if filled.is_empty() || target.len() > LARGEST_TARGET || filled.len() > LARGEST_SEARCH {
        return Vec::new();
    }
    let mut changes = Changes { removed: vec![false; search.len()], additions: Vec::new() };
    for difference in differences(search, replace, Tier::Context) {
        match difference {
            DiffOp::Equal { .. } => {}
            DiffOp::Insert { old_index, .. } => changes.additions.push(old_index),
            other => changes
                .removed
                .iter_mut()
                .take(other.old_range().end)
                .skip(other.old_range().start)
                .for_each(|removed| *removed = true),
        }
    }
    let mut found: Vec<Found> = Vec::new();
    for window in windows(target, search, &filled).into_iter().take(MOST_WINDOWS) {
        let wide = window.start.saturating_sub(2 * WIDEST_GAP)
            ..(window.end + 2 * WIDEST_GAP).min(target.len());
        let Some(new) = align(target, search, &filled, &changes, wide.clone()) else { continue };
        // The window may contain another place, on either side of the changes.
        let (first, last) = changes.lines(&new).unwrap_or((wide.start, wide.start));
        let others = [wide.start..first.max(wide.start), (last + 1).min(wide.end)..wide.end];
        let others =
            others.into_iter().filter_map(|other| align(target, search, &filled, &changes, other));
        for new in std::iter::once(new.clone()).chain(others) {
            if !found.iter().any(|old| old.place == new.place) {
                found.push(new);
            }
        }
    }
    let best = found.iter().map(|found| found.score).fold(0.0, f64::max);
    found.retain(|found| found.score > best - MARGIN);
    found.sort_by_key(|found| found.line(target));
    found
}

impl Changes {
    /// The first and last line of the file that changes at a place, or has new lines next to it.
    fn lines(&self, found: &Found) -> Option<(usize, usize)> {
        let Place::Lines(alignment) = &found.place else { return None };
        let removed =
            (0..self.removed.len()).filter(|index| self.removed.get(*index) == Some(&true));
        let beside = self.additions.iter().flat_map(|at| [at.checked_sub(1), Some(*at)]).flatten();
        let lines: Vec<usize> =
            removed.chain(beside).filter_map(|index| alignment.partner(index)).collect();
        Some((*lines.iter().min()?, *lines.iter().max()?))
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Step {
    Pair,
    /// The diff's line isn't in the file.
    Skip,
    /// The file's line isn't in the diff.
    Pass,
}

/// The best alignment within a window: as many lines as possible, and all deleted ones.
fn align(
    target: &Lines,
    search: &Lines,
    filled: &[usize],
    changes: &Changes,
    window: Span,
) -> Option<Found> {
    let width = window.len();
    let (exact, loose) = (
        target.keys(Level::Trimmed).get(window.clone())?,
        target.keys(Level::Punctuation).get(window.clone())?,
    );
    let mut scores: Vec<f64> = vec![0.0; width + 1];
    let mut steps: Vec<Vec<Step>> = Vec::with_capacity(filled.len());
    for index in filled {
        let goes = *changes.removed.get(*index)?;
        let (key, loose_key) = (
            *search.keys(Level::Trimmed).get(*index)?,
            *search.keys(Level::Punctuation).get(*index)?,
        );
        let skipped = if goes { f64::NEG_INFINITY } else { SKIPPED };
        let mut next = vec![f64::NEG_INFINITY; width + 1];
        let mut row = vec![Step::Skip; width + 1];
        *next.first_mut()? = scores.first()? - skipped;
        if goes {
            *next.first_mut()? = f64::NEG_INFINITY;
        }
        for column in 0..width {
            let pairs = *exact.get(column)? == key || !goes && *loose.get(column)? == loose_key;
            let pair = if pairs { scores.get(column)? + 1.0 } else { f64::NEG_INFINITY };
            let skip = if goes { f64::NEG_INFINITY } else { scores.get(column + 1)? - skipped };
            let pass = next.get(column)? - PASSED;
            let (best, step) = if pair >= skip && pair >= pass {
                (pair, Step::Pair)
            } else if skip >= pass {
                (skip, Step::Skip)
            } else {
                (pass, Step::Pass)
            };
            *next.get_mut(column + 1)? = best;
            *row.get_mut(column + 1)? = step;
        }
        scores = next;
        steps.push(row);
    }
    let mut column = (0..=width).max_by(|a, b| {
        let score = |column: &usize| scores.get(*column).copied().unwrap_or(f64::NEG_INFINITY);
        score(a).total_cmp(&score(b)).then(b.cmp(a))
    })?;
    if *scores.get(column)? == f64::NEG_INFINITY {
        return None;
    }
    let mut partners = vec![None; search.len()];
    for (row, index) in steps.iter().zip(filled).rev() {
        while column > 0 && *row.get(column)? == Step::Pass {
            column -= 1;
        }
        if column > 0 && *row.get(column)? == Step::Pair {
            column -= 1;
            *partners.get_mut(*index)? = Some(window.start + column);
        }
    }
    judge(target, search, filled, changes, partners)
}

fn judge(
    target: &Lines,
    search: &Lines,
    filled: &[usize],
    changes: &Changes,
    mut partners: Vec<Option<usize>>,
) -> Option<Found> {
    let solid = |span: Span| span.filter(|line| !target.is_blank(*line)).count();
    leave_far_context(&mut partners, changes, |lines| solid(lines) > WIDEST_GAP);
    let known: Vec<usize> = partners.iter().copied().flatten().collect();
    let exact: Vec<bool> = partners.iter().map(Option::is_some).collect();
    let letters = |index: &&usize| exact.get(**index) == Some(&true);
    let letters = filled
        .iter()
        .filter(letters)
        .flat_map(|index| search.content(*index).chars())
        .filter(|letter| letter.is_alphanumeric())
        .count();
    let apart = known
        .windows(2)
        .any(|pair| matches!(pair, [before, after] if solid(before + 1..*after) > WIDEST_GAP));
    if apart || letters < 6 {
        return None;
    }
    stand_in(target, search, &mut partners);
    let look = Look { target, search, filled, changes, partners: &partners };
    if !look.is_safe() {
        return None;
    }
    let (mut there, mut all) = (0.0, 0.0);
    for index in filled {
        let weight = weight(search.content(*index));
        all += weight;
        there += match (exact.get(*index), partners.get(*index)) {
            (Some(true), _) => weight,
            (_, Some(Some(_))) => weight / 2.0,
            _ => 0.0,
        };
    }
    let share = there / all;
    let lines = *partners.iter().flatten().next()?..*partners.iter().flatten().next_back()? + 1;
    pair_blanks(target, search, &mut partners);
    let place = Place::Lines(Alignment { lines, partners });
    (share >= LEAST).then(|| Found { score: share, ..Found::new(Tier::Context, place) })
}

/// Context far from all changes is other code that looks similar.
fn leave_far_context(
    partners: &mut [Option<usize>],
    changes: &Changes,
    is_far: impl Fn(Span) -> bool,
) {
    let changed = || {
        (0..partners.len())
            .filter(|index| changes.removed.get(*index) == Some(&true))
            .chain(changes.additions.iter().copied())
    };
    let (Some(first), Some(last)) = (changed().min(), changed().max()) else { return };
    let known = known_pairs(partners);
    for pair in known.windows(2) {
        let [(before, there), (after, end)] = pair else { continue };
        if is_far(there + 1..*end) {
            let gone = if *after > last {
                *after..partners.len()
            } else if *before < first {
                0..before + 1
            } else {
                0..0
            };
            partners.iter_mut().take(gone.end).skip(gone.start).for_each(|partner| *partner = None);
        }
    }
}

/// Facts about a place that decide whether it is accepted.
struct Look<'a, 't> {
    target: &'a Lines<'t>,
    search: &'a Lines<'t>,
    filled: &'a [usize],
    changes: &'a Changes,
    partners: &'a [Option<usize>],
}

impl Look<'_, '_> {
    fn partner(&self, index: usize) -> Option<usize> {
        self.partners.get(index).copied().flatten()
    }

    fn is_safe(&self) -> bool {
        let defined = |index: &usize| {
            self.partner(*index).is_some() || !is_definition(self.search.content(*index))
        };
        self.filled.iter().all(defined)
            && self.is_free_of_conflicts()
            && self.has_sides()
            && self.changes.additions.iter().all(|at| self.is_held(*at))
    }

    /// Lines of code between two lines of the file.
    fn code(&self, lines: Span) -> usize {
        lines
            .filter(|line| !self.target.is_blank(*line) && !is_comment(self.target.content(*line)))
            .count()
    }

    /// If lines of the diff are missing, the file has no other code in their place; otherwise both
    /// sides changed it.
    fn is_free_of_conflicts(&self) -> bool {
        let mut before: Option<usize> = None;
        let mut gone = false;
        for index in self.filled {
            match self.partner(*index) {
                Some(line) => {
                    if gone && before.is_some_and(|before| self.code(before + 1..line) > 0) {
                        return false;
                    }
                    (before, gone) = (Some(line), false);
                }
                None => gone |= !is_comment(self.search.content(*index)),
            }
        }
        true
    }

    /// On either side of all changes, one line of context exists, or a comment where the diff has
    /// another comment.
    fn has_sides(&self) -> bool {
        let changed = |index: &usize| self.changes.removed.get(*index) == Some(&true);
        let first = (0..self.search.len())
            .find(changed)
            .into_iter()
            .chain(self.changes.additions.iter().copied())
            .min()
            .unwrap_or(0);
        let last = (0..self.search.len())
            .rfind(changed)
            .map(|index| index + 1)
            .into_iter()
            .chain(self.changes.additions.iter().copied())
            .max();
        let last = last.unwrap_or(self.search.len());
        let side = |lines: Vec<usize>, other: Option<usize>| {
            let comment = |index: Option<&usize>| {
                index.is_some_and(|index| is_comment(self.search.content(*index)))
            };
            let stands_there = other.is_some_and(|line| is_comment(self.target.content(line)));
            lines.is_empty()
                || lines.iter().any(|index| self.partner(*index).is_some())
                || comment(lines.first()) && stands_there
        };
        let solid = |line: &usize| !self.target.is_blank(*line);
        let known: Vec<usize> = self.partners.iter().copied().flatten().collect();
        let above = known.first().and_then(|line| (0..*line).rev().find(solid));
        let below = known.last().and_then(|line| (line + 1..self.target.len()).find(solid));
        let before: Vec<usize> =
            self.filled.iter().rev().copied().filter(|index| *index < first).collect();
        let after: Vec<usize> =
            self.filled.iter().copied().filter(|index| *index >= last).collect();
        side(before, above) && side(after, below)
    }

    /// A line may be replaced by the same line with more or less at its end, or a comment by a
    /// comment.
    fn is_itself(&self, index: usize) -> bool {
        self.partner(index).is_some_and(|line| {
            let (mine, theirs) = (self.search.content(index), self.target.content(line));
            let (a, b) = (normal(mine, Level::Punctuation), normal(theirs, Level::Punctuation));
            a == b
                || is_comment(mine) && is_comment(theirs)
                || a.len().min(b.len()) >= 4
                    && (a.starts_with(b.as_ref()) || b.starts_with(a.as_ref()))
        })
    }

    /// The lines around new ones exist and are adjacent, except for comments. At the end of a
    /// truncated file, closing brackets may be missing.
    fn is_held(&self, at: usize) -> bool {
        let before = self.filled.iter().rev().find(|index| **index < at);
        let after = self.filled.iter().find(|index| **index >= at);
        let neighbours = before.into_iter().chain(after).all(|index| self.is_itself(*index));
        match (before.map(|index| self.partner(*index)), after.map(|index| self.partner(*index))) {
            (Some(Some(before)), Some(Some(after))) => {
                neighbours && self.code(before + 1..after) <= MOST_BETWEEN
            }
            (Some(Some(_)), None) | (None, Some(Some(_))) => neighbours,
            (Some(None), None) => {
                let last = self.partners.iter().copied().flatten().next_back();
                let rest = last.is_some_and(|last| {
                    (last + 1..self.target.len()).all(|line| self.target.is_blank(line))
                });
                let closing = |index: &&usize| {
                    self.partner(**index).is_some() || weight(self.search.content(**index)) < 1.0
                };
                rest && self.filled.iter().all(|index| closing(&index))
            }
            _ => false,
        }
    }
}

/// A line that other code also has identifies less.
fn weight(line: &str) -> f64 {
    if line.chars().filter(|character| character.is_alphanumeric()).count() >= 4 {
        1.0
    } else {
        0.25
    }
}

pub(super) fn is_comment(line: &str) -> bool {
    let line = line.trim_start();
    // `#[test]` and `#include` are code.
    line == "#"
        || ["//", "# ", "/*", "*", "--", "<!--", ";", "%"].iter().any(|mark| line.starts_with(mark))
}

/// Whether a line names the code that follows it: another name means other code.
pub(super) fn is_definition(line: &str) -> bool {
    const MODIFIERS: &[&str] = &[
        "pub",
        "pub(crate)",
        "pub(super)",
        "export",
        "default",
        "async",
        "static",
        "private",
        "public",
        "protected",
        "internal",
        "abstract",
        "final",
        "unsafe",
        "const",
        "inline",
        "virtual",
        "override",
        "extern",
        "sealed",
        "partial",
    ];
    const NAMERS: &[&str] = &[
        "fn",
        "def",
        "class",
        "struct",
        "enum",
        "trait",
        "impl",
        "interface",
        "function",
        "func",
        "module",
        "mod",
        "namespace",
        "type",
        "union",
        "macro_rules!",
        "sub",
        "proc",
        "package",
        "object",
        "record",
        "defmodule",
        "defp",
    ];
    const CONTROL: &[&str] = &[
        "if", "for", "while", "switch", "else", "catch", "match", "do", "return", "try", "with",
        "}", "let", "var", "elif", "unless", "loop",
    ];
    let words: Vec<&str> =
        line.split_whitespace().skip_while(|word| MODIFIERS.contains(word)).take(2).collect();
    let named = matches!(words.as_slice(), [word, name] if NAMERS.contains(word) && name.starts_with(|first: char| first.is_alphabetic() || first == '_'));
    // `int f(int x) {`
    let trimmed = line.trim_end();
    let first = words.first().copied().unwrap_or_default();
    let first = first.split('(').next().unwrap_or_default();
    named
        || trimmed.ends_with('{')
            && trimmed.contains('(')
            && trimmed.contains(')')
            && !trimmed.contains('=')
            && !CONTROL.contains(&first)
            && !is_comment(line)
}

/// Missing lines between the same neighbours as an equally long run of the file: each replaces the
/// similar line in its place.
fn stand_in(target: &Lines, search: &Lines, partners: &mut [Option<usize>]) {
    let filled: Vec<usize> = (0..search.len()).filter(|index| !search.is_blank(*index)).collect();
    let partner = |partners: &[Option<usize>], index: usize| partners.get(index).copied().flatten();
    let mut at = 0;
    while at < filled.len() {
        let run = filled
            .get(at..)
            .unwrap_or_default()
            .iter()
            .take_while(|index| partner(partners, **index).is_none())
            .count();
        if run == 0 {
            at += 1;
            continue;
        }
        let before = at
            .checked_sub(1)
            .and_then(|at| filled.get(at))
            .and_then(|index| partner(partners, *index));
        let after = filled.get(at + run).and_then(|index| partner(partners, *index));
        let solid = |line: &usize| !target.is_blank(*line);
        let theirs: Vec<usize> = match (before, after) {
            (Some(before), Some(after)) => (before + 1..after).filter(solid).collect(),
            (Some(before), None) => (before + 1..target.len()).filter(solid).take(run).collect(),
            (None, Some(after)) => {
                let mut lines: Vec<usize> = (0..after).rev().filter(solid).take(run).collect();
                lines.reverse();
                lines
            }
            (None, None) => Vec::new(),
        };
        if theirs.len() == run {
            let mine = filled.get(at..at + run).unwrap_or_default();
            let alike = mine.iter().zip(&theirs).all(|(index, line)| {
                let (mine, theirs) = (search.content(*index), target.content(*line));
                is_like(mine, theirs) && !is_definition(mine) && !is_definition(theirs)
            });
            for (index, line) in mine.iter().zip(theirs).filter(|_| alike) {
                if let Some(slot) = partners.get_mut(*index) {
                    *slot = Some(line);
                }
            }
        }
        at += run;
    }
}

fn is_like(mine: &str, theirs: &str) -> bool {
    let (mine, theirs) = (normal(mine, Level::Punctuation), normal(theirs, Level::Punctuation));
    let begins = mine.len() >= 4
        && theirs.len() >= 4
        && (mine.starts_with(theirs.as_ref()) || theirs.starts_with(mine.as_ref()));
    begins || normalized_levenshtein(&mine, &theirs) >= 0.5
}
