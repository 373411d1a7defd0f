//! Numbers, booleans, strings, patterns, lists of values.

use std::sync::LazyLock;

use serde_json::{Value, json};

use super::super::finding::{Change, Finding, Part, brief};
use super::super::pointer;
use super::super::shape::Shape;
use super::{Entry, SchemaError, SchemaErrorKind};

/// Compiles regular expressions like the validator of values.
static IS_REGEX: LazyLock<Option<jsonschema::Validator>> = LazyLock::new(|| {
    super::super::compile::options()
        .should_validate_formats(true)
        .build(&json!({"format": "regex"}))
        .ok()
});

pub(super) fn number(entry: &Entry<'_>, shape: Shape, errors: &mut Vec<SchemaError>) {
    let Value::Number(number) = entry.value else { return errors.push(not_a_number(entry, shape)) };
    let value = number.as_f64().unwrap_or_default();
    let (kind, message) = match shape {
        Shape::Size if value.fract() != 0.0 => (
            SchemaErrorKind::WrongValue,
            format!("`{}` is a count, so it must be an integer, not {number}", entry.keyword),
        ),
        Shape::Size if value < 0.0 => (
            SchemaErrorKind::OutOfRange,
            format!("`{}` is a count, so it must be 0 or more, not {number}", entry.keyword),
        ),
        Shape::Positive if value <= 0.0 => (
            SchemaErrorKind::OutOfRange,
            format!("`{}` must be greater than 0, not {number}", entry.keyword),
        ),
        _ => return,
    };
    errors.push(
        Finding::value(&entry.pointer, kind, message)
            .fix(format!("Remove `{}`", entry.keyword), vec![Change::remove(&entry.pointer)]),
    );
}

fn not_a_number(entry: &Entry<'_>, shape: Shape) -> SchemaError {
    let error = entry.wrong(shape);
    match entry.value {
        Value::String(written) => match serde_json::from_str::<Value>(written.trim()) {
            Ok(number @ Value::Number(_)) => error.fix(
                format!("Write `{number}` without quotes"),
                vec![Change::replace(&entry.pointer, number)],
            ),
            _ => error,
        },
        Value::Bool(exclusive) => draft4(entry, *exclusive, error),
        _ => error,
    }
}

/// `minimum: 0` with `exclusiveMinimum: true`.
fn draft4(entry: &Entry<'_>, exclusive: bool, mut error: SchemaError) -> SchemaError {
    let limit = match entry.keyword {
        "exclusiveMinimum" => "minimum",
        "exclusiveMaximum" => "maximum",
        _ => return error,
    };
    error.message = format!(
        "since draft 6, `{}` is a number, the limit itself; it replaces `{limit}`",
        entry.keyword
    );
    match entry.place.value.get(limit) {
        Some(number @ Value::Number(_)) if exclusive => {
            let changes = vec![
                Change::replace(&entry.pointer, number.clone()),
                Change::remove(&pointer::join(&entry.place.pointer, limit)),
            ];
            error.fix(format!("Write `{}: {number}`", entry.keyword), changes)
        }
        _ if !exclusive => {
            error.fix(format!("Remove `{}`", entry.keyword), vec![Change::remove(&entry.pointer)])
        }
        _ => error,
    }
}

pub(super) fn boolean(entry: &Entry<'_>, errors: &mut Vec<SchemaError>) {
    let Value::String(written) = entry.value else {
        if !entry.value.is_boolean() {
            errors.push(entry.wrong(Shape::Boolean));
        }
        return;
    };
    let meant = match written.to_ascii_lowercase().as_str() {
        "yes" | "on" | "true" | "y" => Some(true),
        "no" | "off" | "false" | "n" => Some(false),
        _ => None,
    };
    let error = entry.wrong(Shape::Boolean);
    errors.push(match meant {
        Some(meant) => error
            .fix(format!("Replace with `{meant}`"), vec![Change::replace(&entry.pointer, meant)]),
        None => error,
    });
}

