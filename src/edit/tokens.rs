//! Compares lines the way a parser would: the length of a run of spaces doesn't matter, but its
//! position does, and inside a string literal every character counts.

/// A part of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    /// A run of whitespace outside string literals.
    Gap,
    /// Whitespace in a string literal, or any other character.
    Sign(char),
}

/// Whether two lines differ only in the length of gaps between tokens, and in gaps just inside
/// brackets or around commas and the bars of a table.
pub fn agree(mine: &str, theirs: &str) -> bool {
    let (mine, theirs) = (parts(mine.trim()), parts(theirs.trim()));
    let (mut left, mut right) = (mine.iter().peekable(), theirs.iter().peekable());
    let table = mine.first() == Some(&Part::Sign('|')) && theirs.first() == Some(&Part::Sign('|'));
    let mut before = None;
    loop {
        match (left.peek(), right.peek()) {
            (None, None) => return true,
            (Some(Part::Sign(a)), Some(Part::Sign(b))) if a == b => {
                before = Some(*a);
                left.next();
                right.next();
            }
            (Some(Part::Gap), Some(Part::Gap)) => {
                left.next();
                right.next();
            }
            // A gap on one side only.
            (Some(Part::Gap), Some(Part::Sign(after))) if is_free(before, *after, table) => {
                left.next();
            }
            (Some(Part::Sign(after)), Some(Part::Gap)) if is_free(before, *after, table) => {
                right.next();
            }
            _ => return false,
        }
    }
}

/// Whether whitespace between these two is insignificant.
fn is_free(before: Option<char>, after: char, table: bool) -> bool {
    let word = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '"' | '\'');
    match before {
        Some(',') => true,
        Some('|') if table => true,
        Some('(' | '[' | '{') => word(after) || matches!(after, ')' | ']' | '}'),
        Some(before) => {
            matches!(after, ')' | ']' | '}') && (word(before) || matches!(before, '(' | ')'))
                || table && after == '|'
        }
        None => false,
    }
}

/// The string literals of a line, as bytes, with their quotation marks; an unclosed one reaches to
/// the end.
pub fn literals(line: &str) -> Vec<std::ops::Range<usize>> {
    let mut found = Vec::new();
    let mut open: Option<(usize, char)> = None;
    let (mut escaped, mut before) = (false, ' ');
    for (at, letter) in line.char_indices() {
        match open {
            Some(_) if escaped => escaped = false,
            Some(_) if letter == '\\' => escaped = true,
            Some((start, quote)) if letter == quote => {
                found.push(start..at + letter.len_utf8());
                open = None;
            }
            Some(_) => {}
            // An apostrophe in a word doesn't open a literal, nor does an unclosed one: `it's`,
            // `&'a str`.
            None if letter == '\''
                && (before.is_alphanumeric()
                    || !line.get(at + 1..).is_some_and(|rest| rest.contains('\''))) => {}
            None if matches!(letter, '"' | '\'' | '`') => open = Some((at, letter)),
            None => {}
        }
        before = letter;
    }
    if let Some((start, _)) = open {
        found.push(start..line.len());
    }
    found
}

fn parts(line: &str) -> Vec<Part> {
    let literals = literals(line);
    let mut inside = literals.iter().peekable();
    let mut found: Vec<Part> = Vec::with_capacity(line.len());
    for (at, letter) in line.char_indices() {
        while inside.next_if(|literal| literal.end <= at).is_some() {}
        let quoted = inside.peek().is_some_and(|literal| literal.contains(&at));
        if quoted || !letter.is_whitespace() {
            found.push(Part::Sign(letter));
        } else if found.last() != Some(&Part::Gap) {
            found.push(Part::Gap);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whitespace_that_does_not_count() {
        for (mine, theirs) in [
            ("let a  = 1;", "let a = 1;"),
            ("f(a,b)", "f(a, b)"),
            ("f( a )", "f(a)"),
            ("[1]", "[ 1 ]"),
            ("| a | b |", "|a    |b|"),
            ("say(\"a  b\",  1)", "say(\"a  b\", 1)"),
            ("it's  so", "it's so"),
        ] {
            assert!(agree(mine, theirs), "{mine} {theirs}");
        }
    }

    #[test]
    fn whitespace_that_counts() {
        for (mine, theirs) in [
            ("a b", "ab"),
            ("- -x", "--x"),
            ("a - b", "a -b"),
            ("a:b", "a: b"),
            ("x = \"a  b\"", "x = \"a b\""),
            ("x = 'a b'", "x = 'a  b'"),
            ("x = `a b`", "x = ` a b`"),
            ("x = \"\\\" a\"", "x = \"\\\"  a\""),
            ("f (x)", "f(x)"),
            ("a < b", "a<b"),
        ] {
            assert!(!agree(mine, theirs), "{mine} {theirs}");
        }
    }
}
