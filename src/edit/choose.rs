//! Chooses the place of a block and its edits, or explains why it has none.

use std::cell::LazyCell;

use similar::DiffOp;

use super::batch::Refused;
use super::block::{Block, Dialect, Split};
use super::elision;
use super::hidden::{Hidden, hidden};
use super::lines::{Level, Lines, indentation};
use super::locate::{
    Alignment, Clues, Failure, Found, MOST_PLACES, Place, Tier, is_even, is_uniform, locate,
};
use super::merge::{differences, merge};
use super::occurrences::occurrences;
use super::pending::Pending;
use super::places::{Places, first_after};
use super::reason::{Reason, Warning};
use super::repair::{holds_fence, plain_markers, repairs};
use super::section;
use crate::text::{Edit, Span};

/// A line with more occurrences than this can't serve as an anchor.
const MOST_ANCHORS: usize = 64;
/// Shorter text, counted in letters, can match anywhere with other indentation.
pub(super) const LETTERS: usize = 8;

/// Text with fewer letters than this identifies no place.
const FEW_LETTERS: usize = 4;
/// Lines with fewer letters may match by chance.
const SOLID: usize = 24;

/// The maximum number of places to name if the SEARCH text is ambiguous.
const MOST_CANDIDATES: usize = 100;

/// A place and the edits there.
pub struct Chosen {
    pub found: Found,
    pub edits: Vec<Edit>,
    pub line: usize,
    /// The line after it.
    pub end: usize,
    pub warnings: Vec<Warning>,
    /// Another split of the block fits as well, and would insert different text.
    pub divided: bool,
}

/// The place of a block whose SEARCH text has more than whitespace. `rank`: the position of this
/// block among those with the same SEARCH text, and their number. `from`: the line after the last
/// place of a patch.
pub fn find(
    target: &Lines,
    block: &Block,
    rank: (usize, usize),
    from: usize,
    sought: &mut Places,
) -> Result<Chosen, Refused> {
    let mut best: Option<(Chosen, &Split)> = None;
    let mut failure = Refused::because(Reason::NotFound);
    for split in &block.splits {
        match find_split(target, block, split, rank, from, sought) {
            Ok(chosen) => {
                let order = |chosen: &Chosen, split: &Split| {
                    (chosen.found.tier, std::cmp::Reverse(split.search.len()))
                };
                match &mut best {
                    Some((old, known)) if order(old, known) < order(&chosen, split) => {}
                    Some((old, known)) if order(old, known) == order(&chosen, split) => {
                        old.divided |= old.edits != chosen.edits
                    }
                    _ => best = Some((chosen, split)),
                }
            }
            Err(refused) if failure.reason == Reason::NotFound => failure = refused,
            Err(_) => {}
        }
    }
    best.map(|(chosen, _)| chosen).ok_or(failure)
}

