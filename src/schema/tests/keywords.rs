use serde_json::{Value, json};

use super::super::{Shape, Type, context, format_name, formats, keyword, keywords, types};

fn shape(path: &[&str]) -> Option<Shape> {
    context(path).map(|position| position.shape)
}

#[test]
fn every_keyword_of_the_standard_is_known() {
    let all = [
        "$id",
        "$schema",
        "$ref",
        "$anchor",
        "$dynamicRef",
        "$dynamicAnchor",
        "$vocabulary",
        "$comment",
        "$defs",
        "prefixItems",
        "items",
        "contains",
        "additionalProperties",
        "properties",
        "patternProperties",
        "dependentSchemas",
        "propertyNames",
        "if",
        "then",
        "else",
        "allOf",
        "anyOf",
        "oneOf",
        "not",
        "unevaluatedItems",
        "unevaluatedProperties",
        "type",
        "const",
        "enum",
        "multipleOf",
        "maximum",
        "exclusiveMaximum",
        "minimum",
        "exclusiveMinimum",
        "maxLength",
        "minLength",
        "pattern",
        "maxItems",
        "minItems",
        "uniqueItems",
        "maxContains",
        "minContains",
        "maxProperties",
        "minProperties",
        "required",
        "dependentRequired",
        "title",
        "description",
        "default",
        "deprecated",
        "readOnly",
        "writeOnly",
        "examples",
        "format",
        "contentEncoding",
        "contentMediaType",
        "contentSchema",
    ];
    for name in all {
        assert!(keyword(name).is_some(), "{name}");
    }
    assert_eq!(keywords().count(), all.len());
}

#[test]
fn pages_are_complete() {
    for keyword in keywords() {
        assert!(keyword.documentation.ends_with('.'), "{}", keyword.name);
        assert!(keyword.example.contains(keyword.name), "{}", keyword.name);
        assert!(!keyword.snippet.is_empty());
        assert!(keyword.hover().contains(&keyword.url()));
    }
    for kind in types() {
        assert_eq!(Type::named(kind.name()), Some(*kind));
        assert!(kind.example().contains(kind.name()) && !kind.documentation().is_empty());
    }
    for format in formats() {
        assert_eq!(format_name(format.name), Some(format));
        let schema = json!({"type": "string", "format": format.name});
        let validator =
            jsonschema::options().should_validate_formats(true).build(&schema).expect(format.name);
        assert!(validator.is_valid(&Value::from(format.example)), "{}", format.name);
    }
}

#[test]
fn shape_at_each_place() {
    let cases: &[(&[&str], Shape)] = &[
        (&[], Shape::Schema),
        (&["type"], Shape::Types),
        (&["type", "0"], Shape::TypeName),
        (&["properties"], Shape::SchemaMap),
        (&["properties", "type"], Shape::Schema),
        (&["properties", "url", "type"], Shape::Types),
        (&["properties", "url", "format"], Shape::Format),
        (&["required"], Shape::Names),
        (&["required", "0"], Shape::Name),
        (&["dependentRequired", "a", "0"], Shape::Name),
        (&["enum", "0"], Shape::Data),
        (&["default", "type"], Shape::Data),
        (&["items", "items", "minimum"], Shape::Number),
        (&["anyOf", "1"], Shape::Schema),
        (&["additionalProperties"], Shape::Schema),
        (&["$ref"], Shape::Reference),
        (&["$defs", "x", "uniqueItems"], Shape::Boolean),
        (&["definitions", "x"], Shape::Schema),
    ];
    for (path, expected) in cases {
        assert_eq!(shape(path), Some(*expected), "{path:?}");
    }
    assert_eq!(shape(&["frob"]), None);
    assert_eq!(shape(&["type", "0", "x"]), None);
    let position = context(&["properties", "a/b", "required", "0"]).expect("a position");
    assert_eq!(
        (position.schema.as_str(), position.properties().as_str()),
        ("/properties/a~1b", "/properties/a~1b/properties")
    );
    assert_eq!(position.keyword.map(|keyword| keyword.name), Some("required"));
    assert_eq!(context(&["items"]).map(|position| position.schema), Some("/items".to_string()));
}
