//! The original location of lines that blocks have moved.

use super::lines::Lines;
use crate::text::{Edit, Span};

/// The line changes that blocks made, in order.
#[derive(Debug, Default)]
pub struct Origin {
    times: Vec<Vec<Change>>,
}

/// Some lines, and the number of lines that replace them.
#[derive(Debug)]
struct Change {
    start: usize,
    old: usize,
    new: usize,
}

impl Origin {
    /// Records edits, in order.
    pub fn take<'e>(&mut self, lines: &Lines, edits: impl Iterator<Item = &'e Edit>) {
        let breaks = |text: &str| memchr::memchr_iter(b'\n', text.as_bytes()).count();
        let change = |edit: &Edit| {
            let old = breaks(lines.text().get(edit.span.clone()).unwrap_or_default());
            Change { start: lines.index_at(edit.span.start), old, new: breaks(&edit.text) }
        };
        self.times.push(edits.map(change).collect());
    }

    /// The original location of current lines. Lines that a block wrote are located where it wrote
    /// them.
    pub fn of(&self, lines: &Span) -> Span {
        self.times.iter().rev().fold(lines.clone(), |lines, changes| {
            let start = before(changes, lines.start, false);
            start..before(changes, lines.end, true).max(start)
        })
    }
}

fn before(changes: &[Change], line: usize, is_end: bool) -> usize {
    let (mut added, mut removed) = (0, 0);
    for change in changes {
        let start = change.start + added - removed;
        if line < start || is_end && line == start {
            break;
        }
        if line < start + change.new || is_end && line == start + change.new {
            return change.start + if is_end { change.old } else { 0 };
        }
        added += change.new;
        removed += change.old;
    }
    (line + removed).saturating_sub(added)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_traced_to_their_original_place() {
        let text = "a\nb\nc\nd\ne\n";
        let lines = Lines::new(text);
        let mut origin = Origin::default();
        // `b` becomes three lines, `d` is deleted.
        origin.take(&lines, [Edit::replace(2..4, "1\n2\n3\n"), Edit::delete(6..8)].iter());
        for (now, then) in [
            (0..1, 0..1),
            (1..2, 1..2),
            (2..3, 1..2),
            (1..4, 1..2),
            (4..5, 2..3),
            (5..6, 4..5),
            (4..6, 2..5),
            (0..6, 0..5),
        ] {
            assert_eq!(origin.of(&now), then, "{now:?}");
        }
        let next = Lines::new("a\n1\n2\n3\nc\ne\n");
        origin.take(&next, [Edit::delete(0..2)].iter());
        assert_eq!(origin.of(&(3..4)), 2..3);
    }
}
