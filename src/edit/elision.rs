//! `...` for lines that are not shown: `// ... existing code ...`.

use super::lines::{Level, Lines, normal};
use super::locate::{Alignment, Found, MOST_PLACES, Place, Tier};
use crate::text::Span;

/// A gap may have this many lines more than the SEARCH text.
const WIDEST_GAP: usize = 400;

/// The openings and closings of comments.
const COMMENTS: &[&str] = &[
    "//", "/*", "*/", "(*", "*)", "{#", "#}", "<#", "#>", "{-", "-}", "#", "<!--", "-->", "--",
    ";", "%", "{/*", "*/}", "*", "! ", "REM ", "rem ",
];

/// Units of code that an omission may be the rest of.
const UNITS: &[&str] = &[
    "body",
    "class",
    "code",
    "component",
    "config",
    "configuration",
    "content",
    "contents",
    "document",
    "file",
    "function",
    "implementation",
    "method",
    "module",
    "page",
    "program",
    "script",
    "source",
    "template",
];
/// Things in a file that an omission may replace.
const THINGS: &[&str] = &[
    "class",
    "classes",
    "code",
    "component",
    "components",
    "content",
    "contents",
    "function",
    "functions",
    "handlers",
    "implementation",
    "imports",
    "methods",
    "routes",
    "styles",
    "tests",
];
/// Ways to say that something isn't shown.
const OMITTED: &[&str] = &[
    "unchanged",
    "unmodified",
    "the same",
    "the same as before",
    "same as before",
    "as before",
    "as is",
    "as it is",
    "as they are",
    "omitted",
    "omitted for brevity",
    "not shown",
];

/// The text of a line without the marks of a comment, and whether there are any.
pub(super) fn uncommented(line: &str) -> (&str, bool) {
    let mut rest = line.trim();
    let mut commented = false;
    // In Vim and Basic, a quote that isn't closed begins a comment.
    for quote in ['"', '\''] {
        let inner = rest.strip_prefix(quote).filter(|inner| !inner.contains(quote));
        if let Some(inner) = inner.filter(|inner| inner.starts_with(' ')) {
            rest = inner.trim();
            commented = true;
        }
    }
    for mark in COMMENTS {
        if let Some(inner) = rest.strip_prefix(mark) {
            rest = inner.trim();
            commented = true;
        }
        if let Some(inner) = rest.strip_suffix(mark).filter(|_| commented) {
            rest = inner.trim();
        }
    }
    (rest, commented)
}

/// Whether a line is a placeholder for lines that aren't shown.
pub fn is_elision(line: &str) -> bool {
    let (rest, commented) = uncommented(line);
    let dots = |text: &str| text == "..." || text == "…";
    let brackets = ['[', ']', '(', ')', '{', '}', '<', '>', ' '];
    if dots(rest) || commented && dots(rest.trim_matches(brackets)) {
        return true;
    }
    let opened = rest.strip_prefix("...").or_else(|| rest.strip_prefix('…'));
    let closed = rest.ends_with("...") || rest.ends_with('…');
    match opened {
        // `...rest` is code in some languages; `... rest of the code` isn't, nor is anything in a
        // comment.
        Some(inner) if commented => closed || inner.starts_with(' '),
        Some(inner) => inner.starts_with(' ') && (closed || is_saying(inner)),
        // A comment inside a comment belongs to an example.
        None => commented && closed && !rest.starts_with(['/', '*', '#']) && is_saying(rest),
    }
}

/// Whether a line is a comment that only says that lines aren't shown: `# rest unchanged`.
pub fn is_omission(line: &str) -> bool {
    let (text, commented) = uncommented(line);
    commented && text.len() < 120 && says_omitted(text)
}

fn says_omitted(text: &str) -> bool {
    let bare = text.trim_matches(|letter: char| !letter.is_alphanumeric());
    let bracketed = text.starts_with(['(', '[', '<', '{']);
    let text = bare.to_ascii_lowercase();
    let words: Vec<&str> = text
        .split_whitespace()
        .map(|word| word.trim_matches(|letter: char| !letter.is_alphanumeric()))
        .filter(|word| !word.is_empty())
        .collect();
    if matches!(text.as_str(), "unchanged" | "omitted for brevity" | "no changes here") {
        return true;
    }
    let mut words = words.as_slice();
    let strip = |words: &mut &[&str], known: &[&str]| {
        let found = words.first().is_some_and(|word| known.contains(word));
        if found {
            *words = words.get(1..).unwrap_or_default();
        }
        found
    };
    let _ = strip(&mut words, &["keep"])
        | strip(&mut words, &["all"])
        | strip(&mut words, &["the", "your"]);
    if strip(&mut words, &["rest", "remainder"]) {
        let whole = strip(&mut words, &["of"]) && {
            let _ = strip(&mut words, &["the", "this", "your"])
                | strip(&mut words, &["existing", "original", "current"]);
            if !strip(&mut words, UNITS) {
                return false;
            }
            true
        };
        return is_left_out(words, whole, whole);
    }
    if strip(&mut words, &["existing", "other", "remaining", "previous", "original", "unchanged"]) {
        let existing = text.contains("existing") || text.contains("unchanged");
        let _ = strip(&mut words, &["existing"]);
        let code = words.first() == Some(&"code");
        return strip(&mut words, THINGS)
            && is_left_out(words, bracketed || existing && code, true);
    }
    strip(&mut words, UNITS) && words.join(" ") == "omitted for brevity"
}

