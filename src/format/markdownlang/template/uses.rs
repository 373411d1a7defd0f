//! Names of fields and variables in the body, and their meanings.

use crate::format::Context;
use crate::format::markdownlang::Program;
use crate::format::markdownlang::body::Unit;
use crate::format::markdownlang::checked::CheckedUnit;
use crate::template::check::{self, Checked, Scope};
use crate::template::parse;
use crate::template::types::Type;
use crate::text::Span;

/// The name of a field in the body.
#[derive(Debug, Clone)]
pub struct Used {
    /// In the document, without dot or quotes.
    pub span: Span,
    /// In quotes, as a key of `index`.
    pub quoted: bool,
    /// The type that contains the field, and the field's type.
    pub of: Type,
    pub kind: Type,
    /// The declarations that it may refer to: JSON pointers into `input`.
    pub places: Vec<String>,
}

/// A unit as it would be with some text inserted.
pub struct Draft {
    /// Offsets in that hypothetical unit.
    pub uses: Vec<Used>,
    /// The names in scope at the requested location.
    pub scope: Scope,
}

/// Every name of a field in the body.
pub fn all(program: &Program, cx: &Context) -> Vec<Used> {
    within(program, cx, &(0..cx.source.len()))
}

/// The name of a field that touches `offset`.
pub fn at(program: &Program, cx: &Context, offset: usize) -> Option<Used> {
    within(program, cx, &(offset..offset))
        .into_iter()
        .find(|used| used.span.start <= offset && offset <= used.span.end)
}

/// The names in scope at `offset`.
pub fn scope(program: &Program, cx: &Context, offset: usize) -> Option<Scope> {
    let (unit, checked) = unit_at(program, cx, offset)?;
    Some(checked.scope_at(&unit, program.types(), offset.checked_sub(unit.start)?))
}

/// The type of the variable that `offset` touches.
pub fn variable(program: &Program, cx: &Context, name: &str, offset: usize) -> Option<Type> {
    let touches = |span: &Span| span.start <= offset && offset <= span.end;
    let declared =
        declarations(program, cx, &(offset..offset)).into_iter().find(|(span, _)| touches(span));
    declared.map(|(_, kind)| kind).or_else(|| scope(program, cx, offset)?.variable(name))
}

/// The variables declared in `span`: their locations and initial types.
pub fn declarations(program: &Program, cx: &Context, span: &Span) -> Vec<(Span, Type)> {
    let mut found = Vec::new();
    for (unit, checked) in units(program, cx, span) {
        let declared = checked.variables.iter().filter_map(|variable| {
            Some((unit.absolute(variable.declaration()?), variable.kind.clone()))
        });
        found.extend(
            declared.filter(|(place, _)| place.start <= span.end && span.start <= place.end),
        );
    }
    found
}

/// The type of `.` in the arms that begin in `span` and change it: where each begins after its
/// action, in order.
pub fn dots(program: &Program, cx: &Context, span: &Span) -> Vec<(usize, Type)> {
    let found = units(program, cx, span).flat_map(|(unit, checked)| {
        checked.dots.iter().map(move |(at, kind)| (unit.start + at, kind.clone()))
    });
    let mut found: Vec<_> = found.collect();
    found.sort_by_key(|(at, _)| *at);
    found
}

/// Parses and checks a unit with the text `text`; the scope is that at `offset`.
pub fn draft(
    program: &Program,
    cx: &Context,
    unit: &Unit,
    text: &str,
    offset: usize,
) -> Option<Draft> {
    let template = parse(text, &unit.outer);
    let environment = &unit_at(program, cx, unit.start)?.1.environment;
    let checked = check::check_unless(&template, program.types(), environment, cx.cancelled)?;
    let scope = check::scope_at(&template, program.types(), environment, offset);
    Some(Draft { uses: used(program, 0, &checked), scope })
}

fn within(program: &Program, cx: &Context, span: &Span) -> Vec<Used> {
    units(program, cx, span)
        .flat_map(|(unit, checked)| used(program, unit.start, checked))
        .collect()
}

fn used(program: &Program, start: usize, checked: &Checked) -> Vec<Used> {
    let of = |used: &check::Use| Used {
        span: start + used.span.start..start + used.span.end,
        quoted: used.quoted,
        of: used.of.clone(),
        kind: used.kind.clone(),
        places: program.types().places(&used.kind),
    };
    checked.uses.iter().map(of).collect()
}

impl Draft {
    /// The type of a variable.
    pub fn variable(&self, name: &str) -> Option<Type> {
        self.scope.variable(name)
    }
}

impl Scope {
    /// The type of the innermost variable with this name.
    pub fn variable(&self, name: &str) -> Option<Type> {
        self.variables.iter().rev().find(|(other, _)| other == name).map(|(_, kind)| kind.clone())
    }
}

/// The units that `span` touches, analysed.
fn units<'a>(
    program: &'a Program,
    cx: &Context,
    span: &Span,
) -> impl Iterator<Item = (Unit, &'a Checked)> + use<'a> {
    let (start, end) = (span.start, span.end);
    let groups = program.checked(cx.cancelled).of(&program.body);
    let groups = groups.filter(move |(group, _)| group.start <= end && start <= group.span().end);
    let units = groups.flat_map(|(group, checked)| group.units().zip(&checked.units));
    let touched =
        units.filter(move |(unit, _)| unit.start <= end && start <= unit.start + unit.length);
    touched.map(|(unit, checked)| (unit, &*checked.checked))
}

/// The unit that contains `offset`, with its analysis.
fn unit_at<'a>(
    program: &'a Program,
    cx: &Context,
    offset: usize,
) -> Option<(Unit, &'a CheckedUnit)> {
    let place = program.body.place_at(offset)?;
    let unit = program.body.groups().get(place.0)?.unit(place.1)?;
    Some((unit, program.checked(cx.cancelled).unit(place)?))
}
