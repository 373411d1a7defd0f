//! Definition: from an import to its file, from a name to the thing it names.

use super::Program;
use super::mention;
use super::program::{Header, Import};
use super::read::header;
use super::spot::{self, Spot, What};
use super::template;
use crate::answer::Target;
use crate::format::Context;
use crate::schema::{self, References};
use crate::source::Source;
use crate::text::Span;

/// The definitions of the thing at `offset`.
pub fn definition(program: &Program, cx: &Context, offset: usize) -> Vec<Target> {
    let found = find(program, cx, offset).or_else(|| mention::definition(program, cx, offset));
    found.map_or_else(|| template::definition(program, cx, offset), |found| vec![found])
}

fn find(program: &Program, cx: &Context, offset: usize) -> Option<Target> {
    let Spot { span: origin, what } = spot::at(program, offset)?;
    let here = |span: Span, selection: Span| {
        Some(Target { path: None, span, selection, origin: origin.clone() })
    };
    match what {
        What::Import(import) => self::program(program, cx, import, origin),
        What::Alias(_, target) => {
            let target = target?;
            let selection =
                program.absolute(target.anchor.as_ref().map_or(&target.span, |(_, span)| span));
            let span = program.absolute(&target.span);
            here(span.start.min(selection.start)..span.end.max(selection.end), selection)
        }
        What::PropertyName { field, pointer, .. } => {
            let (key, value) = program.locate(field, &pointer)?;
            let key = key?;
            here(key.start..value.end.max(key.end), key)
        }
        What::Reference { text, field, pointer } => {
            let root = program.schema_value(field)?;
            let (schema::Target::Found { pointer, .. } | schema::Target::NotASchema { pointer }) =
                References::new(root).resolve(&pointer, text)
            else {
                return None;
            };
            let (key, value) = program.locate(field, &pointer)?;
            let selection =
                key.filter(|key| key.start <= value.start).unwrap_or(value.start..value.start);
            here(selection.start..value.end.max(selection.end), selection)
        }
        _ => None,
    }
}

/// The file of an imported program, for a mention of it.
pub(super) fn program(
    importer: &Program,
    cx: &Context,
    import: &Import,
    origin: Span,
) -> Option<Target> {
    let path = import.path(cx.path?)?;
    if cx.path == Some(&path) {
        let (span, selection) = place(importer, cx.source);
        return Some(Target { path: None, span, selection, origin });
    }
    let source = cx.world.read(&path).ok()?;
    let (span, selection) = place(&header(&source), &source);
    Some(Target { path: Some(path), span, selection, origin })
}

/// The front matter of a program and the value of its name; the first line of a file without front
/// matter.
pub(super) fn place(program: &Header, source: &Source) -> (Span, Span) {
    let first = source.line_span(0);
    let span = program.front.as_ref().map_or_else(|| first.clone(), |front| front.span.clone());
    let name = program.name.as_ref().map(|name| name.span.clone());
    let inside = name.filter(|name| span.start <= name.start && name.end <= span.end);
    (span.clone(), inside.unwrap_or_else(|| first.start..first.end.min(span.end)))
}
