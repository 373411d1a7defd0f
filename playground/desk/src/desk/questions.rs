//! What the page can ask. Positions are lines and UTF-16 columns, counted from 0.

use serde::Deserialize;
use serde_json::Value;

/// A line and a column.
pub type Place = (u32, u32);

#[derive(Debug, Deserialize)]
#[serde(tag = "ask", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Question {
    /// Replaces the workspace. Without clients, those are judged that the workspace is for.
    Open {
        files: Vec<File>,
        #[serde(default)]
        clients: Vec<String>,
    },
    Change {
        path: String,
        text: String,
    },
    /// Findings, verdicts, and what can be applied.
    Check {
        path: String,
    },
    Highlights {
        path: String,
    },
    Hover {
        path: String,
        at: Place,
    },
    Complete {
        path: String,
        at: Place,
    },
    Actions {
        path: String,
        from: Place,
        to: Place,
    },
    FixAll {
        path: String,
    },
    /// A program as the model would read it; without an input, with its sample.
    Preview {
        path: String,
        #[serde(default)]
        input: Option<Value>,
    },
    /// The files that blocks of a reply change.
    Plan {
        path: String,
        choices: Vec<Chosen>,
        goal: String,
    },
    Explain {
        code: String,
    },
    Clients,
    Vocabularies,
}

#[derive(Debug, Deserialize)]
pub struct File {
    pub path: String,
    pub text: String,
}

/// A block to apply.
#[derive(Debug, Deserialize)]
pub struct Chosen {
    pub block: u64,
    #[serde(default)]
    pub way: Way,
}

#[derive(Debug, Default, Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Way {
    #[default]
    Found,
    Confirmed,
    Everywhere,
    /// This line, counted from 0.
    At(usize),
}
