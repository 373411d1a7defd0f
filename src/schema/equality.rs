//! When two values are equal, by JSON Schema.

use serde_json::{Number, Value};

/// Whether two values are equal: `1` equals `1.0`, and the order of keys doesn't matter.
pub fn is_equal(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => is_same(one, other),
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len()
                && one.iter().zip(other).all(|(one, other)| is_equal(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one
                    .iter()
                    .all(|(name, one)| other.get(name).is_some_and(|other| is_equal(one, other)))
        }
        (one, other) => one == other,
    }
}

/// Compares exactly: as floating-point numbers, different large integers would be equal.
fn is_same(one: &Number, other: &Number) -> bool {
    match (integer(one), integer(other)) {
        (Some(one), Some(other)) => one == other,
        (None, None) => one.as_f64() == other.as_f64(),
        _ => false,
    }
}

fn integer(number: &Number) -> Option<i128> {
    /// Larger numbers don't fit into any integer type that JSON is read as.
    const MOST: f64 = 1e30;
    number.as_i128().or_else(|| {
        let float = number.as_f64().filter(|float| float.fract() == 0.0 && float.abs() < MOST)?;
        Some(float as i128)
    })
}
