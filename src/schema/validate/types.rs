//! `type`.

use serde_json::{Value, json};

use super::super::finding::{Change, Finding, brief};
use super::super::fitting;
use super::super::pointer;
use super::super::shape::Shape;
use super::super::type_name::{Meant, Type, meant};
use super::{Entry, SchemaError, SchemaErrorKind};

const KNOWN: &str = "use `string`, `integer`, `number`, `boolean`, `object`, `array` or `null`";

pub(super) fn check(entry: &Entry<'_>, errors: &mut Vec<SchemaError>) {
    match entry.value {
        Value::String(written) if Type::named(written).is_none() => {
            errors.push(unknown(entry, written))
        }
        Value::String(_) => {}
        Value::Null => errors
            .push(SchemaError { kind: SchemaErrorKind::NullType, ..bare_null(&entry.pointer) }),
        Value::Array(items) if items.is_empty() => {
            let message = "`type` is an empty list, which no value can match; name at least one \
                type, or remove the line";
            errors.push(
                Finding::value(&entry.pointer, SchemaErrorKind::EmptyList, message)
                    .fix("Remove `type`", vec![Change::remove(&entry.pointer)]),
            );
        }
        Value::Array(items) => items
            .iter()
            .enumerate()
            .for_each(|(index, item)| check_item(entry, index, item, items, errors)),
        Value::Object(_) => {
            let mut error = entry.wrong(Shape::Types);
            error.message.push_str(
                "; a nested schema belongs under `properties` or `items`, and a property named \
                    `type` under `properties`",
            );
            errors.push(error);
        }
        _ => errors.push(entry.wrong(Shape::Types)),
    }
}

fn check_item(
    entry: &Entry<'_>,
    index: usize,
    item: &Value,
    items: &[Value],
    errors: &mut Vec<SchemaError>,
) {
    let at = pointer::item(&entry.pointer, index);
    if items.iter().take(index.min(16)).any(|earlier| earlier == item) {
        let message = format!("duplicate type `{}`; remove it", brief(item));
        return errors.push(
            Finding::value(&at, SchemaErrorKind::Duplicate, message)
                .fix("Remove the duplicate", vec![Change::remove(&at)]),
        );
    }
    match item {
        Value::String(written) if Type::named(written).is_none() => {
            let mut error = Finding::value(&at, SchemaErrorKind::UnknownType, String::new());
            match meant(written) {
                Some(Meant::Types(kinds)) if kinds.len() == 1 => {
                    let name = kinds.first().map_or("string", |kind| kind.name());
                    error.message = format!("unknown type `{written}`; use `{name}`");
                    error = error
                        .fix(format!("Replace with `{name}`"), vec![Change::replace(&at, name)]);
                }
                _ => error.message = format!("unknown type `{written}`; {KNOWN}"),
            }
            errors.push(error);
        }
        Value::String(_) => {}
        Value::Null => errors.push(bare_null(&at)),
        _ => errors.push(Finding::value(
            &at,
            SchemaErrorKind::WrongValue,
            format!(
                "`type` lists the names of types, not `{}`; put alternative schemas under \
                `anyOf`",
                brief(item)
            ),
        )),
    }
}

/// The error for a `type` that has no value in YAML, from the schema around it.
pub fn empty_type(at: &str, schema: &Value) -> SchemaError {
    let mut kinds = fitting::fitting(schema);
    let such = if kinds.is_empty() { "a type, such as " } else { "" };
    if kinds.is_empty() {
        kinds.push(Type::String);
    }
    let written = fitting::written(&kinds);
    let message = format!("`type` has no value; write {such}`{written}`");
    Finding::value(at, SchemaErrorKind::NullType, message)
        .fix(format!("Insert `{written}`"), vec![Change::replace(at, fitting::value(&kinds))])
}

/// YAML reads `type: null` as a missing value.
fn bare_null(at: &str) -> SchemaError {
    let message = "YAML reads this as null; `type` takes a type name or a list of type names, so \
        write `\"null\"` in quotes for the null type";
    Finding::value(at, SchemaErrorKind::WrongValue, message)
        .fix("Write `\"null\"` in quotes", vec![Change::replace(at, "null")])
}

fn unknown(entry: &Entry<'_>, written: &str) -> SchemaError {
    let at = &entry.pointer;
    let error = |message: String| Finding::value(at, SchemaErrorKind::UnknownType, message);
    let lacks = |keyword: &str| entry.place.value.get(keyword).is_none();
    match meant(written) {
        Some(Meant::Types(kinds)) => {
            let names: Vec<&str> = kinds.iter().map(|kind| kind.name()).collect();
            let value = match names.as_slice() {
                [name] => json!(name),
                _ => json!(names),
            };
            let shown = brief(&value);
            error(format!("unknown type `{written}`; use `{shown}`"))
                .fix(format!("Replace with `{shown}`"), vec![Change::replace(at, value)])
        }
        Some(Meant::Formatted(format)) => {
            let mut changes = vec![Change::replace(at, "string")];
            if lacks("format") {
                changes.push(Change::insert(&entry.place.pointer, "format", format));
            }
            error(format!("unknown type `{written}`; use `type: string` with `format: {format}`"))
                .fix(format!("Replace with `string` in the format `{format}`"), changes)
        }
        Some(Meant::ListOf(kind)) => {
            let mut changes = vec![Change::replace(at, "array")];
            if lacks("items") {
                changes.push(Change::insert(
                    &entry.place.pointer,
                    "items",
                    json!({"type": kind.name()}),
                ));
            }
            error(format!(
                "unknown type `{written}`; use `type: array` with `items: {{ type: {kind} }}`"
            ))
            .fix(format!("Replace with an `array` of `{kind}`"), changes)
        }
        Some(Meant::Anything) => {
            let all = json!(["string", "number", "boolean", "object", "array", "null"]);
            error(format!(
                "unknown type `{written}`; a schema without `type` allows any value, \
                but listing the allowed types is better"
            ))
            .fix("List all types", vec![Change::replace(at, all)])
            .fix("Remove `type`", vec![Change::remove(at)])
        }
        None => error(format!("unknown type `{written}`; {KNOWN}")),
    }
}
