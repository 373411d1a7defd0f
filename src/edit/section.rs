//! The section that a diff names after the numbers of a hunk: `@@ -1,3 +1,3 @@ def load(path):`.

use super::context::is_definition;
use super::lines::{Lines, indentation};
use super::locate::{Clues, Failure, Found, locate};

/// With more places, a section isn't specific enough.
const MOST_PLACES: usize = 64;
/// The maximum number of lines to look at above a place.
const MOST_LINES: usize = 1000;

/// The place of a hunk. If the text occurs several times, the section decides, and the number only
/// if there is none: models count badly. If they name two places exactly, neither is chosen.
/// `otherwise` locates it without the section.
pub fn locate_in(
    target: &Lines,
    section: &str,
    (search, replace): (&Lines, &Lines),
    clues: Clues,
    otherwise: impl FnOnce() -> Result<Found, Failure>,
) -> Result<Found, Failure> {
    let found = match locate(target, search, replace, Clues { line: None, ..clues }) {
        Err(Failure::Ambiguous(found)) if found.len() <= MOST_PLACES => found,
        Err(Failure::Ambiguous(_)) => return otherwise(),
        other => return other,
    };
    let mut fit = found.iter().filter(|found| is_within(target, section, found.line(target)));
    let (Some(one), None) = (fit.next(), fit.next()) else { return otherwise() };
    let number = clues.line.filter(|line| found.iter().any(|found| found.line(target) == *line));
    if number.is_some_and(|line| line != one.line(target)) {
        return Err(Failure::Ambiguous(found));
    }
    Ok(one.clone())
}

/// Whether a line is in a section: the section begins one of the blocks around the line, or the
/// last definition above it.
fn is_within(target: &Lines, section: &str, line: usize) -> bool {
    let depth = |line: usize| indentation(target.content(line)).len();
    let mut level = depth(line);
    let mut defined = false;
    for above in (line.saturating_sub(MOST_LINES)..line).rev() {
        if target.is_blank(above) {
            continue;
        }
        let text = target.content(above).trim();
        let (named, outer) = (text.starts_with(section), depth(above) < level);
        let last = !defined && is_definition(text);
        if named && (outer || last) {
            return true;
        }
        if outer {
            level = depth(above);
        }
        defined |= last;
        if defined && level == 0 {
            return false;
        }
    }
    false
}
