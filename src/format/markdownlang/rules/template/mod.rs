//! Mistakes in the syntax of the body, and in the names that Go resolves when it parses.

mod hyphenated_field;
mod template_syntax;
mod unclosed_action;
mod unclosed_block;
mod undefined_template;
mod undefined_variable;
mod unknown_function;
mod unopened_block;

use super::super::body::Unit;
use super::{Check, RuleContext};
use crate::rule::{Fix, Report, Rule};
use crate::template::check::{Environment, scope_at};
use crate::template::error::{SyntaxError, SyntaxErrorKind};
use crate::template::parse;
use crate::template::types::Type;
use crate::text::{Edit, Span, apply};

/// The rules about the body.
pub static RULES: &[(&Rule, Check)] = &[
    (&template_syntax::RULE, template_syntax::check),
    (&unclosed_action::RULE, unclosed_action::check),
    (&unclosed_block::RULE, unclosed_block::check),
    (&unopened_block::RULE, unopened_block::check),
    (&unknown_function::RULE, unknown_function::check),
    (&undefined_variable::RULE, undefined_variable::check),
    (&hyphenated_field::RULE, hyphenated_field::check),
    (&undefined_template::RULE, undefined_template::check),
];

/// Fixes are tested before they are offered: at most this many findings have some, in units up to
/// this length.
const MOST_REPAIRED: usize = 50;
const LONGEST_REPAIRED: usize = 1 << 18;

/// The syntax errors of some kinds.
fn errors<'s>(
    context: &'s RuleContext,
    kinds: fn(&SyntaxErrorKind) -> bool,
) -> impl Iterator<Item = (Unit, &'s SyntaxError)> {
    context.program.body.errors().filter(move |(_, error)| kinds(&error.kind))
}

fn is_hyphenated(kind: &SyntaxErrorKind) -> bool {
    matches!(kind, SyntaxErrorKind::BadCharacter { hyphenated: Some(_) })
}

/// Converts a span in a unit to the document.
fn text_of(context: &RuleContext, unit: &Unit, span: &Span) -> String {
    context.cx.source.slice(unit.absolute(span)).into_owned()
}

/// The type of `.` at a location in a unit.
fn dot_at(context: &RuleContext, unit: &Unit, place: usize) -> Type {
    scope_at(&unit.template, context.program.types(), &Environment::default(), place).dot
}

/// Whether the unit is small enough for advice that needs all of it.
fn is_affordable(unit: &Unit, report: &Report) -> bool {
    report.diagnostics.len() <= MOST_REPAIRED && unit.length <= LONGEST_REPAIRED
}

/// The names that may follow a dot at a location in a unit.
fn fields_at(context: &RuleContext, unit: &Unit, place: usize, report: &Report) -> Vec<String> {
    if !is_affordable(unit, report) {
        return Vec::new();
    }
    context
        .program
        .types()
        .fields(&dot_at(context, unit, place))
        .into_iter()
        .map(|(name, _)| name)
        .collect()
}

/// Escapes the braces of an action that isn't Go template syntax but another language's.
fn braces_as_text(
    context: &RuleContext,
    unit: &Unit,
    error: &SyntaxError,
    report: &Report,
) -> Option<Fix> {
    let at = error.span.start;
    let action = unit
        .template
        .actions(&(at..at))
        .into_iter()
        .find(|action| action.span.start <= at && at < action.span.end)?;
    if !action.closed {
        return None;
    }
    let start = unit.start + action.span.start;
    let edits = vec![Edit::replace(start..start + 2, r#"{{ "{{" }}"#)];
    mends(context, unit, error, &edits, report)
        .then(|| Fix::suggestion("Print the braces as text", edits))
}

/// Whether edits of the document remove an error and add no other.
fn mends(
    context: &RuleContext,
    unit: &Unit,
    error: &SyntaxError,
    edits: &[Edit],
    report: &Report,
) -> bool {
    if !is_affordable(unit, report) {
        return false;
    }
    let text = context.cx.source.slice(unit.span());
    let inside = |edit: &Edit| {
        Some(Edit::replace(
            edit.span.start.checked_sub(unit.start)?..edit.span.end.checked_sub(unit.start)?,
            edit.text.clone(),
        ))
    };
    let Some(edits) = edits.iter().map(inside).collect::<Option<Vec<Edit>>>() else { return false };
    let Ok(mended) = apply(&text, &edits) else { return false };
    let after = parse(&mended, &unit.outer).errors;
    let count =
        |errors: &[SyntaxError]| errors.iter().filter(|other| other.kind == error.kind).count();
    after.len() < unit.template.errors.len() && count(&after) < count(&unit.template.errors)
}
