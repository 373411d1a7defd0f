//! Unknown keywords.

use serde_json::{Map, Value, json};

use super::super::finding::{Change, Finding};
use super::super::keyword::{keywords, shape_of};
use super::super::pointer;
use super::super::reference::References;
use super::super::retired::{Retired, retired};
use super::super::shape::Shape;
use super::super::type_name::Type;
use super::super::walk::Place;
use super::{LintKind, SchemaLint};
use crate::suggestion::closest;

pub(super) fn check(
    place: &Place<'_>,
    entries: &Map<String, Value>,
    references: &References<'_>,
    lints: &mut Vec<SchemaLint>,
) {
    for (word, value) in entries {
        let at = pointer::join(&place.pointer, word);
        if let Some(retired) = retired(word) {
            lints.push(old(place, retired, value, &at, references));
        } else if shape_of(word).is_none() && !word.starts_with("x-") && !word.starts_with("X-") {
            lints.push(unknown(place, entries, word, value, &at));
        }
    }
}

/// With more misplaced properties than this, don't offer to move them together.
const MOST_MOVED: usize = 50;

fn unknown(
    place: &Place<'_>,
    entries: &Map<String, Value>,
    word: &str,
    value: &Value,
    at: &str,
) -> SchemaLint {
    let lint = |message: String| Finding::key(at, LintKind::UnknownKeyword, message);
    if let Some(close) = misspelt(word, value).filter(|name| !entries.contains_key(*name)) {
        let message =
            format!("unknown keyword `{word}`, which has no effect; did you mean `{close}`?");
        return lint(message).fix(format!("Rename to `{close}`"), vec![Change::rename(at, close)]);
    }
    if Type::declared(place.value).iter().all(|kind| *kind == Type::Object)
        && is_property(word, value)
    {
        let message = format!(
            "unknown keyword `{word}`, which has no effect; if it is a property, move it under \
                `properties`"
        );
        if entries.len() > MOST_MOVED {
            return lint(message);
        }
        return lint(message).fix("Move to `properties`", into_properties(place, entries));
    }
    lint(format!(
        "unknown keyword `{word}`, which has no effect; remove it, or prefix it with \
        `x-` if another program reads it"
    ))
    .fix(format!("Remove `{word}`"), vec![Change::remove(at)])
}

/// The keyword that was most likely meant: with a similar spelling, and a suitable value.
fn misspelt(word: &str, value: &Value) -> Option<&'static str> {
    let fits = |shape: Shape| match value {
        Value::Object(_) if looks_like_schema(value) => {
            matches!(shape, Shape::Schema | Shape::SchemaMap | Shape::PatternMap)
        }
        Value::String(_) if looks_like_schema(value) => {
            matches!(shape, Shape::Types | Shape::Text | Shape::Format | Shape::Regex)
        }
        _ => true,
    };
    closest(word, keywords().filter(|keyword| fits(keyword.shape)).map(|keyword| keyword.name))
}

fn looks_like_schema(value: &Value) -> bool {
    match value {
        Value::Object(entries) => {
            entries.is_empty() || entries.keys().any(|key| shape_of(key).is_some())
        }
        Value::String(name) => Type::named(name).is_some(),
        _ => false,
    }
}

/// Whether an entry of a schema looks like a property that belongs under `properties`.
pub(super) fn is_property(word: &str, value: &Value) -> bool {
    looks_like_schema(value)
        && shape_of(word).is_none()
        && retired(word).is_none()
        && !word.starts_with("x-")
        && misspelt(word, value).is_none()
}

