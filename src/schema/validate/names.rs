//! `required` and `dependentRequired`.

use std::collections::HashSet;

use serde_json::{Value, json};

use super::super::finding::{Change, Finding, brief};
use super::super::pointer;
use super::super::shape::Shape;
use super::{Entry, SchemaError, SchemaErrorKind};

pub(super) fn check(entry: &Entry<'_>, errors: &mut Vec<SchemaError>) {
    match entry.value {
        Value::Array(items) => check_list(entry.keyword, &entry.pointer, items, errors),
        Value::Bool(wanted) if entry.keyword == "required" => errors.push(boolean(entry, *wanted)),
        _ => errors.push(wrap(entry.value, &entry.pointer, entry.wrong(Shape::Names))),
    }
}

pub(super) fn check_map(entry: &Entry<'_>, errors: &mut Vec<SchemaError>) {
    let Value::Object(entries) = entry.value else {
        return errors.push(entry.wrong(Shape::NamesMap));
    };
    for (name, value) in entries {
        let at = pointer::join(&entry.pointer, name);
        match value {
            Value::Array(items) => check_list(entry.keyword, &at, items, errors),
            _ => {
                let message = format!(
                    "`{}` maps each property to a list of property names, not {}",
                    entry.keyword,
                    super::super::finding::kind_of(value)
                );
                errors.push(wrap(
                    value,
                    &at,
                    Finding::value(&at, SchemaErrorKind::WrongValue, message),
                ));
            }
        }
    }
}

fn check_list(keyword: &str, at: &str, items: &[Value], errors: &mut Vec<SchemaError>) {
    let mut seen = HashSet::new();
    for (index, item) in items.iter().enumerate() {
        let at = pointer::item(at, index);
        let error = match item {
            Value::String(name) if seen.insert(name.as_str()) => continue,
            Value::String(name) => {
                let message = format!("duplicate name `{name}` in `{keyword}`; remove it");
                Finding::value(&at, SchemaErrorKind::Duplicate, message)
                    .fix("Remove the duplicate", vec![Change::remove(&at)])
            }
            Value::Bool(_) | Value::Number(_) => {
                let message = format!(
                    "`{keyword}` lists names, which are strings, not `{}`; quote it",
                    brief(item)
                );
                Finding::value(&at, SchemaErrorKind::WrongValue, message)
                    .fix("Put it in quotes", vec![Change::replace(&at, item.to_string())])
            }
            Value::Null => Finding::value(
                &at,
                SchemaErrorKind::WrongValue,
                format!("this item of `{keyword}` is empty; name a property, or remove the item"),
            )
            .fix("Remove the item", vec![Change::remove(&at)]),
            _ => Finding::value(
                &at,
                SchemaErrorKind::WrongValue,
                format!(
                    "`{keyword}` only lists the names of properties; declare their schemas under \
                        `properties`"
                ),
            ),
        };
        errors.push(error);
    }
}

/// One name without its brackets, or several with commas.
fn wrap(value: &Value, at: &str, error: SchemaError) -> SchemaError {
    let Value::String(written) = value else { return error };
    let names: Vec<&str> =
        written.split([',', ' ']).map(str::trim).filter(|name| !name.is_empty()).collect();
    if names.is_empty() {
        return error;
    }
    let list = json!(names);
    error.fix(format!("Write `{}`", brief(&list)), vec![Change::replace(at, list)])
}

/// `required: true` on the property itself: move the name to the object's list.
fn boolean(entry: &Entry<'_>, wanted: bool) -> SchemaError {
    let remove = Change::remove(&entry.pointer);
    let Some(name) = entry.place.name.filter(|_| entry.place.keyword == "properties") else {
        let error = entry.wrong(Shape::Names);
        return error.fix("Remove `required`", vec![remove]);
    };
    if !wanted {
        let message = "`required` is a list next to `properties`; properties not listed are \
            optional, so remove this line";
        return Finding::value(&entry.pointer, SchemaErrorKind::RequiredBoolean, message)
            .fix("Remove `required: false`", vec![remove]);
    }
    let message = format!(
        "`required` belongs to the object, next to `properties`; write `required: [{name}]` there"
    );
    let error = Finding::value(&entry.pointer, SchemaErrorKind::RequiredBoolean, message);
    error.fix(
        format!("Move `{name}` to the object's `required`"),
        vec![
            remove,
            Change::Require { pointer: object(&entry.place.pointer), name: name.to_string() },
        ],
    )
}

/// The object schema that declares the property whose schema is at a pointer.
fn object(property: &str) -> String {
    let parent =
        pointer::split_last(property).and_then(|(properties, _)| pointer::split_last(properties));
    parent.map_or(String::new(), |(object, _)| object.to_string())
}
