//! Keywords without effect.

use serde_json::{Map, Value};

use super::super::finding::{Change, Finding};
use super::super::format_name::{format_alias, format_name, formats, is_open_api_format};
use super::super::keyword;
use super::super::pointer;
use super::super::reference::References;
use super::super::type_name::Type;
use super::super::walk::Place;
use super::{LintKind, SchemaLint, words};
use crate::suggestion::closest;

pub(super) fn check(
    place: &Place<'_>,
    entries: &Map<String, Value>,
    references: &References<'_>,
    lints: &mut Vec<SchemaLint>,
) {
    words::check(place, entries, references, lints);
    let kinds = declared(place.value);
    for (name, value) in entries {
        // `required: true` on a property is a separate mistake.
        let Some(keyword) =
            keyword(name).filter(|keyword| keyword.name != "required" || !value.is_boolean())
        else {
            continue;
        };
        let at = pointer::join(&place.pointer, name);
        let remove =
            |lint: SchemaLint| lint.fix(format!("Remove `{name}`"), vec![Change::remove(&at)]);
        if !kinds.is_empty() && !kinds.iter().any(|kind| keyword.applies(*kind)) {
            let written: Vec<String> = kinds.iter().map(|kind| format!("`{kind}`")).collect();
            let about: Vec<String> =
                keyword.applies_to.iter().map(|kind| format!("`{kind}`")).collect();
            let message = format!(
                "`{name}` has no effect on a value of type {}; it applies to {}",
                written.join(" or "),
                about.join(" and ")
            );
            let lint = Finding::key(&at, LintKind::IneffectiveKeyword, message);
            lints.push(
                match counterpart(name, &kinds).filter(|other| !entries.contains_key(*other)) {
                    Some(other) => remove(
                        lint.fix(format!("Rename to `{other}`"), vec![Change::rename(&at, other)]),
                    ),
                    None => remove(lint),
                },
            );
            continue;
        }
        if let Some(partner) = partner(name).filter(|partner| !entries.contains_key(*partner)) {
            lints.push(remove(Finding::key(
                &at,
                LintKind::IneffectiveKeyword,
                format!("`{name}` has no effect without `{partner}` next to it"),
            )));
        }
        if let (true, Value::String(format)) = (name == "format", value) {
            lints.extend(unknown_format(format, &at));
        }
    }
}

/// The declared types, if all of them exist.
pub(super) fn declared(schema: &Value) -> Vec<Type> {
    let kinds = Type::declared(schema);
    match schema.get("type") {
        Some(Value::Array(names)) if names.len() != kinds.len() => Vec::new(),
        _ => kinds,
    }
}

fn partner(name: &str) -> Option<&'static str> {
    match name {
        "minContains" | "maxContains" => Some("contains"),
        "then" | "else" => Some("if"),
        _ => None,
    }
}

/// The keyword that limits values of these types the way `name` limits others.
fn counterpart(name: &str, kinds: &[Type]) -> Option<&'static str> {
    let lower = match name {
        "minLength" | "minItems" | "minimum" | "minProperties" => true,
        "maxLength" | "maxItems" | "maximum" | "maxProperties" => false,
        _ => return None,
    };
    Some(match (kinds.first()?, lower) {
        (Type::String, true) => "minLength",
        (Type::String, false) => "maxLength",
        (Type::Integer | Type::Number, true) => "minimum",
        (Type::Integer | Type::Number, false) => "maximum",
        (Type::Array, true) => "minItems",
        (Type::Array, false) => "maxItems",
        (Type::Object, true) => "minProperties",
        (Type::Object, false) => "maxProperties",
        _ => return None,
    })
}

fn unknown_format(written: &str, at: &str) -> Option<SchemaLint> {
    if format_name(written).is_some() {
        return None;
    }
    if is_open_api_format(written) {
        let message = format!(
            "`{written}` is an OpenAPI format; JSON Schema doesn't define it, so it isn't checked"
        );
        return Some(
            Finding::value(at, LintKind::UnknownFormat, message)
                .fix("Remove `format`", vec![Change::remove(at)]),
        );
    }
    let message = format!("unknown format `{written}`, which isn't checked");
    let mut lint = Finding::value(at, LintKind::UnknownFormat, message);
    if let Some(close) = format_alias(written)
        .or_else(|| closest(written, formats().iter().map(|format| format.name)))
    {
        lint.message.push_str(&format!("; did you mean `{close}`?"));
        lint = lint.fix(format!("Replace with `{close}`"), vec![Change::replace(at, close)]);
    }
    Some(lint)
}
