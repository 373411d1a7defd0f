//! A text as lines that can be compared at several levels of exactness. Bytes stay; keys are computed when first asked
//! for, and shared by every block that is located in the text.

use std::borrow::Cow;
use std::hash::{BuildHasher, BuildHasherDefault};
use std::sync::OnceLock;

use rustc_hash::FxHasher;
use unicode_normalization::{UnicodeNormalization, is_nfc_quick};

use crate::text::Span;

/// How exactly two lines are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Byte by byte; line breaks do not count.
    Exact,
    /// Blanks at the end do not count.
    Trailing,
    /// Nor does how a character is written: dashes, quotes, blanks of other widths, composed letters.
    Unicode,
    /// Nor do blanks in front.
    Trimmed,
    /// Nor how many blanks stand between words.
    Blanks,
}

const LEVELS: usize = 5;

/// A text cut into lines. Only `\n` ends a line; a `\r` before it belongs to the break.
#[derive(Debug)]
pub struct Lines<'t> {
    text: &'t str,
    lines: Vec<Line>,
    keys: [OnceLock<Vec<u64>>; LEVELS],
}

/// A line, in bytes of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line {
    pub start: usize,
    /// Without the break.
    pub end: usize,
    /// With it.
    pub next: usize,
}

impl<'t> Lines<'t> {
    pub fn new(text: &'t str) -> Self {
        let mut lines = Vec::new();
        // A byte order mark is no part of the first line.
        let mut start = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        for at in memchr::memchr_iter(b'\n', text.as_bytes()) {
            let end = if at > start && text.as_bytes().get(at - 1) == Some(&b'\r') { at - 1 } else { at };
            lines.push(Line { start, end, next: at + 1 });
            start = at + 1;
        }
        if start < text.len() {
            lines.push(Line { start, end: text.len(), next: text.len() });
        }
        Self { text, lines, keys: Default::default() }
    }

    pub fn text(&self) -> &'t str {
        self.text
    }

    pub fn len(&self) -> usize {
        self.lines.len()
    }

    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// A line; behind the last one, the end of the text.
    pub fn line(&self, index: usize) -> Line {
        let end = self.text.len();
        self.lines.get(index).copied().unwrap_or(Line { start: end, end, next: end })
    }

    /// The content of a line, without its break.
    pub fn content(&self, index: usize) -> &'t str {
        let line = self.line(index);
        self.text.get(line.start..line.end).unwrap_or_default()
    }

    /// The break of a line; empty at the end of a text without one.
    pub fn line_break(&self, index: usize) -> &'t str {
        let line = self.line(index);
        self.text.get(line.end..line.next).unwrap_or_default()
    }

    pub fn contents(&self) -> impl Iterator<Item = &'t str> + '_ {
        (0..self.len()).map(|index| self.content(index))
    }

    pub fn is_blank(&self, index: usize) -> bool {
        self.content(index).trim().is_empty()
    }

    /// The bytes of some lines, breaks included.
    pub fn span(&self, lines: Span) -> Span {
        if lines.is_empty() {
            let at = self.line(lines.start).start;
            return at..at;
        }
        self.line(lines.start).start..self.line(lines.end - 1).next
    }

    /// The line that holds a byte.
    pub fn index_at(&self, offset: usize) -> usize {
        self.lines.partition_point(|line| line.next <= offset)
    }

    /// A key for every line: equal keys, equal lines at this level.
    pub fn keys(&self, level: Level) -> &[u64] {
        let slot = self.keys.get(level as usize);
        slot.map(|slot| slot.get_or_init(|| self.contents().map(|line| key(line, level)).collect())).map_or(&[], Vec::as_slice)
    }

    /// The break that new lines take: that of the line before `index`, else of the first line, else `\n`.
    pub fn break_for(&self, index: usize) -> &'t str {
        let near = index.checked_sub(1).map(|before| self.line_break(before)).filter(|found| !found.is_empty());
        near.or_else(|| Some(self.line_break(index)).filter(|found| !found.is_empty()))
            .or_else(|| Some(self.line_break(0)).filter(|found| !found.is_empty()))
            .unwrap_or("\n")
    }
}

fn key(line: &str, level: Level) -> u64 {
    let hasher = BuildHasherDefault::<FxHasher>::default();
    hasher.hash_one(normal(line, level).as_bytes())
}

/// A line as it is compared at a level.
pub fn normal(line: &str, level: Level) -> Cow<'_, str> {
    match level {
        Level::Exact => Cow::Borrowed(line),
        Level::Trailing => Cow::Borrowed(line.trim_end_matches([' ', '\t', '\r', '\u{b}', '\u{c}'])),
        Level::Unicode => match fold(line) {
            Cow::Borrowed(line) => Cow::Borrowed(line.trim_end()),
            Cow::Owned(line) => Cow::Owned(line.trim_end().to_owned()),
        },
        Level::Trimmed => match fold(line) {
            Cow::Borrowed(line) => Cow::Borrowed(line.trim()),
            Cow::Owned(line) => Cow::Owned(line.trim().to_owned()),
        },
        Level::Blanks => Cow::Owned(fold(line).split_whitespace().collect::<Vec<_>>().join(" ")),
    }
}

/// Composed letters, plain dashes, quotes and blanks; full-width punctuation as ASCII writes it.
pub fn fold(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let plain = is_nfc_quick(text.chars()) == unicode_normalization::IsNormalized::Yes;
    let mut out = String::with_capacity(text.len());
    let mut take = |character: char| match character {
        '\u{2010}'..='\u{2015}' | '\u{2212}' => out.push('-'),
        '\u{2018}'..='\u{201b}' | '\u{2032}' => out.push('\''),
        '\u{201c}'..='\u{201f}' | '\u{2033}' => out.push('"'),
        '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' => out.push(' '),
        '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}' => {}
        '\u{2026}' => out.push_str("..."),
        // Full-width forms of ASCII.
        '\u{ff01}'..='\u{ff5e}' => out.extend(char::from_u32(u32::from(character) - 0xfee0)),
        '\u{3001}' => out.push(','),
        '\u{3002}' => out.push('.'),
        other => out.push(other),
    };
    if plain {
        text.chars().for_each(&mut take);
    } else {
        text.nfc().for_each(&mut take);
    }
    Cow::Owned(out)
}

/// The blanks in front of a line.
pub fn indentation(line: &str) -> &str {
    let length = line.len() - line.trim_start_matches([' ', '\t']).len();
    line.get(..length).unwrap_or_default()
}
