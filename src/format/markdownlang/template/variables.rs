//! Variables of a body: the declaration of each mention.

use crate::format::Context;
use crate::format::markdownlang::Program;
use crate::template::binding::{self, Mention};
use crate::text::Span;

/// Every mention of a variable in the body.
pub fn all(program: &Program, cx: &Context) -> Vec<Mention> {
    renamed(program, cx, &|_| None)
}

/// The same if the mentions at some locations had another name.
pub fn renamed<'n>(
    program: &'n Program,
    cx: &Context,
    name: &dyn Fn(&Span) -> Option<&'n str>,
) -> Vec<Mention> {
    let pieces = program.pieces(&(0..cx.source.len())).map(|piece| (piece.start, piece.template));
    binding::mentions(pieces, &|span, text| name(span).unwrap_or(text))
}

/// The mentions of the variable at `offset`, including that one; empty for `$`, and for an
/// undeclared one.
pub fn of(program: &Program, cx: &Context, offset: usize) -> Vec<Mention> {
    let all = all(program, cx);
    let here =
        all.iter().find(|mention| mention.span.start <= offset && offset <= mention.span.end);
    let Some(declaration) = here.and_then(|mention| mention.declaration) else { return Vec::new() };
    all.into_iter().filter(|mention| mention.declaration == Some(declaration)).collect()
}