/// Moves all such entries.
fn into_properties(place: &Place<'_>, entries: &Map<String, Value>) -> Vec<Change> {
    let strays: Vec<(&String, Value)> = entries
        .iter()
        .filter(|(word, value)| is_property(word, value))
        .map(|(word, value)| {
            (word, if value.is_string() { json!({"type": value}) } else { value.clone() })
        })
        .collect();
    let mut changes: Vec<Change> = strays
        .iter()
        .map(|(word, _)| Change::remove(&pointer::join(&place.pointer, word)))
        .collect();
    match entries.get("properties") {
        Some(Value::Object(declared)) => {
            let properties = pointer::join(&place.pointer, "properties");
            changes.extend(
                strays
                    .into_iter()
                    .filter(|(word, _)| !declared.contains_key(*word))
                    .map(|(word, schema)| Change::insert(&properties, word, schema)),
            );
        }
        Some(Value::Null) => {
            let properties: Map<String, Value> =
                strays.into_iter().map(|(word, schema)| (word.clone(), schema)).collect();
            changes.push(Change::replace(&pointer::join(&place.pointer, "properties"), properties));
        }
        // Another value there is a separate mistake: entries can't be moved into it.
        Some(_) => changes.clear(),
        None => {
            if !entries.contains_key("type") {
                changes.push(Change::insert(&place.pointer, "type", "object"));
            }
            let properties: Map<String, Value> =
                strays.into_iter().map(|(word, schema)| (word.clone(), schema)).collect();
            changes.push(Change::insert(&place.pointer, "properties", Value::Object(properties)));
        }
    }
    changes
}

fn old(
    place: &Place<'_>,
    retired: &Retired,
    value: &Value,
    at: &str,
    references: &References<'_>,
) -> SchemaLint {
    let word = retired.name;
    let effect = if matches!(word, "definitions" | "dependencies") {
        "belongs to an earlier draft"
    } else {
        "is not a keyword of draft 2020-12, so it has no effect"
    };
    let lint =
        Finding::key(at, LintKind::RetiredKeyword, format!("`{word}` {effect}; {}", retired.note));
    let lacks = |keyword: &str| place.value.get(keyword).is_none();
    let rename = |lint: SchemaLint, name: &str| match lacks(name) {
        true => lint.fix(format!("Rename to `{name}`"), vec![Change::rename(at, name)]),
        false => lint,
    };
    match (word, value) {
        ("definitions", _) if lacks("$defs") => lint.fix(
            "Rename to `$defs`, with the references to it",
            rename_definitions(at, references),
        ),
        ("nullable", Value::Bool(true)) => match place.value.get("type") {
            Some(Value::String(kind)) => {
                let changes = vec![
                    Change::replace(&pointer::join(&place.pointer, "type"), json!([kind, "null"])),
                    Change::remove(at),
                ];
                lint.fix("Add `\"null\"` to the type", changes)
            }
            _ => lint,
        },
        ("nullable" | "optional", _) => {
            lint.fix(format!("Remove `{word}`"), vec![Change::remove(at)])
        }
        ("example", value) if lacks("examples") => lint.fix(
            "Make it a list under `examples`",
            vec![Change::remove(at), Change::insert(&place.pointer, "examples", json!([value]))],
        ),
        ("min" | "max", Value::Number(_)) => {
            let name = match (Type::declared(place.value).first(), word) {
                (Some(Type::String), "min") => "minLength",
                (Some(Type::String), _) => "maxLength",
                (Some(Type::Array), "min") => "minItems",
                (Some(Type::Array), _) => "maxItems",
                (Some(Type::Number | Type::Integer), "min") => "minimum",
                (Some(Type::Number | Type::Integer), _) => "maximum",
                _ => return lint,
            };
            rename(lint, name)
        }
        _ => match retired.instead {
            Some(name) => rename(lint, name),
            None => lint,
        },
    }
}

fn rename_definitions(at: &str, references: &References<'_>) -> Vec<Change> {
    let old = format!("#{at}/");
    let new = format!("#{}/$defs/", pointer::split_last(at).map_or("", |(parent, _)| parent));
    let refers = references.places.iter().filter_map(|place| {
        let rest = place.value.get("$ref").and_then(Value::as_str)?.strip_prefix(&old)?;
        Some(Change::replace(&pointer::join(&place.pointer, "$ref"), format!("{new}{rest}")))
    });
    refers.chain([Change::rename(at, "$defs")]).collect()
}
