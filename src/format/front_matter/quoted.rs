//! Values in quotes that contain the same quotes: `'don't'`, `"say "hi" to it"`.

use super::folded;

/// What the author of a value in quotes meant.
pub(super) struct Meant {
    pub text: String,
    /// The value can't mean anything else.
    pub sure: bool,
}

/// The text that is meant by a value that begins and ends with the same quote, where YAML reads something else.
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

/// Whether a letter after a backslash means something in double quotes.
fn is_escape(letter: char) -> bool {
    letter.is_whitespace() || "0abtnvfre\"/\\N_LPxuU".contains(letter)
}

/// What a quote inside of a value looks like.
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
    use super::meant;

    #[test]
    fn quotes_around_a_value_are_no_part_of_it() {
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
}
