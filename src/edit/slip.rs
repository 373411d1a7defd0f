//! Tells a misspelt word from a different one: the conditions under which a typo needs no consent.

use memchr::memmem;

use super::lines::Lines;
use super::vocabulary::{is_frequent, is_known};

/// A shorter word is too often one letter away from another one, unless its letters occur in no
/// word.
const SHORTEST: usize = 5;
/// A shorter word can be an abbreviation of anything.
const SHORTEST_ODD: usize = 4;
/// A transposition in a word of this length is rarely another word.
const SHORTEST_SWAP: usize = 4;
/// Shorter words are in use as abbreviations.
const SHORTEST_WORD: usize = 3;

/// The letters that follow two others in words of code and prose, a line for each two; `^` is the
/// start of a word and `$` its end.
const LETTERS: &str = include_str!("letters.txt");

/// The certainty of a misspelling.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Misspelling {
    /// The word isn't in use, and the intended one is common.
    Plain,
    /// The intended word isn't common: it may be a name.
    Likely,
}

/// Whether a line of the SEARCH text is the file's line with one misspelt word, and can't be
/// another line: the misspelt word doesn't occur in the file, and the REPLACE text doesn't use it.
pub fn misspelling(target: &Lines, mine: &str, theirs: &str, new: &str) -> Option<Misspelling> {
    let (mine, theirs) = (mine.trim(), theirs.trim());
    let is_unknown = |word: &str| {
        !is_known(&word.to_lowercase()) && !new.contains(word) && !has_piece(target.text(), word)
    };
    match differing_words(mine, theirs) {
        Some((word, meant)) => {
            let plain = word.len() >= SHORTEST_WORD
                && is_frequent(&meant.to_lowercase())
                && change(word, meant).is_some();
            let found = if plain { Misspelling::Plain } else { Misspelling::Likely };
            ((plain || is_slip(word, meant)) && is_unknown(word)).then_some(found)
        }
        None => {
            let is_long_unknown = |word: &str| word.len() >= SHORTEST_SWAP && is_unknown(word);
            if is_unbalanced(mine, theirs) {
                return Some(Misspelling::Plain);
            }
            let moved = || {
                moved_break(mine, theirs).is_some_and(|all| all.into_iter().any(is_long_unknown))
            };
            (joined_word(mine, theirs).is_some_and(is_long_unknown) || moved())
                .then_some(Misspelling::Likely)
        }
    }
}

/// The common prefix and suffix of two lines, in bytes.
fn common_ends(mine: &str, theirs: &str) -> (usize, usize) {
    let same = |(a, b): &(char, char)| a == b;
    let start: usize =
        mine.chars().zip(theirs.chars()).take_while(same).map(|(a, _)| a.len_utf8()).sum();
    let most = mine.len().min(theirs.len()) - start;
    let mut end = 0;
    for (a, b) in mine.chars().rev().zip(theirs.chars().rev()) {
        if a != b || end + a.len_utf8() > most {
            break;
        }
        end += a.len_utf8();
    }
    (start, end)
}

/// Whether a bracket or quotation mark within the line is missing, added or replaced: if all
/// surrounding lines are equal, only one of the two lines can be valid.
fn is_unbalanced(mine: &str, theirs: &str) -> bool {
    const PAIRS: [(char, char); 3] = [('(', ')'), ('[', ']'), ('{', '}')];
    let (start, end) = common_ends(mine, theirs);
    let part = |line: &str| line.get(start..line.len() - end).map(|part| part.chars().count());
    let single = part(mine).is_some_and(|count| count <= 1)
        && part(theirs).is_some_and(|count| count <= 1)
        && start > 0
        && end > 0;
    let count = |line: &str, sign: char| line.matches(sign).count();
    // Brackets beyond their counterparts; both lines have the same ends.
    let open = |line: &str| {
        PAIRS.map(|(opens, closes)| count(line, opens).wrapping_sub(count(line, closes)))
    };
    single && (open(mine) != open(theirs) || count(mine, '"') % 2 != count(theirs, '"') % 2)
}

/// The word of the SEARCH text with a letter in place of punctuation or a space.
fn joined_word<'a>(mine: &'a str, theirs: &str) -> Option<&'a str> {
    let (start, end) = common_ends(mine, theirs);
    let (new, old) = (mine.get(start..mine.len() - end)?, theirs.get(start..theirs.len() - end)?);
    let mut letters = (new.chars(), old.chars());
    let (letter, sign) = (letters.0.next()?, letters.1.next()?);
    let one = letters.0.next().is_none() && letters.1.next().is_none();
    if !one || !letter.is_alphabetic() || sign.is_alphanumeric() {
        return None;
    }
    let from = mine.get(..start)?.rfind(|letter: char| !letter.is_alphabetic());
    let begin = from.map_or(0, |at| at + 1);
    mine.get(begin..)?.split(|letter: char| !letter.is_alphabetic()).next()
}

