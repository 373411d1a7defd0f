use serde_json::{Value, json};

use super::super::LintKind::{self, *};
use super::super::{check_schema, lint_schema};

fn check(schema: Value, expected: &[(&str, LintKind)]) {
    let lints = lint_schema(&schema);
    let found: Vec<(&str, LintKind)> =
        lints.iter().map(|lint| (lint.pointer.as_str(), lint.kind)).collect();
    assert_eq!(found, expected, "{schema}: {lints:#?}");
    for lint in &lints {
        assert!(!lint.message.ends_with('.') && !lint.message.contains(".."), "{}", lint.message);
        for fix in &lint.fixes {
            let fixed = super::apply(&schema, fix);
            assert!(
                check_schema(&fixed).len() <= check_schema(&schema).len(),
                "{} breaks {fixed}",
                fix.title
            );
            assert!(
                !lint_schema(&fixed).contains(lint),
                "{} does not fix {schema}: {fixed}",
                fix.title
            );
        }
    }
}

fn fixed(schema: Value) -> Option<Value> {
    lint_schema(&schema)
        .iter()
        .flat_map(|lint| &lint.fixes)
        .map(|fix| super::apply(&schema, fix))
        .next()
}

#[test]
fn types() {
    check(json!({}), &[("", Untyped)]);
    check(json!(true), &[("", BooleanSchema)]);
    check(
        json!({"type": "object", "properties": {"a": {}, "b": true, "c": {"enum": [1, 2]}}, "required": ["a"]}),
        &[("/properties/a", Untyped), ("/properties/b", BooleanSchema)],
    );
    check(json!({"properties": {"a": {"type": "string"}}, "required": ["a"]}), &[("", Untyped)]);
    check(json!({"type": "array", "items": {}}), &[("/items", Untyped)]);
    check(json!({"type": "object", "additionalProperties": true}), &[]);
    check(
        json!({"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"], "if": {"properties": {"a": {"const": "x"}}}, "else": true}),
        &[],
    );
    check(json!({"type": "string", "anyOf": [{"minLength": 1}, {"pattern": "x"}]}), &[]);
    check(json!({"anyOf": [{"minLength": 1}, {"type": "number"}]}), &[("/anyOf/0", Untyped)]);
    assert_eq!(fixed(json!({"minimum": 1})), Some(json!({"minimum": 1, "type": "number"})));
    // These values have types, so nothing passes unchecked.
    for typed in [
        json!({"const": true}),
        json!({"enum": ["a", null]}),
        json!({"$ref": "#/$defs/a", "anyOf": [{"minLength": 1}, {"pattern": "x"}], "$defs": {"a": {"type": "string"}}}),
        json!({"oneOf": [{"const": "a"}, {"type": "integer"}]}),
        json!({"type": "object", "oneOf": [
            {"properties": {"kind": {"const": "bug"}, "steps": {"type": "string"}}, "required": ["kind", "steps"]},
            {"properties": {"kind": {"const": "idea"}}, "required": ["kind"]},
        ]}),
    ] {
        check(typed, &[]);
    }
    check(json!({"enum": []}), &[("", Untyped), ("/enum", PoorEnum)]);
    assert_eq!(fixed(json!({})), Some(json!({"type": "object"})));
}

