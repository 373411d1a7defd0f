//! One thing that one client does with a file because of one place in it.

use crate::client::{Client, Effect};
use crate::text::Span;

/// Why something happens. Each cause has its own rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Cause {
    NoFrontMatter,
    Unreadable,
    MissingKey,
    UnknownKey,
    UnusedKey,
    IgnoredKey,
    DeprecatedKey,
    WrongType,
    WrongValue,
    InvalidName,
    Folder,
    TooLong,
    Markup,
    NoUse,
    Misplaced,
    NoUsableTool,
    UnknownTool,
    RenamedTool,
    WithheldTool,
    Substituted,
    FirstArgument,
}

#[derive(Debug, Clone)]
pub struct Problem {
    pub cause: Cause,
    pub client: &'static Client,
    /// The key of front matter that it is about.
    pub key: Option<String>,
    /// Bytes of the document.
    pub span: Span,
    pub effect: Effect,
    /// What the rule says in its message: a number, a name, a list of values.
    pub detail: String,
    /// What could be written instead.
    pub instead: Vec<String>,
}

impl Problem {
    pub fn new(
        cause: Cause,
        client: &'static Client,
        key: Option<&str>,
        span: Span,
        effect: Effect,
    ) -> Self {
        Self {
            cause,
            client,
            key: key.map(str::to_owned),
            span,
            effect,
            detail: String::new(),
            instead: Vec::new(),
        }
    }

    pub fn with(mut self, detail: impl Into<String>) -> Self {
        self.detail = detail.into();
        self
    }

    pub fn instead(mut self, words: Vec<String>) -> Self {
        self.instead = words;
        self
    }
}
