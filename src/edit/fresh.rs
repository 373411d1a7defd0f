//! The lines that decided edits added: whether the edited contents can have a block that the
//! original doesn't. Building the edited contents costs as much as their whole length.

use rustc_hash::FxHashSet;

use super::lines::{Level, Lines, key};
use crate::text::Edit;

/// Up to this many blocks, or this many bytes, are searched for without this check.
const FREE: usize = 32;
const FREE_BYTES: usize = 8 << 20;
/// A line with fewer letters doesn't reveal its origin.
const LETTERS: usize = 4;

/// The lines that edits wrote, and those that they made adjacent.
#[derive(Debug, Clone, Default)]
pub struct Fresh {
    keys: FxHashSet<u64>,
    seams: FxHashSet<(u64, u64)>,
    text: String,
}

/// How often contents are searched without asking first whether they can contain the text.
#[derive(Debug, Clone, Copy, Default)]
pub struct Allowance {
    asked: usize,
    read: usize,
}

impl Allowance {
    /// Whether contents of this length, in bytes, may be searched again.
    pub fn allows(&mut self, bytes: usize) -> bool {
        self.asked += 1;
        self.read = self.read.saturating_add(bytes);
        self.asked <= FREE || self.read <= FREE_BYTES
    }
}

impl Fresh {
    /// Records edits of the contents.
    pub fn take(&mut self, target: &Lines, edits: &[Edit]) {
        for edit in edits {
            // A change within a line makes it a different line.
            let (first, mut next) =
                (target.index_at(edit.span.start), target.index_at(edit.span.end));
            let (start, last) = (target.line(first).start, target.line(next));
            let mut made = target.text().get(start..edit.span.start).unwrap_or_default().to_owned()
                + &edit.text;
            if !made.ends_with('\n') && (!made.is_empty() || edit.span.end > last.start) {
                made.push_str(target.text().get(edit.span.end..last.end).unwrap_or_default());
                next += 1;
            }
            self.text.push_str(&made);
            self.text.push('\n');
            let made = Lines::new(made);
            self.keys.extend(made.contents().filter(|line| is_telling(line)).map(loose));
            let filled = |line: &usize| !target.is_blank(*line);
            let before = (0..first).rev().find(filled);
            let after = (next..target.len()).find(filled);
            let lines = before
                .map(|line| target.content(line))
                .into_iter()
                .chain(made.contents())
                .chain(after.map(|line| target.content(line)));
            let keys: Vec<u64> = lines.filter(|line| !line.trim().is_empty()).map(loose).collect();
            self.seams
                .extend(keys.windows(2).filter_map(|pair| Some((*pair.first()?, *pair.get(1)?))));
        }
    }

    /// Also records what other edits wrote.
    pub fn join(&mut self, other: &Self) {
        self.keys.extend(&other.keys);
        self.seams.extend(&other.seams);
        self.text.push_str(&other.text);
    }

    /// Its size, in bytes.
    pub fn cost(&self) -> usize {
        size_of::<Self>() + 16 * self.keys.len() + 32 * self.seams.len() + self.text.len()
    }

    /// Whether the lines that edits wrote contain this text exactly.
    pub fn holds(&self, search: &str) -> bool {
        self.text.contains(search)
    }

    /// Whether a part of the contents may come from an edit.
    pub fn may_hold(&self, search: &str) -> bool {
        let lines: Vec<&str> = search.lines().filter(|line| !line.trim().is_empty()).collect();
        let keys: Vec<u64> = lines.iter().map(|line| loose(line)).collect();
        let within = |line: Option<&&str>| {
            line.is_some_and(|line| is_telling(line) && self.text.contains(line.trim()))
        };
        keys.iter().any(|key| self.keys.contains(key))
            || keys.windows(2).any(|pair| matches!(pair, [a, b] if self.seams.contains(&(*a, *b))))
            || within(lines.first())
            || within(lines.last())
    }
}

fn loose(line: &str) -> u64 {
    key(line, Level::Punctuation)
}

fn is_telling(line: &str) -> bool {
    line.chars().filter(|character| character.is_alphanumeric()).take(LETTERS).count() == LETTERS
}
