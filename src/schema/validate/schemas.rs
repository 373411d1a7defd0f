//! Schemas, lists of schemas, mappings of schemas.

use serde_json::{Map, Value, json};

use super::super::finding::{Change, Finding, Part, brief, kind_of};
use super::super::pointer;
use super::super::shape::Shape;
use super::super::type_name::{Meant, Type, meant};
use super::super::walk::Place;
use super::{Entry, SchemaError, SchemaErrorKind, scalars};

pub(super) fn list(entry: &Entry<'_>, errors: &mut Vec<SchemaError>) {
    match entry.value {
        Value::Array(items) if items.is_empty() => {
            let message = format!(
                "`{}` is an empty list; add at least one schema, or remove the line",
                entry.keyword
            );
            errors.push(
                Finding::value(&entry.pointer, SchemaErrorKind::EmptyList, message).fix(
                    format!("Remove `{}`", entry.keyword),
                    vec![Change::remove(&entry.pointer)],
                ),
            );
        }
        Value::Array(_) => {}
        Value::Object(_) => errors.push(entry.wrong(Shape::Schemas).fix(
            "Make it a list of one schema",
            vec![Change::replace(&entry.pointer, json!([entry.value]))],
        )),
        _ => errors.push(entry.wrong(Shape::Schemas)),
    }
}

pub(super) fn map(entry: &Entry<'_>, shape: Shape, errors: &mut Vec<SchemaError>) {
    match entry.value {
        Value::Object(entries) if shape == Shape::PatternMap => entries.keys().for_each(|name| {
            scalars::pattern(name, &pointer::join(&entry.pointer, name), Part::Key, errors)
        }),
        Value::Object(entries) if shape == Shape::Dependencies => {
            for (name, value) in entries.iter().filter(|(_, value)| value.is_array()) {
                let at = pointer::join(&entry.pointer, name);
                let names = value.as_array().into_iter().flatten();
                if names.clone().any(|name| !name.is_string()) {
                    errors.push(Finding::value(
                        at,
                        SchemaErrorKind::WrongValue,
                        "this list in `dependencies` contains property names; use \
                            `dependentRequired` instead",
                    ));
                }
            }
        }
        Value::Object(_) => {}
        Value::Array(items) => {
            let error = entry.wrong(shape);
            errors.push(match named(items) {
                Some(map) => {
                    error.fix("Make it a mapping", vec![Change::replace(&entry.pointer, map)])
                }
                None => error,
            });
        }
        Value::Null => {
            let error = entry.wrong(shape);
            errors.push(
                error.fix(
                    format!("Remove `{}`", entry.keyword),
                    vec![Change::remove(&entry.pointer)],
                ),
            );
        }
        _ => errors.push(entry.wrong(shape)),
    }
}

/// `[a, b]` or `[{name: a, type: string}, …]` as a mapping of names to schemas.
fn named(items: &[Value]) -> Option<Value> {
    let mut map = Map::new();
    for item in items {
        let (name, schema) = match item {
            Value::String(name) => (name.clone(), json!({"type": "string"})),
            Value::Object(entries) if entries.get("name").is_some_and(Value::is_string) => {
                let mut schema = entries.clone();
                let name = schema
                    .shift_remove("name")
                    .and_then(|name| name.as_str().map(str::to_string))?;
                (name, Value::Object(schema))
            }
            Value::Object(entries) if entries.len() == 1 => entries
                .iter()
                .next()
                .filter(|(_, schema)| schema.is_object())
                .map(|(name, schema)| (name.clone(), schema.clone()))?,
            _ => return None,
        };
        map.insert(name, schema);
    }
    (!map.is_empty()).then_some(Value::Object(map))
}

/// The value at a place is neither a mapping nor a boolean.
pub(super) fn not_a_schema(place: &Place<'_>, parent: Option<&Value>) -> SchemaError {
    let at = &place.pointer;
    let subject = match (place.name, place.keyword) {
        (Some(name), "properties") => format!("property `{name}`"),
        (Some(name), _) => format!("`{name}`"),
        (None, "") => "A schema".to_string(),
        (None, keyword) => format!("`{keyword}`"),
    };
    let error = |message: String| Finding::value(at, SchemaErrorKind::NotASchema, message);
    match place.value {
        Value::Array(items) if place.keyword == "items" => tuple(place, items, parent),
        Value::Null => error(format!("{subject} has no schema; write one, such as `type: string`"))
            .fix("Insert `type: string`", vec![Change::replace(at, json!({"type": "string"}))]),
        Value::String(written) => {
            let schema = match (Type::named(written), meant(written)) {
                (Some(kind), _) => json!({"type": kind.name()}),
                (None, Some(Meant::Types(kinds))) if kinds.len() == 1 => {
                    json!({"type": kinds.first().map_or("string", |kind| kind.name())})
                }
                (None, Some(Meant::Types(kinds))) => {
                    json!({"type": kinds.iter().map(|kind| kind.name()).collect::<Vec<_>>()})
                }
                (None, Some(Meant::Formatted(format))) => {
                    json!({"type": "string", "format": format})
                }
                (None, Some(Meant::ListOf(kind))) => {
                    json!({"type": "array", "items": {"type": kind.name()}})
                }
                _ => {
                    return error(format!(
                        "{subject} must be a schema (a mapping of keywords), \
                    not a string; write `{{ type: string }}`, with the text as its `description`"
                    ))
                    .fix(
                        "Make it the description of a string",
                        vec![Change::replace(
                            at,
                            json!({"type": "string", "description": written}),
                        )],
                    );
                }
            };
            let shown = brief(&schema);
            error(format!(
                "{subject} must be a schema (a mapping of keywords), not only the name \
                of a type; write `{shown}`"
            ))
            .fix(format!("Write `{shown}`"), vec![Change::replace(at, schema)])
        }
        other => {
            let error = error(format!(
                "{subject} must be a schema (a mapping of keywords such as `type: string`, or a \
                    boolean), not {}",
                kind_of(other)
            ));
            match other {
                Value::Array(items)
                    if place.name.is_some()
                        && !items.is_empty()
                        && items.iter().all(Value::is_string) =>
                {
                    let schema = json!({"type": "string", "enum": items});
                    error.fix("Allow only these values", vec![Change::replace(at, schema)])
                }
                _ => error,
            }
        }
    }
}

fn tuple(place: &Place<'_>, items: &[Value], parent: Option<&Value>) -> SchemaError {
    let at = &place.pointer;
    let message = "`items` is one schema for all items; since draft 2020-12, a list of schemas by \
        position is `prefixItems`";
    let error = Finding::value(at, SchemaErrorKind::TupleItems, message);
    let single = |error: SchemaError| match items {
        [only @ Value::Object(_)] => {
            error.fix("Use the schema for every item", vec![Change::replace(at, only.clone())])
        }
        _ => error,
    };
    match items.is_empty() {
        true => error.fix("Remove `items`", vec![Change::remove(at)]),
        false if parent.is_some_and(|parent| parent.get("prefixItems").is_some()) => single(error),
        false => {
            single(error).fix("Rename to `prefixItems`", vec![Change::rename(at, "prefixItems")])
        }
    }
}
