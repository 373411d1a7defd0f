//! The values of an `enum` or `const`, which may be thousands, compared thousands of times.

use std::sync::OnceLock;

use rustc_hash::FxHashSet;
use serde_json::{Number, Value};

#[derive(Debug)]
pub(super) struct Listed {
    pub values: Vec<Value>,
    keys: OnceLock<FxHashSet<String>>,
}

impl Listed {
    pub fn new(values: Vec<Value>) -> Self {
        Self { values, keys: OnceLock::new() }
    }

    pub fn holds(&self, value: &Value) -> bool {
        self.keys.get_or_init(|| self.values.iter().map(key).collect()).contains(&key(value))
    }
}

/// The same text for equal values only: `1` equals `1.0`, and the order of an object's keys doesn't
/// matter.
pub(super) fn key(value: &Value) -> String {
    match value {
        Value::Number(number) => number_key(number),
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(key).collect();
            format!("[{}]", items.join(","))
        }
        Value::Object(entries) => {
            let mut entries: Vec<String> = entries
                .iter()
                .map(|(name, value)| format!("{}:{}", Value::from(name.as_str()), key(value)))
                .collect();
            entries.sort_unstable();
            format!("{{{}}}", entries.join(","))
        }
        other => other.to_string(),
    }
}

fn number_key(number: &Number) -> String {
    match number.as_f64().filter(|_| number.is_f64()) {
        // Without a point, like an integer.
        Some(float) => format!("{}", if float == 0.0 { 0.0 } else { float }),
        None => number.to_string(),
    }
}
