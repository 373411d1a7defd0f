//! Values in a schema: `enum`, `const`, `default`, `examples`.

use std::cell::LazyCell;
use std::collections::HashSet;

use serde_json::{Value, json};

use super::super::compile;
use super::super::cost::{Budget, Cost};
use super::super::finding::{Change, Finding, brief};
use super::super::pointer;
use super::super::reference::References;
use super::super::type_name::Type;
use super::super::walk::{self, Place};
use super::{LintKind, SchemaLint, keywords};

pub(super) fn check(place: &Place<'_>, lints: &mut Vec<SchemaLint>) {
    let kinds = keywords::declared(place.value);
    if let Some(value) = place.value.get("const") {
        impossible(place, "const", &pointer::join(&place.pointer, "const"), value, &kinds, lints);
    }
    let Some(Value::Array(values)) = place.value.get("enum") else { return };
    let list = pointer::join(&place.pointer, "enum");
    if values.is_empty() {
        let message = "`enum` is empty, so no value can match; list the allowed values, or remove \
            the line";
        lints.push(
            Finding::value(&list, LintKind::PoorEnum, message)
                .fix("Remove `enum`", vec![Change::remove(&list)]),
        );
    }
    let mut seen = HashSet::new();
    for (index, value) in values.iter().enumerate() {
        let at = pointer::item(&list, index);
        let scalar = !value.is_array() && !value.is_object();
        if scalar && !seen.insert(value.to_string()) {
            let message = format!("duplicate value `{}` in `enum`; remove it", brief(value));
            lints.push(
                Finding::value(&at, LintKind::PoorEnum, message)
                    .fix("Remove the duplicate", vec![Change::remove(&at)]),
            );
        }
        impossible(place, "enum", &at, value, &kinds, lints);
    }
}

fn impossible(
    place: &Place<'_>,
    keyword: &str,
    at: &str,
    value: &Value,
    kinds: &[Type],
    lints: &mut Vec<SchemaLint>,
) {
    if kinds.is_empty() || kinds.iter().any(|kind| kind.accepts(value)) {
        return;
    }
    let message = format!(
        "`{}` is of type `{}`, but `type` only allows {}, so it can never match",
        brief(value),
        Type::of(value),
        list(kinds)
    );
    let lint = Finding::value(at, LintKind::ImpossibleValue, message);
    let mut lint = mend(lint, at, value, kinds, place);
    if keyword == "enum" {
        lint = lint.fix("Remove the value", vec![Change::remove(at)]);
    }
    lints.push(lint);
}

fn list(kinds: &[Type]) -> String {
    kinds.iter().map(|kind| format!("`{kind}`")).collect::<Vec<_>>().join(" or ")
}

/// The same value in an allowed type, or an additional type.
fn mend(
    mut lint: SchemaLint,
    at: &str,
    value: &Value,
    kinds: &[Type],
    place: &Place<'_>,
) -> SchemaLint {
    for kind in kinds {
        let other = match (kind, value) {
            (Type::String, Value::Number(_) | Value::Bool(_)) => {
                Some(Value::String(value.to_string()))
            }
            (Type::Integer | Type::Number, Value::String(written)) => {
                serde_json::from_str::<Value>(written.trim()).ok()
            }
            (Type::Boolean, Value::String(written)) => {
                match written.to_ascii_lowercase().as_str() {
                    "yes" | "on" | "true" => Some(json!(true)),
                    "no" | "off" | "false" => Some(json!(false)),
                    _ => None,
                }
            }
            (Type::Array, value) if !value.is_null() && !value.is_object() => Some(json!([value])),
            _ => None,
        };
        if let Some(other) = other.filter(|other| kind.accepts(other)) {
            let shown = if other.is_string() { other.to_string() } else { brief(&other) };
            lint = lint.fix(format!("Write `{shown}`"), vec![Change::replace(at, other)]);
        }
    }
    if value.is_null() && !kinds.is_empty() {
        let names: Vec<&str> = kinds.iter().map(|kind| kind.name()).chain(["null"]).collect();
        lint = lint.fix(
            "Add `\"null\"` to the type",
            vec![Change::replace(&pointer::join(&place.pointer, "type"), json!(names))],
        );
    }
    lint
}

