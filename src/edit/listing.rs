//! Blocks without a SEARCH text: whole files, and lines by number.

use std::cell::LazyCell;
use std::collections::HashSet;

use super::block::Extent;
use super::lines::{Level, Lines};
use super::search_replace::path::is_document;
use super::search_replace::{MarkerKind, marker};
use crate::text::{Edit, Span};

/// How the listing of a file relates to the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Judgement {
    /// It equals the file.
    Same,
    /// The file contains all of its lines, in a row: a quotation.
    Quotation,
    /// It keeps enough of the file to be a version of the whole.
    Whole,
    /// Undecidable.
    Unclear,
}

/// Classifies the listing of an existing file. If it keeps at least half of the file's lines, and
/// the first or last one, it is the whole file, unless the reply calls it a part.
pub fn judge(file: &str, listing: &str, extent: Extent) -> Judgement {
    let called_whole = extent == Extent::Whole;
    let (old, new) = (Lines::new(file), Lines::new(listing));
    let (old_keys, new_keys) = (old.keys(Level::Trailing), new.keys(Level::Trailing));
    if old_keys == new_keys {
        return Judgement::Same;
    }
    if new.is_empty() || listing.trim().is_empty() {
        return Judgement::Unclear;
    }
    if !old.places(Level::Trailing, new_keys, 1).is_empty()
        || !called_whole && !old.places(Level::Trimmed, new.keys(Level::Trimmed), 1).is_empty()
    {
        return if called_whole { Judgement::Whole } else { Judgement::Quotation };
    }
    match extent {
        Extent::Whole => return Judgement::Whole,
        Extent::Part => return Judgement::Unclear,
        Extent::Unsaid => {}
    }
    let mut counts = std::collections::HashMap::new();
    for key in new_keys {
        *counts.entry(*key).or_insert(0_usize) += 1;
    }
    let filled: Vec<u64> = (0..old.len())
        .filter(|line| !old.is_blank(*line))
        .filter_map(|line| old_keys.get(line).copied())
        .collect();
    let kept = filled
        .iter()
        .filter(|key| match counts.get_mut(key) {
            Some(left) if *left > 0 => {
                *left -= 1;
                true
            }
            _ => false,
        })
        .count();
    let edge = old_keys.first() == new_keys.first() || old_keys.last() == new_keys.last();
    if filled.is_empty() || edge && kept * 2 >= filled.len() {
        Judgement::Whole
    } else {
        Judgement::Unclear
    }
}

/// Whether `text` has the markers of edits, and isn't a document or a patch that may show them.
pub fn holds_edits(text: &str, path: &str) -> bool {
    let header = |line: &str| line.starts_with("@@ -") && line.matches("@@").count() > 1;
    let section = |line: &str| {
        ["*** Begin Patch", "*** Add File:", "*** Update File:", "*** Delete File:"]
            .iter()
            .any(|mark| line.starts_with(mark))
    };
    !is_document(path)
        && text.lines().any(|line| line.starts_with("<<<<<<< ") || header(line) || section(line))
}

/// Whether `text` is nothing but edits: blocks, a patch or a diff. Documents and patches may show
/// them.
pub fn is_edits(text: &str, path: &str) -> bool {
    let mut filled = text.lines().filter(|line| !line.trim().is_empty());
    let (first, second) = (filled.next().unwrap_or_default(), filled.next().unwrap_or_default());
    let last = filled.next_back().unwrap_or(second);
    let is = |line: &str, wanted: fn(&MarkerKind) -> bool| {
        marker(line).is_some_and(|marker| wanted(&marker.kind))
    };
    let block = is(first, |kind| matches!(kind, MarkerKind::Head(_)))
        && is(last, |kind| matches!(kind, MarkerKind::End(_)));
    let patch = first.trim() == "*** Begin Patch" && last.trim() == "*** End Patch";
    let diff = first.starts_with("--- ") && second.starts_with("+++ ")
        || first.starts_with("diff --git ")
        || first.starts_with("@@ -") && first.matches("@@").count() > 1;
    !is_document(path) && (block || patch || diff)
}

/// Extensions of recorded output, whose lines begin with any sign.
const RECORDED: &[&str] = &[
    "ans", "approved", "csv", "dat", "exp", "expected", "golden", "log", "out", "snap", "stderr",
    "stdout", "tsv",
];

/// Whether the lines of `text` begin with the signs of a diff: most of them do, with both signs.
pub fn has_signs(text: &str, path: &str) -> bool {
    let extension = path.rsplit_once('.').map(|(_, end)| end.to_ascii_lowercase());
    if extension.is_some_and(|end| RECORDED.contains(&&*end)) {
        return false;
    }
    let (mut minus, mut plus, mut all) = (0_usize, 0_usize, 0_usize);
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        all += 1;
        minus += usize::from(line.starts_with('-'));
        plus += usize::from(line.starts_with('+'));
    }
    !is_document(path) && minus > 0 && plus > 0 && (minus + plus) * 2 > all
}

