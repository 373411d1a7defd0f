//! What the APIs of providers have in common: each is a value of [`Api`], in its own file.

use serde_json::{Map, Value};

use super::anthropic::ANTHROPIC;
use super::chat::CHAT;
use super::gemini::GEMINI;
use super::ollama::OLLAMA;
use super::responses::RESPONSES;
use crate::run::mcp::Event;
use crate::run::message::{Completion, Force, Request};

/// One API.
pub struct Api {
    /// Its name for `--provider`, and in recordings.
    pub name: &'static str,
    /// Who provides it.
    pub title: &'static str,
    /// The default base URL.
    pub url: &'static str,
    /// Environment variables with another base URL.
    pub url_variables: &'static [&'static str],
    /// Environment variables with the key.
    pub key_variables: &'static [&'static str],
    pub keys: Keys,
    /// Whether its default URL works only with a key.
    pub needs_key: bool,
    /// Ends of URLs that are already complete.
    pub endings: &'static [&'static str],
    /// Keys of `config` that it doesn't have.
    pub unsupported: &'static [&'static str],
    /// A request: with a way of forcing JSON, as a stream, to the default URL.
    pub call: fn(&Request, Force, bool, bool) -> Call,
    /// Reads the body of an answer; `None` if it's invalid.
    pub read: fn(&Value) -> Option<Completion>,
    pub stream: fn() -> Box<dyn Stream>,
    /// Streams are lines of JSON rather than events.
    pub lines: bool,
}

impl std::fmt::Debug for Api {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.name)
    }
}

/// How the key is sent.
#[derive(Debug, Clone, Copy)]
pub enum Keys {
    /// `Authorization: Bearer KEY`
    Bearer,
    /// In a separate header, along with others that are always sent.
    Header { name: &'static str, more: &'static [(&'static str, &'static str)] },
}

/// A request, as the API wants it.
#[derive(Debug)]
pub struct Call {
    /// After the base URL.
    pub path: String,
    pub body: Value,
}

/// Puts the events of a stream together.
pub trait Stream: Send {
    /// Adds an event. Returns the length of the model's text in it; `None` if it isn't one of this
    /// API.
    fn event(&mut self, event: &Event) -> Option<usize>;

    /// The body that the answer would have had without a stream; `None` if it was cut off.
    fn whole(self: Box<Self>) -> Option<Value>;
}

/// Every API.
pub static APIS: [&Api; 5] = [&CHAT, &RESPONSES, &ANTHROPIC, &GEMINI, &OLLAMA];

/// The API with this name.
pub fn named(name: &str) -> Option<&'static Api> {
    let other = match name {
        "chat" | "openai-chat" | "compatible" => "openai",
        "responses" => "openai-responses",
        "claude" => "anthropic",
        "google" => "gemini",
        other => other,
    };
    APIS.into_iter().find(|api| api.name == other)
}

/// The API that a model's name suggests, and the name without its prefix.
pub fn of_model(model: &str) -> (&'static Api, &str) {
    if let Some((prefix, rest)) = model.split_once('/')
        && let Some(api) = named(prefix)
    {
        return (api, rest);
    }
    let name = model.strip_prefix("models/").unwrap_or(model).to_ascii_lowercase();
    // A tag is Ollama's, as in `llama3.2:3b`; OpenAI's own models with a colon are fine-tuned.
    let tagged = name.contains(':') && !name.starts_with("ft:");
    let api = match () {
        () if name.starts_with("claude") => &ANTHROPIC,
        () if name.starts_with("gemini") => &GEMINI,
        () if tagged => &OLLAMA,
        () => &CHAT,
    };
    (api, model)
}

/// Sets an entry of an object, if there is a value.
pub fn set(object: &mut Value, name: &str, value: Option<impl Into<Value>>) {
    if let Some(value) = value {
        object[name] = value.into();
    }
}

/// Appends to a string in an object.
pub fn append(object: &mut Map<String, Value>, name: &str, piece: &str) {
    match object.get_mut(name) {
        Some(Value::String(text)) => text.push_str(piece),
        _ => _ = object.insert(name.to_owned(), Value::from(piece)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mdl_27_the_name_of_a_model_names_its_provider() {
        for (model, expected, name) in [
            ("gpt-4o", "openai", "gpt-4o"),
            ("o3", "openai", "o3"),
            ("ft:gpt-4o:me", "openai", "ft:gpt-4o:me"),
            ("claude-sonnet-4-5", "anthropic", "claude-sonnet-4-5"),
            ("gemini-2.5-pro", "gemini", "gemini-2.5-pro"),
            ("llama3.2:3b", "ollama", "llama3.2:3b"),
            ("ollama/llama3.2", "ollama", "llama3.2"),
            ("openai-responses/gpt-5", "openai-responses", "gpt-5"),
            ("meta/llama", "openai", "meta/llama"),
        ] {
            let (api, rest) = of_model(model);
            assert_eq!((api.name, rest), (expected, name), "{model}");
        }
        assert!(APIS.iter().all(|api| named(api.name).is_some_and(|found| found.name == api.name)));
    }
}
