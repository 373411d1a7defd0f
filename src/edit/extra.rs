//! One line that the file doesn't have: the model invented it, or the file lost it. All other lines
//! exist, in a row.

use rustc_hash::FxHashSet;
use similar::DiffOp;

use super::lines::{Level, Lines};
use super::locate::{Alignment, Found, MOST_PLACES, Place, Tier, pair_blanks};
use super::merge::differences;

/// The number of lines that must exist besides the missing one.
const FEWEST: usize = 3;

/// The places of all lines but one, which doesn't change and is neither the first nor the last.
pub fn find(target: &Lines, search: &Lines, replace: &Lines) -> Vec<Found> {
    let mine = search.filled();
    if mine.lines.len() <= FEWEST {
        return Vec::new();
    }
    let wanted: FxHashSet<u64> = mine.keys.iter().copied().collect();
    let mut known: FxHashSet<u64> = FxHashSet::default();
    target.each_of(Level::Trimmed, &wanted, |key, _| {
        known.insert(key);
    });
    let mut unknown = mine.keys.iter().enumerate().filter(|(_, key)| !known.contains(*key));
    let (Some((at, _)), None) = (unknown.next(), unknown.next()) else { return Vec::new() };
    let Some(line) = mine.lines.get(at).filter(|_| at > 0 && at + 1 < mine.lines.len()).copied()
    else {
        return Vec::new();
    };
    // An insertion next to a missing line, or a change on both sides of it, concerns that line.
    let stays =
        differences(search, replace, Tier::Fuzzy).iter().all(|difference| match difference {
            DiffOp::Equal { .. } => true,
            DiffOp::Insert { old_index, .. } => *old_index != line && *old_index != line + 1,
            other => !other.old_range().contains(&line),
        });
    if !stays {
        return Vec::new();
    }
    let mut others = mine.lines.clone();
    let mut keys = mine.keys.clone();
    others.remove(at);
    keys.remove(at);
    let theirs = target.filled();
    #[allow(clippy::cast_precision_loss)]
    let score = others.len() as f64 / mine.lines.len() as f64;
    let found = target.filled_places(&keys, MOST_PLACES).into_iter().filter_map(|start| {
        let there = theirs.lines.get(start..start + others.len())?;
        let mut partners = vec![None; search.len()];
        for (index, partner) in others.iter().zip(there) {
            *partners.get_mut(*index)? = Some(*partner);
        }
        let lines = *there.first()?..*there.last()? + 1;
        pair_blanks(target, search, &mut partners);
        Some(Found {
            score,
            ..Found::new(Tier::Fuzzy, Place::Lines(Alignment { lines, partners }))
        })
    });
    found.collect()
}
