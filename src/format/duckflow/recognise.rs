//! Which Markdown files are replies (DUCK-2): those with `[REASONING]` or a marker of an action at the start of a line
//! outside fences, and those that are one fence around such lines. Sym-Ops is taken in too, to say what it is (DUCK-17).

use std::path::Path;
use std::sync::OnceLock;

use super::layout::outer_fence;
use super::mark::{Mark, MarkKind};
use super::read::Marks;
use super::sym_ops;
use crate::markdown::BlockKind;
use crate::source::{Placed, Source, Stretch};
use crate::text::Span;

/// Whether a document is a reply.
pub fn recognise(_: Option<&Path>, source: &Source) -> bool {
    let (mut fences, mut symbols) = (Vec::new(), false);
    for stretch in source.stretches() {
        let memo = stretch.memo().get::<OnceLock<Signs>>();
        let signs = memo.get_or_init(|| Signs::of(source, stretch));
        if signs.outside {
            return true;
        }
        symbols |= signs.symbols;
        // One fence around everything is one fence; which it is does not matter once there are two.
        fences.extend(signs.fences.iter().take(2).map(|(first, last)| [first.shifted(stretch.start), last.shifted(stretch.start)]));
    }
    if fences.is_empty() && symbols {
        return true;
    }
    let reader = |span: Span| source.slice(span);
    matches!(fences.as_slice(), [marks] if outer_fence(&reader, source.len(), marks).is_some())
}

/// What tells of a reply in some sections. Places count from their start.
#[derive(Debug, Default)]
struct Signs {
    /// A marker stands outside fences.
    outside: bool,
    /// The first and the last marker of every fence that holds some.
    fences: Vec<(Mark, Mark)>,
    /// A line of Sym-Ops vitals stands outside fences.
    symbols: bool,
}

impl Signs {
    fn of(source: &Source, stretch: Stretch) -> Self {
        let mut found = Self::default();
        for placed in stretch.sections() {
            let marks = Marks::of(source, placed);
            let mut last: Option<&Span> = None;
            for mark in marks.iter().filter(|mark| is_telling(mark)) {
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
            let symbols = || sym_ops::vitals(&source.section_text(placed));
            found.symbols = found.symbols || symbols().is_some_and(|line| fence_around(source, placed, &line).is_none());
        }
        found
    }
}

/// The code that a line of a section stands in; both are places of the section.
fn fence_around<'a>(source: &Source, placed: Placed<'a>, line: &Span) -> Option<&'a Span> {
    let blocks = source.blocks(placed).blocks.iter().filter(|block| matches!(block.kind, BlockKind::Code { .. }));
    blocks.map(|block| &block.span).find(|code| code.start <= line.start && line.end <= code.end)
}

fn is_telling(mark: &Mark) -> bool {
    matches!(mark.kind, MarkKind::Section(0) | MarkKind::Action { .. } | MarkKind::ContentStart { .. } | MarkKind::ContentEnd { .. })
}
