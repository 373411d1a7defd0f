//! Why a schema isn't accepted in a provider's strict mode, which forces the output to match it.

use serde_json::{Value, json};

use super::finding::{Change, Finding};
use super::pointer;
use super::type_name::Type;
use super::walk::{Place, places};

/// A reason why strict mode refuses a schema.
pub type StrictProblem = Finding<StrictProblemKind>;

/// The kind of a strict-mode problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum StrictProblemKind {
    /// The root is not an object.
    RootNotObject,
    /// An object without `additionalProperties: false`.
    OpenObject,
    /// A property missing in `required`.
    OptionalProperty,
    /// An unsupported keyword.
    UnsupportedKeyword,
    /// No type, or a boolean.
    Untyped,
    /// Too deep, or too many properties or values.
    TooLarge,
}

const SUPPORTED: &[&str] = &[
    "type",
    "enum",
    "const",
    "anyOf",
    "properties",
    "required",
    "additionalProperties",
    "items",
    "$ref",
    "$defs",
    "definitions",
    "$schema",
    "description",
    "title",
    "pattern",
    "format",
    "multipleOf",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "minItems",
    "maxItems",
];
const MOST_LEVELS: usize = 10;
const MOST_PROPERTIES: usize = 5000;
const MOST_VALUES: usize = 1000;

/// Everything that strict mode would refuse in an otherwise valid schema; empty if it's ready.
pub fn strict_problems(schema: &Value) -> Vec<StrictProblem> {
    let mut problems = Vec::new();
    if Type::declared(schema) != [Type::Object] || schema.get("anyOf").is_some() {
        problems.push(Finding::key(
            "",
            StrictProblemKind::RootNotObject,
            "strict mode only accepts objects: the schema must have `type: object` and no `anyOf` \
                at its root",
        ));
    }
    let places = places(schema);
    let mut levels: Vec<usize> = Vec::with_capacity(places.len());
    let (mut properties, mut values) = (0, 0);
    for place in &places {
        let outer = place.parent.and_then(|parent| levels.get(parent)).copied().unwrap_or_default();
        let level = outer + usize::from(matches!(place.keyword, "" | "properties" | "items"));
        levels.push(level);
        check(place, &mut problems);
        properties +=
            place.value.get("properties").and_then(Value::as_object).map_or(0, |named| named.len());
        values += place.value.get("enum").and_then(Value::as_array).map_or(0, Vec::len);
    }
    let sizes = [
        (levels.into_iter().max().unwrap_or_default(), MOST_LEVELS + 1, "levels"),
        (properties, MOST_PROPERTIES, "properties"),
        (values, MOST_VALUES, "values in `enum`"),
    ];
    for (size, most, what) in sizes {
        if size > most {
            problems.push(Finding::key(
                "",
                StrictProblemKind::TooLarge,
                format!("strict mode accepts at most {most} {what}; this schema has {size}"),
            ));
        }
    }
    problems
}

fn check(place: &Place<'_>, problems: &mut Vec<StrictProblem>) {
    let Value::Object(entries) = place.value else {
        if place.keyword != "additionalProperties" {
            problems.push(Finding::value(
                &place.pointer,
                StrictProblemKind::Untyped,
                "strict mode doesn't accept boolean schemas; set a type",
            ));
        }
        return;
    };
    for name in entries.keys().filter(|name| !SUPPORTED.contains(&name.as_str())) {
        let at = pointer::join(&place.pointer, name);
        let message = match name.as_str() {
            "oneOf" => "strict mode doesn't support `oneOf`; use `anyOf`".to_string(),
            _ => format!("strict mode doesn't support `{name}`"),
        };
        let problem = Finding::key(&at, StrictProblemKind::UnsupportedKeyword, message);
        problems.push(match name.as_str() {
            "oneOf" if !entries.contains_key("anyOf") => {
                problem.fix("Rename to `anyOf`", vec![Change::rename(&at, "anyOf")])
            }
            _ => problem,
        });
    }
    if !["type", "enum", "const", "anyOf", "$ref"]
        .iter()
        .any(|keyword| entries.contains_key(*keyword))
    {
        problems.push(Finding::key(
            &place.pointer,
            StrictProblemKind::Untyped,
            "strict mode requires a type for every value; add a `type`",
        ));
    }
    if !Type::declared(place.value).contains(&Type::Object) {
        return;
    }
    let closed = pointer::join(&place.pointer, "additionalProperties");
    match entries.get("additionalProperties") {
        Some(Value::Bool(false)) => {}
        Some(_) => problems.push(
            Finding::value(
                &closed,
                StrictProblemKind::OpenObject,
                "strict mode only accepts objects with `additionalProperties: false`",
            )
            .fix("Replace with `false`", vec![Change::replace(&closed, false)]),
        ),
        None => problems.push(
            Finding::key(
                &place.pointer,
                StrictProblemKind::OpenObject,
                "strict mode only accepts objects with `additionalProperties: false`",
            )
            .fix(
                "Insert `additionalProperties: false`",
                vec![Change::insert(&place.pointer, "additionalProperties", json!(false))],
            ),
        ),
    }
    let required: Vec<&str> = super::required(place.value).collect();
    let properties = entries.get("properties").and_then(Value::as_object).into_iter().flatten();
    for (name, _) in properties.filter(|(name, _)| !required.contains(&name.as_str())) {
        let at = pointer::join(&pointer::join(&place.pointer, "properties"), name);
        let message = format!(
            "strict mode doesn't accept optional properties; list `{name}` under `required`, and \
                allow `\"null\"` in its type if it may be missing"
        );
        problems.push(Finding::key(at, StrictProblemKind::OptionalProperty, message).fix(
            format!("Require `{name}`"),
            vec![Change::Require { pointer: place.pointer.clone(), name: name.clone() }],
        ));
    }
}
