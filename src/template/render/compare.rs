//! `eq`, `ne`, `lt`, `le`, `gt` and `ge`: Go's rules, except that numbers compare across types
//! (MDL-15d).

use std::cmp::Ordering;

use super::value::Value;

/// Kinds whose values can be compared with each other only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Basic {
    Boolean,
    Number,
    Complex,
    Text,
    None,
}

fn basic(value: &Value) -> Basic {
    match value {
        Value::Boolean(_) => Basic::Boolean,
        Value::Number(_) => Basic::Number,
        Value::Complex(..) => Basic::Complex,
        Value::Text(_) => Basic::Text,
        Value::Missing | Value::Null | Value::List(_) | Value::Words(_) | Value::Object(_) => {
            Basic::None
        }
    }
}

fn incompatible(a: &Value, b: &Value) -> String {
    format!("incompatible types for comparison: {} and {}", a.kind(), b.kind())
}

pub fn equal(a: &Value, b: &Value) -> Result<bool, String> {
    match (a, b) {
        (Value::Boolean(a), Value::Boolean(b)) => Ok(a == b),
        (Value::Number(a), Value::Number(b)) => Ok(a.compare(*b) == Some(Ordering::Equal)),
        (Value::Complex(..), Value::Complex(..)) => Ok(parts(a) == parts(b)),
        (Value::Text(a), Value::Text(b)) => Ok(**a == **b),
        _ if a.is_nothing() || b.is_nothing() => Ok(a.is_nothing() && b.is_nothing()),
        _ if basic(a) != basic(b) => Err(incompatible(a, b)),
        _ => Err(format!("non-comparable type {}", b.kind())),
    }
}

fn parts(value: &Value) -> Option<(f64, f64)> {
    match value {
        Value::Complex(real, imaginary) => Some((*real, *imaginary)),
        _ => None,
    }
}

/// The order of `a` and `b`; `None` if one is NaN.
pub fn order(a: &Value, b: &Value) -> Result<Option<Ordering>, String> {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => Ok(a.compare(*b)),
        (Value::Text(a), Value::Text(b)) => Ok(Some((**a).cmp(&**b))),
        _ => match [a, b].into_iter().find(|value| basic(value) == Basic::None) {
            Some(value) => Err(format!("invalid type for comparison: {}", value.kind())),
            None if basic(a) == basic(b) => {
                Err(format!("invalid type for comparison: {}", a.kind()))
            }
            None => Err(incompatible(a, b)),
        },
    }
}
