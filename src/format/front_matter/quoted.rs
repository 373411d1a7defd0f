//! Values in quotes that contain the same quotes: `'don't'`, `"say "hi" to it"`.

use super::{broken, folded};

/// What the author of a value in quotes meant.
pub(super) struct Meant {
    pub text: String,
    /// The value can't mean anything else.
    pub sure: bool,
}

/// The intended text of a value that begins and ends with the same quote and that YAML reads
/// differently.
pub(super) fn meant(value: &str) -> Option<Meant> {
    let quote = value.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
    let inside = value.strip_prefix(quote)?.strip_suffix(quote)?;
    if inside.ends_with('\\') {
        return None;
    }
    let marks = marks(inside, quote);
    // `"a" and "b"` begins and ends with words in quotes.
    if let Some(first) = marks.first().filter(|_| marks.len().is_multiple_of(2))
        && *first != Mark::Opening
    {
        let sure = quote == '"' && *first == Mark::Closing && !value.contains('\\');
        return Some(Meant { text: folded(value), sure });
    }
    let mut text = inside.replace("\\\"", "\"").replace("\\'", "'");
    if quote == '\'' {
        text = text.replace("''", "'");
    }
    // Other escapes mean something in double quotes; one that YAML doesn't know is text.
    let unknown = text.split('\\').skip(1).all(|after| !after.starts_with(is_escape));
    let sure =
        quote == '\'' || !text.contains('\\') || inside.matches('\\').count() == 1 && unknown;
    Some(Meant { text: folded(&text), sure })
}

/// Whether a backslash and this letter are an escape in double quotes.
fn is_escape(letter: char) -> bool {
    letter.is_whitespace() || "0abtnvfre\"/\\N_LPxuU".contains(letter)
}

/// The starts of lines at column 0 inside quoted values, which YAML requires to be indented. Empty
/// if a quote is never closed, or text follows it.
pub fn astray(text: &str) -> Vec<usize> {
    let mut found = Vec::new();
    let mut open: Option<char> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let content = line.trim_end();
        let (quote, inside) = match open {
            Some(quote) => {
                if !content.is_empty() && !line.starts_with([' ', '\t']) {
                    found.push(start);
                }
                (quote, content)
            }
            None => {
                let value = broken::key(content).and_then(|key| content.get(key.len() + 1..));
                let value = value.unwrap_or_default().trim_start();
                let Some(quote) = value.chars().next().filter(|first| matches!(first, '"' | '\''))
                else {
                    continue;
                };
                (quote, value.get(1..).unwrap_or_default())
            }
        };
        open = match after_quote(inside, quote) {
            Some(rest) if open.is_none() || is_end(rest) => None,
            Some(_) => return Vec::new(),
            None => Some(quote),
        };
    }
    if open.is_some() { Vec::new() } else { found }
}

/// Whether only a comment follows a value.
fn is_end(rest: &str) -> bool {
    rest.trim().is_empty() || rest.starts_with([' ', '\t']) && rest.trim_start().starts_with('#')
}

/// The rest of the line after the quote that closes a value.
fn after_quote(text: &str, quote: char) -> Option<&str> {
    let mut letters = text.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        if letter == '\\' && quote == '"' {
            letters.next();
        } else if letter == quote {
            let doubled = quote == '\'' && letters.peek().is_some_and(|(_, next)| *next == quote);
            if !doubled {
                return text.get(at + 1..);
            }
            letters.next();
        }
    }
    None
}

/// The role of a quote inside a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mark {
    Opening,
    Closing,
    /// Between two words, or alone.
    Unclear,
}

/// The quotes inside of a value, except those with a backslash, apostrophes and `''`.
fn marks(inside: &str, quote: char) -> Vec<Mark> {
    let mut found = Vec::new();
    let mut before = ' ';
    let mut letters = inside.chars().peekable();
    while let Some(letter) = letters.next() {
        let after = letters.peek().copied().unwrap_or(' ');
        if letter == '\\' && matches!(after, '\\' | '"' | '\'') {
            before = letters.next().unwrap_or(letter);
            continue;
        }
        if letter == quote && quote == '\'' && after == quote {
            before = letters.next().unwrap_or(letter);
            continue;
        }
        let apostrophe = quote == '\'' && before.is_alphanumeric() && after.is_alphanumeric();
        if letter == quote && !apostrophe {
            let begins = before.is_whitespace() || matches!(before, '(' | '[' | '{' | '=' | ':');
            let ends = after.is_whitespace() || after.is_ascii_punctuation();
            found.push(match (begins, ends) {
                (true, false) => Mark::Opening,
                (false, true) => Mark::Closing,
                _ => Mark::Unclear,
            });
        }
        before = letter;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{astray, meant};

    #[test]
    fn quotes_around_a_value_are_not_part_of_it() {
        for (value, text, sure) in [
            (r"'FRs don\'t include details'", "FRs don't include details", true),
            ("'don't do it'", "don't do it", true),
            ("'it''s 日本 and don't'", "it's 日本 and don't", true),
            ("'the users' data'", "the users' data", true),
            ("'say 'hi' to it'", "say 'hi' to it", true),
            ("'don't\n  do it'", "don't do it", true),
            (r"'don\'t say \'no\''", "don't say 'no'", true),
            (r#""a\'b""#, "a'b", true),
            (r#""say \"hi\" and don\'t""#, "say \"hi\" and don't", true),
            ("\"say \"hi\" to 🦆\"", "say \"hi\" to 🦆", true),
            (r#""**/\*.ts""#, r"**/\*.ts", true),
            (r#""a\n don\'t""#, r"a\n don't", false),
            ("\"line one\\nsays \"hi\"\"", r#"line one\nsays "hi""#, false),
            // The quotes belong to words.
            ("\"hi\" and \"no\"", "\"hi\" and \"no\"", true),
            ("'hi' and 'no'", "'hi' and 'no'", false),
            ("\"a\"b\"c\"", "\"a\"b\"c\"", false),
        ] {
            let found = meant(value).unwrap();
            assert_eq!((found.text.as_str(), found.sure), (text, sure), "{value}");
        }
        for value in ["", "'", "a", "'a", "\"a'", r#""a\""#, "🦆"] {
            assert!(meant(value).is_none(), "{value}");
        }
    }

    #[test]
    fn lines_of_quoted_values_that_are_not_indented() {
        for (text, lines) in [
            ("a: \"b\nc: d 日本\n\n e\nf\" # g\nh: i\n", &["c: d 日本", "f\" # g"] as &[&str]),
            ("a: 'it''s\nb'\r\n", &["b'"]),
            ("a: \"\\\"\nb\"\nc: \"d\"\n", &["b\""]),
            ("a: \"b\n  c\"\nd: e\n", &[]),
            ("a: \"b\nc: \"d\"\n", &[]),
            ("a: \"b\nc: d\n", &[]),
            ("a: \"b\" c\nd: e\n", &[]),
            ("a: 🦆\n", &[]),
        ] {
            let found: Vec<&str> =
                astray(text).into_iter().map(|at| text[at..].lines().next().unwrap()).collect();
            assert_eq!(found, lines, "{text:?}");
        }
    }
}