/// Two words with the space between them one letter early or late, as in the SEARCH text.
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

/// Whether the word has letters that never follow each other.
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

/// The only two pieces that differ, if everything else is the same.
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

/// Whether a word is a piece of a name, in lower case, upper case or capitalised:
/// `parseHTTP_request2` has `parse`, `HTTP`, `request` and `2`.
fn has_piece(text: &str, word: &str) -> bool {
    let lower = word.to_lowercase();
    let mut letters = lower.chars();
    let capital: String =
        letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect();
    [word, &lower, &lower.to_uppercase(), &capital].into_iter().any(|spelling| {
        memmem::find_iter(text.as_bytes(), spelling.as_bytes()).any(|start| {
            // Within the surrounding run of letters, split like the run.
            let before = text.get(..start).unwrap_or_default();
            let from = before.rfind(|letter: char| !letter.is_alphabetic()).map_or(0, |at| {
                at + before.get(at..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8)
            });
            let run = text.get(from..).unwrap_or_default();
            let run = run.split(|letter: char| !letter.is_alphabetic()).next().unwrap_or_default();
            all_pieces(run).any(|piece| piece == spelling)
        })
    })
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

/// The one letter, or the two swapped ones, by which a word differs from another.
struct Change {
    mine: Vec<char>,
    theirs: Vec<char>,
    /// Letters before and after are the same.
    is_inside: bool,
    /// Letters of the shorter word.
    length: usize,
}

fn change(word: &str, meant: &str) -> Option<Change> {
    let (mine, theirs): (Vec<char>, Vec<char>) = (word.chars().collect(), meant.chars().collect());
    if !mine.iter().chain(&theirs).all(|letter| letter.is_alphabetic()) {
        return None;
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
    let part = |letters: &[char]| letters.get(start..letters.len() - end).map(<[char]>::to_vec);
    let (a, b) = (part(&mine)?, part(&theirs)?);
    let one = match (a.as_slice(), b.as_slice()) {
        ([_], [_]) => true,
        ([letter], []) | ([], [letter]) => letter.is_lowercase(),
        ([a, b], [c, d]) => a == d && b == c,
        _ => false,
    };
    let is_inside = start > 0 && end > 0;
    one.then_some(Change { mine: a, theirs: b, is_inside, length: shorter })
}

/// Whether one letter is missing, added or replaced, or two are swapped. At either end of a word,
/// or in a short one, that makes another word, unless its letters occur in no word.
fn is_slip(word: &str, meant: &str) -> bool {
    let Some(change) = change(word, meant) else { return false };
    let is_odd =
        || change.length >= SHORTEST_ODD && has_odd_letters(word) && !has_odd_letters(meant);
    let inside = change.length >= SHORTEST && change.is_inside;
    match (change.mine.len(), change.theirs.len()) {
        (1, 1) => inside || is_odd(),
        (2, 2) => change.length >= SHORTEST_SWAP || is_odd(),
        _ => inside || change.is_inside && is_odd(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misspelt_and_intended_words() {
        let file = "read_from(x);\nfn compute_total(items: &[Item]) {}\nfn handleRequest() {}\nget_name();\nprint_block();\n";
        let lines = Lines::new(file);
        let case = |mine: &str, theirs: &str| misspelling(&lines, mine, theirs, "x();").is_some();
        for (mine, theirs) in [
            ("fn compute_toatl(items: &[Item]) {}", "fn compute_total(items: &[Item]) {}"),
            ("fn comqute_total(items: &[Item]) {}", "fn compute_total(items: &[Item]) {}"),
            ("fn handleRqeuest() {}", "fn handleRequest() {}"),
            // At either end of a word, or in a short word, if no word has such letters.
            ("fn qompute_total(items: &[Item]) {}", "fn compute_total(items: &[Item]) {}"),
            ("fn ompute_total(items: &[Item]) {}", "fn compute_total(items: &[Item]) {}"),
            // A letter in place of a punctuation mark, and a missing bracket.
            ("handleRequestq);", "handleRequest();"),
            ("fn computeqtotal(items: &[Item]) {}", "fn compute_total(items: &[Item]) {}"),
            ("fn handleRequest) {}", "fn handleRequest() {}"),
            // A space that is one letter late.
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
            ("got_name();", "get_name();"),
            ("read_form(x);", "read_from(x);"),
            ("handleRequest(", "handleRequest()"),
            ("a.b", "a-b"),
            ("a - b", "a- b"),
            ("i n it", "in  it"),
        ] {
            assert!(!case(mine, theirs), "{mine}");
        }
        assert_eq!(
            misspelling(&lines, "handleRqeuest()", "handleRequest()", "handleRqeuest();"),
            None
        );
    }
}
