use serde_json::json;

use super::*;

fn types(schema: Value) -> Types {
    Types::new(Some(&schema))
}

/// The type after a path of fields, and the outcome of each step.
fn walk(types: &Types, path: &str) -> Type {
    path.split('.').fold(types.root(), |of, name| match types.field(&of, name) {
        Field::Declared { kind, .. } => kind,
        Field::Open => Type::any(),
        other => panic!("{name} of {path}: {other:?}"),
    })
}

fn summary(schema: Value, path: &str) -> String {
    let types = types(schema);
    types.summary(&walk(&types, path))
}

#[test]
fn mdl_18_fields_are_declared_open_unknown_or_not_in_an_object() {
    let types = types(json!({
        "type": "object",
        "properties": { "who": { "type": "string" }, "age": { "type": "integer" }, "meta": { "type": "object" } },
        "required": ["who"],
    }));
    let root = types.root();
    let Field::Declared { kind, required: true, places } = types.field(&root, "who") else {
        panic!()
    };
    assert_eq!(
        (types.summary(&kind).as_str(), places),
        ("string", vec!["/properties/who".to_owned()])
    );
    assert!(matches!(types.field(&root, "age"), Field::Declared { required: false, .. }));
    assert_eq!(types.field(&root, "Who"), Field::Unknown);
    assert_eq!(types.field(&walk(&types, "meta"), "anything"), Field::Open);
    assert_eq!(types.field(&kind, "x"), Field::NotAnObject(Kinds::STRING));
    assert_eq!(
        types.fields(&root).iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(),
        ["who", "age", "meta"]
    );
}

#[test]
fn mdl_18_additional_properties_close_open_or_type_an_object() {
    let of = |additional: Value| {
        types(
            json!({ "type": "object", "properties": { "a": {} }, "additionalProperties": additional }),
        )
    };
    assert_eq!(of(json!(false)).field(&of(json!(false)).root(), "x"), Field::Unknown);
    assert_eq!(of(json!(true)).field(&of(json!(true)).root(), "x"), Field::Open);
    let typed = of(json!({ "type": "integer" }));
    let Field::Declared { kind, required: false, places } = typed.field(&typed.root(), "x") else {
        panic!()
    };
    assert_eq!((kind.kinds(), places), (Kinds::INTEGER, vec!["/additionalProperties".to_owned()]));
    for silent in [
        json!(true),
        json!({}),
        json!({ "$ref": "#/nowhere" }),
        json!({ "additionalProperties": true }),
        json!(7),
    ] {
        let types = types(silent);
        assert_eq!(types.field(&types.root(), "x"), Field::Open);
    }
    assert_eq!(Types::new(None).field(&Types::new(None).root(), "x"), Field::Open);
}

#[test]
fn mdl_18_patterns_and_names() {
    let types = types(
        json!({ "type": "object", "patternProperties": { "^x_": { "type": "integer" } }, "propertyNames": { "maxLength": 4 } }),
    );
    let root = types.root();
    assert!(
        matches!(types.field(&root, "x_a"), Field::Declared { kind, .. } if kind.kinds() == Kinds::INTEGER)
    );
    assert_eq!(types.field(&root, "y"), Field::Unknown);
    let broken = self::types(
        json!({ "type": "object", "patternProperties": { "(": { "type": "integer" } } }),
    );
    assert!(matches!(broken.field(&broken.root(), "y"), Field::Declared { .. }));
}

#[test]
fn mdl_18_references_and_combinations_are_followed() {
    let schema = json!({
        "type": "object",
        "properties": {
            "tree": { "$ref": "#/$defs/node" },
            "both": { "allOf": [{ "$ref": "#node" }, { "type": "object", "properties": { "extra": { "type": "boolean" } }, "required": ["extra"] }] },
            "either": { "anyOf": [{ "type": "string" }, { "type": "object", "properties": { "s": { "type": "string" } }, "required": ["s"] }] },
            "loop": { "$ref": "#/properties/loop" },
        },
        "$defs": {
            "node": {
                "$anchor": "node",
                "type": "object",
                "properties": { "value": { "type": "number" }, "children": { "type": "array", "items": { "$ref": "#/$defs/node" } } },
                "required": ["value"],
            },
        },
    });
    assert_eq!(summary(schema.clone(), "tree.value"), "number");
    assert_eq!(summary(schema.clone(), "both.extra"), "boolean");
    assert_eq!(summary(schema.clone(), "both.value"), "number");
    assert_eq!(summary(schema.clone(), "either"), "string | object { s: string }");
    assert_eq!(summary(schema.clone(), "loop"), "any");
    let types = types(schema);
    let mut tree = walk(&types, "tree");
    for _ in 0..100 {
        tree = types.element(&walk_from(&types, &tree, "children"));
    }
    assert_eq!(types.summary(&walk_from(&types, &tree, "value")), "number");
    assert_eq!(types.places(&walk(&types, "tree")), ["/properties/tree"]);
}

