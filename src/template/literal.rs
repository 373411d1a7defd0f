//! String and character constants: their values, with escapes resolved.

/// An unknown escape: its bytes in the constant.
pub(super) type BadEscape = std::ops::Range<usize>;

/// The value of a double-quoted string. Invalid bytes become replacement characters.
pub(super) fn unquote(literal: &str) -> Result<String, BadEscape> {
    let body =
        literal.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or_default();
    if !body.contains('\\') {
        return Ok(body.to_owned());
    }
    let (mut bytes, mut at) = (Vec::new(), 0);
    while let Some(character) = body.get(at..).and_then(|rest| rest.chars().next()) {
        if character == '\\' {
            let rest = body.get(at..).unwrap_or_default();
            let (value, length) =
                escape(rest, '"').ok_or_else(|| at + 1..at + 1 + broken_length(rest))?;
            match value {
                Escaped::Byte(byte) => bytes.push(byte),
                Escaped::Character(character) => {
                    bytes.extend(character.encode_utf8(&mut [0; 4]).bytes())
                }
            }
            at += length;
        } else {
            bytes.extend(character.encode_utf8(&mut [0; 4]).bytes());
            at += character.len_utf8();
        }
    }
    Ok(String::from_utf8(bytes)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()))
}

/// The value of a raw string: its content without carriage returns.
pub(super) fn unquote_raw(literal: &str) -> String {
    let body = literal.strip_prefix('`').unwrap_or(literal);
    body.strip_suffix('`').unwrap_or(body).replace('\r', "")
}

/// Errors in a character constant.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum BadCharacter {
    Escape(BadEscape),
    /// It contains no character, or several.
    Malformed,
}

/// The character of a constant such as `'x'`.
pub(super) fn unquote_character(literal: &str) -> Result<char, BadCharacter> {
    let body =
        literal.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')).unwrap_or_default();
    let (character, length) = match body.chars().next() {
        Some('\\') => match escape(body, '\'') {
            Some((Escaped::Byte(byte), length)) => (char::from(byte), length),
            Some((Escaped::Character(character), length)) => (character, length),
            None => return Err(BadCharacter::Escape(1..1 + broken_length(body))),
        },
        Some(character) => (character, character.len_utf8()),
        None => return Err(BadCharacter::Malformed),
    };
    if length == body.len() { Ok(character) } else { Err(BadCharacter::Malformed) }
}

enum Escaped {
    Byte(u8),
    Character(char),
}

/// The escape at the start of `text`, and its length.
fn escape(text: &str, quote: char) -> Option<(Escaped, usize)> {
    let letter = text.chars().nth(1)?;
    let number = |from: usize, digits: usize, radix: u32| {
        let digits = text.get(from..from + digits)?;
        let plain = digits.chars().all(|digit| digit.is_digit(radix));
        plain.then(|| u32::from_str_radix(digits, radix).ok()).flatten()
    };
    let simple = |character| Some((Escaped::Character(character), 2));
    match letter {
        'a' => simple('\u{7}'),
        'b' => simple('\u{8}'),
        'f' => simple('\u{c}'),
        'n' => simple('\n'),
        'r' => simple('\r'),
        't' => simple('\t'),
        'v' => simple('\u{b}'),
        '\\' => simple('\\'),
        '\'' | '"' if letter == quote => simple(quote),
        'x' => Some((Escaped::Byte(u8::try_from(number(2, 2, 16)?).ok()?), 4)),
        '0'..='7' => Some((Escaped::Byte(u8::try_from(number(1, 3, 8)?).ok()?), 4)),
        'u' => Some((Escaped::Character(char::from_u32(number(2, 4, 16)?)?), 6)),
        'U' => Some((Escaped::Character(char::from_u32(number(2, 8, 16)?)?), 10)),
        _ => None,
    }
}

/// The length of an unknown escape: the backslash, its letter and possible digits.
fn broken_length(text: &str) -> usize {
    let mut characters = text.chars().skip(1);
    let Some(letter) = characters.next() else { return text.len().min(1) };
    let most = match letter {
        'x' => 2,
        'u' => 4,
        'U' => 8,
        '0'..='7' => 2,
        _ => 0,
    };
    1 + letter.len_utf8() + characters.take(most).take_while(char::is_ascii_hexdigit).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mdl_13_escapes_mean_the_same_as_in_go() {
        let cases = [
            (r#""""#, ""),
            (r#""plain é🦆""#, "plain é🦆"),
            (r#""\a\b\f\n\r\t\v\\\"""#, "\u{7}\u{8}\u{c}\n\r\t\u{b}\\\""),
            (r#""\x41\101\u00e9\U0001f986""#, "AAé🦆"),
            (r#""\xc3\xa9""#, "é"),
            (r#""\xff""#, "\u{fffd}"),
        ];
        for (literal, value) in cases {
            assert_eq!(unquote(literal).as_deref(), Ok(value), "{literal}");
        }
        assert_eq!(unquote_raw("`a\\n\r\nb`"), "a\\n\nb");
        for (literal, character) in
            [("'x'", 'x'), ("'é'", 'é'), (r"'\''", '\''), (r"'\n'", '\n'), (r"'\x41'", 'A')]
        {
            assert_eq!(unquote_character(literal), Ok(character), "{literal}");
        }
    }

    #[test]
    fn unknown_escapes_are_located() {
        for (literal, bad) in [
            (r#""a\qb""#, r"\q"),
            (r#""\'""#, r"\'"),
            (r#""\x4g""#, r"\x4"),
            (r#""\ud800""#, r"\ud800"),
            (r#""\777""#, r"\777"),
            (r#""é\é""#, r"\é"),
        ] {
            let span = unquote(literal).unwrap_err();
            assert_eq!(literal.get(span), Some(bad), "{literal}");
        }
        assert_eq!(unquote_character("''"), Err(BadCharacter::Malformed));
        assert_eq!(unquote_character("'ab'"), Err(BadCharacter::Malformed));
        assert_eq!(unquote_character(r"'\q'"), Err(BadCharacter::Escape(1..3)));
        assert_eq!(unquote_character(r#"'\"'"#), Err(BadCharacter::Escape(1..3)));
    }
}
