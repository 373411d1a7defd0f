//! Paths as destinations of links.

use std::fmt::Write as _;

/// How destinations are written at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// `[a](path)`, `[a]: path`
    Bare,
    /// The same, with balanced parentheses in the path.
    Parentheses,
    /// `[a](<path>)`
    Brackets,
}

impl Style {
    /// The style at the end of `before`, the text up to a destination, which is now `old`. `None`
    /// if no destination begins there.
    pub fn after(before: &str, old: &str) -> Option<Self> {
        let (before, brackets) = match before.strip_suffix('<') {
            Some(before) => (before, true),
            None => (before, false),
        };
        let before = before.trim_end();
        if !before.ends_with("](") && !before.ends_with("]:") {
            return None;
        }
        Some(match brackets {
            true => Self::Brackets,
            false if old.contains('(') => Self::Parentheses,
            false => Self::Bare,
        })
    }
}

/// A path as a destination, percent-encoded where it would end the destination, mean something
/// else in it, or look like anything but a relative path.
pub fn write(path: &str, style: Style) -> String {
    let parentheses = match style {
        Style::Bare => false,
        Style::Parentheses => balanced(path),
        Style::Brackets => true,
    };
    let mut out = String::with_capacity(path.len());
    for (at, letter) in path.char_indices() {
        let stays = match letter {
            '(' | ')' => parentheses,
            ' ' => style == Style::Brackets && at > 0 && at + 1 < path.len(),
            '#' | '?' | '%' | '&' | '<' | '>' | '\\' | '`' | '"' | '\'' | '*' | '{' | '}' | '$'
            | '|' | ':' => false,
            '~' => at > 0,
            // `...` looks like an abbreviation.
            '.' => !out.ends_with(".."),
            letter => !letter.is_control() && !letter.is_whitespace(),
        };
        if stays {
            out.push(letter);
        } else {
            for byte in letter.encode_utf8(&mut [0; 4]).bytes() {
                let _ = write!(out, "%{byte:02X}");
            }
        }
    }
    out
}

fn balanced(path: &str) -> bool {
    let mut open = 0_usize;
    for letter in path.chars() {
        open = match letter {
            '(' => open + 1,
            ')' => match open.checked_sub(1) {
                Some(open) => open,
                None => return false,
            },
            _ => open,
        };
    }
    open == 0
}

#[cfg(test)]
mod tests {
    use super::{Style, write};

    #[test]
    fn styles_follow_the_existing_text() {
        for (before, old, style) in [
            ("See [a](", "b.md", Some(Style::Bare)),
            ("[a]( <", "b.md", Some(Style::Brackets)),
            ("[a]:\n  ", "b(1).md", Some(Style::Parentheses)),
            ("[a]: <", "b(1).md", Some(Style::Brackets)),
            ("@", "b.md", None),
            ("<", "b.md", None),
        ] {
            assert_eq!(Style::after(before, old), style, "{before}");
        }
        assert_eq!(write("a (1)/日本 🦆#.md", Style::Bare), "a%20%281%29/日本%20🦆%23.md");
        assert_eq!(write("a (1)/x.md", Style::Parentheses), "a%20(1)/x.md");
        assert_eq!(write("a)(.md", Style::Parentheses), "a%29%28.md");
        assert_eq!(write("a (1/<x>.md", Style::Brackets), "a (1/%3Cx%3E.md");
        assert_eq!(write("../../a...b/~c.md", Style::Bare), "../../a..%2Eb/~c.md");
    }
}
