//! The lines of a section that are signs of edit blocks. They are cached per section: a key press
//! scans only the section that it changes, and documents without such lines are scanned once.

use std::sync::{Arc, LazyLock, OnceLock};

use crate::edit::{MarkerKind, Pair, marker};
use crate::markdown::Trace;
use crate::source::{Placed, Source, Stretch};

/// A line that is a sign of an edit block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sign {
    /// `<<<<<<< SEARCH`, with the length of its run.
    Head(usize),
    /// `>>>>>>> REPLACE`
    End(usize),
    /// `*** Begin Patch`
    PatchStart,
    /// `*** End Patch`
    PatchEnd,
    /// `--- a/file`, with `+++ b/file` on the next line.
    Diff,
}

#[derive(Debug, Default)]
pub(super) struct Signs {
    signs: Box<[Sign]>,
    /// Text outside code mentions a marker: `` `<<<<<<< SEARCH` ``.
    explains: bool,
}

/// Shared by most sections.
static NONE: LazyLock<Arc<Signs>> = LazyLock::new(Arc::default);

impl Signs {
    pub(super) fn of(source: &Source, placed: Placed) -> Arc<Self> {
        if !placed.section.may_have(Trace::EditMarker) {
            return Arc::clone(&NONE);
        }
        placed.section.memo.share(|| {
            let text = source.section_text(placed);
            let signs = signs(&text);
            let explains = mentions(&text).any(|at| !in_code_block(source, placed, at));
            if signs.is_empty() && !explains {
                return Arc::clone(&NONE);
            }
            Arc::new(Self { signs: signs.into(), explains })
        })
    }

    pub(super) fn all(&self) -> &[Sign] {
        &self.signs
    }

    pub(super) fn explains(&self) -> bool {
        self.explains
    }
}

#[derive(Debug, Default)]
struct Anything(OnceLock<(bool, bool)>);

/// Whether sections contain a marker, or mention one.
pub(super) fn any(source: &Source, stretch: Stretch) -> (bool, bool) {
    if !stretch.may_have(Trace::EditMarker) {
        return (false, false);
    }
    let memo = stretch.memo().get::<Anything>();
    *memo.0.get_or_init(|| {
        let (mut signs, mut explains) = (false, false);
        for placed in stretch.sections() {
            let found = Signs::of(source, placed);
            signs |= !found.all().is_empty();
            explains |= found.explains();
        }
        (signs, signs || explains)
    })
}

fn signs(text: &str) -> Vec<Sign> {
    let mut found = Vec::new();
    let mut lines = text.split('\n').map(|line| line.trim_end_matches('\r')).peekable();
    while let Some(line) = lines.next() {
        let sign = match line.trim_start().bytes().next() {
            Some(b'-')
                if line.starts_with("--- ")
                    && lines.peek().is_some_and(|next| next.starts_with("+++ ")) =>
            {
                Some(Sign::Diff)
            }
            Some(b'<' | b'>' | b'-' | b'+') => {
                match marker(line).map(|marker| (marker.kind, marker.length)) {
                    Some((MarkerKind::Head(pair), length)) if pair != Pair::Conflict => {
                        Some(Sign::Head(length))
                    }
                    Some((MarkerKind::End(pair), length)) if pair != Pair::Conflict => {
                        Some(Sign::End(length))
                    }
                    _ => None,
                }
            }
            Some(b'*') => match line.trim() {
                "*** Begin Patch" => Some(Sign::PatchStart),
                "*** End Patch" => Some(Sign::PatchEnd),
                _ => None,
            },
            _ => None,
        };
        found.extend(sign);
    }
    found
}

/// Where text mentions a marker within a line.
fn mentions(text: &str) -> impl Iterator<Item = usize> {
    memchr::memchr_iter(b'`', text.as_bytes()).filter(move |at| {
        let named = text.get(at + 1..).unwrap_or_default();
        ["<<<", ">>>", "===", "*** Begin Patch"].iter().any(|mark| named.starts_with(mark))
    })
}

fn in_code_block(source: &Source, placed: Placed, at: usize) -> bool {
    let blocks = source
        .blocks(placed)
        .blocks
        .iter()
        .filter(|block| matches!(block.kind, crate::markdown::BlockKind::Code { .. }));
    blocks.into_iter().any(|block| block.span.start <= at && at < block.span.end)
}