/// Whether the words after the name of some code say that it isn't shown: `remains unchanged`.
/// `nothing`: they may be missing; `here`: they may only point to the place.
fn is_left_out(words: &[&str], nothing: bool, here: bool) -> bool {
    let verb = ["remains", "remain", "stays", "stay", "is", "are", "left", "kept"];
    let after = match words {
        [first, rest @ ..] if verb.contains(first) => rest,
        words => words,
    };
    let said = after.join(" ");
    match said.as_str() {
        "" => nothing && words.is_empty(),
        "here" | "goes here" | "go here" | "continues" | "continues here" => here,
        _ => OMITTED.contains(&said.as_str()),
    }
}

/// The placeholder lines in a new text for a file. The body of a stub, the rest of a doctest, a
/// variadic parameter and the end of a YAML document are content.
pub fn gaps<'t>(text: &'t str, path: &str) -> impl Iterator<Item = &'t str> {
    let extension = path.rsplit_once('.').map(|(_, end)| end.to_ascii_lowercase());
    let is = |wanted: &[&str]| extension.as_deref().is_some_and(|end| wanted.contains(&end));
    let (stubs, yaml) = (is(&["pyi"]), is(&["yml", "yaml"]));
    let mut lines = text.lines().peekable();
    let (mut before, mut tested) = ("", false);
    std::iter::from_fn(move || {
        while let Some(line) = lines.next() {
            let trimmed = line.trim();
            tested = trimmed.starts_with(">>>") || tested && trimmed.starts_with("...");
            let next = lines.peek().map_or("", |next| next.trim());
            let dots = trimmed == "...";
            let listed = before.trim_end().ends_with(['(', ',']) && next.starts_with(')');
            let content = tested
                || dots
                    && (stubs || yaml && line.starts_with("...") || opens_body(before) || listed);
            if !trimmed.is_empty() {
                before = line;
            }
            if !content && (is_elision(line) || is_omission(line)) {
                return Some(line);
            }
        }
        None
    })
}

/// `def f():`, or the end of its documentation.
fn opens_body(line: &str) -> bool {
    let code = line.rfind(" #").and_then(|at| line.get(..at)).unwrap_or(line);
    [line, code].iter().any(|line| line.trim_end().ends_with([':', '"', '\'']))
}

/// Whether new text for a file says that it leaves out lines of the existing file. Dots alone don't
/// count: one file in a hundred has some.
pub fn leaves_out(new: &str, path: &str) -> bool {
    gaps(new, path).any(|gap| is_saying(gap) || is_omission(gap))
}

fn is_saying(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    ["existing", "unchanged", "rest of", "remaining", "same as", "other code", "keep", "previous"]
        .iter()
        .any(|word| text.contains(word))
}

/// The number of placeholder lines.
pub fn count(lines: &Lines) -> usize {
    lines.contents().filter(|line| is_elision(line)).count()
}

/// The tight chains of the segments between placeholders. Both sides must have the same number of
/// placeholders.
pub fn find(target: &Lines, search: &Lines, replace: &Lines) -> Vec<Found> {
    let (gaps, kept) = (count(search), count(replace));
    // If the REPLACE text shows everything, the SEARCH text can't hide anything.
    let closed = kept == 0;
    if gaps == 0 || kept != gaps && !closed {
        return Vec::new();
    }
    let segments = segments(search);
    let informative = |segment: &Span| {
        segment.clone().any(|index| search.content(index).contains(char::is_alphanumeric))
    };
    if segments.is_empty() || !segments.iter().all(informative) {
        return Vec::new();
    }
    let keys = search.keys(Level::Trimmed);
    let places: Vec<Vec<usize>> = segments
        .iter()
        .map(|segment| {
            target.places(
                Level::Trimmed,
                keys.get(segment.clone()).unwrap_or_default(),
                MOST_PLACES,
            )
        })
        .collect();
    let widest = search.len() + WIDEST_GAP;
    let Some((last, earlier)) = places.split_last() else { return Vec::new() };
    // Chains are built from the end, each as tight as possible: of two with the same end, only the
    // shorter is kept.
    let mut found: Vec<Found> = Vec::new();
    for end in last {
        let mut chain = vec![*end];
        for (index, starts) in earlier.iter().enumerate().rev() {
            let Some(next) = chain.last().copied() else { break };
            let length = segments.get(index).map_or(0, ExactSizeIterator::len);
            let fitting = starts.partition_point(|start| start + length <= next);
            let Some(start) = fitting
                .checked_sub(1)
                .and_then(|index| starts.get(index))
                .filter(|start| next - (**start + length) <= widest)
            else {
                chain.clear();
                break;
            };
            chain.push(*start);
        }
        chain.reverse();
        let blank = |pair: (&[usize], &Span)| match pair {
            ([start, next], segment) => {
                (start + segment.len()..*next).all(|line| target.is_blank(line))
            }
            _ => true,
        };
        if chain.len() == segments.len() && (!closed || chain.windows(2).zip(&segments).all(blank))
        {
            found.extend(aligned(search, &segments, &chain));
        }
    }
    // Chains with the same start: the tightest comes first.
    found.dedup_by(|next, first| matches!((&next.place, &first.place), (Place::Lines(a), Place::Lines(b)) if a.lines.start == b.lines.start));
    found
}

