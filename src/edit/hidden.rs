//! Lines in a new text that may be placeholders for lines of the old one.

use std::collections::{HashMap, HashSet};

use super::block::{Block, Operation};
use super::elision::{gaps, is_elision, uncommented};

/// How certain it is that a new text leaves out lines of the old one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Hidden {
    /// A line that may also be content.
    Perhaps,
    Surely,
}

/// A longer comment says more than that something stays.
const LONGEST: usize = 120;

/// Words of comments that claim that something stays as it is, or isn't shown.
const CLAIMS: &[&str] = &[
    "continues",
    "elided",
    "etc",
    "existing",
    "keep",
    "kept",
    "omitted",
    "previous",
    "remain",
    "remainder",
    "remaining",
    "remains",
    "rest",
    "same",
    "snip",
    "snipped",
    "stay",
    "stays",
    "truncated",
    "unaltered",
    "unchanged",
    "unmodified",
    "untouched",
    // German, Dutch
    "bleibt",
    "bleiben",
    "gleich",
    "ongewijzigd",
    "unverändert",
    // Spanish, Portuguese, Italian
    "igual",
    "inalterado",
    "invariato",
    "resto",
    "restante",
    // French
    "identique",
    "inchangé",
    "inchangée",
    "reste",
    // Polish, Russian, Ukrainian
    "reszta",
    "остальное",
    "остальной",
    "остальные",
    "решта",
];
/// The same, as parts of a comment.
const CLAIMED: &[&str] = &[
    "as above",
    "as before",
    "as is",
    "as it is",
    "everything else",
    "no change",
    // Spanish, Portuguese, Polish, Russian, Ukrainian
    "sin cambios",
    "sem alterações",
    "bez zmian",
    "без изменений",
    "без змін",
    // Chinese, Japanese, Korean
    "不变",
    "不變",
    "保持",
    "其余",
    "其餘",
    "省略",
    "そのまま",
    "変更なし",
    "残り",
    "그대로",
    "나머지",
    "생략",
];

/// Bodies of functions that do nothing.
const EMPTY_BODIES: &[&str] =
    &["pass", "...", "raise NotImplementedError", "raise NotImplementedError()"];

/// Whether a comment claims that something stays. Real comments do that, too: what counts is
/// whether lines are missing in its place.
fn claims(line: &str) -> bool {
    // A statement that does nothing, for the comment.
    let line = line.trim();
    let (text, commented) = uncommented(line.strip_prefix("pass ").unwrap_or(line));
    if !commented || text.len() > LONGEST {
        return false;
    }
    let text = text.to_lowercase();
    let dots = text.ends_with("...") || text.ends_with('…');
    dots || CLAIMED.iter().any(|part| text.contains(part))
        || text.split(|letter: char| !letter.is_alphanumeric()).any(|word| CLAIMS.contains(&word))
}

/// Whether new text for a file, or for a part of it, hides lines of the old text. Lines that the
/// old text has, or that are `known`, are content.
pub fn hidden(new: &str, old: &str, path: &str, known: impl Fn(&str) -> bool) -> Option<Hidden> {
    let mut lines: Option<HashSet<&str>> = None;
    let mut has = |line: &str| {
        lines.get_or_insert_with(|| old.lines().map(str::trim).collect()).contains(line)
    };
    let mut found = None;
    let mut dots: HashSet<usize> = HashSet::new();
    for gap in gaps(new, path).map(str::trim).filter(|gap| !known(gap)) {
        if has(gap) {
            continue;
        }
        // Some languages have dots without a comment.
        if !matches!(gap, "..." | "…") {
            return Some(Hidden::Surely);
        }
        dots.insert(gap.as_ptr() as usize);
        found = Some(Hidden::Perhaps);
    }
    let stubs = path.ends_with(".pyi");
    // The body of a function may be left out, or be a stub.
    let claim =
        |line: &&str| (claims(line) || !stubs && line.trim() == "...") && !known(line.trim());
    if dots.is_empty() && !new.lines().any(|line| claim(&line)) {
        return found;
    }
    let places = Places::new(new, old);
    for (index, line) in places.new.iter().enumerate() {
        if !places.misses_at(index) {
            continue;
        }
        if dots.contains(&(line.as_ptr() as usize)) {
            return Some(Hidden::Surely);
        }
        if claim(line) && !has(line) && places.ends_a_change(index) {
            found = Some(Hidden::Perhaps);
        }
    }
    found
}

