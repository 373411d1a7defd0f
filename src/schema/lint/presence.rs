//! Missing constraints: types, `required`.

use std::collections::HashSet;

use serde_json::{Value, json};

use super::super::compile;
use super::super::cost::Budget;
use super::super::finding::{Change, Finding};
use super::super::fitting;
use super::super::pointer;
use super::super::reference::{References, Target};
use super::super::type_name::Type;
use super::super::walk::Place;
use super::{LintKind, SchemaLint};
use crate::suggestion::closest;

const COMBINING: &[&str] =
    &["$ref", "$dynamicRef", "allOf", "anyOf", "oneOf", "not", "if", "$recursiveRef"];

pub(super) fn types(
    place: &Place<'_>,
    refines: bool,
    references: &References<'_>,
    lints: &mut Vec<SchemaLint>,
) {
    if refines
        || matches!(
            place.keyword,
            "additionalProperties" | "unevaluatedProperties" | "unevaluatedItems"
        )
    {
        return;
    }
    let parent =
        place.parent.and_then(|parent| references.places.get(parent)).map(|parent| parent.value);
    match place.value {
        Value::Bool(allowed) => {
            if !allowed
                && place.keyword == "items"
                && parent.is_some_and(|parent| parent.get("prefixItems").is_some())
            {
                return;
            }
            let message = match allowed {
                true => "`true` allows any value; set a type, such as `type: string`",
                false => "`false` allows no value; remove it, or set a type",
            };
            let typed = if place.keyword.is_empty() {
                json!({"type": "object"})
            } else {
                json!({"type": "string"})
            };
            let title = if place.keyword.is_empty() {
                "Write `type: object`"
            } else {
                "Write `type: string`"
            };
            lints.push(
                Finding::value(&place.pointer, LintKind::BooleanSchema, message)
                    .fix(title, vec![Change::replace(&place.pointer, typed)]),
            );
        }
        Value::Object(entries) => {
            if entries.contains_key("type")
                || COMBINING.iter().any(|keyword| entries.contains_key(*keyword))
            {
                return;
            }
            // Only the listed values are allowed, and they have their types.
            let lists_values = entries.contains_key("const")
                || entries.get("enum").and_then(Value::as_array).is_some_and(|all| !all.is_empty());
            let is_typed = |parent: &Value| {
                ["type", "$ref", "$dynamicRef", "const", "enum"]
                    .iter()
                    .any(|keyword| parent.get(*keyword).is_some())
            };
            if lists_values
                || matches!(place.keyword, "anyOf" | "oneOf") && parent.is_some_and(is_typed)
            {
                return;
            }
            // If only entries directly below are misplaced, `properties` is missing, which is
            // reported there.
            if !entries.is_empty()
                && entries.iter().all(|(key, value)| super::words::is_property(key, value))
            {
                return;
            }
            let names_only = place.keyword.is_empty()
                && entries.keys().all(|key| {
                    matches!(
                        key.as_str(),
                        "$defs"
                            | "definitions"
                            | "$schema"
                            | "$id"
                            | "$comment"
                            | "title"
                            | "description"
                    )
                });
            let mut kinds = fitting::fitting(place.value);
            if kinds.is_empty() && names_only {
                kinds.push(Type::Object);
            }
            let written = fitting::written(&kinds);
            let message = match kinds.is_empty() {
                false if entries.is_empty() || names_only => {
                    format!(
                        "missing `type`, so any value is allowed; add `type: {written}` or \
                        another type"
                    )
                }
                false => format!(
                    "missing `type`, so values of other types are not checked; \
                    add `type: {written}`"
                ),
                true => "missing `type`, so any value is allowed; add one, such as `type: string`"
                    .to_string(),
            };
            if kinds.is_empty() {
                kinds.push(Type::String);
            }
            let finding = Finding::key(&place.pointer, LintKind::Untyped, message);
            lints.push(finding.fix(
                format!("Insert `type: {}`", fitting::written(&kinds)),
                vec![Change::insert(&place.pointer, "type", fitting::value(&kinds))],
            ));
        }
        _ => {}
    }
}

pub(super) fn required(
    index: usize,
    place: &Place<'_>,
    refines: bool,
    references: &References<'_>,
    budget: &mut Budget<'_>,
    lints: &mut Vec<SchemaLint>,
) {
    match place.value.get("required") {
        Some(Value::Array(names)) => undeclared(index, place, names, references, budget, lints),
        None if !refines => nothing_required(place, lints),
        _ => {}
    }
}

/// A list with more unknown names than this wasn't mistyped.
const MOST_SUGGESTIONS: usize = 5;

/// The cost of compiling a pattern, in steps.
const PATTERN: u64 = 500;

