//! Changes that a reply describes again: a summary of an edit isn't another edit.

use std::collections::HashMap;

use crate::edit::{Block, Split};

/// The most blocks with the same line to compare with a description.
const MOST: usize = 16;

/// The edits of a reply.
pub(super) struct Made<'b> {
    edits: Vec<[Places<'b>; 2]>,
    /// Those whose old or new text has a line.
    with: HashMap<&'b str, Vec<usize>>,
}

/// Where each line of a text is, from top to bottom.
type Places<'b> = HashMap<&'b str, Vec<usize>>;

impl<'b> Made<'b> {
    pub fn new(blocks: &'b [Block]) -> Self {
        let mut made = Self { edits: Vec::new(), with: HashMap::new() };
        for split in blocks.iter().filter_map(|block| block.splits.first()) {
            let edit = [places(&split.search), places(&split.replace)];
            let [old, new] = &edit;
            for line in new.keys().chain(old.keys().filter(|line| !new.contains_key(*line))) {
                let known = made.with.entry(line).or_default();
                if known.len() < MOST {
                    known.push(made.edits.len());
                }
            }
            made.edits.push(edit);
        }
        made
    }

    /// Whether an edit makes this change, or writes a file that contains its result.
    pub fn contains(&self, change: &Split) -> bool {
        let first = filled(&change.replace).chain(filled(&change.search)).next();
        let known = first.and_then(|line| self.with.get(line));
        known.into_iter().flatten().filter_map(|at| self.edits.get(*at)).any(|[old, new]| {
            let gone = || match old.is_empty() {
                true => filled(&change.search).all(|line| !new.contains_key(line)),
                false => has(old, &change.search),
            };
            has(new, &change.replace) && gone()
        })
    }
}

fn filled(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty())
}

fn places(text: &str) -> Places<'_> {
    let mut places = Places::new();
    filled(text).enumerate().for_each(|(at, line)| places.entry(line).or_default().push(at));
    places
}

/// Whether a text has these lines, in this order.
fn has(text: &Places, lines: &str) -> bool {
    let mut from = 0;
    filled(lines).all(|line| {
        let places = text.get(line).map_or(&[][..], Vec::as_slice);
        let next = places.get(places.partition_point(|at| *at < from));
        next.inspect(|at| from = **at + 1).is_some()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::Dialect;

    #[test]
    fn changes_that_edits_make() {
        let blocks = [
            Block::of(Dialect::SearchReplace, "a\nb\nc\n", "a\nB\nc\nd\n"),
            Block::of(Dialect::WholeFile, "", "x\nY\n"),
        ];
        let made = Made::new(&blocks);
        for (old, new) in [("b", "B"), ("", "  d"), ("b\n", ""), ("y", "Y")] {
            assert!(made.contains(&Split::new(old, new)), "{old} {new}");
        }
        for (old, new) in [("b", "C"), ("z", "B"), ("", ""), ("", "d\nB"), ("x", "Y")] {
            assert!(!made.contains(&Split::new(old, new)), "{old} {new}");
        }
    }

    #[test]
    fn a_summary_of_an_edit_gets_no_warning() {
        let block = "a.py\n<<<<<<< SEARCH\nx = 1\n=======\nx = 2\n>>>>>>> REPLACE\n";
        let notices = |old: &str| {
            let diff = format!("In short:\n\n```diff\n- {old}\n+ x = 2\n```\n");
            let after = format!("{block}\n{diff}");
            let before = format!("{diff}\n{block}");
            [after, before]
                .map(|text| crate::reply::read(&text, &[]).resolve(&|_| true).notices.len())
        };
        assert_eq!((notices("x = 1"), notices("y = 1")), ([0, 0], [1, 1]));
    }
}
