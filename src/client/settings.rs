//! The settings of a client, as far as they are checked.

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
}
