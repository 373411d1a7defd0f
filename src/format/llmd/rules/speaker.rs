//! Lines that were meant to name the speaker.

use super::RuleContext;
use crate::format::llmd::event::{ASSISTANT, HUMAN};
use crate::format::llmd::layout::Entry;
use crate::text::Span;

/// The search covers this much of an entry.
const FARTHEST: usize = 1 << 16;

/// The start of the first line of an entry that names one of these speakers in a non-standard way.
pub(super) fn meant(context: &RuleContext, entry: &Entry, names: &[&str]) -> Option<Span> {
    let body = entry.body.start..entry.body.end.min(entry.body.start + FARTHEST);
    let text = context.text(&body);
    let (mut at, mut fenced) = (body.start, false);
    for line in text.split_inclusive('\n') {
        let trimmed = line.trim_start();
        fenced ^= trimmed.starts_with("```") || trimmed.starts_with("~~~");
        // The right name isn't read where it is content of a block.
        let right = trimmed.starts_with(HUMAN) || trimmed.starts_with(ASSISTANT);
        let length = names.iter().find_map(|name| named(line, name));
        if let Some(length) = length.filter(|_| !fenced && !right) {
            return Some(at..at + length);
        }
        at += line.len();
    }
    None
}

/// The length of a speaker's name at the start of a line, including decoration: `Human:`,
/// `**human**:`, `__Human:__`.
fn named(line: &str, name: &str) -> Option<usize> {
    let rest = line.trim_start_matches(['*', '_', '#', ' ']);
    let after = rest
        .get(..name.len())
        .filter(|word| word.eq_ignore_ascii_case(name))
        .and_then(|_| rest.get(name.len()..))?;
    let marks = after.len() - after.trim_start_matches(['*', '_', ':']).len();
    after.get(..marks)?.contains(':').then(|| line.len() - after.len() + marks)
}
