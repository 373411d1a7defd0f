//! Named templates: where one is defined, and where it is called.

use crate::format::Context;
use crate::format::markdownlang::Program;
use crate::template::part::PartKind;
use crate::text::Span;

/// Every mention of this template, including its quotes, in order, and whether it is the
/// definition.
pub fn mentions(program: &Program, cx: &Context, name: &str) -> Vec<(Span, bool)> {
    let everywhere = 0..cx.source.len();
    let mut found = Vec::new();
    for piece in program.pieces(&everywhere) {
        for part in piece.template.parts(&everywhere) {
            if let PartKind::Template(quoted, defines) = part.kind
                && quoted.value == name
            {
                found.push((piece.absolute(&part.span), defines));
            }
        }
    }
    found
}

/// The names of all defined templates, in order.
pub fn names(program: &Program, cx: &Context) -> Vec<String> {
    let everywhere = 0..cx.source.len();
    let mut found = Vec::new();
    for piece in program.pieces(&everywhere) {
        for part in piece.template.parts(&everywhere) {
            if let PartKind::Template(quoted, true) = part.kind
                && !found.contains(&quoted.value)
            {
                found.push(quoted.value.clone());
            }
        }
    }
    found
}

/// A quoted name without its quotes.
pub fn inside(span: &Span) -> Span {
    if span.len() < 2 { span.clone() } else { span.start + 1..span.end - 1 }
}
