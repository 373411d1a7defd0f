//! The start and end of a unified diff in a reply.

use std::ops::Range;

use super::lines::Line;
use crate::edit;

/// Whether a unified diff of a file begins on a line.
pub(super) fn is_diff(lines: &[Line], at: usize) -> bool {
    let text = |index: usize| lines.get(index).map_or("", |line| line.text);
    let header = |at: usize| {
        let changed = || edit::are_names(text(at), text(at + 1)) && is_changed(text(at + 2));
        is_header(lines, at) && (text(at + 2).starts_with("@@") || changed())
    };
    if header(at) {
        return true;
    }
    let begins = text(at).starts_with("diff --git ")
        || text(at).starts_with("Index: ")
        || text(at).starts_with("index ") && header(at + 1);
    begins && (is_extended(text(at + 1)) || header(at + 1) || text(at).starts_with("index "))
}

/// Whether two lines are the names of a diff.
pub(super) fn is_header(lines: &[Line], at: usize) -> bool {
    let text = |index: usize| lines.get(index).map_or("", |line| line.text);
    text(at).starts_with("--- ") && text(at + 1).starts_with("+++ ")
}

/// Whether a line is one of a hunk, and not of a list.
fn is_changed(text: &str) -> bool {
    text.strip_prefix(['+', '-', ' ']).is_some_and(|rest| !rest.trim().is_empty())
}

/// The end of a diff outside a fence: the line after it, and the number of lines that its last
/// header still promises.
pub(super) fn end_of_diff(lines: &[Line], at: usize, to: usize) -> (usize, usize) {
    let text = |index: usize| lines.get(index).map_or("", |line| line.text);
    let mut end = at;
    let (mut old, mut new) = (0_usize, 0_usize);
    // The line after a hunk with exact counts; if it looks like a line of the hunk, they're wrong.
    let mut complete = None;
    // Without the header of a hunk, a blank line may end it, too.
    let mut numbered = false;
    let mut index = at;
    while index < to {
        let line = text(index);
        if old > 0 || new > 0 {
            let (minus, plus) = match line.as_bytes().first() {
                Some(b'-') => (1, 0),
                Some(b'+') => (0, 1),
                Some(b'\\') => (0, 0),
                Some(b' ') | None => (1, 1),
                Some(_) => {
                    old = 0;
                    new = 0;
                    continue;
                }
            };
            let fits = (old, new) == (minus, plus);
            (old, new) = (old.saturating_sub(minus), new.saturating_sub(plus));
            complete = fits.then_some(index + 1);
            if !line.is_empty() {
                end = index + 1;
            }
        } else if line.starts_with("@@") {
            (old, new) = counts(line).unwrap_or((0, 0));
            (complete, numbered) = (None, true);
            end = index + 1;
        } else if line.starts_with('\\') {
            end = index + 1;
            complete = complete.map(|_| end);
        } else if is_diff(lines, index) || is_extended(line) {
            complete = None;
            end = index + 1;
        } else if line.starts_with(['+', '-', ' ']) && !line.trim().is_empty() {
            let apart = match complete {
                Some(next) => next != index,
                None => !numbered && index > at && text(index - 1).trim().is_empty(),
            };
            if apart && !goes_on(lines, index..to) {
                break;
            }
            complete = None;
            end = index + 1;
        } else if !line.trim().is_empty() {
            break;
        }
        index += 1;
    }
    (end.max(at + 1), old.max(new))
}

/// Whether the lines after a hunk and a blank line are more of it rather than a list: lines are
/// deleted and added, or changed after context.
fn goes_on(lines: &[Line], range: Range<usize>) -> bool {
    let text = |index: usize| lines.get(index).map_or("", |line| line.text);
    let more = |index: &usize| {
        let text = text(*index);
        text.starts_with(['+', '-', ' ']) && !is_diff(lines, *index) || text.is_empty()
    };
    let run = range.clone().take_while(more);
    let (mut minus, mut plus) = (false, false);
    for line in run.map(text) {
        minus |= line.starts_with('-');
        plus |= line.starts_with('+');
    }
    minus && plus || (minus || plus) && text(range.start).starts_with(' ')
}

/// The beginnings of the lines that Git writes between the names of the files and the changes.
const EXTENDED: [&str; 9] = [
    "index ",
    "new file mode",
    "deleted file mode",
    "old mode",
    "new mode",
    "similarity ",
    "dissimilarity ",
    "rename ",
    "copy ",
];

fn is_extended(line: &str) -> bool {
    let mut marks = EXTENDED.iter().chain(&["diff --git ", "Binary files", "GIT binary patch"]);
    marks.any(|mark| line.starts_with(mark))
}

/// Whether a line is the header of a hunk with the numbers of its lines.
pub(super) fn is_hunk(text: &str) -> bool {
    text.starts_with("@@") && counts(text).is_some()
}

/// The number of lines on either side according to a hunk's header.
fn counts(header: &str) -> Option<(usize, usize)> {
    let mut parts = header.trim_start_matches('@').split_whitespace();
    let count = |part: &str| part.split_once(',').map_or(Some(1), |(_, count)| count.parse().ok());
    let (old, new) = (parts.next()?.strip_prefix('-')?, parts.next()?.strip_prefix('+')?);
    Some((count(old)?, count(new)?))
}