fn undeclared(
    index: usize,
    place: &Place<'_>,
    names: &[Value],
    references: &References<'_>,
    budget: &mut Budget<'_>,
    lints: &mut Vec<SchemaLint>,
) {
    // Properties in `not` and `if` needn't be declared.
    let condition = condition(index, references);
    let Some(declared) = declared(index, references, budget).filter(|_| condition != Some("not"))
    else {
        return;
    };
    let own = place.value.get("properties").and_then(Value::as_object);
    let known: HashSet<&str> = declared.names.iter().copied().collect();
    let mut misses = 0;
    for (position, name) in names.iter().enumerate() {
        let Some(name) = name.as_str().filter(|name| !known.contains(name)) else { continue };
        // Past the budget, the name isn't reported.
        if declared.patterns.iter().any(|pattern| !budget.spend(PATTERN) || matches(pattern, name))
        {
            continue;
        }
        let at = pointer::item(&pointer::join(&place.pointer, "required"), position);
        let listed = |candidate: &&&str| !names.iter().any(|name| name.as_str() == Some(candidate));
        misses += 1;
        let close = if misses > MOST_SUGGESTIONS {
            None
        } else {
            closest(name, declared.names.iter().filter(listed).copied())
                .or_else(|| closest(name, declared.names.iter().copied()))
        };
        if condition.is_some() && close.is_none() {
            continue;
        }
        let mut lint = Finding::value(
            &at,
            LintKind::UndeclaredRequired,
            format!("`{name}` is required but not declared under `properties`"),
        );
        if let Some(close) = close {
            lint.message.push_str(&format!("; did you mean `{close}`?"));
            lint = lint.fix(format!("Replace with `{close}`"), vec![Change::replace(&at, close)]);
        }
        if condition.is_some() {
            lints.push(lint);
            continue;
        }
        let schema = json!({"type": "string"});
        let declare = match own {
            Some(_) => Change::insert(&pointer::join(&place.pointer, "properties"), name, schema),
            None => Change::insert(&place.pointer, "properties", json!({name: schema})),
        };
        if own.is_some() || place.value.get("properties").is_none() {
            lint = lint.fix(format!("Declare `{name}`"), vec![declare]);
        }
        lints.push(lint.fix(format!("Remove `{name}` from `required`"), vec![Change::remove(&at)]));
    }
}

/// The keyword, `not` or `if`, of the condition that this schema is, or that contains it.
fn condition<'a>(index: usize, references: &References<'a>) -> Option<&'a str> {
    let mut place = references.places.get(index)?;
    let mut found = None;
    loop {
        match place.keyword {
            "not" => return Some("not"),
            "if" => found = Some("if"),
            "allOf" | "anyOf" | "oneOf" | "then" | "else" | "dependentSchemas" | "dependencies" => {
            }
            _ => return found,
        }
        place = references.places.get(place.parent?)?;
    }
}

#[derive(Default)]
struct Declared<'a> {
    names: Vec<&'a str>,
    patterns: Vec<&'a str>,
}

/// The properties that a value may have here, according to all schemas that describe the same
/// value. `None` if they aren't all known, or others are allowed on purpose.
fn declared<'a>(
    index: usize,
    references: &References<'a>,
    budget: &mut Budget<'_>,
) -> Option<Declared<'a>> {
    let mut top = references.places.get(index)?;
    while matches!(
        top.keyword,
        "allOf"
            | "anyOf"
            | "oneOf"
            | "if"
            | "then"
            | "else"
            | "not"
            | "dependentSchemas"
            | "dependencies"
    ) {
        top = references.places.get(top.parent?)?;
    }
    let mut declared = Declared::default();
    let mut open = vec![(top.pointer.clone(), top.value)];
    let mut seen = HashSet::new();
    while let Some((at, schema)) = open.pop() {
        if !seen.insert(at.clone()) {
            continue;
        }
        let Some(entries) = schema.as_object() else { continue };
        if !budget.spend(1 + entries.len() as u64) {
            return None;
        }
        for (keyword, value) in entries {
            let below = pointer::join(&at, keyword);
            match (keyword.as_str(), value) {
                ("properties", Value::Object(properties)) => {
                    declared.names.extend(properties.keys().map(String::as_str))
                }
                ("properties", _) | ("$recursiveRef", _) => return None,
                ("patternProperties", Value::Object(patterns)) => {
                    declared.patterns.extend(patterns.keys().map(String::as_str))
                }
                ("additionalProperties" | "unevaluatedProperties", value)
                    if *value != Value::Bool(false) =>
                {
                    return None;
                }
                ("$ref" | "$dynamicRef", Value::String(reference)) => {
                    match references.resolve(&at, reference) {
                        Target::Found { pointer, schema } => open.push((pointer, schema)),
                        _ => return None,
                    }
                }
                ("allOf" | "anyOf" | "oneOf", Value::Array(items)) => open.extend(
                    items
                        .iter()
                        .enumerate()
                        .map(|(index, item)| (pointer::item(&below, index), item)),
                ),
                ("if" | "then" | "else" | "not", schema) => open.push((below, schema)),
                ("dependentSchemas" | "dependencies", Value::Object(named)) => open.extend(
                    named.iter().map(|(name, schema)| (pointer::join(&below, name), schema)),
                ),
                _ => {}
            }
        }
    }
    // A definition without properties is meant to be combined with others.
    let is_part = declared.names.is_empty() && matches!(top.keyword, "$defs" | "definitions");
    (!is_part).then_some(declared)
}

fn matches(pattern: &str, name: &str) -> bool {
    compile::options()
        .build(&json!({"pattern": pattern}))
        .is_ok_and(|validator| validator.is_valid(&Value::String(name.to_string())))
}

fn nothing_required(place: &Place<'_>, lints: &mut Vec<SchemaLint>) {
    let Some(properties) = place.value.get("properties").and_then(Value::as_object) else { return };
    if COMBINING.iter().any(|keyword| place.value.get(keyword).is_some())
        || !Type::declared(place.value).contains(&Type::Object)
    {
        return;
    }
    let names: Vec<&str> = properties
        .iter()
        .filter(|(_, schema)| schema.get("default").is_none())
        .map(|(name, _)| name.as_str())
        .collect();
    if names.is_empty() {
        return;
    }
    let message = "all properties are optional, so `{}` matches; list the required ones under \
        `required`";
    let lint = Finding::key(
        pointer::join(&place.pointer, "properties"),
        LintKind::NothingRequired,
        message,
    );
    lints.push(lint.fix(
        "Require every property that has no default",
        vec![Change::insert(&place.pointer, "required", json!(names))],
    ));
}
