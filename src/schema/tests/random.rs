//! Arbitrary JSON: nothing panics, and the meta-schema agrees.

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::super::SchemaErrorKind::*;
use super::super::{
    check_schema, context, keywords, lint_schema, properties, strict_problems, summary,
};

fn word() -> impl Strategy<Value = String> {
    let names: Vec<&'static str> = keywords()
        .map(|keyword| keyword.name)
        .chain(["definitions", "dependencies", "nullable", "id", "frob"])
        .collect();
    prop_oneof![8 => prop::sample::select(names).prop_map(str::to_string), 1 => prop::sample::select(vec!["a", "b", "propertes", "x-a", "~/", "0"]).prop_map(str::to_string), 1 => ".{0,6}"]
}

fn scalar() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-3i64..5).prop_map(Value::from),
        prop::sample::select(vec![0.5, -1.0, 2.0, 1e300]).prop_map(Value::from),
        prop::sample::select(vec![
            "string",
            "object",
            "int",
            "a",
            "b",
            "#",
            "#/$defs/a",
            "#a",
            "^a$",
            "(",
            "date",
            "https://e.com/x",
            "#/properties/a",
            "null",
            "é"
        ])
        .prop_map(Value::from),
        ".{0,5}".prop_map(Value::from),
    ]
}

fn anything() -> impl Strategy<Value = Value> {
    scalar().prop_recursive(5, 48, 6, |inner| {
        prop_oneof![
            1 => prop::collection::vec(inner.clone(), 0..4).prop_map(Value::Array),
            4 => prop::collection::vec((word(), inner), 0..5).prop_map(|entries| Value::Object(entries.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

/// Mostly a schema: each keyword with a value of roughly its shape.
fn likely() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        4 => prop::sample::select(vec!["string", "integer", "object", "array", "number", "boolean", "null"]).prop_map(|name| json!({"type": name})),
        1 => prop::sample::select(vec!["#", "#/$defs/a", "#/properties/b", "#/$defs/c", "#x"]).prop_map(|to| json!({"$ref": to})),
        1 => scalar(),
        1 => Just(json!({"minimum": 3, "maximum": 1})),
        1 => Just(json!({"enum": [1, "a", 1]})),
        1 => Just(json!({"default": 3, "type": "string"})),
    ];
    leaf.prop_recursive(4, 40, 4, |inner| {
        let map = prop::collection::vec(
            (prop::sample::select(vec!["a", "b", "c"]).prop_map(str::to_string), inner.clone()),
            0..3,
        )
        .prop_map(|entries| Value::Object(entries.into_iter().collect()));
        let list = prop::collection::vec(inner.clone(), 0..3).prop_map(Value::Array);
        let names = prop::collection::vec(prop::sample::select(vec!["a", "b", "c"]), 0..3)
            .prop_map(|names| json!(names));
        let entry = prop_oneof![
            (
                prop::sample::select(vec![
                    "properties",
                    "$defs",
                    "patternProperties",
                    "dependentSchemas",
                    "definitions",
                    "dependencies"
                ]),
                map.boxed()
            ),
            (
                prop::sample::select(vec![
                    "allOf",
                    "anyOf",
                    "oneOf",
                    "prefixItems",
                    "items",
                    "enum"
                ]),
                list.boxed()
            ),
            (
                prop::sample::select(vec![
                    "items",
                    "not",
                    "if",
                    "then",
                    "additionalProperties",
                    "contains",
                    "default",
                    "const"
                ]),
                inner.boxed()
            ),
            (Just("required"), names.boxed()),
            (
                prop::sample::select(vec![
                    "type",
                    "format",
                    "$anchor",
                    "$id",
                    "minLength",
                    "minimum",
                    "multipleOf",
                    "uniqueItems",
                    "description"
                ]),
                scalar().boxed()
            ),
        ];
        prop::collection::vec(entry, 1..4).prop_map(|entries| {
            Value::Object(
                entries.into_iter().map(|(key, value)| (key.to_string(), value)).collect(),
            )
        })
    })
}

/// Whether the meta-schema can find this kind of error.
fn in_meta_schema(schema: &Value) -> bool {
    let beyond = [
        InvalidPattern,
        InvalidReference,
        UnresolvedReference,
        RemoteReference,
        EndlessReference,
        UnsupportedDialect,
        TooDeep,
        Unsupported,
    ];
    check_schema(schema).iter().any(|error| !beyond.contains(&error.kind))
}

fn holds(schema: &Value) -> Result<(), TestCaseError> {
    let errors = check_schema(schema);
    let lints = lint_schema(schema);
    summary(schema);
    properties(schema);
    strict_problems(schema);
    let mut seen = Vec::new();
    for (pointer, part, kind) in errors.iter().map(|error| (&error.pointer, error.part, error.kind))
    {
        prop_assert!(schema.pointer(pointer).is_some(), "{pointer} is nowhere");
        prop_assert!(!seen.contains(&(pointer, part, kind)), "{pointer} twice");
        seen.push((pointer, part, kind));
    }
    for lint in &lints {
        prop_assert!(schema.pointer(&lint.pointer).is_some(), "{} is nowhere", lint.pointer);
    }
    for fix in errors
        .iter()
        .flat_map(|error| &error.fixes)
        .chain(lints.iter().flat_map(|lint| &lint.fixes))
    {
        super::apply(schema, fix);
    }
    let agrees = jsonschema::draft202012::meta::is_valid(schema) != in_meta_schema(schema);
    prop_assert!(agrees, "the meta-schema disagrees: {:#?}", errors);
    if errors.is_empty() {
        prop_assert!(super::super::compile(schema).is_ok());
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_json(schema in anything()) {
        holds(&schema)?;
    }

    #[test]
    fn nearly_schemas(schema in likely()) {
        holds(&schema)?;
        if let Ok(compiled) = super::super::compile(&schema) {
            compiled.errors(&json!({"a": {"a": 1}, "b": [1, "x"]}));
        }
    }

    #[test]
    fn any_path(path in prop::collection::vec(word(), 0..6)) {
        let _ = context(&path);
    }
}