/// Compiling all schemas of the map takes time that grows with their number and depth.
const MOST_PLACES: usize = 500;

/// Validates every `default` and all `examples` against their own schema; `schema` has no errors.
pub(super) fn defaults(
    schema: &Value,
    references: &References<'_>,
    budget: &mut Budget<'_>,
    lints: &mut Vec<SchemaLint>,
) {
    let places = &references.places;
    let cost = Cost::new(references, schema);
    let options =
        || compile::options().should_validate_formats(true).should_ignore_unknown_formats(true);
    // A schema with references is compiled in place.
    let map = LazyCell::new(|| {
        if places.len() > MOST_PLACES { None } else { options().build_map(schema).ok() }
    });
    for place in places.iter().filter(|place| {
        place.value.get("default").is_some() || place.value.get("examples").is_some()
    }) {
        let inside = walk::places(place.value);
        if !budget.spend(compile::COST * inside.len() as u64) {
            return lints.push(too_complex(place));
        }
        let alone = !inside.iter().any(|inner| {
            inner.value.get("$ref").is_some() || inner.value.get("$dynamicRef").is_some()
        });
        let built = if alone { options().build(place.value).ok() } else { None };
        let Some(validator) =
            built.as_ref().or_else(|| map.as_ref()?.get(&format!("#{}", place.pointer)))
        else {
            continue;
        };
        let default = place.value.get("default");
        let examples = place.value.get("examples").and_then(Value::as_array).into_iter().flatten();
        if !default
            .into_iter()
            .chain(examples.clone())
            .all(|value| cost.spend(&place.pointer, value, budget))
        {
            return lints.push(too_complex(place));
        }
        if let Some(value) = default {
            let at = pointer::join(&place.pointer, "default");
            lints.extend(judge(validator, value, &at, LintKind::InvalidDefault, "default", place));
        }
        for (index, value) in examples.enumerate() {
            let at = pointer::item(&pointer::join(&place.pointer, "examples"), index);
            lints.extend(judge(validator, value, &at, LintKind::InvalidExample, "example", place));
        }
    }
}

/// From this schema on, neither `default` nor `examples` are checked.
fn too_complex(place: &Place<'_>) -> SchemaLint {
    let keyword = if place.value.get("default").is_some() { "default" } else { "examples" };
    let message = format!(
        "the schema is too complex to check `{keyword}` and the values after it; nest fewer \
            `anyOf`, `oneOf` and `$ref`"
    );
    Finding::value(pointer::join(&place.pointer, keyword), LintKind::TooComplex, message)
}

fn judge(
    validator: &jsonschema::Validator,
    value: &Value,
    at: &str,
    kind: LintKind,
    what: &str,
    place: &Place<'_>,
) -> Option<SchemaLint> {
    let error = compile::errors(validator, place.value, value).into_iter().next()?;
    let message =
        format!("this {what} doesn't match its own schema: {}", lower_first(&error.message));
    let lint = Finding::value(format!("{at}{}", error.pointer), kind, message);
    if !error.pointer.is_empty() {
        return Some(lint);
    }
    let kinds = keywords::declared(place.value);
    let lint = match kinds.iter().any(|kind| kind.accepts(value)) {
        true => lint,
        false => mend(lint, at, value, &kinds, place),
    };
    Some(match kind {
        LintKind::InvalidDefault => lint.fix("Remove the default", vec![Change::remove(at)]),
        _ => lint.fix("Remove the example", vec![Change::remove(at)]),
    })
}

fn lower_first(sentence: &str) -> String {
    let mut characters = sentence.chars();
    characters
        .next()
        .map_or(String::new(), |first| format!("{}{}", first.to_lowercase(), characters.as_str()))
}
