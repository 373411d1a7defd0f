//! Lines that a block adds without naming the lines around them.

use super::batch::Refused;
use super::block::{Block, Dialect, LAST_LINE, Operation, Split};
use super::choose::{Chosen, LETTERS, anchored};
use super::lines::{Level, Lines};
use super::locate::{Alignment, Found, Place, Tier};
use super::merge::merge;
use super::reason::Reason;

/// Whether a block of this dialect says by itself where its lines go.
pub fn is_placed(block: &Block) -> bool {
    matches!(block.dialect, Dialect::UnifiedDiff | Dialect::ApplyPatch)
        || block.dialect == Dialect::Strings && block.hint.is_some()
}

fn is_edit(block: &Block) -> bool {
    matches!(block.operation, Operation::Edit | Operation::Move(_)) && block.error.is_none()
}

/// Whether the contents already have all the lines that blocks add at a line number, each shifted
/// by the changes above it.
pub fn are_there(target: &Lines, blocks: &[&Block]) -> bool {
    let mut changes: Vec<(usize, &Split)> = blocks
        .iter()
        .filter(|block| is_placed(block) && block.lines_above().is_empty() && is_edit(block))
        .filter_map(|block| Some((block.hint?, block.splits.first()?)))
        .filter(|(line, _)| *line != LAST_LINE)
        .collect();
    changes.sort_by_key(|(line, _)| *line);
    let (mut added, mut removed) = (0, 0);
    changes.into_iter().all(|(line, split)| {
        let at = line.saturating_add(added).saturating_sub(removed);
        added += split.replace.lines().count();
        removed += split.search.lines().count();
        !split.search.is_empty() || is_there(target, &Lines::new(&split.replace), at)
    })
}

/// The place of added lines, unless the file has them; `together` is the result of [`are_there`].
pub fn place(
    target: &Lines,
    block: &Block,
    replace: &Lines,
    together: bool,
) -> Result<Chosen, Refused> {
    let anchors = anchored(target, block.lines_above(), 0);
    if let [_, _, ..] = anchors[..] {
        return Err(Refused { candidates: anchors, ..Refused::because(Reason::Ambiguous) });
    }
    let line = match (anchors.first(), block.hint) {
        (Some(line), _) => *line,
        (None, _) if !block.lines_above().is_empty() => {
            return Err(Refused::because(Reason::NotFound));
        }
        (None, Some(hint)) => hint.min(target.len()),
        (None, None) => target.len(),
    };
    let numbered =
        block.lines_above().is_empty() && block.hint.is_some_and(|line| line != LAST_LINE);
    if tells(replace) && (together && numbered || is_there(target, replace, line)) {
        return Err(Refused::because(Reason::AlreadyApplied));
    }
    let alignment = Alignment { lines: line..line, partners: Vec::new() };
    let found = Found::new(Tier::Exact, Place::Lines(alignment));
    let edits = merge(target, &Lines::new(""), replace, &found);
    Ok(Chosen { found, edits, line, end: line, warnings: Vec::new(), divided: false })
}

/// Whether the lines follow their place, or are the last ones if they go to the end.
fn is_there(target: &Lines, replace: &Lines, line: usize) -> bool {
    let (keys, new) = (target.keys(Level::Trailing), replace.keys(Level::Trailing));
    let start = if line < keys.len() { line } else { keys.len().saturating_sub(new.len()) };
    !new.is_empty() && keys.get(start..start + new.len()) == Some(new)
}

/// Whether lines are unlikely to occur by chance, as lines with few letters might.
fn tells(replace: &Lines) -> bool {
    let letters = replace.text().chars().filter(|letter| letter.is_alphanumeric());
    letters.take(LETTERS).count() == LETTERS
}
