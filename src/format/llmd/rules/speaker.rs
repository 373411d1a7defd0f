//! Lines that were meant to name the speaker.

use super::RuleContext;
use crate::format::llmd::event::{ASSISTANT, HUMAN};
use crate::format::llmd::layout::Entry;
use crate::suggestion::closest;
use crate::text::Span;

/// The search covers this much of an entry.
const FARTHEST: usize = 1 << 16;

/// The start of the first line of an entry that names one of these speakers in a non-standard way.
/// With `turn`, an unknown name in bold counts too if it ends before that offset.
pub(super) fn meant(
    context: &RuleContext,
    entry: &Entry,
    names: &[&str],
    turn: Option<usize>,
) -> Option<Span> {
    let body = entry.body.start..entry.body.end.min(entry.body.start + FARTHEST);
    let text = context.text(&body);
    let (mut at, mut fenced) = (body.start, false);
    let mut other = None;
    for line in text.split_inclusive('\n') {
        let trimmed = line.trim_start();
        fenced ^= trimmed.starts_with("```") || trimmed.starts_with("~~~");
        // The correct name isn't a speaker inside a block.
        let right = trimmed.starts_with(HUMAN) || trimmed.starts_with(ASSISTANT);
        let speaker = Speaker::of(line).filter(|_| !fenced && !right);
        if let Some(speaker) = speaker {
            let span = at..at + speaker.length;
            if speaker.is_any(names) {
                return Some(span);
            }
            let before = turn.is_some_and(|turn| span.end <= turn);
            if before && speaker.is_bold && speaker.has_colon && other.is_none() {
                other = Some(span);
            }
        }
        at += line.len();
    }
    other
}

/// A word at the start of a line that may name a speaker: `Human:`, `**human**:`, `__Human:__`.
struct Speaker<'a> {
    name: &'a str,
    /// Including the decoration.
    length: usize,
    has_colon: bool,
    is_bold: bool,
    is_alone: bool,
}

impl<'a> Speaker<'a> {
    fn of(line: &'a str) -> Option<Self> {
        let rest = line.trim_start_matches(['*', '_', '#', ' ']);
        let word = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
        let (name, after) = rest.split_at_checked(word).filter(|(name, _)| !name.is_empty())?;
        let tail = after.trim_start_matches(['*', '_', ':']);
        let marks = after.get(..after.len() - tail.len())?;
        let dress = line.trim_start();
        Some(Self {
            name,
            length: line.len() - tail.len(),
            has_colon: marks.contains(':'),
            is_bold: dress.starts_with("**") && marks.contains("**"),
            is_alone: dress.starts_with(['*', '_', '#']) && tail.trim().is_empty(),
        })
    }

    /// Whether it is one of these, perhaps misspelt if it is in bold.
    fn is_any(&self, names: &[&str]) -> bool {
        let exact = names.iter().any(|name| name.eq_ignore_ascii_case(self.name));
        let typo = || self.is_bold && closest(self.name, names.iter().copied()).is_some();
        self.has_colon && (exact || typo()) || self.is_alone && exact
    }
}