fn find_split(
    target: &Lines,
    block: &Block,
    split: &Split,
    rank: (usize, usize),
    from: usize,
    sought: &mut Places,
) -> Result<Chosen, Refused> {
    let escapes = block.dialect == Dialect::SearchReplace && split.replace.contains('\\');
    let escaped =
        if escapes { plain_markers(&split.replace, [target.text(), &split.search]) } else { None };
    let (search, replace) =
        (Lines::new(&split.search), Lines::new(escaped.as_deref().unwrap_or(&split.replace)));
    if split.search.trim().is_empty() {
        return Err(Refused::because(Reason::NotFound));
    }
    if split.search == split.replace && split.final_break.is_none() {
        return Err(Refused::because(Reason::NoOp));
    }
    let elided = elides(target, &search, &replace, block);
    if elided == Some(Hidden::Surely) {
        return Err(Refused::because(Reason::ElisionInReplace));
    }
    let ordered = matches!(block.dialect, Dialect::ApplyPatch);
    let from = if ordered { from } else { 0 };
    let named = block.lines_above();
    let section = block.anchors.first().filter(|_| block.dialect == Dialect::UnifiedDiff);
    let anchors = anchored(target, named, from);
    // Hunks may be out of order, but never above their anchor.
    let lowest = match outer(&search, named) {
        [] => Some(0),
        outer => anchored(target, outer, 0).first().copied(),
    };
    let from = anchors.first().copied().unwrap_or(from);
    let any_text = block.dialect == Dialect::Strings;
    let diff = matches!(block.dialect, Dialect::UnifiedDiff | Dialect::ApplyPatch);
    let clues = Clues {
        line: block.hint.map(|hint| hint.saturating_sub(1)),
        at_end: split.at_end,
        any_text,
        from,
        all: block.all,
        strict: false,
        diff,
        loosest: None,
    };
    let repeats = rank.1 > 1 && block.hint.is_none() && !block.all && !split.at_end;
    let mut place = |search: &Lines, replace: &Lines, clues: Clues| {
        if !repeats || clues.line.is_some() {
            return locate(target, search, replace, clues);
        }
        let places = sought.places(target, block.dialect, search, replace, clues);
        let after = places.partition_point(|found| found.line(target) < clues.from);
        let left = places.get(after..).unwrap_or_default();
        let known = match left {
            [] if places.is_empty() => return Err(Failure::NotFound),
            [] => return locate(target, search, replace, clues),
            [one] => Some(one),
            // Equal hunks are in the order of the file.
            _ if ordered && anchors.is_empty() => {
                left.first().filter(|_| left.len() == rank.1 - rank.0)
            }
            _ if ordered => first_after(target, left, &anchors),
            _ => left.get(rank.0).filter(|_| left.len() == rank.1),
        };
        let few = || left.iter().take(MOST_CANDIDATES).cloned().collect();
        known.cloned().ok_or_else(|| Failure::Ambiguous(few()))
    };
    let mut within =
        |search: &Lines, replace: &Lines, clues: Clues| match place(search, replace, clues) {
            // A patch names the lines above if that matters: of several places, the first is meant.
            Err(Failure::Ambiguous(found)) if ordered && !anchors.is_empty() => {
                first_after_anchors(target, found, &anchors)
            }
            Err(Failure::Ambiguous(mut found)) if found.len() == rank.1 && rank.0 < found.len() => {
                Ok(found.swap_remove(rank.0))
            }
            Err(Failure::NotFound) => match lowest {
                Some(lowest) if clues.from > lowest => {
                    place(search, replace, Clues { from: lowest, ..clues })
                }
                _ => Err(Failure::NotFound),
            },
            other => other,
        };
    let mut attempt = |search: &Lines, replace: &Lines, clues: Clues| {
        if lowest.is_some() {
            return within(search, replace, clues);
        }
        // The anchor is missing, so even a single place isn't the one that the patch means.
        locate(target, search, replace, Clues { from: 0, ..clues }).and(Err(Failure::NotFound))
    };
    let perhaps = elided.is_some();
    let mut outcome = match section {
        Some(section) => section::locate_in(target, section, (&search, &replace), clues, || {
            attempt(&search, &replace, clues)
        }),
        None => attempt(&search, &replace, clues),
    };
    if outcome == Err(Failure::NotFound) {
        for repaired in repairs(&split.search, &split.replace) {
            let (search, replace) = (Lines::new(&repaired.search), Lines::new(&repaired.replace));
            let line = repaired.line.map(|line| line.saturating_sub(1));
            let clues = Clues { line: line.or(clues.line), strict: line.is_some(), ..clues };
            if repaired.search.trim().is_empty() || repaired.fence && holds_fence(target.text()) {
                continue;
            }
            match attempt(&search, &replace, clues) {
                // One change at a time: a repaired text must match in every other way.
                Ok(found) if !found.confirm && found.tier <= Tier::BlankLines => {
                    return chosen(
                        target,
                        block,
                        (&search, &replace),
                        split.final_break,
                        Found { confirm: perhaps, ..found },
                        vec![Warning::Repaired],
                    );
                }
                Err(Failure::Ambiguous(found)) => outcome = Err(Failure::Ambiguous(found)),
                _ => {}
            }
        }
    }
    match outcome {
        Err(Failure::Ambiguous(found)) if block.all => everywhere(target, &search, &replace, found)
            .ok_or(Refused::because(Reason::AlreadyApplied)),
        Ok(found) => {
            let warnings = escaped.iter().map(|_| Warning::Repaired).collect();
            let found = Found { confirm: found.confirm || perhaps, ..found };
            chosen(target, block, (&search, &replace), split.final_break, found, warnings)
        }
        Err(Failure::Ambiguous(found)) => {
            // If none of the places qualifies, occurrences elsewhere prove nothing about them.
            let holds =
                !occurrences(replace.keys(Level::Trailing), search.keys(Level::Trailing), 1)
                    .is_empty();
            if is_there_as_said(target, block, &search, &replace)
                || holds && is_there(target, &search, &replace)
            {
                return Err(Refused::because(Reason::AlreadyApplied));
            }
            let candidates =
                found.iter().take(MOST_CANDIDATES).map(|found| found.line(target)).collect();
            Err(Refused { candidates, ..Refused::because(Reason::Ambiguous) })
        }
        // The block doesn't mean the lines above the anchor.
        Err(Failure::NotFound)
            if ordered
                && !block.anchors.is_empty()
                && !target.places(Level::Trailing, search.keys(Level::Trailing), 1).is_empty()
                && !is_there_below(target, block, &search, &replace) =>
        {
            Err(Refused::because(Reason::NotFound))
        }
        Err(Failure::NotFound)
            if !keeps_what_goes(target, &search, &replace)
                && (is_there(target, &search, &replace)
                    || is_made(target, split, &search, &replace)) =>
        {
            Err(Refused::because(Reason::AlreadyApplied))
        }
        Err(Failure::NotFound) if elision::count(&search) != elision::count(&replace) => {
            Err(Refused::because(Reason::ElisionUnpaired))
        }
        Err(Failure::NotFound) => Err(Refused::because(Reason::NotFound)),
    }
}

