//! The places of texts that several blocks look for, such as equal hunks of a patch.

use std::collections::HashMap;
use std::rc::Rc;

use super::block::Dialect;
use super::lines::Lines;
use super::locate::{Clues, Failure, Found, locate};

/// Each text is sought once.
#[derive(Default)]
pub struct Twins(HashMap<(Dialect, String, String), Rc<[Found]>>);

impl Twins {
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Every place of a text, in order.
    pub fn places(
        &mut self,
        target: &Lines,
        dialect: Dialect,
        search: &Lines,
        replace: &Lines,
        clues: Clues,
    ) -> Rc<[Found]> {
        let key = (dialect, search.text().to_owned(), replace.text().to_owned());
        let all = || {
            let clues = Clues { from: 0, all: true, ..clues };
            let mut places = match locate(target, search, replace, clues) {
                Ok(found) => vec![found],
                Err(Failure::Ambiguous(found)) => found,
                Err(Failure::NotFound) => Vec::new(),
            };
            places.sort_by_key(|found| found.line(target));
            places.into()
        };
        Rc::clone(self.0.entry(key).or_insert_with(all))
    }
}

/// Of places in order, the one that is first after every anchor.
pub fn first_behind<'f>(
    target: &Lines,
    found: &'f [Found],
    anchors: &[usize],
) -> Option<&'f Found> {
    let first = |anchor: &usize| found.partition_point(|found| found.line(target) < *anchor);
    let mut meant: Vec<usize> =
        anchors.iter().map(first).filter(|index| *index < found.len()).collect();
    meant.dedup();
    if let [one] = meant[..] { found.get(one) } else { None }
}
