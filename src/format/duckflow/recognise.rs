//! Which Markdown files are replies (DUCK-2): those with `[REASONING]` or a marker of an action at the start of a line
//! outside fences, and those that are one fence around such lines. Sym-Ops is taken in too, to say what it is (DUCK-17).

use std::path::Path;
use std::sync::OnceLock;

use super::layout::outer_fence;
use super::mark::{Mark, MarkKind};
use super::read::Marks;
use super::sym_ops;
use crate::markdown::BlockKind;
use crate::source::{Placed, Source};
use crate::text::Span;

/// Whether a document is a reply.
pub fn recognise(_: Option<&Path>, source: &Source) -> bool {
    // Every fence that holds a marker: its place, and the first and the last marker.
    let mut fences: Vec<(Span, Mark, Mark)> = Vec::new();
    for placed in source.sections() {
        let marks = Marks::of(source, placed);
        for mark in marks.iter().filter(|mark| is_telling(mark)) {
            let inside = |code: &Span| code.start <= mark.line.start && mark.line.end <= code.end;
            let mut blocks = source.blocks(placed).blocks.iter().filter(|block| matches!(block.kind, BlockKind::Code { .. }));
            let Some(fence) = blocks.find(|block| inside(&block.span)) else { return true };
            let mark = mark.shifted(placed.start);
            let span = fence.span.start + placed.start..fence.span.end + placed.start;
            match fences.last_mut().filter(|(known, ..)| *known == span) {
                Some((_, _, last)) => *last = mark,
                None => fences.push((span, mark.clone(), mark)),
            }
        }
    }
    if fences.is_empty() && source.sections().any(|placed| has_symbols(source, placed)) {
        return true;
    }
    let reader = |span: Span| source.slice(span);
    matches!(fences.as_slice(), [(_, first, last)] if outer_fence(&reader, source.len(), &[first.clone(), last.clone()]).is_some())
}

/// Whether a section has a line of Sym-Ops vitals outside fences.
fn has_symbols(source: &Source, placed: Placed) -> bool {
    let symbols = placed.section.memo.get::<Symbols>();
    *symbols.0.get_or_init(|| {
        let Some(line) = sym_ops::vitals(&source.section_text(placed)) else { return false };
        let mut blocks = source.blocks(placed).blocks.iter().filter(|block| matches!(block.kind, BlockKind::Code { .. }));
        !blocks.any(|block| block.span.start <= line.start && line.end <= block.span.end)
    })
}

#[derive(Debug, Default)]
struct Symbols(OnceLock<bool>);

fn is_telling(mark: &Mark) -> bool {
    matches!(mark.kind, MarkKind::Section(0) | MarkKind::Action { .. } | MarkKind::ContentStart { .. } | MarkKind::ContentEnd { .. })
}