/// Whether the new text of an edit has a line that may be a placeholder for lines of its old text.
pub fn may_hide(block: &Block) -> bool {
    let path = block.path.as_ref().map_or("", |path| &path.text);
    matches!(block.operation, Operation::Edit | Operation::Move(_))
        && block.splits.iter().any(|split| {
            !split.search.lines().any(is_elision)
                && hidden(&split.replace, &split.search, path, |_| false).is_some()
        })
}

/// Aligns a new text with the old one, to see where lines are missing.
struct Places<'t> {
    /// The lines that aren't blank.
    new: Vec<&'t str>,
    length: usize,
    /// For each line of the new text, the positions in both texts after the nearest line before it
    /// that occurs exactly once in both.
    before: Vec<(usize, usize)>,
    /// The positions of the nearest such line after it.
    after: Vec<(usize, usize)>,
    has: Vec<bool>,
    /// Whether the next line doesn't belong to this one.
    apart: Vec<bool>,
}

impl<'t> Places<'t> {
    fn new(new: &'t str, old: &'t str) -> Self {
        fn filled(text: &str) -> Vec<&str> {
            text.lines().map(str::trim).filter(|line| !line.is_empty()).collect()
        }
        fn counted<'t>(lines: &[&'t str]) -> HashMap<&'t str, (usize, usize)> {
            let mut counted = HashMap::new();
            for (index, line) in lines.iter().enumerate() {
                counted.entry(*line).or_insert((index, 0_usize)).1 += 1;
            }
            counted
        }
        let apart = apart(new);
        let (new, mut old) = (filled(new), filled(old));
        // Dots in the place of an empty body are another empty body.
        old.retain(|line| !EMPTY_BODIES.contains(line));
        let (in_new, in_old) = (counted(&new), counted(&old));
        let once = |line: &str| {
            let (at, count) = in_old.get(line)?;
            (*count == 1 && in_new.get(line).is_some_and(|(_, count)| *count == 1)).then_some(*at)
        };
        let mut before = Vec::with_capacity(new.len());
        let mut last = (0, 0);
        for (index, line) in new.iter().enumerate() {
            before.push(last);
            if let Some(at) = once(line) {
                last = (index + 1, at + 1);
            }
        }
        let mut after = Vec::with_capacity(new.len());
        let mut next = (new.len(), old.len());
        for (index, line) in new.iter().enumerate().rev() {
            after.push(next);
            if let Some(at) = once(line) {
                next = (index, at);
            }
        }
        after.reverse();
        let has = new.iter().map(|line| in_old.contains_key(line)).collect();
        Self { length: old.len(), new, before, after, has, apart }
    }

    /// Whether the old text has more lines around this line than the new text, not counting the
    /// line itself.
    fn misses_at(&self, index: usize) -> bool {
        let (Some(before), Some(after)) = (self.before.get(index), self.after.get(index)) else {
            return false;
        };
        let (new, old) = (after.0.saturating_sub(before.0), after.1.saturating_sub(before.1));
        after.1 <= self.length && old + 1 > new
    }

    /// Whether the next line isn't new, and isn't one that a comment here would be about.
    fn ends_a_change(&self, index: usize) -> bool {
        self.has.get(index + 1).is_none_or(|has| *has) && self.apart.get(index) == Some(&true)
    }
}

