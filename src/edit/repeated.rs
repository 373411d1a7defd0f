//! Recognises edits that another block of the same reply already makes: a model may show a change
//! twice, in two dialects.

use std::collections::HashMap;

use super::block::Dialect;
use super::lines::Lines;
use super::pending::Pending;
use crate::text::{Edit, Span};

/// An edit moves past at most this many equal lines.
const MOST_STEPS: usize = 100;

/// The edits of earlier blocks, at their lowest place, with the first dialect that made each.
#[derive(Default)]
pub struct Repeated {
    made: HashMap<(usize, usize, String), Dialect>,
}

impl Repeated {
    pub fn take(&mut self, text: &Lines, dialect: Dialect, edits: &[Edit]) {
        for edit in edits {
            self.made.entry(lowest(text, edit)).or_insert(dialect);
        }
    }

    pub fn clear(&mut self) {
        self.made.clear();
    }

    /// The edits that no earlier block makes; `None` if they contradict one.
    pub fn rest(
        &self,
        text: &Lines,
        pending: &Pending,
        dialect: Dialect,
        edits: &[Edit],
    ) -> Option<Vec<Edit>> {
        // In one dialect, the same lines can be added to two places of a run of equal lines.
        let elsewhere =
            |edit: &Edit| self.made.get(&lowest(text, edit)).is_some_and(|other| *other != dialect);
        let new: Vec<Edit> = edits
            .iter()
            .filter(|edit| !pending.contains(edit) && !elsewhere(edit))
            .cloned()
            .collect();
        if !pending.overlaps(&new) {
            return Some(new);
        }
        let mut hull = edits.first()?.span.start..edits.last()?.span.end;
        let made = pending.around(&mut hull);
        let same =
            result(text, &hull, &made)? == result(text, &hull, &edits.iter().collect::<Vec<_>>())?;
        same.then(Vec::new)
    }
}

/// What edits, in order, turn a part of the text into.
fn result(text: &Lines, within: &Span, edits: &[&Edit]) -> Option<String> {
    let (mut made, mut at) = (String::new(), within.start);
    for edit in edits {
        made.push_str(text.text().get(at..edit.span.start)?);
        made.push_str(&edit.text);
        at = edit.span.end;
    }
    made.push_str(text.text().get(at..within.end)?);
    Some(made)
}

/// An edit at the lowest of the places where it has the same effect: inserting or deleting one of
/// several equal lines.
fn lowest(text: &Lines, edit: &Edit) -> (usize, usize, String) {
    let Span { mut start, mut end } = edit.span;
    let mut new = edit.text.clone();
    let starts_line =
        start == 0 || text.text().get(..start).is_some_and(|text| text.ends_with('\n'));
    let inserts = start == end && new.ends_with('\n');
    let deletes =
        new.is_empty() && text.text().get(start..end).is_some_and(|old| old.ends_with('\n'));
    if !starts_line || !inserts && !deletes {
        return (start, end, new);
    }
    for _ in 0..MOST_STEPS {
        let next = text.line(text.index_at(end));
        let Some(below) = text.text().get(end..next.next).filter(|line| line.ends_with('\n'))
        else {
            break;
        };
        let first = |lines: &str| lines.split_inclusive('\n').next() == Some(below);
        if inserts && first(&new) {
            new.drain(..below.len());
            new.push_str(below);
        } else if !(deletes && text.text().get(start..end).is_some_and(first)) {
            break;
        }
        (start, end) = (start + below.len(), end + below.len());
    }
    (start, end, new)
}