/// Where a block would find its new text, located on first use.
type Back<F> = LazyCell<Located, F>;
type Located = Result<Found, Failure>;

fn chosen(
    target: &Lines,
    block: &Block,
    (search, replace): (&Lines, &Lines),
    final_break: Option<bool>,
    found: Found,
    mut warnings: Vec<Warning>,
) -> Result<Chosen, Refused> {
    let line = found.line(target);
    let elsewhere = block.hint.is_some_and(|hint| hint != line + 1);
    // Where the block would find its new text: an exact place doesn't need this proof.
    let clues = Clues { loosest: Some(found.tier), ..Clues::default() };
    let back = LazyCell::new(|| match found.tier {
        Tier::Exact => Err(Failure::NotFound),
        _ => locate(target, replace, search, clues),
    });
    if elsewhere && is_there_as_said(target, block, search, replace)
        || is_there_around(target, search, replace, line)
        || !keeps_what_goes(target, search, replace)
            && is_there_with_gaps(target, search, replace, &found)
        || is_there_loosely(target, search, replace, &found)
        || is_made_at(target, search, replace, &found, &back)
        || found.confirm && is_new_text_near(target, search, replace, &found)
    {
        return Err(Refused::because(Reason::AlreadyApplied));
    }
    if let Some(refused) = made_elsewhere(target, search, replace, &found, block.hint, &back) {
        return Err(refused);
    }
    let mut edits = merge(target, search, replace, &found);
    let changes = |edit: &Edit| target.text().get(edit.span.clone()) != Some(edit.text.as_str());
    if !edits.is_empty() && !edits.iter().any(changes) {
        return Err(Refused::because(Reason::AlreadyApplied));
    }
    if matches!(found.place, Place::Text { .. })
        && edits.iter().any(|edit| is_written_around(target, edit))
    {
        return Err(Refused::because(Reason::AlreadyApplied));
    }
    if let (Some(wanted), Place::Lines(alignment)) = (final_break, &found.place)
        && alignment.lines.end == target.len()
    {
        end_text(target, &mut edits, wanted);
    }
    if edits.is_empty() {
        // If only the final line break changes, it already has.
        let same = final_break.is_some() && search.text() == replace.text();
        return Err(Refused::because(if same { Reason::AlreadyApplied } else { Reason::NoOp }));
    }
    if elsewhere {
        warnings.push(Warning::HintDrift);
    }
    let end = match &found.place {
        Place::Lines(alignment) => alignment.lines.end,
        Place::Text { span, .. } => target.index_at(span.end),
    };
    Ok(Chosen { found, edits, line, end, warnings, divided: false })
}

/// The edits at every place that isn't edited yet; of two that overlap, the first is used. `None`
/// if all are edited.
fn everywhere(
    target: &Lines,
    search: &Lines,
    replace: &Lines,
    mut places: Vec<Found>,
) -> Option<Chosen> {
    places.retain(|found| match found.place {
        Place::Lines(_) => !is_there_around(target, search, replace, found.line(target)),
        Place::Text { .. } => !merge(target, search, replace, found)
            .iter()
            .any(|edit| is_written_around(target, edit)),
    });
    let (mut edits, mut taken): (Vec<Edit>, Pending) = (Vec::new(), Pending::default());
    for found in &places {
        let new = merge(target, search, replace, found);
        if !taken.overlaps(&new) {
            taken.extend(new.clone());
            edits.extend(new);
        }
    }
    let line = places.first().map_or(0, |found| found.line(target));
    let found = places.into_iter().next()?;
    Some(Chosen { found, edits, line, end: line, warnings: Vec::new(), divided: false })
}

