//! Findings in a schema, and their fixes.

use serde_json::Value;

/// Which characters to mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Part {
    /// The key of the entry that the pointer names. List items and the root have none: mark the
    /// first line of the value, or the key of the field that contains the schema.
    Key,
    /// Its value. An absent value (`type:`) has no characters: mark its key.
    Value,
}

/// One mistake.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding<Kind> {
    /// Where: a JSON pointer from the schema's root, `""` for the root itself.
    pub pointer: String,
    pub part: Part,
    pub kind: Kind,
    /// The mistake and the remedy.
    pub message: String,
    /// Fixes, most likely first.
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

/// A fix: all of its changes belong together.
#[derive(Debug, Clone, PartialEq)]
pub struct Fix {
    /// In the imperative: "Replace with `integer`".
    pub title: String,
    pub changes: Vec<Change>,
}

/// A change to a schema. Pointers are into the schema before all changes.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Change {
    /// Replaces a value.
    Replace { pointer: String, value: Value },
    /// Renames the key of an entry.
    Rename { pointer: String, name: String },
    /// Removes an entry or a list item.
    Remove { pointer: String },
    /// Adds an entry to a mapping that has none with this key.
    Insert { pointer: String, key: String, value: Value },
    /// Adds a name to the `required` of an object schema, which may not exist yet.
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

/// A value in one line, truncated to a readable length.
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

/// YAML in flow style, for messages: without quotes where they don't matter.
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

/// The kind of a value, with its article.
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
