//! Fences: where they end, which file they name, and whether they are files, samples or edits.

use std::cell::LazyCell;

use super::lines::Line;
use crate::edit::{MarkerKind, Pair, marker, naming as words};
use crate::text::Span;

#[derive(Debug, Clone)]
pub(super) struct Fence<'t> {
    /// The line of the opener.
    pub open: usize,
    pub mark: &'t str,
    pub info: &'t str,
    pub indent: &'t str,
    /// The lines of its content.
    pub body: Span,
    /// The line after it.
    pub next: usize,
    pub closed: bool,
}

/// The marks and the info string of a line that opens a fence.
pub(super) fn opener(text: &str) -> Option<(&str, &str)> {
    let text = text.trim();
    let first = text.chars().next().filter(|first| matches!(first, '`' | '~'))?;
    let length = text.bytes().take_while(|byte| char::from(*byte) == first).count();
    let (mark, info) = text.split_at_checked(length)?;
    (length >= 3 && !info.contains('`')).then_some((mark, info.trim()))
}

/// Whether a line closes a fence that was opened with these marks.
fn closes(text: &str, mark: &str) -> bool {
    let text = text.trim();
    text.len() >= mark.len()
        && text.starts_with(mark)
        && mark.chars().next().is_some_and(|first| text.chars().all(|other| other == first))
}

/// The fence that the line at `index` opens. `after` returns the end of a construct that begins on
/// a line of its content: fences inside it are text.
pub(super) fn read<'t>(
    lines: &[Line<'t>],
    index: usize,
    after: &dyn Fn(usize) -> Option<usize>,
) -> Option<Fence<'t>> {
    let line = lines.get(index)?;
    let (mark, info) = opener(line.text)?;
    let indent =
        line.text.get(..line.text.len() - line.text.trim_start().len()).unwrap_or_default();
    let (mut depth, mut at) = (0_usize, index + 1);
    let last_closer = LazyCell::new(|| lines.iter().rposition(|line| closes(line.text, mark)));
    while let Some(line) = lines.get(at) {
        if let Some(next) = after(at).filter(|next| *next > at) {
            at = next;
            continue;
        }
        if closes(line.text, mark) {
            if depth == 0 {
                return Some(Fence {
                    open: index,
                    mark,
                    info,
                    indent,
                    body: index + 1..at,
                    next: at + 1,
                    closed: true,
                });
            }
            depth -= 1;
        } else if let Some((inner, language)) = opener(line.text)
            && !language.is_empty()
            && inner.len() == mark.len()
            && inner.starts_with(mark)
            // A model that forgets to close a fence starts the next one the same way.
            && last_closer.is_some_and(|last| last > at)
        {
            depth += 1;
        }
        at += 1;
    }
    Some(Fence {
        open: index,
        mark,
        info,
        indent,
        body: index + 1..lines.len(),
        next: lines.len(),
        closed: false,
    })
}

impl<'t> Fence<'t> {
    /// The first word of the info string, in lower case, without a path.
    pub fn language(&self) -> String {
        let word = self.info.split([' ', ':', '{', '=']).next().unwrap_or_default();
        if words::is_file_name(word) && word.contains('.') {
            String::new()
        } else {
            word.to_ascii_lowercase()
        }
    }

    /// The name of a file in the info string.
    pub fn name(&self) -> Option<&'t str> {
        words::in_info(self.info)
    }

    /// Whether its language is Markdown or unspecified, so fences in it are likely.
    pub fn is_prose(&self) -> bool {
        matches!(self.language().as_str(), "" | "md" | "markdown" | "mdx" | "text" | "txt" | "rst")
    }

    /// Whether its end is ambiguous because of the fences after it, up to the next one that names a
    /// file; `None` if the text ends before the next fence.
    pub fn is_unclear(&self, lines: &[Line]) -> Option<bool> {
        if !self.is_prose() {
            return Some(false);
        }
        let mut at = self.next;
        while let Some(line) = lines.get(at) {
            if let Some((mark, info)) = opener(line.text) {
                let named = words::in_info(info).is_some()
                    || lines
                        .get(..at)
                        .unwrap_or_default()
                        .iter()
                        .rev()
                        .find(|line| !line.is_blank())
                        .is_some_and(|line| words::alone(line.text.trim()).is_some());
                if named || !mark.starts_with(self.mark) {
                    return Some(false);
                }
                return Some(info.is_empty());
            }
            at += 1;
        }
        None
    }
}

/// Whether a line is the head of a block other than a conflict marker.
pub(super) fn is_head(text: &str) -> bool {
    matches!(marker(text).map(|marker| marker.kind), Some(MarkerKind::Head(pair)) if pair != Pair::Conflict)
}

/// `// filepath: src/a.ts`, which names the file but isn't part of it: the name, and the number of
/// lines.
pub(super) fn marker_comment<'t>(lines: &[Line<'t>], body: &Span) -> Option<(&'t str, usize)> {
    let first = lines.get(body.start).filter(|_| !body.is_empty())?;
    let inner = comment(first.text)?;
    let name = ["filepath:", "file path:", "filename:", "file:"].iter().find_map(|label| {
        let start = inner.get(..label.len())?;
        start.eq_ignore_ascii_case(label).then(|| inner.get(label.len()..)).flatten()
    })?;
    let name = name.trim().trim_matches('`');
    let blank = lines.get(body.start + 1).filter(|_| body.len() > 1).is_some_and(Line::is_blank);
    (!name.is_empty() && !name.contains(['<', '>', '"'])).then_some((name, 1 + usize::from(blank)))
}

/// `// src/a.ts` as the first line: a name, unless something else names the file.
pub(super) fn comment_name<'t>(lines: &[Line<'t>], body: &Span) -> Option<&'t str> {
    let first = lines.get(body.start).filter(|_| !body.is_empty())?;
    let inner = comment(first.text)?;
    (words::is_file_name(inner)
        && !inner.contains(' ')
        && (inner.contains('/') || inner.contains('.')))
    .then_some(inner)
}

/// The text of a line that is only a comment.
fn comment(text: &str) -> Option<&str> {
    let text = text.trim();
    let closed = [("/*", "*/"), ("<!--", "-->"), ("{/*", "*/}"), ("(*", "*)")]
        .iter()
        .find_map(|(open, close)| text.strip_prefix(open)?.strip_suffix(close));
    let open = ["//", "#", "--", ";;", ";", "%", "\"", "REM "]
        .iter()
        .find_map(|mark| text.strip_prefix(mark));
    closed.or(open).map(str::trim)
}

#[cfg(test)]
mod tests {
    use crate::growth;

    #[test]
    fn fences_that_never_close_are_read_in_linear_time() {
        let input = |lines: usize| "```python\n".repeat(lines);
        growth::is_linear("unclosed fences", 2_000, input, |text| {
            std::hint::black_box(crate::reply::read(&text, &[]));
        });
    }
}
