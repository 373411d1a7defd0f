//! The small edits that turn one text into another: unchanged text between them stays, and with it
//! marks and cursors.

use similar::{Algorithm, DiffOp};

use super::{Edit, difference, lines};

/// With more lines than this between the first and the last difference, lines aren't compared one
/// by one.
const MOST_LINES: usize = 20_000;

/// Ordered, disjoint edits, each as small as possible within the lines that differ.
pub fn hunks(old: &str, new: &str) -> Vec<Edit> {
    let Some(whole) = difference(old, new) else { return Vec::new() };
    // Whole lines around the differences.
    let start =
        old.get(..whole.span.start).and_then(|text| text.rfind('\n')).map_or(0, |at| at + 1);
    let line_end = |text: &str, from: usize| {
        text.get(from..).and_then(|rest| rest.find('\n')).map_or(text.len(), |at| from + at + 1)
    };
    let end = line_end(old, whole.span.end);
    let tail = old.len() - end;
    let (Some(old_part), Some(new_part)) =
        (old.get(start..end), new.len().checked_sub(tail).and_then(|end| new.get(start..end)))
    else {
        return vec![whole];
    };
    let (old_lines, new_lines): (Vec<&str>, Vec<&str>) =
        (old_part.split_inclusive('\n').collect(), new_part.split_inclusive('\n').collect());
    if old_lines.len() + new_lines.len() > MOST_LINES {
        return vec![whole];
    }
    let operations = lines::compare(Algorithm::Myers, &old_lines, &new_lines);
    let starts = |lines: &[&str]| -> Vec<usize> {
        let ends = lines.iter().scan(0, |at, line| {
            *at += line.len();
            Some(*at)
        });
        std::iter::once(0).chain(ends).collect()
    };
    let (old_starts, new_starts) = (starts(&old_lines), starts(&new_lines));
    let place = |starts: &[usize], lines: std::ops::Range<usize>| {
        Some(*starts.get(lines.start)?..*starts.get(lines.end)?)
    };
    let mut found = Vec::new();
    for operation in
        operations.into_iter().filter(|operation| !matches!(operation, DiffOp::Equal { .. }))
    {
        let spans = place(&old_starts, operation.old_range())
            .zip(place(&new_starts, operation.new_range()));
        let Some((old_span, new_span)) = spans else { return vec![whole] };
        let (Some(before), Some(after)) = (old_part.get(old_span.clone()), new_part.get(new_span))
        else {
            return vec![whole];
        };
        let edit = difference(before, after);
        found.extend(edit.map(|edit| {
            let by = start + old_span.start;
            Edit::replace(edit.span.start + by..edit.span.end + by, edit.text)
        }));
    }
    found
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::apply;
    use super::*;

    #[test]
    fn unchanged_text_between_edits_stays() {
        let (old, new) = ("one\ntwo\nthree\nfour\nfive\n", "one\n2\nthree\nfour\nfive!\nsix\n");
        assert_eq!(hunks(old, new), [Edit::replace(4..7, "2"), Edit::insert(23, "!\nsix")]);
        assert_eq!(hunks("a\nb\nc\n", "a\nb\nc\n"), []);
        assert_eq!(hunks("", "a\n"), [Edit::insert(0, "a\n")]);
    }

    proptest! {
        #[test]
        fn hunks_turn_old_into_new(old in "([aé🦆]{0,2}\r?\n){0,8}[b]{0,2}", new in "([aé🦆]{0,2}\r?\n){0,8}[b]{0,2}") {
            prop_assert_eq!(apply(&old, &hunks(&old, &new)).unwrap(), new);
        }
    }
}
