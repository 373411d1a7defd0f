//! Text as lines that can be compared at several levels of exactness. Bytes are preserved; keys are
//! computed on demand and shared by every block located in the text.

use std::borrow::Cow;
use std::hash::{BuildHasher, BuildHasherDefault};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use rustc_hash::FxHasher;
use unicode_normalization::{UnicodeNormalization, is_nfc_quick};

use super::index::Index;
use super::occurrences::occurrences;
use super::reflow::Stream;
use crate::text::{self, Edit, Span};

/// The exactness of a line comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Byte by byte, without line breaks.
    Exact,
    /// Also ignores trailing whitespace.
    Trailing,
    /// Also ignores spelling variants of characters: dashes, quotes, other spaces, composed
    /// letters.
    Unicode,
    /// Also ignores leading whitespace.
    Trimmed,
    /// Also ignores the amount of whitespace between words, and whitespace around punctuation.
    Blanks,
    /// Also ignores the kind of quotes, and a comma or semicolon at the end.
    Punctuation,
}

const LEVELS: usize = 6;

/// After this many lookups, the lines get an index.
const ASKS_WITHOUT_INDEX: usize = 4;
/// The maximum number of lines to visit for an answer, as a share of all: beyond that, a scan from
/// the start is faster.
const LOOKS: usize = 2;

/// Text split into lines. Only `\n` ends a line; a `\r` before it belongs to the break.
#[derive(Debug)]
pub struct Lines<'t> {
    text: Cow<'t, str>,
    lines: Vec<Line>,
    keys: [OnceLock<Vec<u64>>; LEVELS],
    indexes: [OnceLock<Index>; LEVELS],
    asks: [AtomicUsize; LEVELS],
    words: OnceLock<Index>,
    word_asks: AtomicUsize,
    ascii: OnceLock<bool>,
    stream: OnceLock<Stream>,
    filled: OnceLock<Filled>,
}

/// The lines that aren't empty or whitespace, and their trimmed keys.
#[derive(Debug)]
pub(super) struct Filled {
    pub lines: Vec<usize>,
    pub keys: Vec<u64>,
}

/// A line's span, in bytes of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line {
    pub start: usize,
    /// Without the line break.
    pub end: usize,
    /// With the line break.
    pub next: usize,
}

impl<'t> Lines<'t> {
    pub fn new(text: impl Into<Cow<'t, str>>) -> Self {
        let text = text.into();
        let mut lines = Vec::new();
        read(&text, 0..text.len(), &mut lines);
        Self::of(text, lines)
    }

    fn of(text: Cow<'t, str>, lines: Vec<Line>) -> Self {
        Self {
            text,
            lines,
            keys: Default::default(),
            indexes: Default::default(),
            asks: Default::default(),
            words: OnceLock::new(),
            word_asks: AtomicUsize::default(),
            ascii: OnceLock::new(),
            stream: OnceLock::new(),
            filled: OnceLock::new(),
        }
    }

    /// The same text after some edits, reusing cached keys of unchanged lines. `None` if edits
    /// overlap.
    pub fn edited(&self, edits: &[Edit]) -> Option<Lines<'static>> {
        let text = text::apply(&self.text, edits).ok()?;
        // The lines before the first and after the last edit are unchanged.
        let first = edits.iter().map(|edit| edit.span.start).min().unwrap_or(self.text.len());
        let last = edits.iter().map(|edit| edit.span.end).max().unwrap_or(self.text.len());
        let head = self.index_at(first.saturating_sub(1));
        let kept = self.lines.get(self.index_at(last) + 1..).unwrap_or_default();
        let (grown, was) = (text.len(), self.text.len());
        let end = kept.first().map_or(grown, |line| line.start + grown - was);
        let mut lines = Vec::with_capacity(self.lines.len() + kept.len().min(8));
        lines.extend_from_slice(self.lines.get(..head).unwrap_or_default());
        let start = if head == 0 { 0 } else { self.line(head).start };
        read(&text, start..end, &mut lines);
        lines.extend(kept.iter().map(|line| Line {
            start: line.start + grown - was,
            end: line.end + grown - was,
            next: line.next + grown - was,
        }));
        let tail = kept.len();
        let new = Lines::of(Cow::Owned(text), lines);
        for (old, slot) in self
            .keys
            .iter()
            .zip(&new.keys)
            .enumerate()
            .filter_map(|(level, (old, slot))| Some(((level, old.get()?), slot)))
        {
            let (level, keys) = old;
            let mut all = keys.get(..head).unwrap_or_default().to_vec();
            let level = ALL_LEVELS.get(level).copied().unwrap_or(Level::Exact);
            all.extend((head..new.len() - tail).map(|line| key(new.content(line), level)));
            all.extend_from_slice(keys.get(keys.len() - tail..).unwrap_or_default());
            let _ = slot.set(all);
        }
        Some(new)
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text itself, once the lines aren't needed.
    pub fn into_text(self) -> String {
        self.text.into_owned()
    }

