//! A fence around a whole reply.

use super::markdown::Scanner;
use super::{Draft, Grammar, fence};
use crate::edit::naming as words;
use crate::text::Span;

/// Languages of a fence around a whole reply.
const WRAPPERS: [&str; 6] = ["", "markdown", "md", "plaintext", "text", "txt"];

/// The draft of edits that a longer fence is around. If there are sentences too, it's a document
/// that shows edits.
pub(super) fn unwrapped(text: &str, grammars: &[&dyn Grammar]) -> Option<Draft> {
    let inner = text.strip_prefix('\u{feff}').unwrap_or(text).trim();
    let (first, rest) = inner.split_once('\n')?;
    let (mark, info) = fence::opener(first)?;
    let body = rest.strip_suffix(mark).filter(|body| body.ends_with('\n'))?;
    let longer = mark.len() > 3 && WRAPPERS.contains(&info.to_ascii_lowercase().as_str());
    if !longer || body.lines().any(|line| line.trim_start().starts_with(mark)) {
        return None;
    }
    let mut scanner = Scanner::new(body, grammars);
    scanner.run(0, scanner.lines.len());
    let mut owned = scanner.owned.clone();
    owned.sort_by_key(|span| span.start);
    let mut owned = owned.iter().peekable();
    let only_edits = scanner.lines.iter().filter(|line| !line.is_blank()).all(|line| {
        while owned.next_if(|span| span.end <= line.span.start).is_some() {}
        owned.peek().is_some_and(|span| span.start <= line.span.start)
            || words::alone_above(line.text.trim()).is_some()
    });
    if !only_edits || scanner.draft.steps.is_empty() {
        return None;
    }
    let at = (body.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
    Some(scanner.finish().placed(&|span: &Span| span.start + at..span.end + at))
}
