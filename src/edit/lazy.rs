//! Code with gaps, `// ... existing code ...`: placed if every piece of it has unique neighbours in
//! the file.

use super::elision::{is_elision, is_omission};
use super::lines::{Level, Lines};
use crate::text::{Edit, Span};

/// The edits that merge code with gaps into a file; `None` if a piece fits in several places, or
/// nowhere.
///
/// A piece begins and ends with a line that occurs exactly once in the file, except at the start
/// and end of the file. The lines between those two become the piece; gaps keep their lines.
pub fn place(file: &Lines, lazy: &Lines) -> Option<Vec<Edit>> {
    let pieces = pieces(lazy);
    let (opens, closes) = (starts_with_gap(lazy), ends_with_gap(lazy));
    let mut edits = Vec::new();
    let mut from = 0;
    for (index, piece) in pieces.iter().enumerate() {
        let (first, last) = (piece.start, piece.end.checked_sub(1)?);
        let top = if index == 0 && !opens { 0 } else { unique(file, lazy, first)? };
        let bottom = if index + 1 == pieces.len() && !closes {
            file.len().checked_sub(1)?
        } else {
            unique(file, lazy, last)?
        };
        // Without a gap, the file and the code begin and end alike.
        let begins = index > 0 || opens || same(file, 0, lazy, first);
        let ends = index + 1 < pieces.len()
            || closes
            || same(file, file.len().checked_sub(1)?, lazy, last);
        if top < from || bottom < top || !begins || !ends {
            return None;
        }
        from = bottom + 1;
        let span = file.line(top).start..file.line(bottom).next;
        let eol = file.break_for(top);
        let mut text: String =
            piece.clone().map(|line| format!("{}{eol}", lazy.content(line))).collect();
        if !file.text().get(span.clone())?.ends_with('\n') {
            text.truncate(text.len() - eol.len());
        }
        if file.text().get(span.clone()) != Some(text.as_str()) {
            edits.push(Edit::replace(span, text));
        }
    }
    Some(edits)
}

/// The lines between the gaps, without blank lines at both ends.
fn pieces(lazy: &Lines) -> Vec<Span> {
    let mut found: Vec<Span> = Vec::new();
    let mut open: Option<usize> = None;
    for line in 0..=lazy.len() {
        let gap = line == lazy.len() || is_gap(lazy.content(line));
        match (open, gap) {
            (None, false) if !lazy.is_blank(line) => open = Some(line),
            (Some(start), true) => {
                let last = (start..line).rev().find(|line| !lazy.is_blank(*line)).unwrap_or(start);
                found.push(start..last + 1);
                open = None;
            }
            _ => {}
        }
    }
    found
}

fn starts_with_gap(lazy: &Lines) -> bool {
    (0..lazy.len())
        .find(|line| !lazy.is_blank(*line))
        .is_some_and(|line| is_gap(lazy.content(line)))
}

fn ends_with_gap(lazy: &Lines) -> bool {
    (0..lazy.len())
        .rfind(|line| !lazy.is_blank(*line))
        .is_some_and(|line| is_gap(lazy.content(line)))
}

fn is_gap(line: &str) -> bool {
    is_elision(line) || is_omission(line)
}

/// The only line of the file equal to this one, including indentation.
fn unique(file: &Lines, lazy: &Lines, line: usize) -> Option<usize> {
    let key = lazy.keys(Level::Trailing).get(line)?;
    let informative =
        lazy.content(line).chars().filter(|letter| letter.is_alphanumeric()).count() >= 3;
    match file.places(Level::Trailing, std::slice::from_ref(key), 2)[..] {
        [place] if informative => Some(place),
        _ => None,
    }
}

fn same(file: &Lines, line: usize, lazy: &Lines, other: usize) -> bool {
    file.keys(Level::Trailing).get(line) == lazy.keys(Level::Trailing).get(other)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn apply(file: &str, lazy: &str) -> Option<String> {
        let edits = place(&Lines::new(file), &Lines::new(lazy))?;
        crate::text::apply(file, &edits).ok()
    }

    #[test]
    fn every_piece_has_its_place() {
        let file = "import os\n\ndef one():\n    return 1\n\ndef two():\n    x = 2\n    return x\n";
        let lazy = "import os\nimport sys\n\ndef one():\n    return 1\n# ... existing code ...\ndef two():\n    x = 3\n    return x\n";
        assert_eq!(
            apply(file, lazy).as_deref(),
            Some(
                "import os\nimport sys\n\ndef one():\n    return 1\n\ndef two():\n    x = 3\n    return x\n"
            )
        );
        let middle = "# ... existing code ...\ndef two():\n    x = 3\n    return x\n# ... existing code ...\n";
        assert!(apply(file, middle).unwrap().contains("x = 3"));
        // A new or repeated line can't be a neighbour.
        assert_eq!(apply(file, "# ... existing code ...\ndef three():\n    return 3\n"), None);
        assert_eq!(
            apply(
                "a = 1\nb = 2\na = 1\nend = 1\n",
                "# ... existing code ...\na = 1\nb = 3\na = 1\n# ... existing code ...\n"
            ),
            None
        );
        assert_eq!(apply(file, "other\n# ... existing code ...\n"), None);
    }
}