    pub fn len(&self) -> usize {
        self.lines.len()
    }

    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// A line; past the last one, the end of the text.
    pub fn line(&self, index: usize) -> Line {
        let end = self.text.len();
        self.lines.get(index).copied().unwrap_or(Line { start: end, end, next: end })
    }

    /// The content of a line, without its break.
    pub fn content(&self, index: usize) -> &str {
        let line = self.line(index);
        self.text.get(line.start..line.end).unwrap_or_default()
    }

    /// The break of a line; empty for a last line without one.
    pub fn line_break(&self, index: usize) -> &str {
        let line = self.line(index);
        self.text.get(line.end..line.next).unwrap_or_default()
    }

    pub fn contents(&self) -> impl Iterator<Item = &str> + '_ {
        (0..self.len()).map(|index| self.content(index))
    }

    pub fn is_blank(&self, index: usize) -> bool {
        self.content(index).trim().is_empty()
    }

    /// The bytes of some lines, including breaks.
    pub fn span(&self, lines: Span) -> Span {
        if lines.is_empty() {
            let at = self.line(lines.start).start;
            return at..at;
        }
        self.line(lines.start).start..self.line(lines.end - 1).next
    }

    /// The line that contains a byte.
    pub fn index_at(&self, offset: usize) -> usize {
        self.lines.partition_point(|line| line.next <= offset)
    }

    /// A key for every line: equal keys mean equal lines at this level.
    pub fn keys(&self, level: Level) -> &[u64] {
        let slot = self.keys.get(level as usize);
        slot.map(|slot| slot.get_or_init(|| self.contents().map(|line| key(line, level)).collect()))
            .map_or(&[], Vec::as_slice)
    }

    /// Where consecutive lines have these keys, overlapping places included, at most `most`; in
    /// time linear in the text.
    pub fn places(&self, level: Level, wanted: &[u64], most: usize) -> Vec<usize> {
        sought(self.index(level), self.keys(level), wanted, most, Some)
    }

    /// Every line from `from` on with this content, apart from indentation.
    pub fn equal_to(&self, content: &str, from: usize) -> impl Iterator<Item = usize> + '_ {
        let content = content.trim().to_owned();
        let key = key(&content, Level::Trimmed);
        let known = self.index(Level::Trimmed).map(|index| index.lines(key));
        let known = known.map(|lines| {
            lines.get(lines.partition_point(|line| (*line as usize) < from)..).unwrap_or_default()
        });
        let unknown = if known.is_none() { from..self.len() } else { 0..0 };
        let lines = known.unwrap_or_default().iter().map(|line| *line as usize).chain(unknown);
        lines.filter(move |line| self.content(*line).trim() == content)
    }

    /// [`Self::places`] for lines that aren't blank, as if there were no others: indices of
    /// [`Filled::lines`].
    pub(super) fn filled_places(&self, wanted: &[u64], most: usize) -> Vec<usize> {
        let Filled { lines, keys } = self.filled();
        sought(self.index(Level::Trimmed), keys, wanted, most, |line| {
            lines.binary_search(&line).ok()
        })
    }

    /// Whether each word of `text` is in some line. The first few calls return true without
    /// checking.
    pub(super) fn may_hold(&self, text: &str) -> bool {
        let asked = self.word_asks.fetch_add(1, Ordering::Relaxed);
        asked < ASKS_WITHOUT_INDEX || words(text).all(|word| !self.words().lines(word).is_empty())
    }

    /// Whether no character has other spellings that count as equal.
    pub(super) fn is_ascii(&self) -> bool {
        *self.ascii.get_or_init(|| self.text.is_ascii())
    }

    /// Calls `with` for every line that has one of these keys.
    pub fn each_of(
        &self,
        level: Level,
        wanted: &rustc_hash::FxHashSet<u64>,
        mut with: impl FnMut(u64, usize),
    ) {
        match self.index(level) {
            Some(index) => wanted.iter().for_each(|key| {
                index.lines(*key).iter().for_each(|line| with(*key, *line as usize))
            }),
            None => self
                .keys(level)
                .iter()
                .enumerate()
                .filter(|(_, key)| wanted.contains(key))
                .for_each(|(line, key)| with(*key, line)),
        }
    }

    /// An index pays off if many blocks are located in the same text.
    fn index(&self, level: Level) -> Option<&Index> {
        let asked = self.asks.get(level as usize)?.fetch_add(1, Ordering::Relaxed);
        let slot = self.indexes.get(level as usize)?;
        (asked >= ASKS_WITHOUT_INDEX)
            .then(|| slot.get_or_init(|| Index::new(self.keys(level).iter().copied().zip(0..))))
    }

    /// The lines that contain each word.
    pub fn words(&self) -> &Index {
        self.words.get_or_init(|| {
            let words = (0..)
                .zip(self.contents())
                .flat_map(|(line, content)| words(content).map(move |word| (word, line)));
            Index::new(words)
        })
    }

    /// The lines that aren't empty or whitespace.
    pub(super) fn filled(&self) -> &Filled {
        self.filled.get_or_init(|| {
            let keys = self.keys(Level::Trimmed);
            let lines: Vec<usize> =
                (0..self.len()).filter(|index| !self.is_blank(*index)).collect();
            let keys = lines.iter().filter_map(|index| keys.get(*index).copied()).collect();
            Filled { lines, keys }
        })
    }

    /// The text without whitespace.
    pub(super) fn stream(&self) -> &Stream {
        self.stream.get_or_init(|| Stream::new(self))
    }

    /// The line break for new lines: that of the line before `index`, else of the first line, else
    /// `\n`.
    pub fn break_for(&self, index: usize) -> &str {
        let near = index
            .checked_sub(1)
            .map(|before| self.line_break(before))
            .filter(|found| !found.is_empty());
        near.or_else(|| Some(self.line_break(index)).filter(|found| !found.is_empty()))
            .or_else(|| Some(self.line_break(0)).filter(|found| !found.is_empty()))
            .unwrap_or("\n")
    }
}

