//! Marker lines of blocks.

/// A line that is a marker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Marker {
    pub kind: MarkerKind,
    /// The length of its run of characters.
    pub length: usize,
    /// `line=42`
    pub line: Option<usize>,
    /// Misspelt, but with a clear meaning.
    pub recovered: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MarkerKind {
    Head(Pair),
    Divider,
    End(Pair),
}

/// The words of head and end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Pair {
    /// `SEARCH` and `REPLACE`, `ORIGINAL` and `UPDATED`.
    Search,
    /// `SEARCH_MISSION` and `REPLACE_MISSION`.
    Mission,
    /// `CHANGELOG`, without a divider.
    Changelog,
    /// No words.
    Conflict,
}

const HEADS: &[(&str, Pair)] = &[
    ("SEARCH_MISSION", Pair::Mission),
    ("SEARCH", Pair::Search),
    ("ORIGINAL", Pair::Search),
    ("CHANGELOG", Pair::Changelog),
];
const ENDS: &[(&str, Pair)] = &[
    ("REPLACE_MISSION", Pair::Mission),
    ("REPLACE", Pair::Search),
    ("UPDATED", Pair::Search),
    ("CHANGELOG", Pair::Changelog),
];

/// Parses a line, without its break, as a marker.
pub fn marker(line: &str) -> Option<Marker> {
    let text = line.trim();
    let first = text.chars().next()?;
    let length = text.bytes().take_while(|byte| char::from(*byte) == first).count();
    let rest = text.get(length..)?;
    if length < 3 {
        return None;
    }
    match first {
        '=' if rest.is_empty() => {
            Some(Marker { kind: MarkerKind::Divider, length, line: None, recovered: false })
        }
        '<' | '-' => named(rest, HEADS, length, first).map(|(pair, line, recovered)| Marker {
            kind: MarkerKind::Head(pair),
            length,
            line,
            recovered,
        }),
        '>' | '+' => named(rest, ENDS, length, first).map(|(pair, line, recovered)| Marker {
            kind: MarkerKind::End(pair),
            length,
            line,
            recovered,
        }),
        _ => None,
    }
}

fn named(
    rest: &str,
    names: &[(&str, Pair)],
    length: usize,
    first: char,
) -> Option<(Pair, Option<usize>, bool)> {
    if rest.is_empty() {
        return (length >= 4 && matches!(first, '<' | '>')).then_some((
            Pair::Conflict,
            None,
            false,
        ));
    }
    let word = rest.trim_start();
    let end = word.bytes().take_while(|byte| byte.is_ascii_alphabetic() || *byte == b'_').count();
    let (name, tail) = word.split_at_checked(end)?;
    let (exact, pair) = names.iter().find(|(known, _)| known.eq_ignore_ascii_case(name))?;
    // The fence around a block was closed in the same line.
    let tail = tail.trim_start_matches(['>', '<']).trim();
    let (tail, fenced) = if tail.len() >= 3 && tail.bytes().all(|byte| byte == b'`') {
        ("", true)
    } else {
        (tail, false)
    };
    let line = tail.strip_prefix("line=").and_then(|number| number.parse().ok());
    if !tail.is_empty() && line.is_none() {
        return None;
    }
    let recovered = fenced || name != *exact || rest.len() - word.len() != 1;
    Some((*pair, line, recovered))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn llmd_07_markers_of_all_dialects() {
        for head in [
            "<<<<<< SEARCH",
            "<<<<<<< SEARCH>",
            "------- SEARCH",
            "<<<<<<< ORIGINAL",
            "  <<<<<<< SEARCH  ",
            "<<<<<<< SEARCH line=42",
        ] {
            assert!(
                matches!(
                    marker(head),
                    Some(Marker { kind: MarkerKind::Head(Pair::Search), recovered: false, .. })
                ),
                "{head}"
            );
        }
        for end in [">>>>>> REPLACE", "+++++++ REPLACE", ">>>>>>> UPDATED", ">>>>>>> REPLACE>"] {
            assert!(
                matches!(
                    marker(end),
                    Some(Marker { kind: MarkerKind::End(Pair::Search), recovered: false, .. })
                ),
                "{end}"
            );
        }
        assert_eq!(marker("<<<<<<< SEARCH line=42").and_then(|marker| marker.line), Some(42));
        assert!(marker("<<<<<<<search").is_some_and(|marker| marker.recovered));
        for text in [
            "<<<<<<< HEAD",
            "> <<<<<<< SEARCH",
            "== SEARCH",
            "<< SEARCH",
            "======= x",
            "-----",
            ">>>>>>> branch",
            "<<<<<<< SEARCH for it",
        ] {
            assert_eq!(marker(text), None, "{text}");
        }
    }
}