/// Whether a listing marks lines of the file as deleted and others as added, as a diff does.
pub fn marks_changes(listing: &str, file: &str, path: &str) -> bool {
    let known = LazyCell::new(|| file.lines().collect::<HashSet<&str>>());
    let mut lines = listing.lines().peekable();
    let mut found = false;
    while let Some(line) = lines.next().filter(|_| !found) {
        let added = lines.peek().is_some_and(|next| next.starts_with('+'));
        found = added
            && line
                .strip_prefix('-')
                .is_some_and(|old| known.contains(old) && !known.contains(line));
    }
    found && !is_document(path)
}

/// The edit that replaces some lines, counted from 0; `None` if the file doesn't have them.
pub fn at_lines(file: &Lines, lines: &Span, new: &str) -> Option<Edit> {
    if lines.start > lines.end || lines.end > file.len() {
        return None;
    }
    let start =
        if lines.start < file.len() { file.line(lines.start).start } else { file.text().len() };
    let end = lines
        .end
        .checked_sub(1)
        .filter(|_| !lines.is_empty())
        .map_or(start, |last| file.line(last).next);
    let eol = file.break_for(lines.start);
    let lead = if start > 0 && start == file.text().len() && !file.text().ends_with('\n') {
        eol
    } else {
        ""
    };
    let text = new.replace("\r\n", "\n").replace('\n', eol);
    Some(Edit::replace(start..end, format!("{lead}{text}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_listing_is_the_file_a_quotation_or_unclear() {
        let file = "a\nb\nc\nd\n";
        for (listing, extent, judgement) in [
            ("a\nb\nc\nd\n", Extent::Unsaid, Judgement::Same),
            ("b\nc\n", Extent::Unsaid, Judgement::Quotation),
            ("b\nc\n", Extent::Part, Judgement::Quotation),
            ("a\nb\nX\nd\n", Extent::Unsaid, Judgement::Whole),
            ("a\nb\nX\nd\n", Extent::Part, Judgement::Unclear),
            ("a\nX\n", Extent::Unsaid, Judgement::Unclear),
            ("X\n", Extent::Unsaid, Judgement::Unclear),
            ("X\n", Extent::Whole, Judgement::Whole),
        ] {
            assert_eq!(judge(file, listing, extent), judgement, "{listing:?}");
        }
    }

    #[test]
    fn text_that_is_nothing_but_edits() {
        let block = "<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n";
        let patch = "*** Begin Patch\n*** Update File: a.py\n@@\n-a\n+b\n*** End Patch\n";
        let diff = "--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-a\n+b\n";
        for text in [
            block,
            patch,
            diff,
            "@@ -1 +1 @@\n-a\n+b\n",
            "------- SEARCH\na\n=======\nb\n+++++++ REPLACE\n",
        ] {
            assert!(is_edits(text, "a.py"), "{text}");
            assert!(!is_edits(text, "a.md") && !is_edits(text, "a.patch"), "{text}");
        }
        assert!(!is_edits(&format!("x = 1\n{block}"), "a.py") && !is_edits("", "a.py"));
        assert!(has_signs("import os\n-a\n+b\n", "a.py"));
        assert!(!has_signs("- a\n- b\n", "a.yml") && !has_signs("-a\n+b\nc\nd\n", "a.py"));
        assert!(!has_signs("- a\n+ b\n", "a.md"));
        assert!(!has_signs("-1,2\n+3,4\n", "a.csv") && !has_signs("-a\n+b\n", "t/a.snap"));
        let file = "a\nb\nc\nd\n";
        assert!(marks_changes("a\n-b\n+B\nc\nd\n", file, "a.py"));
        assert!(!marks_changes("a\n-b\n+B\nc\nd\n", file, "a.md"));
        assert!(!marks_changes("a\n-x\n+B\nc\n", file, "a.py"));
    }

    #[test]
    fn lines_by_number() {
        let file = Lines::new("a\r\nb\r\nc");
        let apply = |lines: Span, new: &str| {
            at_lines(&file, &lines, new)
                .map(|edit| crate::text::apply(file.text(), &[edit]).unwrap())
        };
        assert_eq!(apply(1..2, "x\ny\n").as_deref(), Some("a\r\nx\r\ny\r\nc"));
        assert_eq!(apply(0..0, "x\n").as_deref(), Some("x\r\na\r\nb\r\nc"));
        assert_eq!(apply(3..3, "x\n").as_deref(), Some("a\r\nb\r\nc\r\nx\r\n"));
        assert_eq!(apply(2..5, "x\n"), None);
    }
}
