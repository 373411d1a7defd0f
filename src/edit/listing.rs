//! Blocks without a SEARCH text: whole files, and lines by number.

use super::lines::{Level, Lines};
use super::search_replace::path::is_document;
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
/// the first or last one, it is the whole file.
pub fn judge(file: &str, listing: &str, called_whole: bool) -> Judgement {
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
    if called_whole {
        return Judgement::Whole;
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

/// Whether a text has the markers of edits, and isn't a document or a patch that may show them.
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
    fn a_listing_is_the_file_a_quotation_or_a_question() {
        let file = "a\nb\nc\nd\n";
        for (listing, whole, judgement) in [
            ("a\nb\nc\nd\n", false, Judgement::Same),
            ("b\nc\n", false, Judgement::Quotation),
            ("a\nb\nX\nd\n", false, Judgement::Whole),
            ("a\nX\n", false, Judgement::Unclear),
            ("X\n", false, Judgement::Unclear),
            ("X\n", true, Judgement::Whole),
        ] {
            assert_eq!(judge(file, listing, whole), judgement, "{listing:?}");
        }
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
