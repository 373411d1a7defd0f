use serde_json::{Value, json};

use super::super::SchemaErrorKind::{self, *};
use super::super::{Part, check_schema};

fn check(schema: Value, expected: &[(&str, SchemaErrorKind)]) {
    let errors = check_schema(&schema);
    let found: Vec<(&str, SchemaErrorKind)> =
        errors.iter().map(|error| (error.pointer.as_str(), error.kind)).collect();
    assert_eq!(found, expected, "{schema}: {errors:#?}");
    for error in &errors {
        assert!(
            !error.message.ends_with('.') && !error.message.contains(".."),
            "{}",
            error.message
        );
        for fix in &error.fixes {
            let fixed = super::apply(&schema, fix);
            let left = check_schema(&fixed);
            assert!(!left.contains(error), "{} does not fix {schema}: {fixed}", fix.title);
            assert!(left.len() < errors.len(), "{} makes {fixed}: {left:#?}", fix.title);
        }
    }
}

fn fixes(schema: Value) -> Vec<Value> {
    check_schema(&schema)
        .iter()
        .flat_map(|error| &error.fixes)
        .map(|fix| super::apply(&schema, fix))
        .collect()
}

#[test]
fn every_kind_at_its_place() {
    check(json!({"type": "int"}), &[("/type", UnknownType)]);
    check(
        json!({"type": "object", "properties": {"a": {"type": "str"}, "b/c": {"type": "frob"}}}),
        &[("/properties/a/type", UnknownType), ("/properties/b~1c/type", UnknownType)],
    );
    check(json!({"type": ["string", "int"]}), &[("/type/1", UnknownType)]);
    check(json!({"type": ["string", null]}), &[("/type/1", WrongValue)]);
    check(json!({"type": ["string", "string"]}), &[("/type/1", Duplicate)]);
    check(json!({"type": []}), &[("/type", EmptyList)]);
    check(json!({"type": 3}), &[("/type", WrongValue)]);
    check(json!({"type": null}), &[("/type", NullType)]);
    check(json!({"type": {"type": "string"}}), &[("/type", WrongValue)]);
    check(json!({"required": "a, b"}), &[("/required", WrongValue)]);
    check(json!({"required": ["a", "a"]}), &[("/required/1", Duplicate)]);
    check(json!({"required": ["a", 1]}), &[("/required/1", WrongValue)]);
    check(
        json!({"properties": {"a": {"type": "string", "required": true}}}),
        &[("/properties/a/required", RequiredBoolean)],
    );
    check(
        json!({"properties": {"a": {"required": false}}}),
        &[("/properties/a/required", RequiredBoolean)],
    );
    check(json!({"required": true}), &[("/required", WrongValue)]);
    check(json!({"enum": "a"}), &[("/enum", WrongValue)]);
    check(json!({"enum": {"a": 1}}), &[("/enum", WrongValue)]);
    check(json!({"properties": ["a", "b"]}), &[("/properties", WrongValue)]);
    check(json!({"properties": null}), &[("/properties", WrongValue)]);
    check(
        json!({"properties": {"a": "string", "b": "A title", "c": null, "d": 3, "e": ["x"]}}),
        &[
            ("/properties/a", NotASchema),
            ("/properties/b", NotASchema),
            ("/properties/c", NotASchema),
            ("/properties/d", NotASchema),
            ("/properties/e", NotASchema),
        ],
    );
    check(json!({"minimum": "0"}), &[("/minimum", WrongValue)]);
    check(json!({"minimum": 1, "exclusiveMinimum": true}), &[("/exclusiveMinimum", WrongValue)]);
    check(json!({"minLength": -1}), &[("/minLength", OutOfRange)]);
    check(json!({"minLength": 1.5}), &[("/minLength", WrongValue)]);
    check(json!({"minLength": 2.0}), &[]);
    check(json!({"multipleOf": 0}), &[("/multipleOf", OutOfRange)]);
    check(json!({"pattern": "(a"}), &[("/pattern", InvalidPattern)]);
    check(json!({"pattern": "*.md"}), &[("/pattern", InvalidPattern)]);
    check(json!({"pattern": "^(?=a)\\d+$"}), &[]);
    check(json!({"pattern": 3}), &[("/pattern", WrongValue)]);
    check(
        json!({"patternProperties": {"[": {"type": "string"}}}),
        &[("/patternProperties/[", InvalidPattern)],
    );
    check(json!({"items": [{"type": "string"}]}), &[("/items", TupleItems)]);
    check(json!({"items": [{"type": "string"}, {"type": "number"}]}), &[("/items", TupleItems)]);
    check(json!({"items": "string"}), &[("/items", NotASchema)]);
    check(json!({"additionalProperties": "false"}), &[("/additionalProperties", NotASchema)]);
    check(json!({"anyOf": []}), &[("/anyOf", EmptyList)]);
    check(json!({"anyOf": {"type": "string"}}), &[("/anyOf", WrongValue)]);
    check(json!({"uniqueItems": "yes"}), &[("/uniqueItems", WrongValue)]);
    check(json!({"description": 3}), &[("/description", WrongValue)]);
    check(json!({"dependentRequired": {"a": "b"}}), &[("/dependentRequired/a", WrongValue)]);
    check(json!({"$anchor": "#a"}), &[("/$anchor", InvalidName)]);
    check(json!({"$id": "https://e.com/#a"}), &[("/$id", InvalidName)]);
    check(json!("string"), &[("", NotASchema)]);
    check(json!([]), &[("", NotASchema)]);
    check(json!({"examples": 1}), &[("/examples", WrongValue)]);
    // Data is never validated as a schema.
    check(
        json!({"enum": [{"type": "int"}], "const": {"required": true}, "default": {"type": 3}, "examples": [{"items": []}]}),
        &[],
    );
    check(json!({"x-a": {"type": 3}}), &[]);
}

