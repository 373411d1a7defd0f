//! Keys that a client reads only together with another key, or only without it: `x-only-with` and
//! `x-not-with` in the catalog.

use serde_json::Value;

use crate::client::{Effect, effect};

/// The value of each key.
type Values<'v> = &'v dyn Fn(&str) -> Option<&'v Value>;

/// What happens to a key whose schema has a condition that the front matter (`values`) doesn't
/// meet.
pub fn unmet(schema: &Value, values: Values) -> Option<Effect> {
    let broken = |name: &str, wanted: bool| {
        let condition = schema.get(name)?;
        (met(condition, values)? != wanted).then(|| condition.get("effect").and_then(effect))?
    };
    broken("x-only-with", true).or_else(|| broken("x-not-with", false))
}

/// Whether one of the conditions of a list in a key's schema is met.
pub fn any(schema: &Value, name: &str, values: Values) -> bool {
    let conditions = schema.get(name).and_then(Value::as_array);
    conditions.into_iter().flatten().any(|condition| met(condition, values) == Some(true))
}

/// Whether the other key meets the condition: it `is` a value, or `has` one of some items. A
/// missing list has all items; a missing value isn't equal to any. With neither, the key must
/// exist.
fn met(condition: &Value, values: Values) -> Option<bool> {
    let other = values(condition.get("key")?.as_str()?);
    let written = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    if let Some(items) = condition.get("has").and_then(Value::as_array) {
        let same = |name: &str| {
            let set = name.split('/').next().unwrap_or_default();
            let mut items = items.iter().filter_map(Value::as_str);
            name == "*" || items.any(|item| set.eq_ignore_ascii_case(item))
        };
        return Some(match other {
            None | Some(Value::Null) => true,
            Some(Value::Array(items)) => items.iter().filter_map(Value::as_str).any(same),
            Some(value) => written(value).split([',', ' ']).map(str::trim).any(same),
        });
    }
    let Some(wanted) = condition.get("is") else { return Some(other.is_some()) };
    Some(other.is_some_and(|other| written(other).trim() == written(wanted)))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn keys_depend_on_other_keys() {
        let effect = json!({ "outcome": "partly", "text": "not read" });
        let only = json!({ "x-only-with": { "key": "context", "is": "fork", "effect": effect } });
        let not = json!({ "x-not-with": { "key": "always", "is": "true", "effect": effect } });
        let has = json!({ "x-only-with": { "key": "tools", "has": ["agent"], "effect": effect } });
        for (schema, values, broken) in [
            (&only, json!({}), true),
            (&only, json!({ "context": "日本" }), true),
            (&only, json!({ "context": "fork" }), false),
            (&not, json!({}), false),
            (&not, json!({ "always": true }), true),
            (&not, json!({ "always": "true" }), true),
            (&not, json!({ "always": false }), false),
            (&has, json!({}), false),
            (&has, json!({ "tools": ["read"] }), true),
            (&has, json!({ "tools": ["read", "Agent"] }), false),
            (&has, json!({ "tools": "read, agent" }), false),
            (&has, json!({ "tools": ["*"] }), false),
            (&has, json!({ "tools": ["agent/run"] }), false),
            (&json!({}), json!({}), false),
        ] {
            assert_eq!(
                unmet(schema, &|key| values.get(key)).is_some(),
                broken,
                "{schema} {values}"
            );
        }
    }
}
