//! A misspelt word, told from another word: the guards under which a slip of the pen is not a
//! question.

use super::lines::Lines;

/// A shorter word is too often one letter away from another one, unless its letters are in an order
/// that no word has.
const SHORTEST: usize = 5;
/// A shorter word can be an abbreviation of anything.
const SHORTEST_ODD: usize = 4;
/// A transposition in a word of this length is rarely another word.
const SHORTEST_SWAP: usize = 4;

/// Words of code and prose that are one letter away from another one, in order, a line each: not
/// misspelt, but meant.
const WORDS: &str = include_str!("words.txt");

/// The letters that follow two others in words of code and prose, a line for each two; `^` is the
/// start of a word and `$` its end.
const LETTERS: &str = include_str!("letters.txt");

/// Whether a line of the SEARCH text is that of the file with one word misspelt, and cannot be
/// another line: the misspelt word occurs nowhere in the file, and nothing new uses it.
pub fn is_misspelt(target: &Lines, mine: &str, theirs: &str, new: &str) -> bool {
    let (mine, theirs) = (mine.trim(), theirs.trim());
    let is_unknown = |word: &str| {
        let lower = word.to_lowercase();
        let known = |text: &str| pieces(text).any(|piece| piece.eq_ignore_ascii_case(word));
        !WORDS.lines().any(|word| word == lower) && !new.contains(word) && !known(target.text())
    };
    match differing_words(mine, theirs) {
        Some((word, meant)) => is_slip(word, meant) && is_unknown(word),
        None => moved_break(mine, theirs).is_some_and(|words| {
            words.into_iter().any(|word| word.len() >= SHORTEST_SWAP && is_unknown(word))
        }),
    }
}

/// Two words with the space between them one letter too early or too late, as the SEARCH text has
/// them.
fn moved_break<'a>(mine: &'a str, theirs: &str) -> Option<[&'a str; 2]> {
    let at = mine.bytes().zip(theirs.bytes()).take_while(|(a, b)| a == b).count();
    let (pair, meant) = (mine.get(at..at + 2)?, theirs.get(at..at + 2)?);
    let (first, second) = (pair.chars().next()?, pair.chars().nth(1)?);
    let letter = if first == ' ' { second } else { first };
    let swapped = meant.chars().eq([second, first]) && pair.contains(' ') && letter.is_alphabetic();
    if !swapped || mine.get(at + 2..) != theirs.get(at + 2..) {
        return None;
    }
    let middle = at + usize::from(first != ' ');
    let (before, after) = (mine.get(..middle)?, mine.get(middle + 1..)?);
    let is_break = |letter: char| !letter.is_alphabetic();
    Some([before.rsplit(is_break).next()?, after.split(is_break).next()?])
}

/// Whether some of its letters follow each other in no word.
fn has_odd_letters(word: &str) -> bool {
    let letters: Vec<char> = std::iter::once('^')
        .chain(word.chars().map(|letter| letter.to_ascii_lowercase()))
        .chain(['$'])
        .collect();
    word.is_ascii()
        && letters.windows(3).any(|three| {
            let [a, b, next] = three else { return false };
            let known = |line: &str| {
                line.chars().take(2).eq([*a, *b])
                    && line.chars().skip(3).any(|letter| letter == *next)
            };
            !LETTERS.lines().any(known)
        })
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
                let ends =
                    !letter.is_alphabetic() || letter.is_uppercase() && before.is_lowercase();
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

/// Whether one letter is left out, added or replaced, or two have changed places. At either end of
/// a word or in a short one that makes another word, unless no word has such letters.
fn is_slip(word: &str, meant: &str) -> bool {
    let (mine, theirs): (Vec<char>, Vec<char>) = (word.chars().collect(), meant.chars().collect());
    if !mine.iter().chain(&theirs).all(|letter| letter.is_alphabetic()) {
        return false;
    }
    let start = mine.iter().zip(&theirs).take_while(|(a, b)| a == b).count();
    let shorter = mine.len().min(theirs.len());
    let end = mine
        .iter()
        .rev()
        .zip(theirs.iter().rev())
        .take_while(|(a, b)| a == b)
        .count()
        .min(shorter - start);
    let (a, b) = (
        mine.get(start..mine.len() - end).unwrap_or_default(),
        theirs.get(start..theirs.len() - end).unwrap_or_default(),
    );
    let is_odd = || shorter >= SHORTEST_ODD && has_odd_letters(word) && !has_odd_letters(meant);
    let inside = shorter >= SHORTEST && start > 0 && end > 0;
    match (a, b) {
        ([_], [_]) => inside || is_odd(),
        ([letter], []) | ([], [letter]) => {
            letter.is_lowercase() && (inside || start > 0 && end > 0 && is_odd())
        }
        ([a, b], [c, d]) => a == d && b == c && (shorter >= SHORTEST_SWAP || is_odd()),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misspelt_and_meant() {
        let file = "read_from(x);\nfn compute_total(items: &[Item]) {}\nfn handleRequest() {}\nget_name();\nprint_block();\n";
        let lines = Lines::new(file);
        let case = |mine: &str, theirs: &str| is_misspelt(&lines, mine, theirs, "x();");
        for (mine, theirs) in [
            ("fn compute_toatl(items: &[Item]) {}", "fn compute_total(items: &[Item]) {}"),
            ("fn comqute_total(items: &[Item]) {}", "fn compute_total(items: &[Item]) {}"),
            ("fn handleRqeuest() {}", "fn handleRequest() {}"),
            // At either end of a word, or in a short one, where no word has such letters.
            ("fn qompute_total(items: &[Item]) {}", "fn compute_total(items: &[Item]) {}"),
            // A space that is a letter too late.
            ("return theb lock of it", "return the block of it"),
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
            ("fn ompute_total(items: &[Item]) {}", "fn compute_total(items: &[Item]) {}"),
            ("got_name();", "get_name();"),
            ("read_form(x);", "read_from(x);"),
            ("a - b", "a- b"),
            ("i n it", "in  it"),
        ] {
            assert!(!case(mine, theirs), "{mine}");
        }
        assert!(!is_misspelt(&lines, "handleRqeuest()", "handleRequest()", "handleRqeuest();"));
    }
}
