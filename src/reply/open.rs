//! Text in code that is still open at the end of a fence, so that the fence may end in the middle of
//! it: a string of several lines, a comment, a heredoc.

/// Whether the last line of some code is within a string, a comment or a heredoc.
pub(super) fn is_open<'t>(lines: impl Iterator<Item = &'t str>) -> bool {
    let mut state = State::Code;
    for line in lines {
        state = after(state, line);
    }
    state != State::Code
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State<'t> {
    Code,
    /// Up to this end.
    Until(&'static str),
    /// Up to a line that is this word.
    Heredoc(&'t str),
}

const PAIRS: [(&str, &str); 5] =
    [("\"\"\"", "\"\"\""), ("'''", "'''"), ("/*", "*/"), ("<!--", "-->"), ("r#\"", "\"#")];

fn after<'t>(mut state: State<'t>, line: &'t str) -> State<'t> {
    let mut rest = line;
    loop {
        match state {
            State::Heredoc(word) => {
                return if line.trim().trim_end_matches([';', ',', ')']) == word {
                    State::Code
                } else {
                    state
                };
            }
            State::Until(end) => match rest.split_once(end) {
                Some((_, after)) => (state, rest) = (State::Code, after),
                None => return state,
            },
            State::Code => {
                // A string or a comment of one line may contain any sign.
                let Some((at, end, length)) = opening(rest) else {
                    return heredoc(line).map_or(State::Code, State::Heredoc);
                };
                (state, rest) = (State::Until(end), rest.get(at + length..).unwrap_or_default());
            }
        }
    }
}

/// The first sign that opens a text outside the strings and comments of a line: where it is, its
/// end, and its length.
fn opening(line: &str) -> Option<(usize, &'static str, usize)> {
    let mut at = 0;
    while let Some(rest) = line.get(at..).filter(|rest| !rest.is_empty()) {
        let begins = PAIRS.iter().find(|(open, _)| rest.starts_with(open));
        // `src/*` is a pattern.
        let pattern = |open: &str| {
            open == "/*"
                && line.get(..at).is_some_and(|b| {
                    b.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '*' | '/' | '.'))
                })
        };
        if let Some((open, end)) = begins.filter(|(open, _)| !pattern(open)) {
            return Some((at, end, open.len()));
        }
        let comment = rest.starts_with("//") || rest.starts_with("# ") || rest.starts_with("-- ");
        if comment && line.get(..at).is_none_or(|before| !before.ends_with(':')) {
            return None;
        }
        let first = rest.chars().next()?;
        at += match first {
            '"' | '\'' => quoted(rest, first),
            _ => first.len_utf8(),
        };
    }
    None
}

/// The length of a string that begins here, or of its quote if the line doesn't end it.
fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, letter) in text.char_indices().skip(1) {
        if escaped {
            escaped = false;
        } else if letter == '\\' {
            escaped = true;
        } else if letter == quote {
            return at + 1;
        }
    }
    1
}

/// The word that ends the heredoc that a line begins: `cat > a.md <<'EOF'`
fn heredoc(line: &str) -> Option<&str> {
    let (before, rest) = line.split_once("<<")?;
    let rest = rest.trim_start_matches(['-', '~']);
    let writes = before.contains("cat ") || before.contains("tee ");
    let rest = if writes { rest.trim_start() } else { rest };
    let word = rest.strip_prefix('\'').unwrap_or(rest);
    let length = word.bytes().take_while(|byte| byte.is_ascii_uppercase() || *byte == b'_').count();
    let shifted = before.ends_with(|letter: char| letter.is_ascii_digit());
    word.get(..length).filter(|word| word.len() > 1 && !shifted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_open_at_the_end() {
        for text in [
            "P = \"\"\"\nFormat:\n",
            "def f():\n    '''Doc.\n",
            "/**\n * Doc\n",
            "cat > a.md <<'EOF'\n# Title\n",
            "x = 'a' + \"\"\"b",
        ] {
            assert!(is_open(text.lines()), "{text}");
        }
        for text in [
            "P = \"\"\"\nFormat:\n\"\"\"\n",
            "q = '\"\"\"'\nr = \"'''\"\n",
            "glob = 'src/*'\nlet a = 1 << N_BITS;\n// it's /* fine\n",
            "cat <<EOF\nx\nEOF\n",
            "it's\nx = 1\n",
            "url = http://a.b/*c*/\npaths: src/*\n",
            "cout << \"OK\";\n",
            "",
        ] {
            assert!(!is_open(text.lines()), "{text}");
        }
    }
}
