//! Upper, lower and title case, character by character as in Go: `ß` stays, because its uppercase
//! is two characters.

/// The capital of a character, or the character.
pub fn upper(char: char) -> char {
    match char {
        // Unicode's full mapping gives two characters; Go's table has one.
        '\u{1f80}'..='\u{1f87}' | '\u{1f90}'..='\u{1f97}' | '\u{1fa0}'..='\u{1fa7}' => {
            shifted(char, 8)
        }
        '\u{1fb3}' | '\u{1fc3}' | '\u{1ff3}' => shifted(char, 9),
        _ => single(char.to_uppercase(), char),
    }
}

pub fn lower(char: char) -> char {
    if char == 'İ' { 'i' } else { single(char.to_lowercase(), char) }
}

/// Capitalizes the first letter of every word and keeps the rest. Inside a word, Go counts `_` as a
/// letter, but not `'`.
pub fn title(text: &str) -> String {
    let mut previous = ' ';
    text.chars()
        .map(|char| {
            let starts = is_separator(previous);
            previous = char;
            if starts { title_char(char) } else { char }
        })
        .collect()
}

fn title_char(char: char) -> char {
    match char {
        'Ǆ' | 'ǅ' | 'ǆ' => 'ǅ',
        'Ǉ' | 'ǈ' | 'ǉ' => 'ǈ',
        'Ǌ' | 'ǋ' | 'ǌ' => 'ǋ',
        'Ǳ' | 'ǲ' | 'ǳ' => 'ǲ',
        // Georgian has capitals for whole words in uppercase, but not for title case.
        'ა'..='ჺ' | 'ჽ'..='ჿ' => char,
        _ => upper(char),
    }
}

fn is_separator(char: char) -> bool {
    if char.is_ascii() {
        !(char.is_ascii_alphanumeric() || char == '_')
    } else {
        char.is_whitespace()
    }
}

fn single(mut mapped: impl ExactSizeIterator<Item = char>, char: char) -> char {
    if mapped.len() == 1 { mapped.next().unwrap_or(char) } else { char }
}

fn shifted(char: char, distance: u32) -> char {
    char::from_u32(u32::from(char) + distance).unwrap_or(char)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mdl_14_case_changes_character_by_character() {
        let upper = |text: &str| text.chars().map(upper).collect::<String>();
        let lower = |text: &str| text.chars().map(lower).collect::<String>();
        assert_eq!(upper("Ünï ß ŉ ᾀ ǆ ა"), "ÜNÏ ß ŉ ᾈ Ǆ Ა");
        assert_eq!(lower("ÜNÏ ΣΑΣ İ Ა"), "ünï σασ i ა");
        assert_eq!(
            title("ünï ß ǆ o'neil foo_bar foo-bar aB 日x ა"),
            "Ünï ß ǅ O'Neil Foo_bar Foo-Bar AB 日x ა"
        );
        assert_eq!(title("a\u{a0}b\u{2003}c\u{301}d"), "A\u{a0}B\u{2003}C\u{301}d");
    }
}
