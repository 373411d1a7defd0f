//! Checks the body against the input schema: names that it doesn't declare, optional values,
//! functions that don't take a value.

mod argument_count;
mod compat_sanitized_key;
mod format_verb;
mod impossible_comparison;
mod inferred;
mod nil_alone;
mod not_an_object;
mod piped_split;
mod out_of_range;
mod possibly_missing;
mod possibly_out_of_range;
mod range_over_scalar;
mod shadowed_field;
mod swapped_default;
mod unknown_variable;
mod unused_input;
mod unused_template_variable;
mod wrong_argument;

use std::cell::Cell;
use std::sync::Arc;

use super::super::body::Unit;
use super::schema::change;
use super::{Check, RuleContext};
use crate::rule::{Diagnostic, Fix, Report, Rule};
use crate::template::check::{Checked, Problem, ProblemKind};
use crate::template::types::Type;
use crate::text::{Edit, Span};

/// The rules about types.
pub static RULES: &[(&Rule, Check)] = &[
    (&unknown_variable::RULE, unknown_variable::check),
    (&possibly_missing::RULE, possibly_missing::check),
    (&not_an_object::RULE, not_an_object::check),
    (&wrong_argument::RULE, wrong_argument::check),
    (&swapped_default::RULE, swapped_default::check),
    (&out_of_range::RULE, out_of_range::check),
    (&possibly_out_of_range::RULE, possibly_out_of_range::check),
    (&shadowed_field::RULE, shadowed_field::check),
    (&argument_count::RULE, argument_count::check),
    (&nil_alone::RULE, nil_alone::check),
    (&format_verb::RULE, format_verb::check),
    (&range_over_scalar::RULE, range_over_scalar::check),
    (&piped_split::RULE, piped_split::check),
    (&impossible_comparison::RULE, impossible_comparison::check),
    (&unused_input::RULE, unused_input::check),
    (&unused_template_variable::RULE, unused_template_variable::check),
    (&compat_sanitized_key::RULE, compat_sanitized_key::check),
];

/// The problems of the body, with their units. An invalid schema isn't used to check anything.
fn problems<'s>(context: &'s RuleContext) -> impl Iterator<Item = (&'s Unit, &'s Problem)> {
    units(context).flat_map(move |(unit, checked)| {
        judged(context, checked).map(move |problem| (unit, problem))
    })
}

fn units<'s>(context: &'s RuleContext) -> impl Iterator<Item = (&'s Unit, &'s Arc<Checked>)> {
    context
        .program
        .body
        .units
        .iter()
        .zip(context.program.checked(context.cx.cancelled).units.iter().map(|unit| &unit.checked))
}

fn judged<'s>(context: &'s RuleContext, checked: &'s Checked) -> impl Iterator<Item = &'s Problem> {
    let sound = context.program.has_sound_input();
    checked.problems.iter().filter(move |problem| sound || !is_about_types(&problem.kind))
}

/// The findings of one rule in a unit, and the schema changes that it suggests.
struct Kept {
    start: usize,
    found: Vec<Diagnostic>,
    suggested: Vec<u64>,
    refused: bool,
}

/// The dependencies other than the unit's text. `RULE` distinguishes rules.
struct Key<const RULE: usize> {
    checked: Arc<Checked>,
    front: (u64, usize),
}

impl<const RULE: usize> PartialEq for Key<RULE> {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.checked, &other.checked) && self.front == other.front
    }
}

/// Adds the findings of a rule, unit by unit; reuses those of unchanged units.
fn check_units<const RULE: usize>(
    context: &RuleContext,
    report: &mut Report,
    check: impl Fn(&Unit, &Problem, &mut Report),
) {
    for (unit, checked) in units(context) {
        let make = || {
            context.weighed.borrow_mut().since();
            let mut report = Report::default();
            judged(context, checked).for_each(|problem| check(unit, problem, &mut report));
            let (suggested, refused) = context.weighed.borrow_mut().since();
            Kept { start: unit.start, found: report.diagnostics, suggested, refused }
        };
        if checked.problems.is_empty() {
            continue;
        }
        let is_new = Cell::new(false);
        let key = Key::<RULE> {
            checked: Arc::clone(checked),
            front: (context.program.header.id, context.offset()),
        };
        let mut kept = unit.memo.get(key, || {
            is_new.set(true);
            make()
        });
        // If not all suggestions fit, earlier suggestions matter.
        if !is_new.get()
            && (kept.refused || !context.weighed.borrow_mut().admits(context, &kept.suggested))
        {
            kept = Arc::new(make());
        }
        report
            .diagnostics
            .extend(kept.found.iter().map(|found| moved(found, kept.start, unit.start)));
    }
}

/// A finding in a unit that has moved. Its changes in the front matter stay in place.
fn moved(found: &Diagnostic, from: usize, to: usize) -> Diagnostic {
    let mut found = found.clone();
    let shift = |span: &mut Span| {
        if span.start >= from {
            *span = span.start - from + to..span.end - from + to;
        }
    };
    shift(&mut found.span);
    found.fixes.iter_mut().flat_map(|fix| &mut fix.edits).for_each(|edit| shift(&mut edit.span));
    found
        .related
        .iter_mut()
        .filter(|related| related.path.is_none())
        .for_each(|related| shift(&mut related.span));
    found
}

fn is_about_types(kind: &ProblemKind) -> bool {
    !matches!(
        kind,
        ProblemKind::ArgumentCount { .. }
            | ProblemKind::NotAFunction
            | ProblemKind::NilAlone
            | ProblemKind::PipedSplit { .. }
            | ProblemKind::FormatCount { .. }
            | ProblemKind::SwappedDefault { .. }
    )
}

/// `.lang` as `$.lang`. `span` is the name.
fn from_root(name: &str, span: &Span) -> Fix {
    let dollar = Edit::insert(span.start - 1, "$");
    Fix::safe(format!("Replace with `$.{name}`"), vec![dollar])
}

/// Converts a span in a unit to the document.
fn text_of(context: &RuleContext, unit: &Unit, span: &Span) -> String {
    context.cx.source.slice(unit.absolute(span)).into_owned()
}

/// The schemas in the document that list the fields of a type.
fn objects(context: &RuleContext, of: &Type) -> Vec<String> {
    context.program.types().objects(of)
}