/// For each line that isn't blank, whether it ends a paragraph or a block.
fn apart(text: &str) -> Vec<bool> {
    let depth = |line: &str| line.len() - line.trim_start().len();
    let mut lines = text.lines().peekable();
    let mut found = Vec::new();
    while let Some(line) = lines.next() {
        let ends = lines.peek().is_none_or(|next| {
            let closes = next.trim_start().starts_with(['}', ')', ']']);
            next.trim().is_empty() || closes || depth(next) < depth(line)
        });
        if !line.trim().is_empty() {
            found.push(ends);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const OLD: &str = "import os\n\ndef load(path):\n    return open(path).read()\n\ndef main():\n    text = load(1)\n    print(text)\n";
    const TOP: &str = "import os\n\ndef load(path):\n    return open(path, \"rb\").read()\n\n";

    fn of(end: &str) -> Option<Hidden> {
        hidden(&format!("{TOP}{end}\n"), OLD, "a.py", |_| false)
    }

    #[test]
    fn a_comment_in_place_of_lines() {
        for line in ["# [...]", "# (...)", "# rest unchanged", "# ... existing code ...", "..."] {
            assert_eq!(of(line), Some(Hidden::Surely), "{line}");
        }
        for line in [
            "# --- snip ---",
            "# The main function is unchanged",
            "# [Rest of the code remains exactly the same]",
            "# (no changes below)",
            "# keep the existing main()",
            "# main() unchanged",
            "# <existing main()>",
            "# etc.",
            "# main ...",
            "pass  # ... rest unchanged",
            "# Rest der Datei unverändert",
            "# 其余代码保持不变",
            "# 残りのコードは変更なし",
            "# le reste du code est inchangé",
            "# resto del código sin cambios",
            "# остальной код без изменений",
        ] {
            assert_eq!(of(line), Some(Hidden::Perhaps), "{line}");
        }
    }

    #[test]
    fn an_omitted_body() {
        let old = "def f():\n    a()\n    b()\n";
        let new = "def f(x):\n    ...\n";
        assert_eq!(hidden(new, old, "a.py", |_| false), Some(Hidden::Perhaps));
        assert_eq!(hidden(new, old, "a.pyi", |_| false), None);
        for empty in
            ["def f(): pass\n", "def f():\n    pass\n", "def f():\n    raise NotImplementedError\n"]
        {
            assert_eq!(hidden(new, empty, "a.py", |_| false), None, "{empty}");
        }
    }

    #[test]
    fn a_comment_next_to_all_lines() {
        let main = "def main():\n    text = load(1)\n    print(text)\n";
        for line in [
            "# The rest of the request is streamed",
            "# main is unchanged since 1.2",
            "# keep the existing order",
        ] {
            assert_eq!(of(&format!("{line}\n{main}")), None, "{line}");
            // Other lines replace the missing ones.
            assert_eq!(of(&format!("{line}\nrun()")), None, "{line}");
        }
        // The comment is about the line below it.
        assert_eq!(of("# the rest\n    print(text)"), None);
        assert_eq!(of("# the rest\n\n    print(text)"), Some(Hidden::Perhaps));
        // The old text has the comment.
        let old = format!("{OLD}# unchanged\n");
        assert_eq!(hidden(&format!("{TOP}# unchanged\n"), &old, "a.py", |_| false), None);
    }

    #[test]
    fn dots_that_are_content() {
        let doctest = "    >>> for i in x:\n    ...     keep(i)\n    ...\n    1\n";
        for (text, path) in [
            (doctest, "a.py"),
            ("int f(const char *g,\n      ...\n);\n", "a.c"),
            ("catch (\n  ...\n) {}\n", "a.cpp"),
        ] {
            assert_eq!(hidden(text, "x\n", path, |_| false), None, "{text}");
        }
        assert_eq!(hidden("start\n...\nend\n", "x\n", "a.md", |_| false), Some(Hidden::Perhaps));
        assert_eq!(hidden("a\n...\nD\n", "a\nb\nc\nd\n", "a.md", |_| false), Some(Hidden::Surely));
    }
}
