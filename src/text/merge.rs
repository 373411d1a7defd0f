//! Three-way merge: combines two versions of the same text.

use std::ops::Range;

use similar::{Algorithm, DiffOp};

use super::lines;

/// The result of a merge.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Merged {
    pub text: String,
    /// Text that only one of them had where both changed the same words, and that the other
    /// replaced.
    pub lost: Vec<String>,
}

/// If both changed a place with more words than this, they aren't compared word by word.
const MOST_WORDS: usize = 10_000;

/// Merges the changes that `own` and `new` made to `base`: line by line, and word by word in lines
/// that both changed. The words of `new` take precedence.
pub fn merge(base: &str, own: &str, new: &str) -> Merged {
    let split = |text: &'_ str| text.split_inclusive('\n').map(str::to_owned).collect::<Vec<_>>();
    let (base, own, new) = (split(base), split(own), split(new));
    let mut lost = Vec::new();
    let text = merge_pieces([&base, &own, &new], &mut |[base, own, new]| {
        let [base, own, new] = [base.concat(), own.concat(), new.concat()];
        let pieces = [words(&base), words(&own), words(&new)];
        let [base, own, new] = &pieces;
        if pieces.iter().map(Vec::len).sum::<usize>() > MOST_WORDS {
            lost.push(own.concat());
            return new.concat();
        }
        merge_pieces([base, own, new], &mut |[_, own, new]| {
            lost.push(own.concat());
            new.concat()
        })
    });
    lost.retain(|text| !text.trim().is_empty());
    Merged { text, lost }
}

/// Words, whitespace, line breaks and single signs.
fn words(text: &str) -> Vec<String> {
    let kind = |letter: char| match letter {
        '\r' | '\n' => 1,
        letter if letter.is_whitespace() => 2,
        letter if letter.is_alphanumeric() || letter == '_' => 3,
        _ => 0,
    };
    let mut found: Vec<String> = Vec::new();
    let mut before = 0;
    for letter in text.chars() {
        match found.last_mut().filter(|_| kind(letter) == before && before > 0) {
            Some(word) => word.push(letter),
            None => found.push(letter.into()),
        }
        before = kind(letter);
    }
    found
}

/// A change: the replaced range, and the range of its new text.
struct Change {
    base: Range<usize>,
    other: Range<usize>,
}

fn changes(base: &[String], other: &[String]) -> Vec<Change> {
    let found = lines::compare(Algorithm::Myers, base, other).into_iter();
    let changed = found.filter(|operation| !matches!(operation, DiffOp::Equal { .. }));
    let mut list: Vec<Change> = Vec::new();
    for operation in changed {
        let (base, other) = (operation.old_range(), operation.new_range());
        match list.last_mut().filter(|last| last.base.end == base.start) {
            Some(last) => (last.base.end, last.other.end) = (base.end, other.end),
            None => list.push(Change { base, other }),
        }
    }
    list
}

/// Merges the base and two versions of it, piece by piece. `both` decides about pieces that both
/// versions changed.
fn merge_pieces(
    [base, own, new]: [&[String]; 3],
    both: &mut dyn FnMut([&[String]; 3]) -> String,
) -> String {
    let sides = [changes(base, own), changes(base, new)];
    let mut next = [0, 0];
    let (mut out, mut at) = (String::new(), 0);
    let part =
        |pieces: &'_ [String], range: Range<usize>| pieces.get(range).unwrap_or_default().to_vec();
    loop {
        let peek = |next: &[usize; 2], side: usize| {
            let index = next.get(side).copied().unwrap_or_default();
            sides.get(side).and_then(|side| side.get(index))
        };
        let first = [0, 1].into_iter().filter_map(|side| peek(&next, side));
        let Some(first) = first.min_by_key(|change| (change.base.start, change.base.end)) else {
            break;
        };
        let mut span = first.base.clone();
        let mut taken: [Vec<&Change>; 2] = Default::default();
        // Overlapping changes belong together.
        loop {
            let before = [taken[0].len(), taken[1].len()];
            for side in [0, 1] {
                while let Some(change) = peek(&next, side) {
                    let meets = change.base.start == span.start || change.base.start < span.end;
                    if !meets {
                        break;
                    }
                    span.end = span.end.max(change.base.end);
                    taken[side].push(change);
                    next[side] += 1;
                }
            }
            if before == [taken[0].len(), taken[1].len()] {
                break;
            }
        }
        out.push_str(&part(base, at..span.start).concat());
        at = span.end;
        let of = |changes: &[&Change], pieces: &[String]| {
            let (first, last) = changes.first().zip(changes.last())?;
            let start = first.other.start - (first.base.start - span.start);
            Some(part(pieces, start..last.other.end + (span.end - last.base.end)))
        };
        let old = part(base, span.clone());
        out.push_str(&match (of(&taken[0], own), of(&taken[1], new)) {
            (Some(own), Some(new)) if own != new => both([&old, &own, &new]),
            (Some(one), _) | (None, Some(one)) => one.concat(),
            (None, None) => old.concat(),
        });
    }
    out.push_str(&part(base, at..base.len()).concat());
    out
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn changes_of_both_sides_are_kept() {
        for (base, own, new, expected, lost) in [
            ("a\nb\nc\n", "a\nB\nc\n", "a\nb\nc\nd\n", "a\nB\nc\nd\n", ""),
            (
                "Run it $1, now.\n",
                "Run it \\$2, now.\n",
                "Run that $1, now.\n",
                "Run that \\$2, now.\n",
                "",
            ),
            ("one\ntwo\n", "one\r\ntwo\r\n", "one\ntoo\n", "one\r\ntoo\r\n", ""),
            ("a b c", "a x c", "a y c", "a y c", "x"),
            ("a\n", "", "a\nb\n", "b\n", ""),
            ("", "x", "y", "y", "x"),
        ] {
            let found = merge(base, own, new);
            assert_eq!(
                (found.text.as_str(), found.lost.concat().as_str()),
                (expected, lost),
                "{base:?}"
            );
        }
    }

    proptest! {
        #[test]
        fn a_side_without_changes_is_ignored(base in "([ab]{0,2} ?[é🦆]?\r?\n?){0,8}", other in "([ab]{0,2} ?[é🦆]?\r?\n?){0,8}") {
            let only = Merged { text: other.clone(), lost: Vec::new() };
            prop_assert_eq!(&merge(&base, &base, &other), &only);
            prop_assert_eq!(&merge(&base, &other, &base), &only);
            prop_assert_eq!(&merge(&base, &other, &other), &only);
        }
    }
}
