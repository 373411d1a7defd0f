//! MDL-18 of the conformance list.

mod laws;
mod narrowing;
mod problems;
mod scopes;

use serde_json::{Value, json};

use super::*;
use crate::template::parse;
use crate::text::Span;

/// A schema with a property of every kind.
fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "name": { "type": "string" },
            "nick": { "type": "string" },
            "count": { "type": "integer" },
            "price": { "type": "number" },
            "flag": { "type": "boolean" },
            "kind": { "enum": ["xml", "json", "text"] },
            "note": { "type": ["string", "null"] },
            "mixed": { "type": ["string", "integer"] },
            "free": {},
            "meta": { "type": "object" },
            "tags": { "type": "array", "items": { "type": "string" } },
            "user": { "$ref": "#/$defs/user" },
            "boss": { "$ref": "#/$defs/user" },
            "people": { "type": "array", "items": { "$ref": "#/$defs/user" } },
            "foo-bar": { "type": "string" },
            "map": { "type": "object", "additionalProperties": { "type": "integer" } },
        },
        "required": ["name", "count", "price", "flag", "kind", "note", "mixed", "free", "meta", "tags", "user", "people", "foo-bar", "map"],
        "$defs": {
            "user": {
                "type": "object",
                "properties": { "name": { "type": "string" }, "email": { "type": "string" }, "boss": { "$ref": "#/$defs/user" } },
                "required": ["name"],
            },
        },
    })
}

fn checked(text: &str) -> Checked {
    let template = parse(text, &[]);
    assert_eq!(template.errors, [], "{text}");
    check(&template, &Types::new(Some(&schema())), &Environment::default())
}

/// A problem in short: its first word, and its span's text.
fn short(text: &str, problem: &Problem) -> String {
    let name = format!("{:?}", problem.kind);
    let name = name.split([' ', '(', '{']).next().unwrap_or_default().to_owned();
    format!("{name} {}", text.get(problem.span.clone()).unwrap_or("?"))
}

/// Lists of this schema may be empty, and these tests are about other things.
fn is_about_length(problem: &Problem) -> bool {
    matches!(problem.kind, ProblemKind::OutOfRange { certain: false, .. })
}

#[track_caller]
fn problems(text: &str, expected: &[&str]) {
    let checked = checked(text);
    let others = checked.problems.iter().filter(|problem| !is_about_length(problem));
    let found: Vec<String> = others.map(|problem| short(text, problem)).collect();
    assert_eq!(found, expected, "{text}");
}
