//! What the input schema says of the body: names that it does not declare, values that need not be there, functions that
//! take no such values.

mod argument_count;
mod compat_sanitized_key;
mod format_verb;
mod impossible_comparison;
mod inferred;
mod not_an_object;
mod piped_split;
mod possibly_missing;
mod range_over_scalar;
mod unknown_variable;
mod unused_input;
mod unused_template_variable;
mod wrong_argument;

use super::super::body::Unit;
use super::schema::change;
use super::{Check, Subject};
use crate::rule::Rule;
use crate::template::check::{Problem, ProblemKind};
use crate::template::types::Type;
use crate::text::Span;

/// The rules about types.
pub static RULES: &[(&Rule, Check)] = &[
    (&unknown_variable::RULE, unknown_variable::check),
    (&possibly_missing::RULE, possibly_missing::check),
    (&not_an_object::RULE, not_an_object::check),
    (&wrong_argument::RULE, wrong_argument::check),
    (&argument_count::RULE, argument_count::check),
    (&format_verb::RULE, format_verb::check),
    (&range_over_scalar::RULE, range_over_scalar::check),
    (&piped_split::RULE, piped_split::check),
    (&impossible_comparison::RULE, impossible_comparison::check),
    (&unused_input::RULE, unused_input::check),
    (&unused_template_variable::RULE, unused_template_variable::check),
    (&compat_sanitized_key::RULE, compat_sanitized_key::check),
];

/// The problems of the body, with the units that they are in. By a schema that is broken nothing is judged.
fn problems<'s>(subject: &'s Subject) -> impl Iterator<Item = (&'s Unit, &'s Problem)> {
    let program = subject.program;
    let sound = program.has_sound_input();
    let units = program.body.units.iter().zip(&program.checked().units);
    let all = units.flat_map(|(unit, checked)| checked.checked.problems.iter().map(move |problem| (unit, problem)));
    all.filter(move |(_, problem)| sound || !is_about_types(&problem.kind))
}

fn is_about_types(kind: &ProblemKind) -> bool {
    !matches!(kind, ProblemKind::ArgumentCount { .. } | ProblemKind::NotAFunction | ProblemKind::PipedSplit { .. } | ProblemKind::FormatCount { .. })
}

/// The characters of a place in a unit.
fn text_of(subject: &Subject, unit: &Unit, span: &Span) -> String {
    subject.cx.source.slice(unit.absolute(span)).into_owned()
}

/// Where the schemas stand that list the fields of a type.
fn objects(subject: &Subject, of: &Type) -> Vec<String> {
    subject.program.types().objects(of)
}
