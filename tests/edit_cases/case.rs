//! A case as stored in the file.

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

/// An edit with old and new text.
#[derive(Debug, Deserialize)]
pub struct TextEdit {
    pub old: String,
    pub new: String,
    #[serde(default, rename = "allowMultiple")]
    pub all: bool,
}

impl Case {
    /// The expected result: ours if it differs on purpose, otherwise that of the other tool.
    pub fn wanted(&self) -> &Value {
        self.our_expected.as_ref().unwrap_or(&self.expected)
    }

    /// The expected text.
    pub fn wanted_text(&self) -> Option<&str> {
        let wanted = self.wanted();
        wanted["after"].as_str().or(wanted["after_confirm"].as_str())
    }

    /// The other tool's text.
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
