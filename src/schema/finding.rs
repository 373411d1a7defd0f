//! What is said about a schema, and how it could be mended.

use serde_json::Value;

/// Which characters a finding is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Part {
    /// The key of the entry that the pointer names. List items and the root have none: underline
    /// what stands for them, the first line of the value or the key of the field that holds the
    /// schema.
    Key,
    /// Its value. A value that is absent (`type:`) has no characters: underline its key.
    Value,
}

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding<Kind> {
    /// Where: a JSON pointer from the schema's root, `""` for the root itself.
    pub pointer: String,
    pub part: Part,
    pub kind: Kind,
    /// What is wrong, why, and what to do: one to three sentences.
    pub message: String,
    /// Ways to mend it, the likeliest first.
    pub fixes: Vec<Fix>,
}

impl<Kind> Finding<Kind> {
    pub(super) fn key(pointer: impl Into<String>, kind: Kind, message: impl Into<String>) -> Self {
        Self {
            pointer: pointer.into(),
            part: Part::Key,
            kind,
            message: message.into(),
            fixes: Vec::new(),
        }
    }

    pub(super) fn value(
        pointer: impl Into<String>,
        kind: Kind,
        message: impl Into<String>,
    ) -> Self {
        Self {
            pointer: pointer.into(),
            part: Part::Value,
            kind,
            message: message.into(),
            fixes: Vec::new(),
        }
    }

    pub(super) fn fix(mut self, title: impl Into<String>, changes: Vec<Change>) -> Self {
        self.fixes.push(Fix { title: title.into(), changes });
        self
    }
}

/// One way to mend a finding: all of its changes belong together.
#[derive(Debug, Clone, PartialEq)]
pub struct Fix {
    /// In the imperative: "Replace by `integer`".
    pub title: String,
    pub changes: Vec<Change>,
}

/// One change to a schema. Pointers are those of the schema before any change.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Change {
    /// Put another value there.
    Replace { pointer: String, value: Value },
    /// Give the entry there another key.
    Rename { pointer: String, name: String },
    /// Remove the entry or the list item there.
    Remove { pointer: String },
    /// Add an entry to the mapping there; it has none with this key.
    Insert { pointer: String, key: String, value: Value },
    /// List a name in the `required` of the object schema there, which may or may not have such a
    /// list.
    Require { pointer: String, name: String },
}

impl Change {
    pub(super) fn replace(pointer: &str, value: impl Into<Value>) -> Self {
        Self::Replace { pointer: pointer.into(), value: value.into() }
    }

    pub(super) fn rename(pointer: &str, name: &str) -> Self {
        Self::Rename { pointer: pointer.into(), name: name.into() }
    }

    pub(super) fn remove(pointer: &str) -> Self {
        Self::Remove { pointer: pointer.into() }
    }

    pub(super) fn insert(pointer: &str, key: &str, value: impl Into<Value>) -> Self {
        Self::Insert { pointer: pointer.into(), key: key.into(), value: value.into() }
    }
}

/// A value as it would be written in one line, cut to a readable length.
pub(super) fn brief(value: &Value) -> String {
    const LONGEST: usize = 60;
    let written = match value {
        Value::Array(items) if items.len() > 20 => format!("a list of {} items", items.len()),
        Value::Object(entries) if entries.len() > 10 => {
            format!("a mapping of {} entries", entries.len())
        }
        Value::Array(_) | Value::Object(_) if super::walk::too_deep(value, 16).is_some() => {
            "a deeply nested value".into()
        }
        _ => yaml_flow(value),
    };
    match written.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", written.get(..end).unwrap_or_default()),
        None => written,
    }
}

/// YAML in flow style, for messages: unquoted where that reads the same.
fn yaml_flow(value: &Value) -> String {
    match value {
        Value::String(text) if reads_as_itself(text) => text.clone(),
        Value::Array(items) => {
            format!("[{}]", items.iter().map(yaml_flow).collect::<Vec<_>>().join(", "))
        }
        Value::Object(entries) => {
            let entries = entries.iter().map(|(key, value)| {
                format!("{}: {}", yaml_flow(&Value::String(key.clone())), yaml_flow(value))
            });
            format!("{{{}}}", entries.collect::<Vec<_>>().join(", "))
        }
        other => other.to_string(),
    }
}

fn reads_as_itself(text: &str) -> bool {
    let safe = |character: char| {
        character.is_alphanumeric() || matches!(character, '_' | '-' | '/' | '.' | '$')
    };
    let special = matches!(text.to_ascii_lowercase().as_str(), "null" | "true" | "false");
    text.starts_with(|character: char| character.is_alphabetic() || character == '$')
        && text.chars().all(safe)
        && !special
}

/// What kind of value this is, with its article.
pub(super) fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "empty",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "a mapping",
    }
}
