//! Numbers in front of lines, as tools show them: `12 | text`, `12→text`, `12: text`.

use super::search_replace::path::is_document;

/// Marks between a number and its line.
const MARKS: [&str; 8] = [" | ", " |", "| ", "|", "→", ":\t", ": ", "\t"];
/// Marks that occur in code and data for other reasons.
const COMMON: [&str; 3] = [":\t", ": ", "\t"];
/// Extensions of languages whose lines never begin with a number and a mark.
const CODE: &[&str] = &[
    "c", "cc", "cjs", "clj", "cpp", "cs", "css", "dart", "ex", "exs", "go", "h", "hpp", "html",
    "java", "jl", "js", "json", "jsx", "kt", "kts", "less", "lua", "mjs", "mts", "php", "pl", "py",
    "r", "rb", "rs", "scala", "scss", "sh", "sql", "svelte", "swift", "tf", "toml", "ts", "tsx",
    "vue", "xml", "zig",
];
/// Extensions of data and recorded output, whose lines may begin with a number.
const DATA: &[&str] = &[
    "ans", "approved", "csv", "dat", "exp", "expected", "golden", "jsonl", "log", "out", "snap",
    "stderr", "stdout", "tsv", "yaml", "yml",
];

/// Lines without their numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unnumbered {
    pub text: String,
    /// The first number.
    pub first: usize,
    /// A mark is common in text without numbers.
    common: bool,
    /// A numbered line is blank.
    blank: bool,
    /// A numbered line is indented, as code is.
    indented: bool,
}

/// Removes the numbers: every non-empty line must have one, and they must rise by one.
pub fn without_numbers(text: &str) -> Option<Unnumbered> {
    let mut out = String::new();
    let (mut first, mut last, mut marked) = (None, None, false);
    let (mut common, mut blank, mut indented) = (false, false, false);
    for line in text.split_inclusive('\n') {
        if line.trim().is_empty() {
            out.push_str(line);
            continue;
        }
        let rest = line.trim_start();
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let number: usize = rest.get(..digits)?.parse().ok()?;
        let rest = rest.get(digits..)?;
        let found = MARKS.iter().find_map(|mark| Some((mark, rest.strip_prefix(mark)?)));
        let body = match found {
            Some((mark, body)) => {
                marked = true;
                common |= COMMON.contains(mark);
                body
            }
            // A blank line, without the whitespace of its mark.
            None if last.is_some() && matches!(rest.trim_end(), "" | ":") => {
                rest.trim_start_matches(':')
            }
            None => return None,
        };
        if last.is_some_and(|last: usize| last.checked_add(1) != Some(number)) {
            return None;
        }
        blank |= body.trim().is_empty();
        indented |= !body.trim().is_empty() && body.starts_with([' ', '\t']);
        last = Some(number);
        first.get_or_insert(number);
        out.push_str(body);
    }
    let first = first.filter(|_| marked)?;
    Some(Unnumbered { text: out, first, common, blank, indented })
}

/// Whether a file contains code of a common language.
pub fn is_code(path: &str) -> bool {
    extension(path).is_some_and(|end| CODE.contains(&&*end))
}

fn extension(path: &str) -> Option<String> {
    path.rsplit_once('.').map(|(_, end)| end.to_ascii_lowercase())
}

/// The text of a file without numbers that surely don't belong to it. Data and documents may begin
/// each line with a number.
pub fn without_listed_numbers(text: &str, path: &str) -> Option<Unnumbered> {
    if !text.trim_start().starts_with(|first: char| first.is_ascii_digit()) {
        return None;
    }
    let found = without_numbers(text)?;
    let extension = extension(path);
    let has = |known: &[&str]| extension.as_deref().is_some_and(|end| known.contains(&end));
    let plain = has(DATA) || is_document(path);
    // The columns of a table are indented, too.
    let sure = has(CODE)
        || !plain && (!found.common || found.blank || found.indented)
        || plain && !found.common && found.blank;
    let several = text.lines().filter(|line| !line.trim().is_empty()).nth(1).is_some();
    (sure && several).then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_front_of_every_line() {
        for (text, plain) in [
            ("1 | a\n2 |   b\n3 |\n", "a\n  b\n\n"),
            ("  9→a\n 10→\tb\n", "a\n\tb\n"),
            ("1: a\n2:\n3: b\n", "a\n\nb\n"),
            ("4\ta\n\n5\tb\n", "a\n\nb\n"),
        ] {
            assert_eq!(without_numbers(text).map(|found| found.text).as_deref(), Some(plain));
        }
        for text in ["1 | a\n3 | b\n", "a\n", "1\n2\n", "1. a\n2. b\n", "1 | a\nb\n"] {
            assert_eq!(without_numbers(text), None, "{text}");
        }
    }

    #[test]
    fn numbers_that_a_file_may_have() {
        let sure = |text: &str, path: &str| without_listed_numbers(text, path).is_some();
        assert!(sure("1: a\n2: b\n", "a.py") && sure("1 | a\n2 | b\n", "Makefile"));
        assert!(
            sure("1 | # a\n2 |\n3 | b\n", "a.md") && sure("1→{\n2→  \"a\": 1\n3→}\n", "a.json")
        );
        assert!(!sure("1 | a\n2 | b\n", "a.md") && !sure("1\ta\n2\tb\n", "a.tsv"));
        assert!(!sure("1: a\n2: b\n", "a.yaml") && !sure("1: a\n2:\n", "a.yaml"));
        assert!(!sure("1 |  a\n2 |  b\n", "a.txt") && !sure("1 |\ta\n2 |\tb\n", "t.snap"));
        assert!(!sure("1: a\n2: b\n", "a.ini") && !sure("1 | a\n", "a.py"));
    }
}
