//! Words, and pages of them (SEL-7, SEL-8).

use crate::text::Span;

/// How many words a page has where nobody says otherwise.
pub const MAX_WORDS: usize = 500;

/// How many runs of characters there are that are no blanks.
pub fn word_count(text: &str) -> usize {
    text.split_whitespace().count()
}

/// The pages of a text: each ends behind the last of its words, the last one with the text. Never empty; together they are
/// the text.
pub fn pages(text: &str, max_words: usize) -> Vec<Span> {
    let max_words = max_words.max(1);
    let mut found = Vec::new();
    let (mut start, mut words, mut inside) = (0, 0, false);
    for (at, character) in text.char_indices() {
        let blank = character.is_whitespace();
        if blank && inside && words == max_words {
            // Whether a page follows is known when another word does.
            found.push(start..at);
            start = at;
            words = 0;
        }
        if !blank && !inside {
            words += 1;
        }
        inside = !blank;
    }
    match found.last_mut() {
        // Blanks alone are no page.
        Some(last) if words == 0 => last.end = text.len(),
        _ => found.push(start..text.len()),
    }
    found
}

/// The page of a text that is shown first: all of it where it is short enough.
pub fn first_page(text: &str, max_words: usize) -> Span {
    let pages = pages(text, max_words);
    pages.into_iter().next().unwrap_or(0..text.len())
}
