//! The settings of a client, as far as they are checked.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::Effect;

/// Settings that name hook events and tools, and the names that they may have.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Settings {
    /// Relative to the folder of a project.
    pub files: Vec<String>,
    /// Keys of the client's sources.
    pub sources: Vec<String>,
    /// The key of the object whose keys are events.
    pub hooks: String,
    pub events: Vec<String>,
    /// Keys of lists whose items are a tool, or a tool with something in parentheses; `/` is between
    /// nested ones.
    pub rules: Vec<String>,
    /// Names that are tools only in these lists.
    pub tools: Vec<String>,
    pub unknown_event: Effect,
    pub unknown_tool: Effect,
    #[serde(default)]
    pub paths: Option<PathRules>,
    #[serde(default)]
    pub matchers: Option<Matchers>,
}

/// Tools whose rules for paths the client doesn't read.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct PathRules {
    /// Each with the tool whose rules apply to it.
    pub instead: BTreeMap<String, String>,
    pub effect: Effect,
}

/// What decides whether the hooks of an event run: names, or a regular expression.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Matchers {
    /// The key in each item of an event.
    pub key: String,
    /// Events whose matcher is compared with the name of a tool.
    pub tools: Vec<String>,
    /// Events whose matcher is compared with one of a few values.
    pub values: BTreeMap<String, Vec<String>>,
    /// Events whose matcher is compared with something else.
    pub others: Vec<String>,
    /// Events without a matcher.
    pub without: Vec<String>,
    /// What happens if a matcher matches nothing.
    pub nothing: Effect,
    /// What happens if one of several names matches nothing.
    pub unmatched: Effect,
    /// What happens to a matcher of an event that has none.
    pub ignored: Effect,
}