/// Appends the lines of a span that begins and ends at line boundaries.
fn read(text: &str, span: Span, lines: &mut Vec<Line>) {
    let bytes = text.as_bytes();
    // A byte order mark isn't part of the first line.
    let marked = span.start == 0 && text.starts_with('\u{feff}');
    let mut start = if marked { '\u{feff}'.len_utf8() } else { span.start };
    let within = bytes.get(start..span.end).unwrap_or_default();
    let from = start;
    for at in memchr::memchr_iter(b'\n', within).map(|at| from + at) {
        let end = if at > start && bytes.get(at - 1) == Some(&b'\r') { at - 1 } else { at };
        lines.push(Line { start, end, next: at + 1 });
        start = at + 1;
    }
    if start < span.end {
        lines.push(Line { start, end: span.end, next: span.end });
    }
}

/// Where `wanted` occurs in `keys`, overlapping places included. `position` is the place in `keys`
/// of a line that the index knows.
fn sought(
    index: Option<&Index>,
    keys: &[u64],
    wanted: &[u64],
    most: usize,
    position: impl Fn(usize) -> Option<usize>,
) -> Vec<usize> {
    let Some(index) = index else { return occurrences(keys, wanted, most) };
    let rarest = wanted
        .iter()
        .enumerate()
        .map(|(offset, key)| (index.lines(*key), offset))
        .min_by_key(|(lines, _)| lines.len());
    let Some((lines, offset)) = rarest else { return Vec::new() };
    if lines.len().saturating_mul(wanted.len()) > keys.len().saturating_mul(LOOKS) {
        return occurrences(keys, wanted, most);
    }
    let starts = lines.iter().filter_map(|line| position(*line as usize)?.checked_sub(offset));
    starts
        .filter(|start| keys.get(*start..start + wanted.len()) == Some(wanted))
        .take(most)
        .collect()
}

const ALL_LEVELS: [Level; LEVELS] = [
    Level::Exact,
    Level::Trailing,
    Level::Unicode,
    Level::Trimmed,
    Level::Blanks,
    Level::Punctuation,
];