/// Ends the file with a final line break, or without one, as wanted.
fn end_text(target: &Lines, edits: &mut Vec<Edit>, wanted: bool) {
    let end = target.text().len();
    match edits.last_mut().filter(|edit| edit.span.end == end) {
        // The line before deleted ones becomes the last.
        Some(edit) if edit.text.is_empty() && !wanted => {
            let before = target.text().get(..edit.span.start).unwrap_or_default();
            let bare = before
                .strip_suffix('\n')
                .map_or(before, |line| line.strip_suffix('\r').unwrap_or(line));
            edit.span.start = bare.len();
        }
        Some(edit) if edit.text.ends_with('\n') != wanted && !edit.text.is_empty() => {
            let bare = edit.text.trim_end_matches(['\n', '\r']).len();
            if wanted {
                edit.text.push_str(target.break_for(target.len()))
            } else {
                edit.text.truncate(bare)
            }
        }
        Some(_) => {}
        None if !wanted && target.text().ends_with('\n') => {
            let last = target.line(target.len().saturating_sub(1));
            edits.push(Edit::delete(last.end..last.next));
        }
        None if wanted && !target.text().ends_with('\n') => {
            edits.push(Edit::insert(end, target.break_for(target.len())))
        }
        None => {}
    }
}

/// Whether the REPLACE text has a placeholder for lines that would be lost, and the SEARCH text
/// doesn't.
fn elides(target: &Lines, search: &Lines, replace: &Lines, block: &Block) -> Option<Hidden> {
    let path = block.path.as_ref().map_or("", |path| &path.text);
    let known =
        |gap: &str| elision::is_omission(gap) && target.contents().any(|line| line.trim() == gap);
    if elision::count(search) > 0 {
        return None;
    }
    hidden(replace.text(), search.text(), path, known)
}

/// The block removes lines from the start or end of its text, and a removed line still exists in
/// the file: finding the rest proves nothing.
fn keeps_what_goes(target: &Lines, search: &Lines, replace: &Lines) -> bool {
    let (old, new) = (search.filled(), replace.filled());
    if new.keys.len() >= old.keys.len()
        || !(old.keys.starts_with(&new.keys) || old.keys.ends_with(&new.keys))
    {
        return false;
    }
    let gone = if old.keys.starts_with(&new.keys) {
        new.keys.len()..old.keys.len()
    } else {
        0..old.keys.len() - new.keys.len()
    };
    let says = |index: &&usize| {
        search.content(**index).chars().filter(|letter| letter.is_alphanumeric()).count() >= LETTERS
    };
    let keys = search.keys(Level::Trimmed);
    let lines = old.lines.get(gone).unwrap_or_default().iter().filter(says);
    let wanted: Vec<u64> = lines.filter_map(|index| keys.get(*index).copied()).collect();
    wanted.iter().any(|key| !target.places(Level::Trimmed, &[*key], 1).is_empty())
}

/// The file has the REPLACE text exactly once, and not the SEARCH text.
fn is_there(target: &Lines, search: &Lines, replace: &Lines) -> bool {
    let solid = replace.text().chars().filter(|character| !character.is_whitespace()).count();
    let places = target.places(Level::Trailing, replace.keys(Level::Trailing), 2).len();
    let once = solid > 0
        && places == 1
        && occurrences(replace.keys(Level::Trailing), search.keys(Level::Trailing), 2).len() <= 1;
    once || places == 0 && is_there_indented(target, search, replace)
}

/// The REPLACE text is where the block would put it: the reversed edit would be placed without
/// asking.
fn is_made(target: &Lines, split: &Split, search: &Lines, replace: &Lines) -> bool {
    let is_made = |search: &Lines, replace: &Lines| {
        let letters =
            replace.text().chars().filter(|character| character.is_alphanumeric()).count();
        let back = || {
            locate(
                target,
                replace,
                search,
                Clues { loosest: Some(Tier::Fuzzy), ..Clues::default() },
            )
        };
        letters >= LETTERS
            && search.filled().keys != replace.filled().keys
            && back().is_ok_and(|found| !found.confirm)
    };
    is_made(search, replace)
        || repairs(&split.search, &split.replace)
            .iter()
            .any(|repaired| is_made(&Lines::new(&repaired.search), &Lines::new(&repaired.replace)))
}

