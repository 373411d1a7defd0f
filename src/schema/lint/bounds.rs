//! Contradictory limits.

use serde_json::Value;

use super::super::finding::Finding;
use super::super::pointer;
use super::super::walk::Place;
use super::{LintKind, SchemaLint};

/// A lower limit, an upper limit, whether a value may be equal to both, and the values that have
/// these limits.
const PAIRS: &[(&str, &str, bool, &str)] = &[
    ("minimum", "maximum", true, "number"),
    ("exclusiveMinimum", "maximum", false, "number"),
    ("minimum", "exclusiveMaximum", false, "number"),
    ("exclusiveMinimum", "exclusiveMaximum", false, "number"),
    ("minLength", "maxLength", true, "string"),
    ("minItems", "maxItems", true, "array"),
    ("minProperties", "maxProperties", true, "object"),
    ("minContains", "maxContains", true, "array"),
];

pub(super) fn check(place: &Place<'_>, lints: &mut Vec<SchemaLint>) {
    for (lower, upper, inclusive, kind) in PAIRS {
        let number = |name: &str| place.value.get(name).and_then(Value::as_f64);
        let (Some(low), Some(high)) = (number(lower), number(upper)) else { continue };
        if low < high || (*inclusive && low == high) {
            continue;
        }
        let Some(excluded) = excluded(place.value, kind) else { continue };
        if *lower == "minContains" && place.value.get("contains").is_none() {
            continue;
        }
        let relation = if low == high { "equal to" } else { "greater than" };
        let message = format!(
            "`{lower}` ({low}) is {relation} `{upper}` ({high}), so {excluded} can match; swap or \
                correct them"
        );
        lints.push(Finding::value(
            pointer::join(&place.pointer, lower),
            LintKind::Contradiction,
            message,
        ));
    }
}

/// The values that no longer match if a schema excludes all of a kind; `None` if it doesn't allow
/// that kind anyway.
fn excluded(schema: &Value, kind: &str) -> Option<String> {
    let is_of = |name: &Value| {
        name.as_str().is_some_and(|name| name == kind || (name, kind) == ("integer", "number"))
    };
    let of_kind = || Some(format!("no {kind}"));
    match schema.get("type") {
        Some(Value::Array(names)) if names.iter().any(is_of) => match names.iter().all(is_of) {
            true => Some("no value".to_owned()),
            false => of_kind(),
        },
        Some(name @ Value::String(_)) if is_of(name) => Some("no value".to_owned()),
        Some(Value::Array(_) | Value::String(_)) => None,
        _ => of_kind(),
    }
}
