mod cost;
mod describe;
mod keywords;
mod lint;
mod random;
mod validate;
mod written;

use serde_json::{Value, json};

/// Schemas of real programs: no errors, and no lints but hints.
fn real() -> Vec<Value> {
    vec![
        json!({"type": "object", "properties": {"url": {"type": "string"}}, "required": ["url"]}),
        json!({"type": "object", "properties": {"start": {"type": "integer"}, "end": {"type": "integer"}}, "required": ["start", "end"]}),
        json!({"type": "object", "properties": {"results": {"type": "array", "items": {"type": "string"}}}, "required": ["results"]}),
        json!({"type": "object", "properties": {"url": {"type": "string", "format": "uri"}, "format": {"type": "string", "enum": ["json", "xml", "html", "text"], "default": "json"}}, "required": ["url"]}),
        json!({"type": "object", "properties": {"name": {"type": "string"}, "items": {"type": "array", "items": {"type": "string"}}, "debug": {"type": "boolean"}}, "required": ["name", "items"]}),
        json!({"type": "object", "properties": {"mean": {"type": "number"}, "median": {"type": "number"}}, "required": ["mean", "median"]}),
        json!({"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": "https://example.com/tree", "type": "object", "description": "A tree",
            "properties": {"value": {"type": ["string", "null"]}, "children": {"type": "array", "items": {"$ref": "#"}}, "next": {"$ref": "https://example.com/tree"}}, "required": ["value"]}),
        json!({"type": "object", "$defs": {"pet": {"$anchor": "pet", "type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}},
            "properties": {"a": {"$ref": "#pet"}, "b": {"$ref": "#/$defs/pet"}, "kind": {"enum": ["x"], "type": "string"}}, "required": ["a"],
            "if": {"properties": {"kind": {"const": "x"}}}, "then": {"required": ["b"]}, "additionalProperties": false, "x-order": [1]}),
        json!({"type": "object", "properties": {"type": {"type": "string"}, "properties": {"type": "string"}, "required": {"type": "boolean"}, "enum": {"type": "array", "items": {"type": "string"}}, "$ref": {"type": "string"}}, "required": ["type"]}),
        json!({"type": "object", "properties": {"v": {"anyOf": [{"type": "string"}, {"type": "integer"}], "default": 3}, "t": {"type": "array", "prefixItems": [{"type": "number"}], "items": false}}, "required": ["v", "t"]}),
    ]
}

#[test]
fn real_schemas_are_fine() {
    for schema in real() {
        assert_eq!(super::check_schema(&schema), [], "{schema}");
        assert_eq!(super::lint_schema(&schema), [], "{schema}");
        assert!(super::compile(&schema).is_ok());
    }
}

/// The schema after a fix.
fn apply(schema: &Value, fix: &super::Fix) -> Value {
    use super::{Change, pointer};
    let mut fixed = schema.clone();
    let mut changes: Vec<&Change> = fix.changes.iter().collect();
    // Removals and renames come last: pointers are into the schema before the changes.
    changes.sort_by_key(|change| {
        matches!(change, Change::Remove { .. }) as u8
            + 2 * matches!(change, Change::Rename { .. }) as u8
    });
    for change in changes {
        match change {
            Change::Replace { pointer, value } => {
                *fixed.pointer_mut(pointer).expect(pointer) = value.clone()
            }
            Change::Insert { pointer, key, value } => {
                let object =
                    fixed.pointer_mut(pointer).and_then(Value::as_object_mut).expect(pointer);
                assert!(object.insert(key.clone(), value.clone()).is_none(), "{key} exists");
            }
            Change::Require { pointer, name } => {
                let object =
                    fixed.pointer_mut(pointer).and_then(Value::as_object_mut).expect(pointer);
                match object.entry("required").or_insert(json!([])) {
                    Value::Array(names) => names.push(json!(name)),
                    other => *other = json!([name]),
                }
            }
            Change::Remove { pointer } => {
                let (parent, last) = pointer::split_last(pointer).expect("not the root");
                match fixed.pointer_mut(parent).expect(parent) {
                    Value::Object(entries) => drop(entries.shift_remove(&last).expect("an entry")),
                    Value::Array(items) => {
                        drop(items.remove(last.parse::<usize>().expect("an index")))
                    }
                    _ => panic!("{parent} has no parts"),
                }
            }
            Change::Rename { pointer, name } => {
                let (parent, last) = pointer::split_last(pointer).expect("not the root");
                let object =
                    fixed.pointer_mut(parent).and_then(Value::as_object_mut).expect(parent);
                let value = object.shift_remove(&last).expect("an entry");
                assert!(object.insert(name.clone(), value).is_none(), "{name} exists");
            }
        }
    }
    fixed
}