fn walk_from(types: &Types, of: &Type, name: &str) -> Type {
    let Field::Declared { kind, .. } = types.field(of, name) else { panic!("{name}") };
    kind
}

#[test]
fn mdl_18_lists_have_elements() {
    let of = |schema: Value| summary(json!({ "properties": { "x": schema } }), "x");
    assert_eq!(
        of(json!({ "type": "array", "items": { "type": ["string", "null"] } })),
        "array of (string | null)"
    );
    assert_eq!(
        of(json!({ "type": "array", "prefixItems": [{ "type": "string" }], "items": false })),
        "array of string"
    );
    assert_eq!(of(json!({ "type": "array", "contains": { "type": "string" } })), "array");
    let types = types(
        json!({ "type": "array", "prefixItems": [{ "type": "string" }], "items": { "type": "integer" } }),
    );
    assert_eq!(types.item(&types.root(), 0).kinds(), Kinds::STRING);
    assert_eq!(types.item(&types.root(), 1).kinds(), Kinds::INTEGER);
    assert_eq!(types.element(&types.root()).kinds(), Kinds::STRING.or(Kinds::INTEGER));
    assert_eq!(types.element(&Type::list_of(Type::of(Kinds::STRING))).kinds(), Kinds::STRING);
}

#[test]
fn mdl_18_values_give_kinds() {
    let of = |schema: Value| summary(json!({ "properties": { "x": schema } }), "x");
    assert_eq!(of(json!({ "enum": ["a", 1, null] })), "\"a\" | 1 | null");
    assert_eq!(of(json!({ "const": 1.5 })), "1.5");
    assert_eq!(of(json!({ "oneOf": [{ "const": "a" }, { "const": "b" }] })), "\"a\" | \"b\"");
    assert_eq!(of(json!({ "allOf": [{ "enum": ["a", "b"] }, { "enum": ["b", "c"] }] })), "\"b\"");
    let types = types(json!({ "enum": ["a", null, 2, 2.5] }));
    assert_eq!(types.root().kinds(), Kinds::STRING.or(Kinds::NULL).or(Kinds::NUMBER));
    assert_eq!(types.values(&types.root().present()).unwrap().len(), 3);
}

#[test]
fn mdl_18_conditions_are_choices() {
    let types = types(json!({
        "type": "object",
        "properties": { "a": { "type": "string" } },
        "if": { "required": ["a"] },
        "then": { "properties": { "b": { "type": "string" } } },
        "else": { "properties": { "c": { "type": "string" } }, "required": ["c"] },
        "not": { "required": ["d"] },
        "dependentSchemas": { "a": { "properties": { "e": { "type": "string" } }, "required": ["e"] } },
    }));
    let root = types.root();
    for name in ["a", "b", "c", "e"] {
        assert!(
            matches!(types.field(&root, name), Field::Declared { required: false, .. }),
            "{name}"
        );
    }
    assert_eq!(types.field(&root, "d"), Field::Unknown);
}

#[test]
fn too_many_choices_become_unknown() {
    let choice = json!({ "anyOf": [{ "minLength": 1 }, { "minLength": 2 }, { "minLength": 3 }] });
    let types = types(json!({ "allOf": vec![choice; 40] }));
    assert!(types.root().is_unknown());
    assert_eq!(types.field(&types.root(), "x"), Field::Open);
}

#[test]
fn deep_and_recursive_schemas_are_read_in_time() {
    let mut schema = json!({ "type": "string" });
    for _ in 0..200 {
        schema = json!({ "type": "object", "properties": { "x": schema }, "required": ["x"] });
    }
    let types = types(schema);
    let path = vec!["x"; 200].join(".");
    assert_eq!(walk(&types, &path).kinds(), Kinds::STRING);
    assert!(types.summary(&types.root()).len() < 200);
    let endless = self::types(
        json!({ "anyOf": [{ "$ref": "#" }, { "$ref": "#/anyOf/0" }, { "allOf": [{ "$ref": "#" }] }], "properties": { "x": { "$ref": "#" } } }),
    );
    let mut of = endless.root();
    for _ in 0..50 {
        of = endless.element(&of).or(&of);
        endless.summary(&of);
    }
}
