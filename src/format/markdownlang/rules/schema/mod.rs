//! Schema mistakes as findings, at their characters: one rule for each kind that you may want to
//! switch off.

mod boolean;
pub(super) mod change;
mod complex;
mod contradiction;
mod dialect;
mod impossible_value;
mod ineffective_keyword;
mod invalid;
mod invalid_default;
mod invalid_example;
mod missing_required;
mod non_object_output;
mod not_json;
mod poor_enum;
mod reference;
mod undeclared_required;
mod unknown_format;
mod unknown_keyword;
mod unknown_type;
mod untyped;
pub(super) mod weighed;

use super::{Check, RuleContext};
use crate::rule::{Fix, Report, Rule};
use crate::schema::{Finding, LintKind, Part, SchemaErrorKind, empty_type, pointer};
use crate::text::Span;
use crate::yaml::{self, Kind, Node};

/// The rules about schemas: `not_json` first, because its findings explain others.
pub static RULES: &[(&Rule, Check)] = &[
    (&not_json::RULE, not_json::check),
    (&invalid::RULE, invalid::check),
    (&complex::RULE, complex::check),
    (&unknown_type::RULE, unknown_type::check),
    (&reference::RULE, reference::check),
    (&dialect::RULE, dialect::check),
    (&untyped::RULE, untyped::check),
    (&boolean::RULE, boolean::check),
    (&undeclared_required::RULE, undeclared_required::check),
    (&missing_required::RULE, missing_required::check),
    (&unknown_keyword::RULE, unknown_keyword::check),
    (&ineffective_keyword::RULE, ineffective_keyword::check),
    (&unknown_format::RULE, unknown_format::check),
    (&poor_enum::RULE, poor_enum::check),
    (&impossible_value::RULE, impossible_value::check),
    (&invalid_default::RULE, invalid_default::check),
    (&invalid_example::RULE, invalid_example::check),
    (&contradiction::RULE, contradiction::check),
    (&non_object_output::RULE, non_object_output::check),
];

/// Fixes are tested before they are offered: at most this many findings have some.
const MOST_REPAIRED: usize = 100;
/// Testing a fix parses all of the front matter: at most this many bytes in one document.
const MOST_BYTES: usize = 2 << 20;

/// Reports the mistakes of some kinds.
fn errors(
    context: &RuleContext,
    rule: &'static Rule,
    report: &mut Report,
    kinds: fn(SchemaErrorKind) -> bool,
) {
    for (field, schema) in context.program.schemas().each() {
        schema.errors.iter().filter(|error| kinds(error.kind)).for_each(|error| {
            // `type:` without a value isn't `type: null`.
            let node = || written(context, field, &error.pointer);
            let is_empty = error.kind == SchemaErrorKind::NullType
                && node().is_some_and(|node| node.span.is_empty());
            let around = pointer::split_last(&error.pointer)
                .and_then(|(parent, _)| schema.value.pointer(parent));
            match around.filter(|_| is_empty) {
                Some(around) => {
                    add(context, rule, field, &empty_type(&error.pointer, around), report);
                }
                None => add(context, rule, field, error, report),
            }
        });
    }
}

/// Reports the oddities of some kinds.
fn lints(context: &RuleContext, rule: &'static Rule, report: &mut Report, kinds: &[LintKind]) {
    for (field, schema) in context.program.schemas().each() {
        schema
            .lints
            .iter()
            .filter(|lint| kinds.contains(&lint.kind))
            .for_each(|lint| add(context, rule, field, lint, report));
    }
}

fn add<Kind>(
    context: &RuleContext,
    rule: &'static Rule,
    field: &str,
    found: &Finding<Kind>,
    report: &mut Report,
) {
    let Some(span) = place(context, field, &found.pointer, found.part) else { return };
    // One mistake, one finding: a value that YAML or JSON rejects isn't reported for its type as
    // well.
    let mut explained = |span: &Span| {
        let explains = [&super::string_boolean::RULE, &not_json::RULE, &super::duplicate_key::RULE];
        report.at(&context.absolute(span)).any(|known| explains.contains(&known.rule))
    };
    if explained(&span)
        || written(context, field, &found.pointer).is_some_and(|node| explained(&node.span))
    {
        return;
    }
    let span = context.absolute(&span);
    // The target of an anchor has the same mistakes wherever an alias repeats it.
    if report.at(&span).any(|known| known.rule == rule && known.message == found.message) {
        return;
    }
    let few = report.diagnostics.len() < MOST_REPAIRED.min(MOST_BYTES / context.yaml.len().max(1));
    let finding = report.add(rule, span, found.message.clone());
    for fix in found.fixes.iter().filter(|_| few) {
        if let Some(edits) = change::edits(context, field, &fix.changes) {
            finding.fix(Fix::suggestion(fix.title.clone(), context.edits(edits)));
        }
    }
}

/// The node at a pointer: an alias rather than its target.
fn written<'a>(context: &RuleContext<'a>, field: &str, pointer: &str) -> Option<&'a Node> {
    let entry = context.program.header.entry(field)?;
    let Some((parent, last)) = pointer::split_last(pointer) else { return Some(&entry.value) };
    let parent = yaml::locate(&entry.value, parent, &context.anchors)?.node;
    match &parent.kind {
        Kind::Sequence(sequence) => sequence.items.get(last.parse::<usize>().ok()?),
        Kind::Mapping(mapping) => Some(&mapping.get(&last)?.value),
        Kind::Scalar(_) | Kind::Alias(_) => None,
    }
}

/// The characters of the YAML that a finding is about; those of the field if it has none.
pub(super) fn place(context: &RuleContext, field: &str, pointer: &str, part: Part) -> Option<Span> {
    let entry = context.program.header.entry(field)?;
    let whole = match part {
        Part::Value if !entry.value.span.is_empty() => entry.value.span.clone(),
        _ => entry.key.span.clone(),
    };
    if pointer.is_empty() {
        return Some(whole);
    }
    let Some(target) = yaml::locate(&entry.value, pointer, &context.anchors) else {
        return Some(entry.key.span.clone());
    };
    Some(match (part, target.key) {
        (Part::Key, Some(key)) => key,
        (Part::Value, Some(key)) if target.value.is_empty() => key,
        _ => target.value,
    })
}
