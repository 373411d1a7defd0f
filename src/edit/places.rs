//! The places of SEARCH text that several blocks share, such as equal hunks of a patch.

use std::collections::HashMap;
use std::rc::Rc;

use super::block::Dialect;
use super::lines::Lines;
use super::locate::{Clues, Failure, Found, locate};

/// The limit of places to keep: the adapted REPLACE text of each of very many places would exhaust
/// the memory.
const MOST_KEPT: usize = 1 << 16;

/// Locates each text once, unless there are too many places to keep.
#[derive(Default)]
pub struct Places {
    /// The places of each text; whether they need consent depends on its new version.
    known: HashMap<(Dialect, String, String), Rc<[Found]>>,
    /// The number of all these places.
    kept: usize,
}

impl Places {
    pub fn clear(&mut self) {
        self.known.clear();
        self.kept = 0;
    }

    /// Every place of the text, in order.
    pub fn places(
        &mut self,
        target: &Lines,
        dialect: Dialect,
        search: &Lines,
        replace: &Lines,
        clues: Clues,
    ) -> Rc<[Found]> {
        let key = (dialect, search.text().to_owned(), replace.text().to_owned());
        if let Some(known) = self.known.get(&key) {
            return Rc::clone(known);
        }
        let clues = Clues { from: 0, all: true, ..clues };
        let mut places = match locate(target, search, replace, clues) {
            Ok(found) => vec![found],
            Err(Failure::Ambiguous(found)) => found,
            Err(Failure::NotFound) => Vec::new(),
        };
        places.sort_by_key(|found| found.line(target));
        let places: Rc<[Found]> = places.into();
        if self.kept + places.len() > MOST_KEPT {
            self.clear();
        }
        self.kept += places.len();
        self.known.insert(key, Rc::clone(&places));
        places
    }
}

/// Of places in order, the first one after each anchor, if it is the same for all anchors.
pub fn first_after<'f>(target: &Lines, found: &'f [Found], anchors: &[usize]) -> Option<&'f Found> {
    let first = |anchor: &usize| found.partition_point(|found| found.line(target) < *anchor);
    let mut meant: Vec<usize> =
        anchors.iter().map(first).filter(|index| *index < found.len()).collect();
    meant.dedup();
    if let [one] = meant[..] { found.get(one) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_kept_places_is_limited() {
        let text = "x = 1\n".repeat(2_000);
        let (target, search) = (Lines::new(&text), Lines::new("x = 1\n"));
        let mut sought = Places::default();
        for n in 0..300 {
            let new = format!("x = {n}\n");
            let replace = Lines::new(&new);
            for _ in 0..2 {
                let places = sought.places(
                    &target,
                    Dialect::SearchReplace,
                    &search,
                    &replace,
                    Clues::default(),
                );
                assert_eq!(places.len(), 2_000);
            }
        }
        let kept: usize = sought.known.values().map(|places| places.len()).sum();
        assert!(kept <= MOST_KEPT && kept == sought.kept, "{kept}");
    }
}