pub(super) fn key(line: &str, level: Level) -> u64 {
    hash(&normal(line, level))
}

fn hash(text: &str) -> u64 {
    BuildHasherDefault::<FxHasher>::default().hash_one(text.as_bytes())
}

/// Keys of the words of a line.
pub fn words(line: &str) -> impl Iterator<Item = u64> + '_ {
    line.split(|character: char| !(character.is_alphanumeric() || character == '_'))
        .filter(|word| word.len() > 1)
        .map(hash)
}

/// A line normalised for comparison at a level.
pub fn normal(line: &str, level: Level) -> Cow<'_, str> {
    match level {
        Level::Exact => Cow::Borrowed(line),
        Level::Trailing => {
            Cow::Borrowed(line.trim_end_matches([' ', '\t', '\r', '\u{b}', '\u{c}']))
        }
        Level::Unicode => match fold(line) {
            Cow::Borrowed(line) => Cow::Borrowed(line.trim_end()),
            Cow::Owned(line) => Cow::Owned(line.trim_end().to_owned()),
        },
        Level::Trimmed => match fold(line) {
            Cow::Borrowed(line) => Cow::Borrowed(line.trim()),
            Cow::Owned(line) => Cow::Owned(line.trim().to_owned()),
        },
        Level::Blanks => Cow::Owned(without_blanks(&fold(line))),
        Level::Punctuation => {
            let line = without_blanks(&fold(line));
            let bare = line.trim_end_matches([',', ';']);
            // A line that consists only of this character keeps it.
            Cow::Owned(if bare.is_empty() { line } else { bare.replace(['"', '`'], "'") })
        }
    }
}

/// One space between words, and none elsewhere.
fn without_blanks(line: &str) -> String {
    let is_word = |character: Option<char>| {
        character.is_some_and(|character| character.is_alphanumeric() || character == '_')
    };
    let mut out = String::with_capacity(line.len());
    for part in line.split_whitespace() {
        if is_word(out.chars().next_back()) && is_word(part.chars().next()) {
            out.push(' ');
        }
        out.push_str(part);
    }
    out
}

/// Composed letters, plain dashes, quotes and spaces; full-width punctuation as ASCII.
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
        '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' => {
            out.push(' ')
        }
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

/// The leading whitespace of a line.
pub fn indentation(line: &str) -> &str {
    let length = line.len() - line.trim_start_matches([' ', '\t']).len();
    line.get(..length).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn edited_lines_are_those_of_the_edited_text(
            text in "\u{feff}?([a é—]{0,3}(\r\n|\n|\r)?){0,6}",
            at in prop::collection::vec((any::<prop::sample::Index>(), 0..3_usize, "[b\r\n\u{feff}]{0,3}"), 1..3),
        ) {
            let places: Vec<usize> =
                (0..=text.len()).filter(|at| text.is_char_boundary(*at)).collect();
            let mut edits: Vec<Edit> = Vec::new();
            for (index, length, new) in at {
                let first = index.index(places.len());
                let last = (first + length).min(places.len() - 1);
                let edit = Edit::replace(places[first]..places[last], new);
                if edits.iter().all(|other| other.span.end < edit.span.start || edit.span.end < other.span.start) {
                    edits.push(edit);
                }
            }
            let lines = Lines::new(text.as_str());
            ALL_LEVELS.iter().for_each(|level| _ = lines.keys(*level));
            let edited = lines.edited(&edits).unwrap();
            let fresh = Lines::new(edited.text().to_owned());
            prop_assert_eq!(&edited.lines, &fresh.lines);
            for level in ALL_LEVELS {
                prop_assert_eq!(edited.keys(level), fresh.keys(level));
            }
        }

        #[test]
        fn places_are_the_same_with_and_without_an_index(
            text in "([abc]{0,2}\n){0,12}",
            search in "([abc]{0,2}\n){1,3}",
        ) {
            let (lines, search) = (Lines::new(text), Lines::new(search));
            let ask = || {
                let all = lines.places(Level::Trimmed, search.keys(Level::Trimmed), 9);
                (all, lines.filled_places(&search.filled().keys, 9))
            };
            let first = ask();
            for _ in 0..=ASKS_WITHOUT_INDEX {
                prop_assert_eq!(&ask(), &first);
            }
        }
    }
}
