//! Cursor's rules: one `key: value` per line, read literally. It isn't YAML, so every line is
//! accepted.

use serde_json::{Map, Value};

use super::{Keys, Read};

pub(super) fn read(text: &str) -> Read {
    let mut values = Map::new();
    for line in text.lines() {
        let Some((key, value)) = line.split_once(':') else { continue };
        let key = key.trim();
        if !key.is_empty() && !line.starts_with([' ', '\t', '-', '#']) && !key.contains(' ') {
            values.insert(key.to_owned(), Value::String(value.trim().to_owned()));
        }
    }
    Read::Keys(Keys { values, partly: false })
}
