//! The log of a run, without secrets.

use parking_lot::Mutex;

/// The level of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    Warning,
    /// Only on request.
    Debug,
}

type Listener = Box<dyn Fn(Level, &str) + Send + Sync>;

/// Passes on entries, without secrets.
pub struct Journal {
    listener: Listener,
    debug: bool,
    secrets: Mutex<Vec<String>>,
}

/// Shorter values are words, not secrets: replacing them would make text unreadable.
const SHORTEST_SECRET: usize = 6;
/// The replacement for a secret.
const HIDDEN: &str = "[hidden]";
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
        Self { listener: Box::new(listener), debug, secrets: Mutex::default() }
    }

    /// Removes this text from all further entries.
    pub fn keep_secret(&self, text: &str) {
        let mut secrets = self.secrets.lock();
        if text.len() >= SHORTEST_SECRET && !secrets.iter().any(|secret| secret == text) {
            secrets.push(text.to_owned());
            // A secret that contains another one is replaced first.
            secrets.sort_by_key(|secret| std::cmp::Reverse(secret.len()));
        }
    }

    /// The text without secrets.
    pub fn hide(&self, text: &str) -> String {
        let secrets = self.secrets.lock();
        let mut text = text.to_owned();
        for secret in secrets.iter() {
            if text.contains(secret.as_str()) {
                text = text.replace(secret.as_str(), HIDDEN);
            }
            // Its name in JSON.
            let quoted = serde_json::to_string(secret).unwrap_or_default();
            let quoted = quoted.get(1..quoted.len().saturating_sub(1)).unwrap_or_default();
            if quoted != secret && !quoted.is_empty() && text.contains(quoted) {
                text = text.replace(quoted, HIDDEN);
            }
        }
        text
    }

    pub fn warn(&self, message: &str) {
        (self.listener)(Level::Warning, &self.hide(message));
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
        for secret in ["sk-12345", "sk-12345-more", "with \"quotes\"", "1"] {
            journal.keep_secret(secret);
        }
        journal.warn("sk-12345-more and sk-12345 and 1");
        journal.debug(|| format!("{}", serde_json::json!({ "env": "with \"quotes\"" })));
        let told = told.lock().clone();
        assert_eq!(
            told,
            [
                (Level::Warning, "[hidden] and [hidden] and 1".to_owned()),
                (Level::Debug, "{\"env\":\"[hidden]\"}".to_owned())
            ]
        );
    }
}
