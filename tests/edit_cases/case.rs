//! A case as it lies in the file.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

#[derive(Debug, Deserialize)]
pub struct Case {
    pub id: u64,
    pub name: String,
    pub suite: String,
    pub kind: String,
    #[serde(default)]
    pub path: Option<String>,
    #[serde(default)]
    pub file_before: Option<String>,
    #[serde(default)]
    pub files_before: BTreeMap<String, String>,
    #[serde(default)]
    pub block_text: Option<String>,
    #[serde(default)]
    pub search: Option<String>,
    #[serde(default)]
    pub replace: Option<String>,
    #[serde(default)]
    pub edits: Vec<TextEdit>,
    #[serde(default)]
    pub options: Value,
    expected: Value,
    #[serde(default)]
    our_expected: Option<Value>,
}

/// An edit of a tool that names old and new text.
#[derive(Debug, Deserialize)]
pub struct TextEdit {
    pub old: String,
    pub new: String,
    #[serde(default, rename = "allowMultiple")]
    pub all: bool,
}

impl Case {
    /// What is to come out: what we want on purpose, else what the other tool makes of it.
    pub fn wanted(&self) -> &Value {
        self.our_expected.as_ref().unwrap_or(&self.expected)
    }

    /// The text that is to come out.
    pub fn wanted_text(&self) -> Option<&str> {
        let wanted = self.wanted();
        wanted["after"].as_str().or(wanted["after_confirm"].as_str())
    }

    /// The text that the other tool makes.
    pub fn tools_text(&self) -> Option<&str> {
        self.expected["after"].as_str()
    }

    pub fn wanted_error(&self) -> Option<&str> {
        let error = &self.wanted()["error"];
        error.as_str().or(if error.is_null() { None } else { Some("error") })
    }

    pub fn before(&self) -> &str {
        self.file_before.as_deref().unwrap_or_default()
    }

    pub fn option(&self, name: &str) -> Option<u64> {
        self.options[name].as_u64()
    }
}
