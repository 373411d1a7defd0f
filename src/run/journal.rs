//! The log of a run, without secrets.

use parking_lot::Mutex;
use serde_json::Value;

use super::secret::Secret;

/// The level of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    Warning,
    /// Only on request.
    Debug,
    /// What the run is doing, for one line that is overwritten.
    Progress,
}

type Listener = Box<dyn Fn(Level, &str) + Send + Sync>;

/// Passes on entries, without secrets.
pub struct Journal {
    listener: Listener,
    debug: bool,
    progress: bool,
    secrets: Mutex<Vec<String>>,
    /// The secrets that recordings must not contain.
    unrecorded: Mutex<Vec<String>>,
}

/// Shorter secrets are only replaced where they are whole words: `a` is also part of most others.
const SHORTEST_PART: usize = 6;
/// The replacement for a secret; in a recording, it matches anything in a replay.
pub(super) const HIDDEN: &str = "[hidden]";
/// Longer entries are truncated.
const LONGEST: usize = 20_000;

impl std::fmt::Debug for Journal {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Journal").finish_non_exhaustive()
    }
}

impl Journal {
    /// A journal that passes everything to `listener`; debug entries only on request.
    pub fn new(debug: bool, listener: impl Fn(Level, &str) + Send + Sync + 'static) -> Self {
        Self {
            listener: Box::new(listener),
            debug,
            progress: false,
            secrets: Mutex::default(),
            unrecorded: Mutex::default(),
        }
    }

    /// The same, with progress.
    #[must_use]
    pub fn with_progress(self, progress: bool) -> Self {
        Self { progress, ..self }
    }

    /// Whether progress is shown.
    pub fn shows_progress(&self) -> bool {
        self.progress
    }

    /// Removes these from all further entries, and those that are certainly secret from recordings.
    pub fn keep_secrets(&self, secrets: impl IntoIterator<Item = Secret>) {
        let keep = |kept: &mut Vec<String>, text: &str| {
            if !text.is_empty() && !kept.iter().any(|secret| secret == text) {
                kept.push(text.to_owned());
                // A secret that contains another one is replaced first.
                kept.sort_by_key(|secret| std::cmp::Reverse(secret.len()));
            }
        };
        for secret in secrets {
            keep(&mut self.secrets.lock(), &secret.text);
            if secret.is_certain() {
                keep(&mut self.unrecorded.lock(), &secret.text);
            }
        }
    }

    /// The text without secrets.
    pub fn hide(&self, text: &str) -> String {
        replace(text, &self.secrets.lock())
    }

    /// The text as recordings contain it.
    pub fn hidden(&self, text: &str) -> String {
        replace(text, &self.unrecorded.lock())
    }

    pub fn warn(&self, message: &str) {
        (self.listener)(Level::Warning, &self.hide(message));
    }

    /// Reports what the run is doing, if progress is shown.
    pub fn progress(&self, message: impl FnOnce() -> String) {
        if self.progress {
            (self.listener)(Level::Progress, &self.hide(&message()));
        }
    }

    /// Hides the secrets in every string of a JSON value that is recorded.
    pub fn hide_in(&self, value: &mut Value) {
        match value {
            Value::String(text) => *text = self.hidden(text),
            Value::Array(items) => items.iter_mut().for_each(|item| self.hide_in(item)),
            Value::Object(entries) => entries.values_mut().for_each(|item| self.hide_in(item)),
            _ => {}
        }
    }

    /// Whether a recording must not contain this value as it is.
    pub fn is_secret_in(&self, value: &Value) -> bool {
        match value {
            Value::String(text) => self.hidden(text) != *text,
            Value::Array(items) => items.iter().any(|item| self.is_secret_in(item)),
            Value::Object(entries) => entries
                .iter()
                .any(|(name, item)| self.hidden(name) != *name || self.is_secret_in(item)),
            _ => false,
        }
    }

    /// Logs a detail; formats it only with a listener.
    pub fn debug(&self, message: impl FnOnce() -> String) {
        if self.debug {
            let message = self.hide(&message());
            let cut = message.char_indices().nth(LONGEST).map(|(at, _)| at);
            match cut.and_then(|at| message.get(..at)) {
                Some(part) => {
                    (self.listener)(Level::Debug, &format!("{part}… ({} bytes)", message.len()))
                }
                None => (self.listener)(Level::Debug, &message),
            }
        }
    }
}

/// The text without these secrets.
fn replace(text: &str, secrets: &[String]) -> String {
    let mut text = text.to_owned();
    for secret in secrets.iter() {
        if secret.len() < SHORTEST_PART {
            text = replace_words(&text, secret);
        } else if text.contains(secret.as_str()) {
            text = text.replace(secret.as_str(), HIDDEN);
        }
        // Its name in JSON.
        let quoted = serde_json::to_string(secret).unwrap_or_default();
        let quoted = quoted.get(1..quoted.len().saturating_sub(1)).unwrap_or_default();
        if quoted != secret && quoted.len() >= SHORTEST_PART && text.contains(quoted) {
            text = text.replace(quoted, HIDDEN);
        }
    }
    text
}

/// The text with a short secret replaced wherever it is a whole word.
fn replace_words(text: &str, secret: &str) -> String {
    let is_part = |char: Option<char>| char.is_some_and(char::is_alphanumeric);
    let mut replaced = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(secret) {
        let (before, after) = rest.split_at(at);
        let after = after.get(secret.len()..).unwrap_or_default();
        replaced.push_str(before);
        let within = is_part(replaced.chars().next_back()) && is_part(secret.chars().next())
            || is_part(after.chars().next()) && is_part(secret.chars().next_back());
        replaced.push_str(if within { secret } else { HIDDEN });
        rest = after;
    }
    replaced.push_str(rest);
    replaced
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[test]
    fn mdl_32_secrets_are_never_logged() {
        let told = Arc::new(Mutex::new(Vec::new()));
        let sink = Arc::clone(&told);
        let journal =
            Journal::new(true, move |level, text: &str| sink.lock().push((level, text.to_owned())));
        for secret in ["sk-12345", "sk-12345-more", "with \"quotes\"", "1", "ab"] {
            journal.keep_secrets([Secret::named(secret)]);
        }
        journal.warn("sk-12345-more and sk-12345 and 1, ab=ab, 12, abc, \"ab\"");
        journal.debug(|| format!("{}", serde_json::json!({ "env": "with \"quotes\"" })));
        let told = told.lock().clone();
        assert_eq!(
            told,
            [
                (
                    Level::Warning,
                    "[hidden] and [hidden] and [hidden], [hidden]=[hidden], 12, abc, \"[hidden]\""
                        .to_owned()
                ),
                (Level::Debug, "{\"env\":\"[hidden]\"}".to_owned())
            ]
        );
    }
}
