//! Contradictory limits.

use serde_json::Value;

use super::super::finding::Finding;
use super::super::pointer;
use super::super::walk::Place;
use super::{LintKind, SchemaLint};

/// A lower limit, an upper limit, and whether a value may be equal to both.
const PAIRS: &[(&str, &str, bool)] = &[
    ("minimum", "maximum", true),
    ("exclusiveMinimum", "maximum", false),
    ("minimum", "exclusiveMaximum", false),
    ("exclusiveMinimum", "exclusiveMaximum", false),
    ("minLength", "maxLength", true),
    ("minItems", "maxItems", true),
    ("minProperties", "maxProperties", true),
    ("minContains", "maxContains", true),
];

pub(super) fn check(place: &Place<'_>, lints: &mut Vec<SchemaLint>) {
    for (lower, upper, inclusive) in PAIRS {
        let number = |name: &str| place.value.get(name).and_then(Value::as_f64);
        let (Some(low), Some(high)) = (number(lower), number(upper)) else { continue };
        if low < high || (*inclusive && low == high) {
            continue;
        }
        let relation = if low == high { "equal to" } else { "greater than" };
        let message = format!(
            "`{lower}` ({low}) is {relation} `{upper}` ({high}), so no value can match; swap or \
                correct them"
        );
        lints.push(Finding::value(
            pointer::join(&place.pointer, lower),
            LintKind::Contradiction,
            message,
        ));
    }
}
