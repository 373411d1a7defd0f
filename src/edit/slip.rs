//! A misspelt word, told from another word: the guards under which a slip of the pen is not a question.

use super::lines::Lines;

/// Shorter words are too often one letter away from another one.
const SHORTEST: usize = 5;

/// Words of code and prose that are one letter away from another one, in order, a line each: not misspelt, but meant.
const WORDS: &str = include_str!("words.txt");

/// Whether a line of the SEARCH text is that of the file with one word misspelt, and cannot be another line: the letters
/// that differ are in the middle of a long word, which occurs nowhere in the file and which nothing new uses.
pub fn is_misspelt(target: &Lines, mine: &str, theirs: &str, new: &str) -> bool {
    let Some((word, meant)) = differing_words(mine.trim(), theirs.trim()) else { return false };
    let lower = word.to_lowercase();
    let known = |text: &str| pieces(text).any(|piece| piece.eq_ignore_ascii_case(word));
    let is_word = || WORDS.lines().any(|word| word == lower);
    is_slip(word, meant) && !is_word() && !new.contains(word) && !known(target.text())
}

/// The only two pieces that differ, where all else is the same.
fn differing_words<'a>(mine: &'a str, theirs: &'a str) -> Option<(&'a str, &'a str)> {
    let (mut left, mut right) = (all_pieces(mine), all_pieces(theirs));
    let mut found = None;
    loop {
        match (left.next(), right.next()) {
            (None, None) => return found,
            (Some(a), Some(b)) if a == b => {}
            (Some(a), Some(b)) if found.is_none() => found = Some((a, b)),
            _ => return None,
        }
    }
}

/// The parts of names and words: `parseHTTP_request2` has `parse`, `HTTP`, `request` and `2`.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    all_pieces(text).filter(|piece| piece.starts_with(char::is_alphabetic))
}

fn all_pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let end = if first.is_alphabetic() {
            let mut before = first;
            let ends = |(_, letter): &(usize, char)| {
                let ends = !letter.is_alphabetic() || letter.is_uppercase() && before.is_lowercase();
                before = *letter;
                ends
            };
            rest.char_indices().skip(1).find(ends).map_or(rest.len(), |(at, _)| at)
        } else {
            first.len_utf8()
        };
        let (piece, after) = rest.split_at_checked(end)?;
        rest = after;
        Some(piece)
    })
}

/// Whether one letter is left out, added or replaced, not at either end of the word; or two have changed places.
fn is_slip(word: &str, meant: &str) -> bool {
    let (mine, theirs): (Vec<char>, Vec<char>) = (word.chars().collect(), meant.chars().collect());
    let all_letters = |letters: &[char]| letters.len() >= SHORTEST && letters.iter().all(|letter| letter.is_alphabetic());
    if !all_letters(&mine) || !all_letters(&theirs) {
        return false;
    }
    let start = mine.iter().zip(&theirs).take_while(|(a, b)| a == b).count();
    let shorter = mine.len().min(theirs.len());
    let end = mine.iter().rev().zip(theirs.iter().rev()).take_while(|(a, b)| a == b).count().min(shorter - start);
    let (a, b) = (mine.get(start..mine.len() - end).unwrap_or_default(), theirs.get(start..theirs.len() - end).unwrap_or_default());
    match (a, b) {
        ([_], [_]) => start > 0 && end > 0,
        ([letter], []) | ([], [letter]) => start > 0 && end > 0 && letter.is_lowercase(),
        ([a, b], [c, d]) => a == d && b == c,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misspelt_and_meant() {
        let file = "fn compute_total(items: &[Item]) {}\nfn handleRequest() {}\nget_name();\nprint_block();\n";
        let lines = Lines::new(file);
        let case = |mine: &str, theirs: &str| is_misspelt(&lines, mine, theirs, "x();");
        for (mine, theirs) in [
            ("fn compute_toatl(items: &[Item]) {}", "fn compute_total(items: &[Item]) {}"),
            ("fn comqute_total(items: &[Item]) {}", "fn compute_total(items: &[Item]) {}"),
            ("fn handleRqeuest() {}", "fn handleRequest() {}"),
        ] {
            assert!(case(mine, theirs), "{mine}");
        }
        for (mine, theirs) in [
            ("set_name();", "get_name();"),
            ("get_names();", "get_name();"),
            ("fn handleRequests() {}", "fn handleRequest() {}"),
            ("fn compute_total(item: &[Item]) {}", "fn compute_total(items: &[Item]) {}"),
            ("print_black();", "print_block();"),
            ("fn compute_total2(items: &[Item]) {}", "fn compute_total(items: &[Item]) {}"),
            ("fn comqute_toatl(items: &[Item]) {}", "fn compute_total(items: &[Item]) {}"),
        ] {
            assert!(!case(mine, theirs), "{mine}");
        }
        assert!(!is_misspelt(&lines, "handleRqeuest()", "handleRequest()", "handleRqeuest();"));
    }
}