#[test]
fn required() {
    let object = |required: Value| json!({"type": "object", "properties": {"url": {"type": "string"}, "format": {"type": "string"}}, "required": required});
    check(object(json!(["url"])), &[]);
    check(object(json!(["ulr", "format"])), &[("/required/0", UndeclaredRequired)]);
    assert_eq!(fixed(object(json!(["ulr"]))), Some(object(json!(["url"]))));
    check(json!({"type": "object", "required": ["a"]}), &[("/required/0", UndeclaredRequired)]);
    // Properties in `not` and `if` needn't be declared.
    let with = |keyword: &str, schema: Value| {
        let mut object = object(json!(["url"]));
        object[keyword] = schema;
        object
    };
    for (keyword, schema) in [
        ("not", json!({"required": ["old"]})),
        ("not", json!({"anyOf": [{"required": ["old"]}, {"required": ["ulr"]}]})),
        ("allOf", json!([{"not": {"required": ["old"]}}])),
        ("if", json!({"required": ["old"]})),
    ] {
        check(with(keyword, schema), &[]);
    }
    let misspelled = with("if", json!({"required": ["ulr"]}));
    check(misspelled.clone(), &[("/if/required/0", UndeclaredRequired)]);
    let lints = lint_schema(&misspelled);
    let titles: Vec<&str> =
        lints.iter().flat_map(|lint| &lint.fixes).map(|fix| fix.title.as_str()).collect();
    assert_eq!(titles, ["Replace with `url`"]);
    check(
        with("anyOf", json!([{"required": ["old"]}, {"required": ["url"]}])),
        &[("/anyOf/0/required/0", UndeclaredRequired)],
    );
    check(
        json!({"type": "object", "properties": {"a": {"type": "string"}}}),
        &[("/properties", NothingRequired)],
    );
    check(json!({"type": "object", "properties": {"a": {"type": "string", "default": "x"}}}), &[]);
    check(json!({"type": "object", "properties": {"a": {"type": "string"}}, "required": []}), &[]);
    // Declared elsewhere, or open on purpose.
    check(
        json!({"type": "object", "patternProperties": {"^x-": {"type": "string"}}, "required": ["x-a"]}),
        &[],
    );
    check(
        json!({"type": "object", "patternProperties": {"^x-": {"type": "string"}}, "required": ["y"]}),
        &[("/required/0", UndeclaredRequired)],
    );
    check(
        json!({"type": "object", "additionalProperties": {"type": "string"}, "required": ["a"]}),
        &[],
    );
    check(
        json!({"type": "object", "allOf": [{"$ref": "#/$defs/base"}], "required": ["a"], "$defs": {"base": {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}}}),
        &[],
    );
    check(
        json!({"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string"}}, "required": ["a"], "anyOf": [{"required": ["b"]}, {"not": {"required": ["b"]}}]}),
        &[],
    );
    check(
        json!({"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"], "then": {"required": ["z"]}, "if": {"required": ["a"]}}),
        &[("/then/required/0", UndeclaredRequired)],
    );
}

#[test]
fn unknown_words() {
    check(
        json!({"type": "object", "additonalProperties": false}),
        &[("/additonalProperties", UnknownKeyword)],
    );
    check(json!({"type": "object", "propertes": {"a": {}}}), &[("/propertes", UnknownKeyword)]);
    check(json!({"type": "string", "desciption": "x"}), &[("/desciption", UnknownKeyword)]);
    check(json!({"type": "string", "min_length": 1}), &[("/min_length", UnknownKeyword)]);
    check(json!({"type": "string", "x-note": 1, "$comment": "c"}), &[]);
    check(json!({"type": "string", "enum": ["desciption"], "default": "desciption"}), &[]);
    check(
        json!({"type": "object", "default": {"desciption": "x"}, "properties": {"desciption": {"type": "string"}}, "required": []}),
        &[],
    );
    check(json!({"type": "string", "nullable": true}), &[("/nullable", RetiredKeyword)]);
    check(json!({"type": "string", "example": "x"}), &[("/example", RetiredKeyword)]);
    check(json!({"type": "string", "min": 1}), &[("/min", RetiredKeyword)]);
    check(json!({"type": "string", "frobnicate": 1}), &[("/frobnicate", UnknownKeyword)]);
    let flat = json!({"url": {"type": "string"}, "count": "integer"});
    check(flat.clone(), &[("/url", UnknownKeyword), ("/count", UnknownKeyword)]);
    assert_eq!(
        fixed(flat),
        Some(
            json!({"type": "object", "properties": {"url": {"type": "string"}, "count": {"type": "integer"}}})
        )
    );
    let old = json!({"type": "array", "items": {"$ref": "#/definitions/a"}, "definitions": {"a": {"type": "string"}}});
    check(old.clone(), &[("/definitions", RetiredKeyword)]);
    assert_eq!(
        fixed(old),
        Some(
            json!({"type": "array", "items": {"$ref": "#/$defs/a"}, "$defs": {"a": {"type": "string"}}})
        )
    );
    assert_eq!(
        fixed(json!({"type": "string", "nullable": true})),
        Some(json!({"type": ["string", "null"]}))
    );
}

#[test]
fn keywords_without_effect() {
    check(json!({"type": "integer", "minLength": 1}), &[("/minLength", IneffectiveKeyword)]);
    check(
        json!({"type": "string", "properties": {"a": {"type": "string"}}}),
        &[("/properties", IneffectiveKeyword)],
    );
    check(json!({"type": ["string", "integer"], "minLength": 1, "minimum": 2}), &[]);
    check(json!({"type": "array", "minContains": 1}), &[("/minContains", IneffectiveKeyword)]);
    check(json!({"type": "string", "format": "url"}), &[("/format", UnknownFormat)]);
    check(json!({"type": "integer", "format": "int32"}), &[("/format", IneffectiveKeyword)]);
    check(json!({"type": "string", "format": "binary"}), &[("/format", UnknownFormat)]);
    assert_eq!(
        fixed(json!({"type": "string", "format": "datetime"})),
        Some(json!({"type": "string", "format": "date-time"}))
    );
}

