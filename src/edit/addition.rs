//! Lines that a block adds without naming the lines around them.

use super::batch::Refused;
use super::block::{Block, Dialect};
use super::choose::{Chosen, LETTERS, anchored};
use super::lines::{Level, Lines};
use super::locate::{Alignment, Found, Place, Tier};
use super::merge::merge;
use super::reason::Reason;

/// So many lines of other blocks may be between a place and the lines that were added there.
const MOST_OTHERS: usize = 1000;

/// Whether a block of this dialect says by itself where its lines go.
pub fn is_placed(block: &Block) -> bool {
    matches!(block.dialect, Dialect::UnifiedDiff | Dialect::ApplyPatch)
        || block.dialect == Dialect::Strings && block.hint.is_some()
}

/// The number of lines that blocks add in this way.
pub fn count(blocks: &[&Block]) -> usize {
    let added = blocks
        .iter()
        .filter(|block| is_placed(block))
        .filter_map(|block| block.splits.first().filter(|split| split.search.is_empty()));
    added.map(|split| split.replace.lines().count()).sum()
}

/// The place of added lines, unless they're there. All blocks together add `total` lines, which may
/// be in between.
pub fn place(
    target: &Lines,
    block: &Block,
    replace: &Lines,
    total: usize,
) -> Result<Chosen, Refused> {
    let anchors = anchored(target, &block.anchors, 0);
    if let [_, _, ..] = anchors[..] {
        return Err(Refused { candidates: anchors, ..Refused::because(Reason::Ambiguous) });
    }
    let line = match (anchors.first(), block.hint) {
        (Some(line), _) => *line,
        (None, _) if !block.anchors.is_empty() => return Err(Refused::because(Reason::NotFound)),
        (None, Some(hint)) => hint.min(target.len()),
        (None, None) => target.len(),
    };
    if is_there(target, replace, line, total.saturating_sub(replace.len())) {
        return Err(Refused::because(Reason::AlreadyApplied));
    }
    let alignment = Alignment { lines: line..line, partners: Vec::new() };
    let found = Found::new(Tier::Exact, Place::Lines(alignment));
    let edits = merge(target, &Lines::new(""), replace, &found);
    Ok(Chosen { found, edits, line, end: line, warnings: Vec::new(), divided: false })
}

/// Whether the lines follow their place, or are the last ones if they go to the end, with at most
/// `others` lines in between. Few letters may be there by chance.
fn is_there(target: &Lines, replace: &Lines, line: usize, others: usize) -> bool {
    let letters = replace.text().chars().filter(|letter| letter.is_alphanumeric());
    let (keys, new) = (target.keys(Level::Trailing), replace.keys(Level::Trailing));
    let most = new.len() + others.min(MOST_OTHERS);
    let start = if line < keys.len() { line } else { keys.len().saturating_sub(most) };
    let near = keys.get(start..(start + most).min(keys.len())).unwrap_or_default();
    !new.is_empty()
        && letters.take(LETTERS).count() == LETTERS
        && near.windows(new.len()).any(|lines| lines == new)
}
