//! Fences around text that contains fences: an inner one of the same length closes the outer one.

use crate::text::{Edit, Span};

/// Languages of text that may contain fences; no language may, too.
const PROSE: &[&str] =
    &["", "markdown", "md", "mdx", "text", "txt", "plaintext", "prompt", "template"];

/// A fence that is open at some line.
struct Open {
    marks: Span,
    /// Whether its language is one of [`PROSE`].
    prose: bool,
    mark: char,
    /// The longest fence inside.
    inner: usize,
}

/// The edits that make outer fences longer than those inside them, and the new length of the first
/// one. A fence with a language may begin inside another one; `None` if a fence then isn't closed. The
/// two edits of a fence are adjacent. `start` is where the text begins.
pub fn lengthened(text: &str, start: usize) -> Option<(Vec<Edit>, usize)> {
    read(text, start, false).or_else(|| read(text, start, true))
}

/// The same. With `nests`, a fence without a language that is longer than the one around it begins
/// inside; otherwise, it ends that one.
fn read(text: &str, start: usize, nests: bool) -> Option<(Vec<Edit>, usize)> {
    let mut open: Vec<Open> = Vec::new();
    let mut edits = Vec::new();
    let mut first = None;
    let mut at = start;
    for line in text.split_inclusive('\n') {
        let begin = at + line.len() - line.trim_start().len();
        at += line.len();
        let content = line.trim();
        let Some(mark) = content.chars().next().filter(|mark| matches!(mark, '`' | '~')) else {
            continue;
        };
        let rest = content.trim_start_matches(mark);
        let marks = begin..begin + content.len() - rest.len();
        if marks.len() < 3 || rest.contains('`') {
            continue;
        }
        let shorter = |around: &Open| around.mark != mark || marks.len() < around.marks.len();
        if open.last().is_some_and(shorter) {
            continue;
        }
        let language = rest.trim().split([' ', '{']).next().unwrap_or_default();
        let inside = |around: &Open| nests && around.prose && marks.len() > around.marks.len();
        if language.is_empty()
            && !open.last().is_some_and(inside)
            && let Some(closed) = open.pop()
        {
            if let Some(around) = open.last_mut() {
                around.inner = around.inner.max(closed.marks.len());
            }
            if closed.inner >= closed.marks.len() {
                if !closed.prose {
                    return None;
                }
                let length = closed.inner + 1;
                let longer = |marks: &Span| {
                    let more = mark.to_string().repeat(length.saturating_sub(marks.len()));
                    Edit::insert(marks.start, more)
                };
                edits.extend([longer(&closed.marks), longer(&marks)]);
                first.get_or_insert(length);
            }
            continue;
        }
        let prose = PROSE.iter().any(|word| language.eq_ignore_ascii_case(word));
        open.push(Open { marks, prose, mark, inner: 0 });
    }
    first.filter(|_| open.is_empty()).map(|length| (edits, length))
}