#[test]
fn values() {
    check(json!({"type": "string", "enum": ["a", 1]}), &[("/enum/1", ImpossibleValue)]);
    check(json!({"type": "string", "enum": ["a", "a"]}), &[("/enum/1", PoorEnum)]);
    check(json!({"type": "string", "enum": []}), &[("/enum", PoorEnum)]);
    check(json!({"type": "string", "const": 1}), &[("/const", ImpossibleValue)]);
    check(json!({"type": "number", "enum": [1, 2.5]}), &[]);
    check(
        json!({"type": "string", "enum": ["a"], "default": "b"}),
        &[("/default", InvalidDefault)],
    );
    check(json!({"type": "string", "default": 3}), &[("/default", InvalidDefault)]);
    check(json!({"type": "boolean", "default": "yes"}), &[("/default", InvalidDefault)]);
    check(json!({"type": "string", "default": null}), &[("/default", InvalidDefault)]);
    check(
        json!({"type": "string", "format": "uri", "default": "example"}),
        &[("/default", InvalidDefault)],
    );
    check(
        json!({"type": "integer", "minimum": 3, "examples": [4, 2]}),
        &[("/examples/1", InvalidExample)],
    );
    check(
        json!({"type": "object", "properties": {"a/b": {"$ref": "#/$defs/x%20y", "default": 3}}, "required": [], "$defs": {"x y": {"type": "string"}}}),
        &[("/properties/a~1b/default", InvalidDefault)],
    );
    check(
        json!({"type": "array", "items": {"type": "string"}, "default": [1]}),
        &[("/default/0", InvalidDefault)],
    );
    assert_eq!(
        fixed(json!({"type": "boolean", "default": "yes"})),
        Some(json!({"type": "boolean", "default": true}))
    );
}

#[test]
fn contradictory_limits() {
    check(json!({"type": "integer", "minimum": 3, "maximum": 1}), &[("/minimum", Contradiction)]);
    check(
        json!({"type": "number", "exclusiveMinimum": 1, "maximum": 1}),
        &[("/exclusiveMinimum", Contradiction)],
    );
    check(json!({"type": "integer", "minimum": 1, "maximum": 1}), &[]);
    check(
        json!({"type": "string", "minLength": 3, "maxLength": 1}),
        &[("/minLength", Contradiction)],
    );
}

#[test]
fn contradictory_limits_name_the_values_that_they_exclude() {
    for (schema, said) in [
        (json!({"type": "string", "minLength": 9, "maxLength": 3}), Some("no value")),
        (json!({"type": ["string"], "minLength": 9, "maxLength": 3}), Some("no value")),
        (json!({"type": ["string", "null"], "minLength": 9, "maxLength": 3}), Some("no string")),
        (json!({"minLength": 9, "maxLength": 3}), Some("no string")),
        (json!({"type": "null", "minLength": 9, "maxLength": 3}), None),
        (json!({"type": ["integer", "number"], "minimum": 2, "maximum": 1}), Some("no value")),
        (json!({"type": ["integer", "boolean"], "minimum": 2, "maximum": 1}), Some("no number")),
        (json!({"minimum": 2, "exclusiveMaximum": 2}), Some("no number")),
        (json!({"type": "string", "minimum": 2, "maximum": 1}), None),
        (
            json!({"type": ["array", "null"], "items": {"type": "string"}, "minItems": 2, "maxItems": 1}),
            Some("no array"),
        ),
        (
            json!({"type": ["object", "null"], "properties": {"日本": {"type": "string"}}, "minProperties": 2, "maxProperties": 1}),
            Some("no object"),
        ),
        (
            json!({"type": "array", "contains": {"type": "null"}, "minContains": 2, "maxContains": 1}),
            Some("no value"),
        ),
        (
            json!({"type": "array", "items": {"type": "null"}, "minContains": 2, "maxContains": 1}),
            None,
        ),
    ] {
        let lints = lint_schema(&schema);
        let found: Vec<&str> = lints
            .iter()
            .filter(|lint| lint.kind == Contradiction)
            .map(|lint| lint.message.as_str())
            .collect();
        assert_eq!(found.len(), usize::from(said.is_some()), "{schema}: {found:?}");
        if let (Some(said), [found]) = (said, found.as_slice()) {
            assert!(found.contains(&format!("so {said} can match")), "{schema}: {found}");
        }
    }
}