/// The REPLACE text matches this place at least as exactly as the SEARCH text and is longer, or
/// matches more exactly: the SEARCH text matched a part of it.
fn is_made_at(
    target: &Lines,
    search: &Lines,
    replace: &Lines,
    found: &Found,
    back: &Back<impl FnOnce() -> Located>,
) -> bool {
    if found.tier == Tier::Exact || replace.text().trim().is_empty() {
        return false;
    }
    let place = match &found.place {
        Place::Lines(alignment) => alignment.lines.clone(),
        Place::Text { span, .. } => {
            target.index_at(span.start)..target.index_at(span.end.saturating_sub(1)) + 1
        }
    };
    let more = replace.filled().lines.len() > search.filled().lines.len();
    let covers = |back: &Found| {
        let lines = back.lines();
        let around =
            matches!(back.place, Place::Lines(_)) && lines.0 <= place.start && lines.1 >= place.end;
        around
            && (!back.confirm || found.confirm)
            && (more && back.tier <= found.tier || back.tier < found.tier)
    };
    match &**back {
        Ok(back) => covers(back),
        Err(Failure::Ambiguous(places)) => places.iter().any(covers),
        Err(Failure::NotFound) => false,
    }
}

/// Everything that the block adds is already at the place or next to it.
fn is_new_text_near(target: &Lines, search: &Lines, replace: &Lines, found: &Found) -> bool {
    let added = differences(search, replace, found.tier)
        .into_iter()
        .filter(|difference| !matches!(difference, DiffOp::Equal { .. }));
    let added: Vec<Vec<u64>> = added
        .map(|difference| filled(replace, difference.new_range(), Level::Trimmed))
        .filter(|keys| !keys.is_empty())
        .collect();
    let Place::Lines(alignment) = &found.place else { return false };
    let near = alignment.lines.start.saturating_sub(replace.len())
        ..(alignment.lines.end + replace.len()).min(target.len());
    let there = filled(target, near, Level::Trimmed);
    let old = filled(search, 0..search.len(), Level::Trimmed);
    // Lines that the SEARCH text has too prove nothing.
    let is_new = |keys: &Vec<u64>| keys.iter().any(|key| !old.contains(key));
    !added.is_empty()
        && added.iter().all(|keys| is_new(keys) && !occurrences(&there, keys, 1).is_empty())
}

/// The SEARCH text matched loosely, and the REPLACE text matches elsewhere more exactly: this place
/// may be a sibling of one that the block already changed.
fn made_elsewhere(
    target: &Lines,
    search: &Lines,
    replace: &Lines,
    found: &Found,
    hint: Option<usize>,
    back: &Back<impl FnOnce() -> Located>,
) -> Option<Refused> {
    let letters =
        replace.text().chars().filter(|character| character.is_alphanumeric()).take(SOLID).count();
    // If only whitespace changes, old and new text match equally well.
    let only_whitespace = search.filled().keys == replace.filled().keys;
    if found.tier == Tier::Exact || letters < FEW_LETTERS || only_whitespace {
        return None;
    }
    let places = match &**back {
        Ok(back) if !back.confirm || found.confirm && back.score >= found.score => {
            std::slice::from_ref(back)
        }
        Err(Failure::Ambiguous(places)) => places.as_slice(),
        Ok(_) | Err(Failure::NotFound) => return None,
    };
    // Equally exact, and nearer to the line that the block names.
    let distance = |place: &Found| hint.map(|hint| (place.line(target) + 1).abs_diff(hint));
    let exactly = |back: &&Found| {
        back.tier < found.tier
            || back.tier == found.tier
                && (found.confirm || hint.is_some() && distance(back) < distance(found))
    };
    let (start, end) = (found.line(target), found.line(target) + search.len());
    let apart =
        |back: &&Found| back.line(target) >= end || back.line(target) + replace.len() <= start;
    let grows = replace.filled().lines.len() >= search.filled().lines.len();
    if found.confirm && grows && places.iter().filter(exactly).any(|back| !apart(&back)) {
        return Some(Refused::because(Reason::AlreadyApplied));
    }
    // The remains of a deletion, more exact than the whole.
    if found.tier > Tier::Unicode
        && places
            .iter()
            .any(|back| back.tier < found.tier && back.tier <= Tier::Unicode && !apart(&back))
    {
        return Some(Refused { candidates: vec![start], ..Refused::because(Reason::Ambiguous) });
    }
    let elsewhere: Vec<usize> =
        places.iter().filter(exactly).filter(apart).map(|back| back.line(target)).collect();
    let solid = letters == SOLID
        && replace.filled().lines.len() > 1
        && !keeps_what_goes(target, search, replace);
    match elsewhere.as_slice() {
        [] => None,
        [_] if solid => Some(Refused::because(Reason::AlreadyApplied)),
        _ => Some(Refused { candidates: vec![start], ..Refused::because(Reason::Ambiguous) }),
    }
}

