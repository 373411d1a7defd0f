//! Repairs the block, never the file: the actual lines of the file become the SEARCH text, and the
//! block makes the same change to them.

use crate::edit::nearest::{DifferenceKind, Nearest, nearest};
use crate::edit::{Alignment, Block, Found, Lines, Place, Tier, locate, merge};
use crate::text::{self, Edit, Span};

/// The parts of a block that matches exactly.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repair {
    /// Its lines in the file, counted from 0.
    pub lines: Span,
    pub search: String,
    pub replace: String,
}

/// The limit of places to offer.
const MOST: usize = 5;
/// The limit of lines to add to make the text unique.
const MOST_ADDED: usize = 24;

/// The ways to make a block match the file: one for each place, or one for the nearest match.
pub(super) fn repairs(target: &Lines, block: &Block) -> Vec<Repair> {
    let [split] = block.splits.as_slice() else { return Vec::new() };
    if split.search.trim().is_empty() {
        return Vec::new();
    }
    let (search, replace) = (Lines::new(&split.search), Lines::new(&split.replace));
    let found = match locate(target, &search, &replace, crate::edit::locate::Clues::default()) {
        Ok(found) => vec![found],
        Err(crate::edit::locate::Failure::Ambiguous(found)) => found,
        Err(crate::edit::locate::Failure::NotFound) => {
            nearest(target, &search).and_then(|near| aligned(&search, &near)).into_iter().collect()
        }
    };
    found.iter().take(MOST).filter_map(|found| repair(target, &search, &replace, found)).collect()
}

fn repair(target: &Lines, search: &Lines, replace: &Lines, found: &Found) -> Option<Repair> {
    let lines = match &found.place {
        Place::Lines(alignment) => alignment.lines.clone(),
        Place::Text { span, .. } => {
            target.index_at(span.start)..target.index_at(span.end.max(span.start + 1) - 1) + 1
        }
    };
    let edits = merge::merge(target, search, replace, found);
    let lines = unlike_any_other(target, lines)?;
    let window = target.span(lines.clone());
    let inside = |edit: &Edit| window.start <= edit.span.start && edit.span.end <= window.end;
    if edits.is_empty() || !edits.iter().all(inside) {
        return None;
    }
    let old = target.text().get(window.clone())?;
    let local: Vec<Edit> = edits
        .into_iter()
        .map(|edit| {
            Edit::replace(edit.span.start - window.start..edit.span.end - window.start, edit.text)
        })
        .collect();
    let new = text::apply(old, &local).ok()?;
    (new != old).then(|| Repair { lines, search: whole(old), replace: whole(&new) })
}

/// Whole lines, with plain line breaks.
fn whole(text: &str) -> String {
    let mut text = text.replace("\r\n", "\n");
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text
}

/// The lines, with enough context to be unique.
fn unlike_any_other(target: &Lines, mut lines: Span) -> Option<Span> {
    use crate::edit::lines::Level;
    let keys = target.keys(Level::Trimmed);
    for added in 0..=MOST_ADDED {
        let own = keys.get(lines.clone())?;
        if !own.is_empty()
            && keys.windows(own.len()).filter(|window| *window == own).take(2).count() == 1
        {
            return Some(lines);
        }
        let (above, below) = (lines.start > 0, lines.end < target.len());
        match (above, below) {
            (true, _) if added % 2 == 0 || !below => lines.start -= 1,
            (_, true) => lines.end += 1,
            _ => return None,
        }
    }
    None
}

/// The nearest lines as a match: the target line of each SEARCH line.
fn aligned(search: &Lines, near: &Nearest) -> Option<Found> {
    let mut partners = vec![None; search.len()];
    let (mut mine, mut theirs) = (0, near.lines.start);
    let mut differences = near.differences.iter().peekable();
    while mine < search.len() || theirs < near.lines.end {
        let different = differences
            .next_if(|difference| difference.line == theirs)
            .map(|difference| difference.kind);
        match different {
            Some(DifferenceKind::MissingInFile) => mine += 1,
            Some(DifferenceKind::ExtraInFile) => theirs += 1,
            _ if theirs >= near.lines.end => mine += 1,
            _ => {
                if let Some(partner) = partners.get_mut(mine) {
                    *partner = Some(theirs);
                }
                (mine, theirs) = (mine + 1, theirs + 1);
            }
        }
    }
    let ends = partners.contains(&Some(near.lines.start))
        && partners.contains(&Some(near.lines.end.checked_sub(1)?));
    ends.then(|| Found {
        tier: Tier::Fuzzy,
        score: near.similarity,
        place: Place::Lines(Alignment { lines: near.lines.clone(), partners }),
        confirm: true,
    })
}
