//! Codex's prompts, as its `custom_prompts.rs` reads them: one `key: value` per line, without the
//! quotes around a value. It isn't YAML, so every line is accepted.

use serde_json::{Map, Value};

use super::{Keys, Read};

pub(super) fn read(text: &str) -> Read {
    let mut values = Map::new();
    for line in text.lines().map(str::trim).filter(|line| !line.starts_with('#')) {
        if let Some((key, value)) = line.split_once(':') {
            let value = unquoted(value.trim()).to_owned();
            values.insert(key.trim().to_ascii_lowercase(), Value::String(value));
        }
    }
    Read::Keys(Keys { values, partly: false })
}

fn unquoted(value: &str) -> &str {
    let inside = |quote| value.strip_prefix(quote)?.strip_suffix(quote);
    inside('"').or_else(|| inside('\'')).unwrap_or(value)
}
