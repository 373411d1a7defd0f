//! Checks the body against the input schema: names that it doesn't declare, optional values,
//! functions that don't take a value.

mod argument_count;
pub(super) mod compat_sanitized_key;
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
pub(in crate::format::markdownlang) mod unused_input;
mod unused_template_variable;
mod wrong_argument;

use std::sync::Arc;

use super::super::body::{Memo, PlacedGroup, Unit};
use super::super::checked::{CheckedGroup, CheckedUnit};
use super::super::doubt::Doubt;
use super::schema::weighed;
use super::schema::weighed::Suggestions;
use super::{Check, RuleContext};
use crate::rule::kept::Kept;
use crate::rule::{Diagnostic, Fix, Report, Rule};
use crate::template::check::{Checked, Problem, ProblemKind};
use crate::template::types::{Type, Types};
use crate::text::{Edit, Span};

/// A rule about one problem at a time.
type UnitCheck = fn(&RuleContext, &Unit, &Problem, &mut Report);

/// The rules whose findings depend on one unit of the body and the front matter only.
pub static UNIT_RULES: &[(&Rule, UnitCheck)] = &[
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
];

/// The other rules about types.
pub static RULES: &[(&Rule, Check)] = &[
    (&unused_input::RULE, unused_input::check),
    (&unused_template_variable::RULE, unused_template_variable::check),
];

/// The groups of the body whose analyses found problems.
fn groups<'s>(
    context: &'s RuleContext,
) -> impl Iterator<Item = (&'s PlacedGroup, &'s CheckedGroup)> {
    let program = context.program;
    let checked = program.checked(context.cx.cancelled).of(&program.body);
    checked.filter(|(_, checked)| checked.has_problems)
}

/// The problems to report. An invalid schema isn't used to check anything.
fn judged<'s>(context: &'s RuleContext, checked: &'s Checked) -> impl Iterator<Item = &'s Problem> {
    let doubt = context.program.doubt();
    checked.problems.iter().filter(move |problem| {
        *doubt == Doubt::Nothing
            || !is_about_types(&problem.kind)
            || stays(context.program.types(), doubt, &problem.kind)
    })
}

/// Whether a problem about types is real despite the doubts: the object that lacks the field can be
/// relied upon.
fn stays(types: &Types, doubt: &Doubt, kind: &ProblemKind) -> bool {
    let (Doubt::Parts(_), ProblemKind::UnknownField { of, .. }) = (doubt, kind) else {
        return false;
    };
    let mut schemas = types.schemas(of).peekable();
    schemas.peek().is_some() && schemas.all(|schema| doubt.spares(schema))
}

/// The findings in consecutive units, and the schema changes that they suggest.
struct Findings {
    found: Arc<Kept>,
    /// Those that depend on text outside of the units, with their start.
    loose: Vec<Diagnostic>,
    start: usize,
    suggested: Arc<Suggestions>,
    refused: bool,
}

/// The front matter that findings depend on: its content, and the offset of its YAML.
type Front = (u64, usize);

/// The dependencies of a unit's findings other than its text.
struct UnitKey {
    checked: Arc<Checked>,
    front: Front,
    wanted: u64,
}

impl PartialEq for UnitKey {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.checked, &other.checked)
            && self.front == other.front
            && self.wanted == other.wanted
    }
}

/// The dependencies of a group's findings other than its analysis.
#[derive(PartialEq)]
struct GroupKey(Front, u64);

fn front(context: &RuleContext) -> Front {
    (context.program.header.id, context.offset())
}

/// Adds the findings of [`UNIT_RULES`]: those of a group in one piece, or unit by unit if it was
/// edited. Unchanged ones are reused.
pub fn check_units(context: &RuleContext, report: &mut Report) {
    let front = front(context);
    let body = context.program.checked(context.cx.cancelled);
    for (group, checked) in groups(context) {
        let wanted = body.wanted_id(checked);
        if group.is_edited {
            let units = group.units().zip(&checked.units);
            for (unit, CheckedUnit { checked, .. }) in units {
                if !checked.problems.is_empty() {
                    let key = UnitKey { checked: Arc::clone(checked), front, wanted };
                    let one = std::iter::once((unit.clone(), &**checked));
                    add(context, &unit.memo, key, unit.start, one, report);
                }
            }
        } else {
            let units = checked.units.iter().enumerate();
            let units = units.filter(|(_, unit)| !unit.checked.problems.is_empty());
            let units =
                units.filter_map(|(index, unit)| Some((group.unit(index)?, &*unit.checked)));
            add(context, &checked.memo, GroupKey(front, wanted), group.start, units, report);
        }
    }
}

/// Adds the findings of some units: those that are remembered for `key`, or new ones.
fn add<'u, K: PartialEq + Send + 'static>(
    context: &RuleContext,
    memo: &Memo,
    key: K,
    start: usize,
    units: impl Iterator<Item = (Unit, &'u Checked)> + Clone,
    report: &mut Report,
) {
    let mut is_new = false;
    let mut findings = memo.get(key, || {
        is_new = true;
        Findings::new(context, start, units.clone())
    });
    // If not all suggestions fit, earlier suggestions matter.
    let fits = |findings: &Findings| {
        let mut weighed = context.weighed.borrow_mut();
        !findings.refused && weighed.admits(context, &findings.suggested)
    };
    if !is_new && !fits(&findings) {
        findings = Arc::new(Findings::new(context, start, units));
    }
    report.keep(start, &findings.found);
    let loose = findings.loose.iter().map(|found| found.moved(findings.start, start));
    report.diagnostics.extend(loose);
}

impl Findings {
    fn new<'u>(
        context: &RuleContext,
        start: usize,
        units: impl Iterator<Item = (Unit, &'u Checked)>,
    ) -> Self {
        context.weighed.borrow_mut().since();
        let mut report = Report::default();
        for (unit, checked) in units {
            for (_, check) in UNIT_RULES {
                judged(context, checked)
                    .for_each(|problem| check(context, &unit, problem, &mut report));
            }
        }
        let (suggested, refused) = context.weighed.borrow_mut().since();
        // Characters around an empty span are underlined, and YAML mistakes hide others.
        let is_loose = |found: &Diagnostic| found.span.is_empty() || context.is_broken(&found.span);
        let (loose, found) = report.diagnostics.into_iter().partition(is_loose);
        let found = Arc::new(Kept::new(start, found));
        Self { found, loose, start, suggested: Arc::new(suggested), refused }
    }
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
