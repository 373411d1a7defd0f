//! What one client does with a file because of one place in it.

use crate::client::{Client, Effect, Outcome};
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

impl Cause {
    /// What's wrong with the file, if the cause alone determines it.
    fn fault(self, key: Option<&str>) -> Option<String> {
        match (self, key) {
            (Self::NoFrontMatter, _) => Some("no front matter".to_owned()),
            (Self::Unreadable, None) => Some("invalid front matter".to_owned()),
            (Self::Folder, _) => Some("the name differs from the folder's".to_owned()),
            (Self::MissingKey, Some(key)) => Some(format!("missing {key}")),
            (Self::UnknownKey, Some(key)) => Some(format!("unknown key {key}")),
            (Self::WrongType, Some(key)) => Some(format!("wrong type of {key}")),
            (Self::WrongValue | Self::InvalidName, Some(key)) => Some(format!("invalid {key}")),
            (Self::TooLong, Some(key)) => Some(format!("{key} is too long")),
            _ => None,
        }
    }
}

#[derive(Debug, Clone)]
pub struct Problem<'a> {
    pub cause: Cause,
    pub client: &'a Client,
    /// The keys of front matter that it's about; several only if they are missing.
    pub keys: Vec<String>,
    /// Bytes of the document.
    pub span: Span,
    pub effect: Effect,
    /// A detail for the message of the rule: a number, a name, a list of values.
    pub detail: String,
    /// Possible replacements.
    pub instead: Vec<String>,
    /// The message of a schema, for kinds and places without a message of our own.
    pub reason: Option<String>,
}

impl<'a> Problem<'a> {
    pub fn new(
        cause: Cause,
        client: &'a Client,
        key: Option<&str>,
        span: Span,
        effect: Effect,
    ) -> Self {
        Self {
            cause,
            client,
            keys: key.map(str::to_owned).into_iter().collect(),
            span,
            effect,
            detail: String::new(),
            instead: Vec::new(),
            reason: None,
        }
    }

    /// The key, or the first of several.
    pub fn key(&self) -> Option<&str> {
        self.keys.first().map(String::as_str)
    }

    pub fn about(mut self, keys: Vec<String>) -> Self {
        self.keys = keys;
        self
    }

    /// The reason in a verdict, in a few words. If the effect only repeats the verdict, it's the
    /// fault of the file instead.
    pub fn told(&self) -> String {
        let effect = &self.effect.text;
        let key = (!self.keys.is_empty()).then(|| self.keys.join(", "));
        let repeats = self.effect.outcome == Outcome::NotLoaded
            && effect.strip_suffix(" not loaded").is_some_and(|kind| !kind.contains(' '));
        if repeats && let Some(fault) = self.cause.fault(key.as_deref()) {
            return fault;
        }
        match key {
            Some(key) if !effect.contains(key.as_str()) => format!("{key}: {effect}"),
            _ => effect.clone(),
        }
    }

    pub fn with(mut self, detail: impl Into<String>) -> Self {
        self.detail = detail.into();
        self
    }

    /// Adds the message of a schema about a place in the front matter: ``item 2 of `tools` ``.
    pub fn because(mut self, at: &str, message: &str) -> Self {
        let message = message.trim_end_matches('.');
        let message = message.strip_prefix("It ").unwrap_or(message);
        let mut letters = message.chars();
        let first = letters.next().map(|letter| letter.to_lowercase().to_string());
        let message = format!("{}{}", first.unwrap_or_default(), letters.as_str());
        self.reason = Some(match at {
            "" => message,
            at if message.starts_with("must ") => format!("{at} {message}"),
            at => format!("{at}: {message}"),
        });
        self
    }

    /// Marks a problem of a key without a value, because there's a comment in its place.
    pub fn commented_out(mut self, span: Span, text: &str, key: &str) -> Self {
        let remedy = match self.detail.as_str() {
            words if words.starts_with('`') => format!("expected {words}"),
            _ => "quote it".to_owned(),
        };
        self.reason = Some(format!("`{text}` is a comment, so `{key}` is empty; {remedy}"));
        self.span = span;
        self
    }

    pub fn instead(mut self, words: Vec<String>) -> Self {
        self.instead = words;
        self
    }
}