#[test]
fn references() {
    check(
        json!({"$ref": "#/$defs/pet", "$defs": {"pets": {"type": "string"}}}),
        &[("/$ref", UnresolvedReference)],
    );
    check(
        json!({"$ref": "#/definitions/pet", "$defs": {"pet": {"type": "string"}}}),
        &[("/$ref", UnresolvedReference)],
    );
    check(
        json!({"$ref": "pet", "$defs": {"pet": {"type": "string"}}}),
        &[("/$ref", RemoteReference)],
    );
    check(json!({"$ref": "#pet"}), &[("/$ref", UnresolvedReference)]);
    check(json!({"$ref": "./other.json"}), &[("/$ref", RemoteReference)]);
    check(json!({"$ref": "https://example.com/x.json"}), &[("/$ref", RemoteReference)]);
    check(json!({"$ref": "file:///etc/passwd"}), &[("/$ref", RemoteReference)]);
    check(json!({"$ref": "https://json-schema.org/draft/2020-12/schema"}), &[]);
    check(
        json!({"type": "object", "properties": {"a": {"$ref": "#/type"}}}),
        &[("/properties/a/$ref", UnresolvedReference)],
    );
    check(
        json!({"$ref": "#/$defs/a b", "$defs": {"a b": {"type": "string"}}}),
        &[("/$ref", InvalidReference)],
    );
    check(
        json!({"$ref": "#/$defs/größe%", "$defs": {"größe%": {"type": "string"}}}),
        &[("/$ref", InvalidReference)],
    );
    check(json!({"$ref": "#/$defs/a%20b~1c", "$defs": {"a b/c": {"type": "string"}}}), &[]);
    check(
        json!({"properties": {"a": {"$ref": "other"}}, "$defs": {"b": {"$id": "other", "type": "string"}}}),
        &[],
    );
    check(
        json!({"$id": "https://e.com/a/root", "properties": {"a": {"$ref": "part#x"}}, "$defs": {"b": {"$id": "part", "$defs": {"c": {"$anchor": "x"}}}}}),
        &[],
    );
    check(json!({"$ref": "#"}), &[("/$ref", EndlessReference)]);
    check(
        json!({"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"anyOf": [{"type": "string"}, {"$ref": "#/$defs/a"}]}}}),
        &[("/$defs/b/anyOf/1/$ref", EndlessReference)],
    );
    check(
        json!({"properties": {"x": {"$ref": "#/$defs/p/allOf/0"}}, "$defs": {"p": {"allOf": [{"$ref": "#/$defs/p"}]}}}),
        &[("/$defs/p/allOf/0/$ref", EndlessReference)],
    );
    check(
        json!({"type": "object", "properties": {"child": {"$ref": "#"}}, "allOf": [{"$ref": "#/$defs/a"}], "$defs": {"a": {"items": {"$ref": "#"}}}}),
        &[],
    );
}

#[test]
fn dialects() {
    for fine in [
        "https://json-schema.org/draft/2020-12/schema",
        "https://json-schema.org/draft/2020-12/schema#",
    ] {
        check(json!({"$schema": fine}), &[]);
    }
    for other in [
        "http://json-schema.org/draft-07/schema#",
        "http://json-schema.org/draft/2020-12/schema",
        "https://json-schema.org/draft/2019-09/schema",
        "x",
        "",
    ] {
        check(json!({"$schema": other, "type": "string"}), &[("/$schema", UnsupportedDialect)]);
    }
    check(json!({"$schema": 7}), &[("/$schema", WrongValue)]);
}

#[test]
fn fixes_match_the_mistake() {
    let first = |schema: Value| fixes(schema).into_iter().next();
    let type_fix = |written: &str| first(json!({"type": written}));
    for (written, meant) in [
        ("int", "integer"),
        ("str", "string"),
        ("bool", "boolean"),
        ("float", "number"),
        ("double", "number"),
        ("list", "array"),
        ("dict", "object"),
        ("map", "object"),
        ("String", "string"),
        ("intger", "integer"),
        ("none", "null"),
    ] {
        assert_eq!(type_fix(written), Some(json!({"type": meant})), "{written}");
    }
    assert_eq!(type_fix("string | null"), Some(json!({"type": ["string", "null"]})));
    assert_eq!(type_fix("int?"), Some(json!({"type": ["integer", "null"]})));
    assert_eq!(type_fix("string[]"), Some(json!({"type": "array", "items": {"type": "string"}})));
    assert_eq!(type_fix("date"), Some(json!({"type": "string", "format": "date"})));
    assert_eq!(type_fix("frobnicate"), None);
    assert_eq!(first(json!({"type": null})), Some(json!({"type": "null"})));
    assert_eq!(first(json!({"required": "a, b"})), Some(json!({"required": ["a", "b"]})));
    assert_eq!(
        first(
            json!({"properties": {"a": {"type": "string", "required": true}}, "required": ["b"]})
        ),
        Some(json!({"properties": {"a": {"type": "string"}}, "required": ["b", "a"]}))
    );
    assert_eq!(
        first(json!({"properties": [{"name": "a", "type": "string"}]})),
        Some(json!({"properties": {"a": {"type": "string"}}}))
    );
    assert_eq!(
        first(json!({"properties": {"a": "string"}})),
        Some(json!({"properties": {"a": {"type": "string"}}}))
    );
    assert_eq!(
        first(json!({"minimum": 1, "exclusiveMinimum": true})),
        Some(json!({"exclusiveMinimum": 1}))
    );
    assert_eq!(
        first(json!({"items": [{"type": "string"}, {"type": "null"}]})),
        Some(json!({"prefixItems": [{"type": "string"}, {"type": "null"}]}))
    );
    assert_eq!(
        first(json!({"$ref": "#/definitions/pet", "$defs": {"pet": {}}})),
        Some(json!({"$ref": "#/$defs/pet", "$defs": {"pet": {}}}))
    );
}

#[test]
fn keys_and_values() {
    let part = |schema: Value| check_schema(&schema).first().map(|error| error.part);
    assert_eq!(part(json!({"patternProperties": {"[": {}}})), Some(Part::Key));
    assert_eq!(part(json!({"type": "int"})), Some(Part::Value));
}

#[test]
fn depth_is_safe() {
    for (open, close) in [
        ("{\"items\":", "}"),
        ("{\"properties\":{\"a\":", "}}"),
        ("{\"anyOf\":[", "]}"),
        ("{\"enum\":[", "]}"),
        ("[", "]"),
    ] {
        for depth in [20, 60, 100, 120, 127] {
            let text = format!("{}{}{}", open.repeat(depth), "{}", close.repeat(depth));
            let Ok(schema) = serde_json::from_str::<Value>(&text) else { continue };
            let _ = (
                check_schema(&schema),
                super::super::lint_schema(&schema),
                super::super::summary(&schema),
                super::super::properties(&schema),
            );
            let _ = super::super::strict_problems(&schema);
        }
    }
    for keyword in ["items", "not", "default", "frob"] {
        let mut schema = json!({"type": "string"});
        for _ in 0..2000 {
            let mut outer = serde_json::Map::new();
            outer.insert("type".into(), json!("array"));
            outer.insert(keyword.into(), schema);
            schema = Value::Object(outer);
        }
        let errors = check_schema(&schema);
        assert_eq!(errors.iter().filter(|error| error.kind == TooDeep).count(), 1, "{keyword}");
        assert_eq!(
            errors
                .iter()
                .find(|error| error.kind == TooDeep)
                .map(|error| error.pointer.matches('/').count()),
            Some(257)
        );
        super::super::lint_schema(&schema);
        super::super::summary(&schema);
        super::super::properties(&schema);
        super::super::strict_problems(&schema);
    }
}

/// At the depth limit, on a test's stack: the validator's own recursion must fit.
#[test]
fn deep_valid_schemas_compile() {
    let mut schema = json!({"type": "string"});
    let mut value = json!("x");
    for _ in 0..127 {
        schema = json!({"type": "object", "properties": {"a": schema}, "required": ["a"]});
        value = json!({"a": value});
    }
    let compiled = super::super::compile(&schema).expect("a schema");
    assert!(compiled.allows(&value));
    let mut schema = json!({"type": "string"});
    for _ in 0..127 {
        schema = json!({"allOf": [schema]});
    }
    assert!(super::super::compile(&schema).is_ok_and(|compiled| compiled.allows(&json!("x"))));

    let tree = json!({"type": "object", "properties": {"child": {"$ref": "#"}}, "additionalProperties": false});
    let compiled = super::super::compile(&tree).expect("a schema");
    let nested = |levels: usize| (0..levels).fold(json!({}), |inner, _| json!({"child": inner}));
    assert!(compiled.allows(&nested(256)));
    assert!(!compiled.allows(&nested(257)));
    assert_eq!(compiled.errors(&nested(1000)).len(), 1);
}

#[test]
fn values_are_validated() {
    let schema = json!({"type": "object", "properties": {"n": {"type": "integer"}, "f": {"enum": ["a", "b"]}}, "required": ["n", "m"], "additionalProperties": false});
    let compiled = super::super::compile(&schema).expect("a schema");
    let errors = compiled.errors(&json!({"n": "x", "f": "c", "o/p": 1}));
    let mut found: Vec<(&str, Part, &str)> = errors
        .iter()
        .map(|error| (error.pointer.as_str(), error.part, error.kind.as_str()))
        .collect();
    found.sort_by_key(|(pointer, _, _)| *pointer);
    assert_eq!(
        found,
        [
            ("", Part::Value, "required"),
            ("/f", Part::Value, "enum"),
            ("/n", Part::Value, "type"),
            ("/o~1p", Part::Key, "additionalProperties")
        ]
    );
    assert!(super::super::compile(&json!({"type": "int"})).is_err());
}

/// Large schemas with an error on every line take linear time: minutes would mean that something is
/// quadratic.
#[test]
fn large_schemas_are_fast() {
    let names: Vec<String> = (0..1500).map(|index| format!("property_{index}")).collect();
    let properties = |schema: Value| {
        Value::Object(names.iter().map(|name| (name.clone(), schema.clone())).collect())
    };
    let missing: Vec<String> = names.iter().map(|name| format!("{name}x")).collect();
    let schemas = [
        json!({"type": "object", "properties": properties(json!({"type": "strng", "$ref": "#/$defs/a", "default": 3})), "required": missing}),
        json!({"type": "object", "properties": properties(json!({"type": "string", "default": 3, "desciption": "x"})), "required": names}),
        properties(json!({"type": "string"})),
        json!({"anyOf": names.iter().map(|name| json!({"properties": {name: {}}})).collect::<Vec<_>>(), "$defs": properties(json!({"$ref": "#/$defs/property_1499"}))}),
        json!({"type": "string", "enum": names, "pattern": "(a+)+$"}),
    ];
    for schema in schemas {
        check_schema(&schema);
        super::super::lint_schema(&schema);
        super::super::summary(&schema);
        super::super::properties(&schema);
        super::super::strict_problems(&schema);
    }
}

#[test]
fn unknown_properties_are_named_in_linear_time() {
    let input = |count: usize| {
        let known = json!({"type": "object", "properties": {"name": true, "kind": true}, "additionalProperties": false});
        let names: Vec<String> = (0..count).map(|n| format!("p{n}")).collect();
        let properties: serde_json::Map<String, serde_json::Value> =
            names.iter().map(|name| (name.clone(), known.clone())).collect();
        let value: serde_json::Map<String, serde_json::Value> =
            names.into_iter().map(|name| (name, json!({"nme": 1}))).collect();
        let schema = json!({"type": "object", "properties": properties});
        (super::super::compile(&schema).expect("a schema"), serde_json::Value::Object(value))
    };
    crate::growth::is_linear("unknown properties", 400, input, |(compiled, value)| {
        let errors = compiled.errors(&value);
        assert!(errors.iter().all(|error| error.message.contains("did you mean `name`?")));
    });
}
