//! `...` for lines that are not shown: `// ... existing code ...`.

use super::lines::{Level, Lines, normal};
use super::locate::{Alignment, Found, MOST_PLACES, Place, Tier};
use crate::text::Span;

/// A gap may have this many lines more than the SEARCH text.
const WIDEST_GAP: usize = 400;

/// The openings and closings of comments.
const COMMENTS: &[&str] =
    &["//", "/*", "*/", "#", "<!--", "-->", "--", ";", "%", "{/*", "*/}", "*"];

/// Whether a line is a placeholder for lines that aren't shown.
pub fn is_elision(line: &str) -> bool {
    let mut rest = line.trim();
    let mut commented = false;
    for mark in COMMENTS {
        if let Some(inner) = rest.strip_prefix(mark) {
            rest = inner.trim();
            commented = true;
        }
        if let Some(inner) = rest.strip_suffix(mark).filter(|_| commented) {
            rest = inner.trim();
        }
    }
    let dots = |text: &str| text == "..." || text == "…";
    if dots(rest) {
        return true;
    }
    let opened = rest.strip_prefix("...").or_else(|| rest.strip_prefix('…'));
    let closed = rest.ends_with("...") || rest.ends_with('…');
    match opened {
        // `...rest` is code in some languages; `... rest of the code` isn't, nor is anything in a
        // comment.
        Some(inner) if commented => closed || inner.starts_with(' '),
        Some(inner) => inner.starts_with(' ') && (closed || is_saying(inner)),
        // A comment inside a comment belongs to an example.
        None => commented && closed && !rest.starts_with(['/', '*', '#']) && is_saying(rest),
    }
}

fn is_saying(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    ["existing", "unchanged", "rest of", "remaining", "same as", "other code", "keep", "previous"]
        .iter()
        .any(|word| text.contains(word))
}

/// The number of placeholder lines.
pub fn count(lines: &Lines) -> usize {
    lines.contents().filter(|line| is_elision(line)).count()
}

/// The tight chains of the segments between placeholders. Both sides must have the same number of
/// placeholders.
pub fn find(target: &Lines, search: &Lines, replace: &Lines) -> Vec<Found> {
    let (gaps, kept) = (count(search), count(replace));
    // If the REPLACE text shows everything, the SEARCH text can't hide anything.
    let closed = kept == 0;
    if gaps == 0 || kept != gaps && !closed {
        return Vec::new();
    }
    let segments = segments(search);
    let informative = |segment: &Span| {
        segment.clone().any(|index| search.content(index).contains(char::is_alphanumeric))
    };
    if segments.is_empty() || !segments.iter().all(informative) {
        return Vec::new();
    }
    let keys = search.keys(Level::Trimmed);
    let places: Vec<Vec<usize>> = segments
        .iter()
        .map(|segment| {
            target.places(
                Level::Trimmed,
                keys.get(segment.clone()).unwrap_or_default(),
                MOST_PLACES,
            )
        })
        .collect();
    let widest = search.len() + WIDEST_GAP;
    let Some((last, earlier)) = places.split_last() else { return Vec::new() };
    // Chains are built from the end, each as tight as possible: of two with the same end, only the
    // shorter is kept.
    let mut found: Vec<Found> = Vec::new();
    for end in last {
        let mut chain = vec![*end];
        for (index, starts) in earlier.iter().enumerate().rev() {
            let Some(next) = chain.last().copied() else { break };
            let length = segments.get(index).map_or(0, ExactSizeIterator::len);
            let fitting = starts.partition_point(|start| start + length <= next);
            let Some(start) = fitting
                .checked_sub(1)
                .and_then(|index| starts.get(index))
                .filter(|start| next - (**start + length) <= widest)
            else {
                chain.clear();
                break;
            };
            chain.push(*start);
        }
        chain.reverse();
        let blank = |pair: (&[usize], &Span)| match pair {
            ([start, next], segment) => {
                (start + segment.len()..*next).all(|line| target.is_blank(line))
            }
            _ => true,
        };
        if chain.len() == segments.len() && (!closed || chain.windows(2).zip(&segments).all(blank))
        {
            found.extend(aligned(search, &segments, &chain));
        }
    }
    // Chains with the same start: the tightest comes first.
    found.dedup_by(|next, first| matches!((&next.place, &first.place), (Place::Lines(a), Place::Lines(b)) if a.lines.start == b.lines.start));
    found
}

/// The runs of lines between placeholders, without blank lines at either end.
fn segments(search: &Lines) -> Vec<Span> {
    let mut found = Vec::new();
    let mut start = 0;
    for index in 0..=search.len() {
        if index == search.len() || is_elision(search.content(index)) {
            let mut segment = start..index;
            while !segment.is_empty()
                && normal(search.content(segment.start), Level::Trimmed).is_empty()
            {
                segment.start += 1;
            }
            while !segment.is_empty()
                && normal(search.content(segment.end - 1), Level::Trimmed).is_empty()
            {
                segment.end -= 1;
            }
            if !segment.is_empty() {
                found.push(segment);
            }
            start = index + 1;
        }
    }
    found
}

fn aligned(search: &Lines, segments: &[Span], chain: &[usize]) -> Option<Found> {
    let mut partners = vec![None; search.len()];
    let (mut first, mut end) = (None, 0);
    for (segment, start) in segments.iter().zip(chain) {
        for (offset, index) in segment.clone().enumerate() {
            *partners.get_mut(index)? = Some(start + offset);
        }
        first.get_or_insert(*start);
        end = start + segment.len();
    }
    Some(Found::new(Tier::Elision, Place::Lines(Alignment { lines: first?..end, partners })))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_elision_is() {
        for line in [
            "...",
            "  …",
            "// ... existing code ...",
            "# ...",
            "<!-- ... -->",
            "/* ... */",
            "// ... rest of the function",
            "... rest of code ...",
        ] {
            assert!(is_elision(line), "{line}");
        }
        for line in [
            "...args,",
            "foo(...)",
            "// todo",
            "text...",
            "// wait...",
            "# Heading",
            "/// // ...rest of test...",
        ] {
            assert!(!is_elision(line), "{line}");
        }
    }
}