pub(super) fn not_text(entry: &Entry<'_>, shape: Shape, errors: &mut Vec<SchemaError>) {
    let error = entry.wrong(shape);
    errors.push(match entry.value {
        _ if shape == Shape::Dialect => error
            .fix("Use draft 2020-12", vec![Change::replace(&entry.pointer, super::super::DIALECT)]),
        Value::Number(_) | Value::Bool(_)
            if matches!(shape, Shape::Text | Shape::Format | Shape::Regex) =>
        {
            error.fix(
                "Put it in quotes",
                vec![Change::replace(&entry.pointer, entry.value.to_string())],
            )
        }
        Value::Null => {
            error.fix(format!("Remove `{}`", entry.keyword), vec![Change::remove(&entry.pointer)])
        }
        _ => error,
    });
}

pub(super) fn values(entry: &Entry<'_>, errors: &mut Vec<SchemaError>) {
    let error = match entry.value {
        Value::Array(_) => return,
        Value::String(written) => {
            let parts: Vec<&str> =
                written.split([',', '|']).map(str::trim).filter(|part| !part.is_empty()).collect();
            let list = json!(parts);
            entry.wrong(Shape::Values).fix(
                format!("Write `{}`", brief(&list)),
                vec![Change::replace(&entry.pointer, list)],
            )
        }
        Value::Number(_) | Value::Bool(_) => {
            let list = json!([entry.value]);
            entry.wrong(Shape::Values).fix(
                format!("Write `{}`", brief(&list)),
                vec![Change::replace(&entry.pointer, list)],
            )
        }
        _ => entry.wrong(Shape::Values),
    };
    errors.push(error);
}

pub(super) fn vocabularies(entry: &Entry<'_>, errors: &mut Vec<SchemaError>) {
    let Value::Object(entries) = entry.value else {
        return errors.push(entry.wrong(Shape::Vocabularies));
    };
    for (name, _) in entries.iter().filter(|(_, value)| !value.is_boolean()) {
        let at = pointer::join(&entry.pointer, name);
        errors.push(Finding::value(
            at,
            SchemaErrorKind::WrongValue,
            "`$vocabulary` maps each vocabulary to `true` or `false`: whether it must be \
                understood",
        ));
    }
}

/// Checks that a string is a regular expression.
pub(super) fn pattern(text: &str, at: &str, part: Part, errors: &mut Vec<SchemaError>) {
    let valid = IS_REGEX
        .as_ref()
        .is_none_or(|validator| validator.is_valid(&Value::String(text.to_string())));
    if valid {
        return;
    }
    let message = format!(
        "`{}` is not a regular expression (ECMA 262){}",
        brief(&Value::String(text.to_string())),
        reason(text)
    );
    errors.push(Finding { part, ..Finding::value(at, SchemaErrorKind::InvalidPattern, message) });
}

/// The usual mistakes in patterns.
fn reason(text: &str) -> &'static str {
    if text.starts_with(['*', '+', '?']) {
        return ": the first quantifier has nothing to repeat; to match any text, write `.*`";
    }
    if text.contains("(?P<") {
        return ": groups are named `(?<name>…)`, without the `P`";
    }
    if text.contains("\\A") || text.contains("\\Z") || text.contains("\\z") {
        return ": the start and the end of the text are `^` and `$`";
    }
    let (mut class, mut groups, mut escaped) = (false, 0i64, false);
    for character in text.chars() {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '[' => class = true,
            ']' => class = false,
            '(' if !class => groups += 1,
            ')' if !class && groups == 0 => {
                return ": unmatched `)`; write `\\)` for the character itself";
            }
            ')' if !class => groups -= 1,
            _ => {}
        }
    }
    match (escaped, class, groups) {
        (true, _, _) => ": a lone `\\` at the end; write `\\\\` for the character itself",
        (_, true, _) => ": unclosed `[`; write `\\[` for the character itself",
        (_, _, 1..) => ": unclosed `(`; write `\\(` for the character itself",
        _ => "; look for an invalid escape or range",
    }
}
