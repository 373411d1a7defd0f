//! Integers of the input that are written with a fraction or an exponent: `1000000.0`.

use std::borrow::Cow;

use serde_json::{Number, Value};

use super::field::Lookup;
use super::{Type, Types};
use crate::template::function::Kinds;

impl Types {
    /// The input with `1e6` and `1000000.0` as `1000000` where the schema asks for an integer: these
    /// are integers in JSON Schema, and should print as such.
    pub fn with_integers<'v>(&self, input: &'v Value) -> Cow<'v, Value> {
        if !has_float(input) {
            return Cow::Borrowed(input);
        }
        let mut settled = input.clone();
        self.settle(&self.root(), &mut settled);
        Cow::Owned(settled)
    }

    fn settle(&self, of: &Type, value: &mut Value) {
        match value {
            Value::Number(number) => {
                let integers = of.kinds().and(Kinds::NUMBER) == Kinds::INTEGER;
                if let Some(integer) = integer(number).filter(|_| integers) {
                    *number = integer;
                }
            }
            Value::Array(items) => {
                let lists = of.only(Kinds::LIST);
                for (index, item) in
                    items.iter_mut().enumerate().filter(|(_, item)| has_float(item))
                {
                    self.settle(&self.item(&lists, index), item);
                }
            }
            Value::Object(entries) => {
                for (name, value) in entries.iter_mut().filter(|(_, value)| has_float(value)) {
                    if let Lookup::Declared(kind) = self.lookup(of, name) {
                        self.settle(&kind, value);
                    }
                }
            }
            Value::Null | Value::Bool(_) | Value::String(_) => {}
        }
    }
}

fn has_float(value: &Value) -> bool {
    match value {
        Value::Number(number) => number.is_f64(),
        Value::Array(items) => items.iter().any(has_float),
        Value::Object(entries) => entries.values().any(has_float),
        Value::Null | Value::Bool(_) | Value::String(_) => false,
    }
}

/// A float without a fraction, as an integer.
fn integer(number: &Number) -> Option<Number> {
    let float = number.as_f64().filter(|float| number.is_f64() && float.fract() == 0.0)?;
    // Every such float below 2^64 is exact.
    let exact = format!("{float:.0}");
    exact
        .parse::<i64>()
        .ok()
        .map(Number::from)
        .or_else(|| exact.parse::<u64>().ok().map(Number::from))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn mdl_15_c_integers_may_be_written_as_floats() {
        let schema = json!({
            "type": "object",
            "properties": {
                "n": { "type": "integer" },
                "x": { "type": "number" },
                "all": { "type": "array", "items": { "$ref": "#/$defs/n" } },
                "pair": { "prefixItems": [{ "type": "integer" }, { "type": "number" }] },
                "some": { "type": ["integer", "null", "string"] },
            },
            "$defs": { "n": { "type": "integer" } },
        });
        let types = Types::new(Some(&schema));
        let settled = |input: &str| {
            let input: Value = serde_json::from_str(input).unwrap();
            types.with_integers(&input).to_string()
        };
        assert_eq!(settled(r#"{"n":1000000.0,"x":1000000.0}"#), r#"{"n":1000000,"x":1000000.0}"#);
        assert_eq!(
            settled(r#"{"all":[1e6,2,2.5],"pair":[1.0,1.0]}"#),
            r#"{"all":[1000000,2,2.5],"pair":[1,1.0]}"#
        );
        assert_eq!(settled(r#"{"some":-3.0,"other":4.0}"#), r#"{"some":-3,"other":4.0}"#);
        assert_eq!(settled(r#"{"n":1e300}"#), r#"{"n":1e+300}"#);
        assert_eq!(settled(r#"{"n":18446744073709549568.0}"#), r#"{"n":18446744073709549568}"#);
        assert!(matches!(types.with_integers(&json!({ "n": 1 })), Cow::Borrowed(_)));
    }
}
