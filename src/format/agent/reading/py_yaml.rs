//! PyYAML: YAML 1.1, with booleans such as `yes` and `on`, and dates. The last of duplicate keys is
//! used.

use serde_json::Value;

use super::Read;
use super::scalar::{self, Dialect, is_date, is_sexagesimal};
use crate::yaml::Tree;

pub(super) fn read(tree: &Tree) -> Read {
    scalar::read(tree, Dialect { plain, unique: |_| false, tags: true, merges: true })
}

fn plain(text: &str) -> Option<Value> {
    let cased = |word: &str| {
        let mut letters = word.chars();
        let title: String = letters
            .next()
            .map(|first| first.to_uppercase().chain(letters).collect())
            .unwrap_or_default();
        text == word || text == title || text == word.to_uppercase()
    };
    if ["yes", "on", "true"].iter().any(|word| cased(word)) {
        return Some(Value::Bool(true));
    }
    if ["no", "off", "false"].iter().any(|word| cased(word)) {
        return Some(Value::Bool(false));
    }
    if is_date(text) {
        return Some(Value::Array(vec![Value::String(text.to_owned())]));
    }
    if is_sexagesimal(text) {
        return Some(Value::Number(0.into()));
    }
    // `1e3` has no dot, `0o7` is octal in YAML 1.2 only.
    let digits = text.trim_start_matches(['+', '-']);
    let exponent_only = digits.contains(['e', 'E'])
        && !digits.contains('.')
        && digits.starts_with(|first: char| first.is_ascii_digit());
    (exponent_only && !digits.starts_with("0x") || digits.starts_with("0o"))
        .then(|| Value::String(text.to_owned()))
}
