//! Linked editing: the name of a template where it is defined and called, the name of a variable
//! and its uses. Keywords of a block are not linked: `if` and `end` aren't copies of each other.

use super::variables;
use crate::format::Context;
use crate::format::markdownlang::Program;
use crate::template::part::PartKind;
use crate::text::Span;

/// The spans that are linked with the one at `offset`.
pub fn linked(program: &Program, cx: &Context, offset: usize) -> Vec<Span> {
    let Some(found) = program.part_at(offset) else { return Vec::new() };
    let spans: Vec<Span> = match found.kind {
        PartKind::Variable(..) => variables::of(program, cx, offset)
            .into_iter()
            .map(|mention| mention.span.start + 1..mention.span.end)
            .collect(),
        PartKind::Template(name, _) => {
            let all = super::templates::mentions(program, cx, &name.value);
            all.into_iter().map(|(span, _)| super::templates::inside(&span)).collect()
        }
        _ => return Vec::new(),
    };
    let content = |span: &Span| cx.source.slice(span.clone()).into_owned();
    let Some(own) =
        spans.iter().find(|span| span.start <= offset && offset <= span.end).map(content)
    else {
        return Vec::new();
    };
    // With escapes, one name has two spellings.
    spans.into_iter().filter(|span| content(span) == own).collect()
}