/// The file has the REPLACE text with other indentation, as it would if a block with different
/// indentation had been applied.
fn is_there_indented(target: &Lines, search: &Lines, replace: &Lines) -> bool {
    let letters = replace.text().chars().filter(|character| character.is_alphanumeric()).count();
    let [start] = target.places(Level::Trimmed, replace.keys(Level::Trimmed), 2)[..] else {
        return false;
    };
    let alignment = Alignment { lines: start..start + replace.len(), partners: Vec::new() };
    let found = Found::new(Tier::Indent, Place::Lines(alignment));
    let alike = is_uniform(target, replace, &found) || is_even(target, replace, &found);
    letters >= LETTERS
        && alike
        && occurrences(replace.keys(Level::Trimmed), search.keys(Level::Trimmed), 2).len() <= 1
}

/// The REPLACE text is exactly on the line that the block names for the SEARCH text.
fn is_there_as_said(target: &Lines, block: &Block, search: &Lines, replace: &Lines) -> bool {
    let (old, new) = (search.keys(Level::Trailing), replace.keys(Level::Trailing));
    let there =
        || target.keys(Level::Trailing).get(block.hint?.checked_sub(1)?..)?.get(..new.len());
    // A part of the SEARCH text can match anything.
    replace.text().contains(char::is_alphanumeric)
        && occurrences(old, new, 1).is_empty()
        && there() == Some(new)
}

/// The REPLACE text of a part of a line contains the SEARCH text, and already surrounds it.
fn is_written_around(target: &Lines, edit: &Edit) -> bool {
    let text = target.text();
    let Some(old) = text.get(edit.span.clone()).filter(|old| !old.is_empty()) else { return false };
    let starts = edit
        .text
        .match_indices(old)
        .take(MOST_ANCHORS)
        .filter_map(|(offset, _)| edit.span.start.checked_sub(offset));
    starts
        .map(|start| text.get(start..start + edit.text.len()))
        .any(|there| there == Some(edit.text.as_str()))
}

/// The REPLACE text contains the SEARCH text, and already surrounds the place.
fn is_there_around(target: &Lines, search: &Lines, replace: &Lines, line: usize) -> bool {
    let (new, old) = (replace.keys(Level::Trimmed), search.keys(Level::Trimmed));
    if new.len() <= old.len() {
        return false;
    }
    let keys = target.keys(Level::Trimmed);
    occurrences(new, old, MOST_PLACES).into_iter().any(|offset| {
        let start = line.checked_sub(offset);
        start.and_then(|start| keys.get(start..start + new.len())) == Some(new)
    })
}

/// The same, ignoring blank lines and the amount of whitespace within lines.
fn is_there_loosely(target: &Lines, search: &Lines, replace: &Lines, found: &Found) -> bool {
    let Place::Lines(alignment) = &found.place else { return false };
    let (old, new) = (
        filled(search, 0..search.len(), Level::Blanks),
        filled(replace, 0..replace.len(), Level::Blanks),
    );
    if new.len() <= old.len() {
        return false;
    }
    occurrences(&new, &old, MOST_ANCHORS).into_iter().any(|offset| {
        let above = (0..alignment.lines.start)
            .rev()
            .filter(|line| !target.is_blank(*line))
            .nth(offset.wrapping_sub(1));
        let start = if offset == 0 { Some(alignment.lines.start) } else { above };
        start.is_some_and(|start| {
            let mut lines = (start..target.len()).filter(|line| !target.is_blank(*line));
            new.iter().all(|key| {
                lines.next().and_then(|line| target.keys(Level::Blanks).get(line)) == Some(key)
            })
        })
    })
}

