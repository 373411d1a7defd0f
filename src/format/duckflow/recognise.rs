//! Which Markdown files are replies (DUCK-2): those with `[REASONING]` or an action's marker at the
//! start of a line outside fences, and those that consist of one fence around such lines. Replies
//! with all markers in bold or in lower case are accepted too, so that agentmd can report it, and
//! so is Sym-Ops (DUCK-17).

use std::path::Path;
use std::sync::OnceLock;

use super::layout::outer_fence;
use super::mark::{self, Mark, MarkKind};
use super::read::Marks;
use crate::markdown::{BlockKind, Trace};
use crate::source::{Placed, Source, Stretch};
use crate::text::Span;

/// Whether a document is a reply.
pub fn recognise(_: Option<&Path>, source: &Source) -> bool {
    let (mut fences, mut symbols, mut near) = (Vec::new(), false, Near::default());
    for stretch in source.stretches().filter(|stretch| stretch.may_have(Trace::Reply)) {
        let memo = stretch.memo().get::<OnceLock<Signs>>();
        let signs = memo.get_or_init(|| Signs::of(source, stretch));
        if signs.outside {
            return true;
        }
        symbols |= signs.symbols;
        near.reasoning |= signs.near.reasoning;
        near.action |= signs.near.action;
        // One fence around everything is one fence; with two or more it doesn't matter which.
        fences.extend(
            signs
                .fences
                .iter()
                .take(2)
                .map(|(first, last)| [first.shifted(stretch.start), last.shifted(stretch.start)]),
        );
    }
    if fences.is_empty() && (symbols || near.reasoning && near.action) {
        return true;
    }
    let reader = source.reader();
    matches!(fences.as_slice(), [marks] if outer_fence(&|span| reader.slice(span), source.len(), marks).is_some())
}

/// Signs of a reply in some sections. Offsets count from the start of the stretch.
#[derive(Debug, Default)]
struct Signs {
    /// A marker is outside fences.
    outside: bool,
    /// The first and the last marker of every fence that contains any.
    fences: Vec<(Mark, Mark)>,
    /// A line of Sym-Ops vitals is outside fences.
    symbols: bool,
    near: Near,
}

/// Lines outside fences that are nearly markers.
#[derive(Debug, Default)]
struct Near {
    reasoning: bool,
    /// The type of an action.
    action: bool,
}

impl Near {
    /// Adds a line, unless it is in a list, a quote or code: those mention markers.
    fn take(&mut self, text: &str, mark: &Mark) {
        let dress = text.get(mark.line.start..mark.name.start).unwrap_or_default();
        // Sections without `[` right before a name aren't looked at.
        if mark.kind != MarkKind::LookAlike
            || !dress.ends_with('[')
            || dress.starts_with([' ', '\t', '-', '+', '>', '`'])
            || dress.starts_with("* ")
        {
            return;
        }
        let name = text.get(mark.name.clone()).unwrap_or_default().to_ascii_uppercase();
        match mark::named(&name) {
            Some(MarkKind::Section(0)) => self.reasoning = true,
            Some(MarkKind::Action { is_type: true, .. }) => self.action = true,
            _ => {}
        }
    }
}

impl Signs {
    fn of(source: &Source, stretch: Stretch) -> Self {
        let mut found = Self::default();
        let sections = stretch.sections();
        for placed in sections.filter(|placed| placed.section.may_have(Trace::Reply)) {
            let marks = Marks::of(source, placed);
            if marks.iter().any(|mark| mark.kind == MarkKind::LookAlike) {
                let text = source.section_text(placed);
                let outside =
                    marks.iter().filter(|mark| fence_around(source, placed, &mark.line).is_none());
                outside.for_each(|mark| found.near.take(&text, mark));
            }
            let mut telling = marks.iter().filter(|mark| is_telling(mark)).peekable();
            if telling.peek().is_some_and(|first| is_before_code(source, placed, &first.line)) {
                found.outside = true;
                return found;
            }
            let mut last: Option<&Span> = None;
            for mark in telling {
                let Some(fence) = fence_around(source, placed, &mark.line) else {
                    found.outside = true;
                    return found;
                };
                let mark = mark.shifted(placed.start - stretch.start);
                match found.fences.last_mut().filter(|_| last == Some(fence)) {
                    Some((_, last)) => *last = mark,
                    None => found.fences.push((mark.clone(), mark)),
                }
                last = Some(fence);
            }
            found.symbols = found.symbols
                || marks.vitals().is_some_and(|line| fence_around(source, placed, line).is_none());
        }
        found
    }
}

/// The code that contains a line of a section; both as offsets in the section.
fn fence_around<'a>(source: &Source, placed: Placed<'a>, line: &Span) -> Option<&'a Span> {
    let blocks = source
        .blocks(placed)
        .blocks
        .iter()
        .filter(|block| matches!(block.kind, BlockKind::Code { .. }));
    blocks.map(|block| &block.span).find(|code| code.start <= line.start && line.end <= code.end)
}

/// Whether a line that begins with text has no line like a fence before it, so that it isn't code.
/// A key press asks this, and blocks take longer to read.
fn is_before_code(source: &Source, placed: Placed, line: &Span) -> bool {
    let text = source.slice(placed.start..placed.start + line.end);
    let before = text.get(..line.start).unwrap_or_default();
    let indented = text.get(line.clone()).is_none_or(|line| line.starts_with([' ', '\t']));
    !indented && !before.contains("```") && !before.contains("~~~")
}

fn is_telling(mark: &Mark) -> bool {
    matches!(
        mark.kind,
        MarkKind::Section(0)
            | MarkKind::Action { .. }
            | MarkKind::ContentStart { .. }
            | MarkKind::ContentEnd { .. }
    )
}
