//! Text quoted for other languages: Go's `%q`, HTML, JavaScript and the query of a URL.

use std::fmt::Write;

/// A Go string constant; ASCII only on request.
pub fn quote(text: &str, ascii: bool) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    text.chars().for_each(|char| push_quoted(&mut out, char, '"', ascii));
    out.push('"');
    out
}

/// A Go character constant.
pub fn quote_char(char: char, ascii: bool) -> String {
    let mut out = String::from("'");
    push_quoted(&mut out, char, '\'', ascii);
    out.push('\'');
    out
}

fn push_quoted(out: &mut String, char: char, quote: char, ascii: bool) {
    match char {
        '\\' => out.push_str("\\\\"),
        _ if char == quote => out.extend(['\\', char]),
        _ if is_printable(char) && (char.is_ascii() || !ascii) => out.push(char),
        '\u{7}' => out.push_str("\\a"),
        '\u{8}' => out.push_str("\\b"),
        '\u{c}' => out.push_str("\\f"),
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        '\u{b}' => out.push_str("\\v"),
        _ => {
            let code = u32::from(char);
            let _ = match code {
                0..0x20 | 0x7f => write!(out, "\\x{code:02x}"),
                0..0x10000 => write!(out, "\\u{code:04x}"),
                _ => write!(out, "\\U{code:08x}"),
            };
        }
    }
}

/// Letters, marks, numbers, punctuation, symbols and the space, and nothing else.
pub fn is_printable(char: char) -> bool {
    if char.is_ascii() {
        return !char.is_ascii_control();
    }
    // The standard library's table is private. It escapes a mark only at the start of a string.
    let mut text = [0; 5];
    text[0] = b'a';
    let length = 1 + text.get_mut(1..).map_or(0, |rest| char.encode_utf8(rest).len());
    let text = text.get(..length).and_then(|bytes| std::str::from_utf8(bytes).ok()).unwrap_or("");
    text.escape_debug().nth(1) == Some(char)
}

/// Whether a raw Go string can represent it.
pub fn can_backquote(text: &str) -> bool {
    text.chars()
        .all(|char| char == '\t' || !(char.is_ascii_control() || char == '`' || char == '\u{feff}'))
}

pub fn html(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            '\0' => out.push('\u{fffd}'),
            '"' => out.push_str("&#34;"),
            '\'' => out.push_str("&#39;"),
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            _ => out.push(char),
        }
    }
    out
}

pub fn javascript(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            '\\' | '\'' | '"' => out.extend(['\\', char]),
            '<' | '>' | '&' | '=' | '\0'..' ' => _ = write!(out, "\\u{:04X}", u32::from(char)),
            '\u{80}'.. if !is_printable(char) => _ = write!(out, "\\u{:04X}", u32::from(char)),
            _ => out.push(char),
        }
    }
    out
}

pub fn url_query(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => {
                out.push(char::from(byte))
            }
            b' ' => out.push('+'),
            _ => _ = write!(out, "%{byte:02X}"),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn go_quotes() {
        assert_eq!(quote("a\"b\\c\n\t\u{7}\u{1}\u{7f}", false), r#""a\"b\\c\n\t\a\x01\x7f""#);
        assert_eq!(
            quote("é\u{301}日🦆\u{a0}\u{200b}\u{e000}\u{e0001}'", false),
            "\"é\u{301}日🦆\\u00a0\\u200b\\ue000\\U000e0001'\""
        );
        assert_eq!(quote("é🦆", true), r#""\u00e9\U0001f986""#);
        assert_eq!(quote_char('\'', false), r"'\''");
        assert_eq!(quote_char('"', false), "'\"'");
        assert!(
            can_backquote("a\tb\"é")
                && !can_backquote("a`")
                && !can_backquote("\n")
                && !can_backquote("\u{feff}")
        );
    }

    #[test]
    fn mdl_14_html_javascript_and_urls() {
        let text = "<a href='x'>\"&\0=\\ é\u{2028}\n~+";
        assert_eq!(html(text), "&lt;a href=&#39;x&#39;&gt;&#34;&amp;\u{fffd}=\\ é\u{2028}\n~+");
        assert_eq!(
            javascript(text),
            "\\u003Ca href\\u003D\\'x\\'\\u003E\\\"\\u0026\\u0000\\u003D\\\\ é\\u2028\\u000A~+"
        );
        assert_eq!(url_query(text), "%3Ca+href%3D%27x%27%3E%22%26%00%3D%5C+%C3%A9%E2%80%A8%0A~%2B");
    }
}