/// The place, including the extra lines between, is the REPLACE text.
fn is_there_with_gaps(target: &Lines, search: &Lines, replace: &Lines, found: &Found) -> bool {
    let Place::Lines(alignment) = &found.place else { return false };
    let there = filled(target, alignment.lines.clone(), Level::Trimmed);
    let (old, new) = (
        filled(search, 0..search.len(), Level::Trimmed),
        filled(replace, 0..replace.len(), Level::Trimmed),
    );
    there.len() > old.len()
        && new != old
        && !new.is_empty()
        && !occurrences(&there, &new, 1).is_empty()
}

/// The keys of the lines with content.
fn filled(lines: &Lines, span: Span, level: Level) -> Vec<u64> {
    let keys = lines.keys(level);
    span.filter(|index| !lines.is_blank(*index))
        .filter_map(|index| keys.get(index).copied())
        .collect()
}

/// The first place after each line that the patch may mean; these must all be the same, or nothing
/// is decided.
fn first_after_anchors(
    target: &Lines,
    mut found: Vec<Found>,
    anchors: &[usize],
) -> Result<Found, Failure> {
    let first =
        |anchor: &usize| found.iter().map(|found| found.line(target)).find(|line| line >= anchor);
    let meant: Vec<usize> = anchors.iter().filter_map(first).collect();
    found.retain(|found| meant.contains(&found.line(target)));
    if found.len() == 1 {
        found.pop().ok_or(Failure::NotFound)
    } else {
        Err(Failure::Ambiguous(found))
    }
}

/// The REPLACE text is in the part of the file that the anchors of a patch name: after the anchor,
/// before the next line with as little indentation.
fn is_there_below(target: &Lines, block: &Block, search: &Lines, replace: &Lines) -> bool {
    let new = replace.keys(Level::Trailing);
    if !occurrences(search.keys(Level::Trailing), new, 1).is_empty() {
        return false;
    }
    let places = target.places(Level::Trailing, new, MOST_PLACES);
    anchored(target, &block.anchors, 0).into_iter().any(|start| {
        let width = |line: usize| indentation(target.content(line)).len();
        let outside = |line: &usize| {
            !target.is_blank(*line) && width(*line) <= width(start.saturating_sub(1))
        };
        let end = (start..target.len()).find(outside).unwrap_or(target.len());
        places.iter().any(|place| (start..end).contains(place))
    })
}

/// The anchors of a patch without the last ones that its lines repeat: those are part of the place
/// itself.
fn outer<'a>(search: &Lines, anchors: &'a [String]) -> &'a [String] {
    let repeats = |anchor: &str| search.contents().any(|line| line.trim().starts_with(anchor));
    let own = anchors.iter().rev().take_while(|anchor| repeats(anchor.trim())).count();
    anchors.get(..anchors.len() - own).unwrap_or_default()
}

/// The lines after those that a patch names above the place, nested in each other, wherever they
/// occur.
pub(super) fn anchored(target: &Lines, anchors: &[String], from: usize) -> Vec<usize> {
    let Some((first, inner)) = anchors.split_first() else { return Vec::new() };
    let starts = |at: usize, anchor: &str| {
        let wanted = anchor.trim();
        let lines = |fits: &dyn Fn(&str) -> bool| -> Vec<usize> {
            (at..target.len())
                .filter(|line| fits(target.content(*line).trim()))
                .take(MOST_ANCHORS)
                .collect()
        };
        let whole: Vec<usize> = target.equal_to(wanted, at).take(MOST_ANCHORS).collect();
        if !whole.is_empty() {
            return whole;
        }
        let begun = lines(&|line| line.starts_with(wanted));
        if !begun.is_empty() || wanted.len() < LETTERS {
            return begun;
        }
        // `@@ fn open()` for `pub fn open() {`
        let held = lines(&|line| line.contains(wanted));
        if held.len() == 1 { held } else { Vec::new() }
    };
    let within = |start: usize| {
        inner
            .iter()
            .try_fold(start + 1, |at, anchor| starts(at, anchor).first().map(|line| line + 1))
    };
    let mut ends: Vec<usize> = starts(from, first).into_iter().filter_map(within).collect();
    ends.dedup();
    ends
}
