//! What decided edits brought into a text: whether looking for a block in the text behind them can find what was not in
//! the one before. Making that text costs as much as the whole of it.

use rustc_hash::FxHashSet;

use super::lines::{Level, Lines, key};
use crate::text::Edit;

/// So many blocks are looked for without asking.
const FREE: usize = 32;
/// With fewer letters a line says nothing about where it comes from.
const LETTERS: usize = 4;

/// The lines that edits made, and those that they brought together.
#[derive(Default)]
pub struct Fresh {
    keys: FxHashSet<u64>,
    seams: FxHashSet<(u64, u64)>,
    text: String,
    asked: usize,
}

impl Fresh {
    /// Takes in edits of a text.
    pub fn take(&mut self, target: &Lines, edits: &[Edit]) {
        for edit in edits {
            let made = Lines::new(edit.text.as_str());
            self.keys.extend(made.contents().filter(|line| is_telling(line)).map(loose));
            self.text.push_str(&edit.text);
            self.text.push('\n');
            let filled = |line: &usize| !target.is_blank(*line);
            let before = (0..target.index_at(edit.span.start)).rev().find(filled);
            let after = (target.index_at(edit.span.end)..target.len()).find(filled);
            let lines = before.map(|line| target.content(line)).into_iter().chain(made.contents()).chain(after.map(|line| target.content(line)));
            let keys: Vec<u64> = lines.filter(|line| !line.trim().is_empty()).map(loose).collect();
            self.seams.extend(keys.windows(2).filter_map(|pair| Some((*pair.first()?, *pair.get(1)?))));
        }
    }

    /// Whether a part of a text may come from an edit.
    pub fn may_hold(&mut self, search: &str) -> bool {
        self.asked += 1;
        if self.asked <= FREE {
            return true;
        }
        let lines: Vec<&str> = search.lines().filter(|line| !line.trim().is_empty()).collect();
        let keys: Vec<u64> = lines.iter().map(|line| loose(line)).collect();
        let within = |line: Option<&&str>| line.is_some_and(|line| is_telling(line) && self.text.contains(line.trim()));
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
