//! Writes scalars: plain if that reads back as the same text, otherwise in the quotes that need
//! fewer escapes.

use super::resolve::{ScalarType, plain_type};

/// Words that YAML 1.1 readers treat as booleans, and that are therefore quoted.
const OLD_BOOLEANS: [&str; 6] = ["yes", "no", "on", "off", "y", "n"];

/// `value` as written after `key: ` in block style: plain if it reads back as the same string,
/// otherwise quoted.
pub fn print_scalar(value: &str) -> String {
    if is_plain(value) { value.to_string() } else { quote(value) }
}

/// The same between brackets, where `,[]{}` need quotes too.
pub fn print_flow_scalar(value: &str) -> String {
    let split = value.contains([',', '[', ']', '{', '}', '"', '\'', ':', '#']);
    if is_plain(value) && !split { value.to_string() } else { quote(value) }
}

/// Quotes `text` if necessary: the fix for a value that YAML misreads.
pub fn quote_if_needed(text: &str) -> String {
    print_scalar(text)
}

/// `text` in quotes: double ones, or single ones if it contains `"` or `\` and no character that
/// must be escaped.
pub fn quote(text: &str) -> String {
    let awkward = text.contains(['"', '\\']);
    if awkward && !text.chars().any(needs_escape) {
        return format!("'{}'", text.replace('\'', "''"));
    }
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for character in text.chars() {
        match character {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            other if needs_escape(other) && u32::from(other) < 0x100 => {
                quoted.push_str(&format!("\\x{:02X}", u32::from(other)))
            }
            other if needs_escape(other) => {
                quoted.push_str(&format!("\\u{:04X}", u32::from(other)))
            }
            other => quoted.push(other),
        }
    }
    quoted.push('"');
    quoted
}

/// Characters that YAML can't print or that break lines.
fn needs_escape(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{2028}' | '\u{2029}' | '\u{FEFF}' | '\u{FFFE}' | '\u{FFFF}')
}

/// Whether `key: value` reads back as this string in block style, with this reader and older ones.
fn is_plain(value: &str) -> bool {
    let mut characters = value.chars();
    let (Some(first), second) = (characters.next(), characters.next()) else { return false };
    let starts = match first {
        '-' | '?' | ':' => second.is_some_and(|next| {
            !next.is_whitespace() && next != first && !matches!(next, ',' | '[' | ']' | '{' | '}')
        }),
        ',' | '[' | ']' | '{' | '}' | '#' | '&' | '*' | '!' | '|' | '>' | '\'' | '"' | '%'
        | '@' | '`' | '=' | '<' => false,
        other => !other.is_whitespace(),
    };
    let marker = value.starts_with("---") || value.starts_with("...");
    let inner = !value.contains(": ")
        && !value.contains(" #")
        && !value.ends_with([':', ' '])
        && !value.chars().any(needs_escape);
    let old = OLD_BOOLEANS.iter().any(|word| value.eq_ignore_ascii_case(word));
    starts
        && !marker
        && inner
        && !old
        && !value.ends_with(char::is_whitespace)
        && plain_type(value) == ScalarType::Str
}