/// The runs of lines between placeholders, without blank lines at either end.
fn segments(search: &Lines) -> Vec<Span> {
    let mut found = Vec::new();
    let mut start = 0;
    for index in 0..=search.len() {
        if index == search.len() || is_elision(search.content(index)) {
            let mut segment = start..index;
            while !segment.is_empty()
                && normal(search.content(segment.start), Level::Trimmed).is_empty()
            {
                segment.start += 1;
            }
            while !segment.is_empty()
                && normal(search.content(segment.end - 1), Level::Trimmed).is_empty()
            {
                segment.end -= 1;
            }
            if !segment.is_empty() {
                found.push(segment);
            }
            start = index + 1;
        }
    }
    found
}

fn aligned(search: &Lines, segments: &[Span], chain: &[usize]) -> Option<Found> {
    let mut partners = vec![None; search.len()];
    let (mut first, mut end) = (None, 0);
    for (segment, start) in segments.iter().zip(chain) {
        for (offset, index) in segment.clone().enumerate() {
            *partners.get_mut(index)? = Some(start + offset);
        }
        first.get_or_insert(*start);
        end = start + segment.len();
    }
    Some(Found::new(Tier::Elision, Place::Lines(Alignment { lines: first?..end, partners })))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn omissions() {
        for line in [
            "# rest unchanged",
            "# (rest of the code remains unchanged)",
            "// rest of the file remains the same",
            "// The rest of the file stays the same.",
            "    // [existing code]",
            "// unchanged",
            "# omitted for brevity",
            "// existing code here",
            "{/* rest of the component */}",
            "// --- existing code ---",
            "<!-- other content unchanged -->",
            "# keep the rest of the file as is",
            "/* remaining methods omitted */",
            "(* rest unchanged *)",
            "{# ... rest unchanged ... #}",
            "{- rest unchanged -}",
            "<# rest unchanged #>",
            "! rest unchanged",
            "REM existing code here",
            "\" rest unchanged",
            "' rest unchanged",
        ] {
            assert!(is_omission(line), "{line}");
        }
        for line in [
            "rest unchanged",
            "# rest of the arguments go to the child",
            "# keep existing connections open",
            "# Keep the rest",
            "# other imports",
            "# the rest",
            "# remaining fields are unchanged",
            "# if unchanged, return",
            "// unchanged since 1.2",
            "# same as before",
            "# existing imports",
            "# Code",
            "# tests",
            "// rest parameters",
            "# the file is the lock",
            "# file here",
            "# the file is unchanged",
            "# other lines are the same",
            "# File is omitted if it is empty",
            "\" rest unchanged\"",
            "{#if unchanged}",
            "!unchanged",
        ] {
            assert!(!is_omission(line), "{line}");
        }
        let stub =
            "class P(Protocol):\n    def f(self) -> int:  # noqa\n        ...\n\n    x: int\n";
        let found = |text: &'static str, path: &str| gaps(text, path).collect::<Vec<_>>();
        assert!(gaps(stub, "p.py").next().is_none());
        assert!(found("def f(): ...\n...\n", "p.pyi").is_empty());
        assert!(found("a: 1\n...\n", "a.yml").is_empty());
        assert_eq!(found("a: 1\n  ...\n", "a.yml"), ["  ..."]);
        assert_eq!(found("x = 1\n...\n# rest unchanged\n", "p.py"), ["...", "# rest unchanged"]);
        for (text, leaves) in [
            ("x = 1\n# ... existing code ...\n", true),
            ("x = 1\r\n// … rest of the code 値😀 …\r\n", true),
            ("x = 1\n# rest unchanged\n", true),
            ("x = 1\n# ...\n", false),
            ("class A:\n    x: int\n    ...\n", false),
        ] {
            assert_eq!(leaves_out(text, "p.py"), leaves, "{text:?}");
        }
    }

    #[test]
    fn elisions() {
        for line in [
            "...",
            "  …",
            "// ... existing code ...",
            "# ...",
            "<!-- ... -->",
            "/* ... */",
            "// ... rest of the function",
            "... rest of code ...",
            "REM ... existing code ...",
            "(* ... *)",
            "! ... rest of the file ...",
        ] {
            assert!(is_elision(line), "{line}");
        }
        for line in [
            "...args,",
            "foo(...)",
            "// todo",
            "text...",
            "// wait...",
            "# Heading",
            "/// // ...rest of test...",
            "\"...\"",
            "'...'",
            "![...]",
        ] {
            assert!(!is_elision(line), "{line}");
        }
    }
}
