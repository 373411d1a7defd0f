use serde_json::json;

use super::super::{Describer, StrictProblemKind, properties, strict_problems, summary};

#[test]
fn schema_in_one_line() {
    let cases = [
        (
            json!({"type": "object", "properties": {"url": {"type": "string", "format": "uri"}, "format": {"type": "string", "enum": ["json", "xml"], "default": "json"}}, "required": ["url"]}),
            r#"object { url: string (uri, required), format?: "json" | "xml" = "json" }"#,
        ),
        (
            json!({"type": "array", "items": {"type": ["string", "null"]}}),
            "array of (string | null)",
        ),
        (json!({"type": "integer", "minimum": 1, "maximum": 10}), "integer (1 to 10)"),
        (json!({"anyOf": [{"type": "string"}, {"const": 3}]}), "string | 3"),
        (json!({}), "any"),
        (json!(true), "any"),
        (json!(false), "nothing"),
        (json!({"type": "object"}), "object"),
        (json!({"type": "object", "additionalProperties": {"type": "number"}}), "object of number"),
        (json!({"$ref": "#/$defs/a", "$defs": {"a": {"type": "boolean"}}}), "boolean"),
        (json!({"$ref": "#/$defs/Pet"}), "Pet"),
        (json!({"type": "array", "items": {"$ref": "#"}}), "array of array of array of array of …"),
        (
            json!({"type": "object", "properties": {"a": {"type": "array", "items": {"type": "string"}}}, "required": ["a"]}),
            "object { a: array of string (required) }",
        ),
    ];
    for (schema, expected) in cases {
        assert_eq!(summary(&schema), expected);
    }
}

#[test]
fn properties_one_by_one() {
    let schema = json!({"allOf": [{"$ref": "#/$defs/base"}], "type": "object", "$defs": {"base": {"properties": {"id": {"type": "string"}}, "required": ["id"]}},
        "properties": {"url": {"$ref": "#/$defs/url", "description": "The page\n  to fetch"}, "n": {"type": "integer", "default": 3}}, "required": []});
    let lines: Vec<String> = properties(&schema).iter().map(|property| property.line()).collect();
    assert_eq!(
        lines,
        [
            "`url`: url, optional. The page to fetch",
            "`n`: integer, default `3`",
            "`id`: string, required"
        ]
    );
}

#[test]
fn one_property_of_a_nested_schema() {
    let schema = json!({"$defs": {"url": {"type": "string", "description": "An address"}}, "properties": {
        "page": {"type": "object", "properties": {"at": {"$ref": "#/$defs/url"}, "n": {"type": "integer", "default": 3}}, "required": ["at"]}}});
    let describer = Describer::new(&schema);
    let line = |at: &str| describer.property(at).map(|property| property.line());
    assert_eq!(
        line("/properties/page/properties/at").as_deref(),
        Some("`at`: string, required. An address")
    );
    assert_eq!(line("/properties/page/properties/n").as_deref(), Some("`n`: integer, default `3`"));
    assert_eq!(
        (line("/properties/page/properties/no"), line("/$defs/url"), line("")),
        (None, None, None)
    );
}

#[test]
fn strict_mode() {
    let ready = json!({"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"], "additionalProperties": false});
    assert_eq!(strict_problems(&ready), []);
    let far = json!({"type": "object", "properties": {"a": {"type": "string", "minLength": 1}, "b": {}}, "required": ["a"]});
    let kinds: Vec<(String, StrictProblemKind)> =
        strict_problems(&far).into_iter().map(|problem| (problem.pointer, problem.kind)).collect();
    use StrictProblemKind::*;
    assert_eq!(
        kinds,
        [
            (String::new(), OpenObject),
            ("/properties/b".into(), OptionalProperty),
            ("/properties/a/minLength".into(), UnsupportedKeyword),
            ("/properties/b".into(), Untyped)
        ]
    );
    assert!(
        strict_problems(&json!({"type": "array"}))
            .iter()
            .any(|problem| problem.kind == RootNotObject)
    );
}
