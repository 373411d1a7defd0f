//! A schema for a field that has none yet, from its uses.

use serde_json::{Map, Value, json};

use crate::template::check::Wanted;
use crate::template::function::Kinds;

/// A schema that fits every use; `None` if these contradict each other, or aren't all known.
pub fn schema(wanted: &Wanted) -> Option<Value> {
    let accepts = |kinds: Kinds| wanted.kinds.holds(kinds);
    if wanted.unclear || !wanted.fields.is_empty() && wanted.element.is_some() {
        return None;
    }
    if !wanted.fields.is_empty() {
        let fields = wanted.fields.iter().map(|(name, field)| Some((name.clone(), schema(field)?)));
        let properties = fields.collect::<Option<Map<String, Value>>>()?;
        let required: Vec<Value> =
            properties.keys().map(|name| Value::from(name.as_str())).collect();
        let object = [
            ("type".to_owned(), "object".into()),
            ("properties".to_owned(), properties.into()),
            ("required".to_owned(), required.into()),
        ];
        return accepts(Kinds::OBJECT).then(|| Value::Object(object.into_iter().collect()));
    }
    if let Some(element) = &wanted.element {
        return match (accepts(Kinds::LIST), accepts(Kinds::OBJECT)) {
            (true, _) => Some(list(schema(element)?, wanted.least)),
            (_, true) => Some(object(schema(element)?)),
            _ => None,
        };
    }
    let near = wanted.near.and(wanted.kinds);
    let has = |kinds: Kinds| !wanted.kinds.and(kinds).is_none();
    let is_sized = !has(Kinds::BOOLEAN.or(Kinds::NUMBER)) && accepts(Kinds::LIST);
    Some(match () {
        () if near == Kinds::INTEGER => json!({ "type": "integer" }),
        () if !near.is_none() && Kinds::NUMBER.holds(near) => json!({ "type": "number" }),
        () if near == Kinds::BOOLEAN => json!({ "type": "boolean" }),
        () if wanted.tested && !wanted.printed && accepts(Kinds::BOOLEAN) => {
            json!({ "type": "boolean" })
        }
        () if is_sized && (!wanted.printed || !accepts(Kinds::STRING)) => {
            list(json!({ "type": "string" }), wanted.least)
        }
        () if accepts(Kinds::STRING) && wanted.least > 0 => {
            json!({ "type": "string", "minLength": wanted.least })
        }
        () if accepts(Kinds::STRING) => json!({ "type": "string" }),
        () if accepts(Kinds::FLOAT) => json!({ "type": "number" }),
        () if accepts(Kinds::INTEGER) => json!({ "type": "integer" }),
        () if accepts(Kinds::BOOLEAN) => json!({ "type": "boolean" }),
        () if accepts(Kinds::OBJECT) => object(Value::Bool(true)),
        () => return None,
    })
}

fn list(items: Value, least: usize) -> Value {
    match least {
        0 => json!({ "type": "array", "items": items }),
        least => json!({ "type": "array", "items": items, "minItems": least }),
    }
}

fn object(values: Value) -> Value {
    json!({ "type": "object", "additionalProperties": values })
}
