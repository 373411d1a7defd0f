//! Files that are kept in sync: `[[sync]]`.

use schemars::JsonSchema;
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use toml::Spanned;

use crate::text::Span;

/// Agent files that `agentmd sync` converts for other clients, and keeps up to date.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct SyncEntry {
    /// The file that you edit, or a glob of such files, relative to the settings file.
    pub source: String,
    /// What copies are written for: names of clients and kinds, such as `copilot-agent`.
    pub to: Vec<String>,
}

/// Where the values of entries are written.
#[derive(Deserialize)]
struct Written {
    #[serde(default)]
    sync: Vec<Spanned<WrittenEntry>>,
}

#[derive(Deserialize)]
struct WrittenEntry {
    source: Option<Spanned<IgnoredAny>>,
    to: Option<Spanned<IgnoredAny>>,
}

/// Where the value of a key of an entry is written in a settings file, or else the entry.
pub fn place(text: &str, index: usize, key: &str) -> Span {
    let Ok(written) = toml::from_str::<Written>(text) else { return 0..0 };
    let Some(entry) = written.sync.get(index) else { return 0..0 };
    let own = entry.get_ref();
    let value = if key == "source" { own.source.as_ref() } else { own.to.as_ref() };
    let span = value.map_or_else(|| entry.span(), Spanned::span);
    super::first_line(text, span)
}
