//! Definition: from a field to its schema, from a variable to its declaration, from a call to the
//! template.

use super::{templates, uses, variables};
use crate::answer::Target;
use crate::format::Context;
use crate::format::markdownlang::Program;
use crate::template::part::{PartKind, Role};
use crate::text::Span;

/// The definitions of the part of the body at `offset`.
pub fn definition(program: &Program, cx: &Context, offset: usize) -> Vec<Target> {
    let Some(found) = program.part_at(offset) else { return Vec::new() };
    let here = |span: Span, selection: Span, origin: &Span| Target {
        path: None,
        span,
        selection,
        origin: origin.clone(),
    };
    match found.kind {
        PartKind::Field(_) | PartKind::String(_) => {
            let Some(used) = uses::at(program, cx, offset) else { return Vec::new() };
            let place = |place: &String| {
                let (key, value) = program.locate("input", place)?;
                let selection = key.unwrap_or(value.start..value.start);
                Some(here(
                    selection.start.min(value.start)..value.end.max(selection.end),
                    selection,
                    &used.span,
                ))
            };
            let mut targets: Vec<Target> = used.places.iter().filter_map(place).collect();
            targets.sort_by_key(|target| target.selection.start);
            targets.dedup();
            targets
        }
        PartKind::Variable(..) => {
            let declared = variables::of(program, cx, offset)
                .into_iter()
                .find(|mention| mention.role == Role::Declared);
            declared
                .map(|mention| here(mention.span.clone(), mention.span, &found.span))
                .into_iter()
                .collect()
        }
        PartKind::Template(name, _) => {
            let defined = templates::mentions(program, cx, &name.value)
                .into_iter()
                .filter(|(_, defines)| *defines);
            defined
                .map(|(span, _)| here(span.clone(), templates::inside(&span), &found.span))
                .collect()
        }
        _ => Vec::new(),
    }
}
