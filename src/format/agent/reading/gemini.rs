//! Gemini CLI's skills: js-yaml, and if that gives no text for `name` or `description`, a line
//! reader for only these two.

use serde_json::{Map, Value};

use super::{Keys, Read, js_yaml};
use crate::yaml::Tree;

pub(super) fn read(text: &str, tree: &Tree) -> Read {
    let whole = js_yaml::read(tree);
    if let Read::Keys(keys) = &whole
        && ["name", "description"]
            .iter()
            .all(|key| keys.values.get(*key).is_some_and(Value::is_string))
    {
        return whole;
    }
    match (lines(text), whole) {
        (Some(values), _) => Read::Keys(Keys { values, partly: !tree.errors.is_empty() }),
        (None, Read::Keys(keys)) => Read::Keys(keys),
        (None, other) => other,
    }
}

/// `name` and `description` as the line reader finds them; `None` unless it finds both.
fn lines(text: &str) -> Option<Map<String, Value>> {
    let (mut name, mut description) = (None, None);
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let line = line.trim_start();
        if let Some(value) = line.strip_prefix("name:") {
            name = Some(value.trim().to_owned());
        } else if let Some(value) = line.strip_prefix("description:") {
            let mut parts = vec![value.trim().to_owned()];
            while let Some(next) =
                lines.next_if(|next| next.starts_with([' ', '\t']) && !next.trim().is_empty())
            {
                parts.push(next.trim().to_owned());
            }
            parts.retain(|part| !part.is_empty());
            description = Some(parts.join(" "));
        }
    }
    let pairs = [("name", name?), ("description", description?)];
    Some(pairs.into_iter().map(|(key, value)| (key.to_owned(), Value::String(value))).collect())
}
