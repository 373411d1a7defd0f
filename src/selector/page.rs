//! Words, and pages of them (SEL-7, SEL-8).

use crate::text::Span;

/// The default number of words on a page.
pub const MAX_WORDS: usize = 500;

/// The number of words.
pub fn word_count(text: &str) -> usize {
    let mut count = 0;
    each_word(text, |_| {
        count += 1;
        true
    });
    count
}

/// Calls `each` with the start of every word, until it returns that this is enough.
fn each_word(text: &str, mut each: impl FnMut(usize) -> bool) {
    let bytes = text.as_bytes();
    let (mut at, mut inside) = (0, false);
    while let Some(byte) = bytes.get(at) {
        let (blank, length) = match byte {
            b'\t'..=b'\r' | b' ' => (true, 1),
            0..0x80 => (false, 1),
            // Whitespace of other scripts begins with one of these.
            0xc2 | 0xe1..=0xe3 => text
                .get(at..)
                .and_then(|rest| rest.chars().next())
                .map_or((false, 1), |first| (first.is_whitespace(), first.len_utf8())),
            _ => (false, 1),
        };
        if !blank && !inside && !each(at) {
            return;
        }
        inside = !blank;
        at += length;
    }
}

/// The words of some text, counted once so that counting those in any part of it is cheap.
#[derive(Debug, Clone)]
pub struct Words<'t> {
    text: &'t str,
    /// The number of words that begin before every multiple of [`STEP`].
    counts: Vec<u32>,
}

const STEP: usize = 64;

impl<'t> Words<'t> {
    pub fn new(text: &'t str) -> Self {
        let mut counts = Vec::with_capacity(text.len() / STEP + 1);
        let mut count = 0;
        each_word(text, |at| {
            while counts.len() * STEP <= at {
                counts.push(count);
            }
            count += 1;
            true
        });
        counts.resize(text.len() / STEP + 1, count);
        Self { text, counts }
    }

    /// The number of words in a part.
    pub fn count(&self, span: Span) -> usize {
        let begun = self.begun(span.end).saturating_sub(self.begun(span.start));
        // A word that contains the part's start counts.
        let before = self.text.get(..span.start).and_then(|before| before.chars().next_back());
        let first = self.text.get(span).and_then(|part| part.chars().next());
        let cut = before.is_some_and(|before| !before.is_whitespace())
            && first.is_some_and(|first| !first.is_whitespace());
        begun + usize::from(cut)
    }

    /// The number of words that begin before an offset.
    fn begun(&self, at: usize) -> usize {
        let mut step = at / STEP;
        // Counting starts at a character, and depends on the one before it.
        while step > 0 && !self.text.is_char_boundary(step * STEP) {
            step -= 1;
        }
        let start = step * STEP;
        let count = self.counts.get(step).copied().unwrap_or_default() as usize;
        let part = self.text.get(start..at).unwrap_or_default();
        let before = self.text.get(..start).and_then(|before| before.chars().next_back());
        let continued = before.is_some_and(|before| !before.is_whitespace())
            && part.chars().next().is_some_and(|first| !first.is_whitespace());
        count + word_count(part) - usize::from(continued)
    }
}

/// Splits text into pages. Each ends after its last word, and the last page where the text ends.
/// There is at least one page, and joined they are the text.
pub fn pages(text: &str, max_words: usize) -> Vec<Span> {
    let max_words = max_words.max(1);
    let mut starts = vec![0];
    let mut words = 0;
    each_word(text, |at| {
        if words == max_words {
            // Whitespace before a word belongs to the page of that word.
            starts.push(text.get(..at).map_or(at, |before| before.trim_end().len()));
            words = 0;
        }
        words += 1;
        true
    });
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    starts.iter().copied().zip(ends).map(|(start, end)| start..end).collect()
}

/// The first page: all of the text if it's short enough.
pub fn first_page(text: &str, max_words: usize) -> Span {
    let mut words = 0;
    let mut end = text.len();
    each_word(text, |at| {
        words += 1;
        if words > max_words.max(1) {
            end = text.get(..at).map_or(at, |before| before.trim_end().len());
        }
        words <= max_words.max(1)
    });
    0..end
}
