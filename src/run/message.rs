//! The messages between a program and a model, in the words of no particular provider.

use serde_json::Value;

use crate::format::markdownlang::program::ModelConfig;

/// One message of a conversation.
#[derive(Debug, Clone, PartialEq)]
pub enum Message {
    System {
        content: String,
    },
    User {
        content: String,
    },
    Assistant {
        content: Option<String>,
        tool_calls: Vec<ToolCall>,
        /// The message as the provider sent it, for providers that want it back unchanged: it may
        /// contain signed thoughts.
        original: Option<Value>,
    },
    Tool {
        tool_call_id: String,
        /// The tool's name.
        name: String,
        content: String,
    },
}

/// A tool call that the model requests.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ToolCall {
    pub id: String,
    pub name: String,
    /// JSON, as the model wrote it.
    pub arguments: String,
}

/// A tool that the model may call.
#[derive(Debug, Clone, PartialEq)]
pub struct Declaration {
    pub name: String,
    pub description: String,
    /// The JSON Schema of its arguments.
    pub parameters: Value,
}

/// How the provider forces the reply into JSON, from strongest to weakest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Force {
    Schema,
    Object,
    Nothing,
}

impl Force {
    /// The next weaker way, if a provider doesn't support this one.
    pub fn weaker(self) -> Option<Self> {
        match self {
            Self::Schema => Some(Self::Object),
            Self::Object => Some(Self::Nothing),
            Self::Nothing => None,
        }
    }

    /// Its name in recordings.
    pub fn name(self) -> &'static str {
        match self {
            Self::Schema => "schema",
            Self::Object => "object",
            Self::Nothing => "none",
        }
    }

    pub fn named(name: &str) -> Self {
        match name {
            "object" => Self::Object,
            "none" => Self::Nothing,
            _ => Self::Schema,
        }
    }
}

/// A request to the model.
#[derive(Debug)]
pub struct Request<'a> {
    pub model: &'a str,
    pub messages: &'a [Message],
    pub tools: &'a [Declaration],
    pub output: &'a Value,
    /// The schema follows the rules of strict mode.
    pub strict: bool,
    pub config: &'a ModelConfig,
}

impl Request<'_> {
    /// The system message.
    pub fn system(&self) -> &str {
        self.messages
            .iter()
            .find_map(|message| match message {
                Message::System { content } => Some(content.as_str()),
                _ => None,
            })
            .unwrap_or_default()
    }
}

/// The model's answer.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Completion {
    pub content: Option<String>,
    pub refusal: Option<String>,
    pub tool_calls: Vec<ToolCall>,
    /// `length` if it was cut off, `content_filter` if it was withheld.
    pub finish: Option<String>,
    pub tokens: Tokens,
    /// See [`Message::Assistant`].
    pub original: Option<Value>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tokens {
    pub input: u64,
    pub output: u64,
}
