//! Selections in a body: the word, the expression, the pipeline, the action, the block.

use crate::format::markdownlang::Program;
use crate::text::Span;

/// The candidate selections around `offset`, in no order.
pub fn selections(program: &Program, offset: usize) -> Vec<Span> {
    let pieces = program.pieces(&(offset..offset));
    let found = pieces.flat_map(|piece| {
        let spans = offset
            .checked_sub(piece.start)
            .map(|local| piece.template.spans_at(local))
            .unwrap_or_default();
        spans.into_iter().map(move |span| piece.absolute(&span))
    });
    found.collect()
}
