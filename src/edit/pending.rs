//! Decided edits that aren't made yet: non-adjacent edits of the text in which blocks are located.

use std::collections::BTreeMap;

use super::lines::Lines;
use crate::text::{Edit, Span};

/// The edits by location, and the resulting text, as far as it was requested.
#[derive(Default)]
pub struct Pending {
    edits: BTreeMap<(usize, usize), Edit>,
    next: Option<Next>,
}

/// The text after the edits.
struct Next {
    lines: Lines<'static>,
    /// Edits that it lacks.
    missing: Vec<(usize, usize)>,
}

impl Pending {
    pub fn is_empty(&self) -> bool {
        self.edits.is_empty()
    }

    /// Whether an edit overlaps another, or both insert at the same place.
    pub fn overlaps(&self, edits: &[Edit]) -> bool {
        edits.iter().any(|edit| {
            let same = edit.span.is_empty()
                && self.edits.contains_key(&(edit.span.start, edit.span.start));
            // They aren't adjacent: of those that begin before the end, the last one reaches
            // furthest.
            same || self
                .edits
                .range(..(edit.span.end, 0))
                .next_back()
                .is_some_and(|(place, _)| place.1 > edit.span.start)
        })
    }

    pub fn contains(&self, edit: &Edit) -> bool {
        self.edits.get(&(edit.span.start, edit.span.end)) == Some(edit)
    }

    /// The edits that touch a part of the text, which grows to contain them.
    pub fn around(&self, hull: &mut Span) -> Vec<&Edit> {
        let mut first = hull.start;
        for (place, _) in self.edits.range(..=(hull.end, usize::MAX)).rev() {
            if place.1 < hull.start {
                break;
            }
            first = place.0;
            *hull = hull.start.min(place.0)..hull.end.max(place.1);
        }
        self.edits.range((first, 0)..=(hull.end, usize::MAX)).map(|(_, edit)| edit).collect()
    }

    /// The edits, in order.
    pub fn edits(&self) -> impl Iterator<Item = &Edit> {
        self.edits.values()
    }

    /// Where the edits' text is in the text after them.
    pub fn written(&self) -> Vec<Span> {
        let (mut added, mut removed) = (0, 0);
        let place = |edit: &Edit| {
            let start = (edit.span.start + added).saturating_sub(removed);
            added += edit.text.len();
            removed += edit.span.len();
            start..start + edit.text.len()
        };
        self.edits.values().map(place).collect()
    }

    pub fn extend(&mut self, edits: Vec<Edit>) {
        for edit in edits {
            let place = (edit.span.start, edit.span.end);
            if let Some(next) = &mut self.next {
                next.missing.push(place);
            }
            self.edits.insert(place, edit);
        }
    }

    /// The text after applying the edits to `lines`.
    pub fn next(&mut self, lines: &Lines) -> Option<&Lines<'static>> {
        let stale = self.next.as_ref().is_none_or(|next| !next.missing.is_empty());
        if stale {
            let new = match self.next.take() {
                None => lines.edited(&self.edits.values().cloned().collect::<Vec<_>>()),
                Some(next) => next.lines.edited(&self.shifted(&next.missing)),
            };
            self.next = Some(Next { lines: new?, missing: Vec::new() });
        }
        self.next.as_ref().map(|next| &next.lines)
    }

    /// Makes all edits: the resulting text, and none left.
    pub fn take(&mut self, lines: &Lines) -> Option<Lines<'static>> {
        self.next(lines)?;
        self.edits.clear();
        self.next.take().map(|next| next.lines)
    }

    /// Appends edits that follow all others.
    fn shifted(&self, places: &[(usize, usize)]) -> Vec<Edit> {
        let mut wanted = places.to_vec();
        wanted.sort_unstable();
        let mut wanted = wanted.into_iter().peekable();
        let (mut shifted, mut added, mut removed) = (Vec::new(), 0, 0);
        for (place, edit) in &self.edits {
            if wanted.next_if_eq(place).is_some() {
                let at = |offset: usize| (offset + added).saturating_sub(removed);
                shifted
                    .push(Edit::replace(at(edit.span.start)..at(edit.span.end), edit.text.clone()));
            } else {
                added += edit.text.len();
                removed += edit.span.len();
            }
        }
        shifted
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requesting_the_text_in_between_does_not_change_the_result() {
        let lines = Lines::new("one\ntwo\nthree\nfour\n");
        let all = [
            Edit::replace(4..7, "2"),
            Edit::insert(0, "zero\n"),
            Edit::delete(14..19),
            Edit::insert(4, "1.5\n"),
        ];
        let mut pending = Pending::default();
        for edit in &all {
            pending.extend(vec![edit.clone()]);
            assert!(pending.next(&lines).is_some());
        }
        assert_eq!(
            pending.take(&lines).map(Lines::into_text).as_deref(),
            Some("zero\none\n1.5\n2\nthree\n")
        );
    }

    #[test]
    fn overlapping_edits() {
        let mut pending = Pending::default();
        pending.extend(vec![Edit::replace(4..8, "x"), Edit::insert(10, "y")]);
        for (span, expected) in [
            (0..4, false),
            (0..5, true),
            (7..9, true),
            (8..10, false),
            (9..11, true),
            (10..10, true),
            (4..4, false),
            (5..5, true),
        ] {
            assert_eq!(pending.overlaps(&[Edit::replace(span.clone(), "z")]), expected, "{span:?}");
        }
    }
}
