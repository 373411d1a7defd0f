//! Markers that aren't the first thing in their line: `[MOOD] 0.8 [FOCUS] 0.9`.

use super::{LONGEST_NAME, Mark, MarkKind, known, named};

/// What people put between two markers in a line.
const BETWEEN: &[char] = &[' ', '\t', ',', ';', '|', '*', '/', '·', '–', '—'];

/// Adds the markers in the value of the last one.
pub(super) fn divide(text: &str, found: &mut Vec<Mark>) {
    let Some(host) = found.last().filter(|mark| mark.kind.is_marker()) else { return };
    let Some(value) = text.get(host.value.clone()).filter(|value| value.contains('[')) else {
        return;
    };
    let (start, end) = (host.value.start, host.value.end);
    let mut rest: Vec<Mark> = Vec::new();
    for (open, _) in value.match_indices('[') {
        let before = value.get(..open).unwrap_or_default();
        // `src/app/[NOTES]/page.tsx` is a path.
        let apart = before.is_empty() || before.ends_with(BETWEEN) && !before.ends_with('/');
        let Some(name) = name(value.get(open + 1..).unwrap_or_default()).filter(|_| apart) else {
            continue;
        };
        let from = start + before.trim_end_matches(BETWEEN).len();
        if let Some(last) = rest.last_mut() {
            last.line.end = from;
        }
        let place = start + open + 1..start + open + 1 + name.len();
        rest.push(Mark {
            kind: MarkKind::Inline,
            line: from..end,
            span: place.start - 1..place.end + 1,
            value: place.end + 1..end,
            name: place,
        });
    }
    for mark in &mut rest {
        let text = text.get(mark.span.end..mark.line.end.max(mark.span.end)).unwrap_or_default();
        let value = text.trim_start_matches(BETWEEN).trim_start_matches(':').trim_start();
        let from = mark.span.end + text.len() - value.len();
        mark.value = from..from + value.trim_end().len();
    }
    found.extend(rest);
}

/// An end of content after the last line of the content: `}[ACTION_0_CONTENT_END]`.
pub(super) fn end(text: &str, start: usize, end: usize) -> Option<Mark> {
    let line = text.get(start..end)?.trim_end();
    let open = line.strip_suffix(']').filter(|line| line.ends_with("_CONTENT_END"))?.rfind('[')?;
    let name = name(line.get(open + 1..)?)?;
    let place = start + open + 1..start + open + 1 + name.len();
    let close = place.end + 1;
    matches!(named(name)?, MarkKind::ContentEnd { .. }).then(|| Mark {
        kind: MarkKind::Inline,
        line: place.start - 1..end,
        span: place.start - 1..close,
        name: place,
        value: close..close,
    })
}

/// The name of the marker whose bracket was just opened, unless that is a link.
fn name(text: &str) -> Option<&str> {
    let close = text.bytes().take(LONGEST_NAME).position(|byte| byte == b']')?;
    let (name, after) = (text.get(..close)?, text.get(close + 1..)?);
    let is_known = named(name).is_some_and(|kind| known(&kind));
    (is_known && !after.starts_with(['(', '['])).then_some(name)
}
