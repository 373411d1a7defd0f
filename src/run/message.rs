//! The messages between a program and a model, as chat completions. Parsing is lenient: missing or
//! unknown fields are not errors.

use serde::Serialize;
use serde_json::{Value, json};

/// One message of a conversation.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "role", rename_all = "lowercase")]
pub enum Message {
    System {
        content: String,
    },
    User {
        content: String,
    },
    Assistant {
        content: Option<String>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        tool_calls: Vec<ToolCall>,
    },
    Tool {
        tool_call_id: String,
        content: String,
    },
}

/// A tool call that the model requests.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolCall {
    pub id: String,
    pub name: String,
    /// JSON, as the model wrote it.
    pub arguments: String,
}

impl Serialize for ToolCall {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        json!({ "id": self.id, "type": "function", "function": { "name": self.name, "arguments": self.arguments } }).serialize(serializer)
    }
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
}

/// A request to the model.
#[derive(Debug)]
pub struct Request<'a> {
    pub model: &'a str,
    pub messages: &'a [Message],
    /// In the API's format.
    pub tools: &'a [Value],
    pub output: &'a Value,
    /// The schema follows the rules of strict mode.
    pub strict: bool,
}

impl Request<'_> {
    /// The body of the HTTP request.
    pub fn body(&self, force: Force) -> Value {
        let mut body = json!({ "model": self.model, "messages": self.messages });
        if !self.tools.is_empty() {
            body["tools"] = Value::from(self.tools.to_vec());
        }
        match force {
            Force::Schema => {
                let schema =
                    json!({ "name": "output", "strict": self.strict, "schema": self.output });
                body["response_format"] = json!({ "type": "json_schema", "json_schema": schema });
            }
            Force::Object => body["response_format"] = json!({ "type": "json_object" }),
            Force::Nothing => {}
        }
        body
    }
}

/// The model's answer.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Completion {
    pub content: Option<String>,
    pub refusal: Option<String>,
    pub tool_calls: Vec<ToolCall>,
    pub finish: Option<String>,
    pub tokens: Tokens,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tokens {
    pub input: u64,
    pub output: u64,
}

impl Completion {
    /// Parses the body of an answer; `None` if it's invalid.
    pub fn read(body: &Value) -> Option<Self> {
        let choice = body.get("choices")?.as_array()?.first()?;
        let message = choice.get("message")?;
        let calls = message
            .get("tool_calls")
            .and_then(Value::as_array)
            .map(Vec::as_slice)
            .unwrap_or_default();
        let count = |names: [&str; 2]| {
            names.iter().find_map(|name| body.get("usage")?.get(name)?.as_u64()).unwrap_or_default()
        };
        Some(Self {
            content: text(message.get("content")),
            refusal: text(message.get("refusal")).filter(|refusal| !refusal.trim().is_empty()),
            tool_calls: calls
                .iter()
                .enumerate()
                .filter_map(|(index, call)| tool_call(index, call))
                .collect(),
            finish: text(choice.get("finish_reason")),
            tokens: Tokens {
                input: count(["prompt_tokens", "input_tokens"]),
                output: count(["completion_tokens", "output_tokens"]),
            },
        })
    }
}

/// A string, or a list of parts with strings.
fn text(value: Option<&Value>) -> Option<String> {
    match value? {
        Value::String(text) => Some(text.clone()),
        Value::Array(parts) => {
            let parts: Vec<&str> =
                parts.iter().filter_map(|part| part.get("text")?.as_str()).collect();
            (!parts.is_empty()).then(|| parts.concat())
        }
        _ => None,
    }
}

fn tool_call(index: usize, call: &Value) -> Option<ToolCall> {
    let function = call.get("function")?;
    let id = call.get("id").and_then(Value::as_str).filter(|id| !id.is_empty());
    let arguments = match function.get("arguments") {
        Some(Value::String(arguments)) => arguments.clone(),
        // Some providers send the object itself.
        Some(Value::Null) | None => String::new(),
        Some(other) => other.to_string(),
    };
    Some(ToolCall {
        id: id.map_or_else(|| format!("call_{index}"), str::to_owned),
        name: function.get("name")?.as_str()?.to_owned(),
        arguments,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mdl_27_answers_are_parsed_leniently() {
        let read = |body: Value| Completion::read(&body);
        assert_eq!(read(json!({ "error": "no" })), None);
        assert_eq!(read(json!({ "choices": [] })), None);
        assert_eq!(read(json!([])), None);
        let plain = read(json!({ "choices": [{ "message": { "content": "{}" } }] })).unwrap();
        assert_eq!((plain.content.as_deref(), plain.tokens), (Some("{}"), Tokens::default()));
        let parts = json!([{ "type": "text", "text": "{" }, { "type": "text", "text": "}" }]);
        assert_eq!(
            read(json!({ "choices": [{ "message": { "content": parts } }] })).unwrap(),
            plain
        );
        let calls = json!([
            { "id": "a", "type": "function", "function": { "name": "one", "arguments": "{\"x\":1}" } },
            { "function": { "name": "two", "arguments": { "x": 1 } } },
            { "id": "c", "function": { "name": "three" } },
            { "id": "d" },
        ]);
        let answer = read(json!({ "choices": [{ "message": { "content": null, "tool_calls": calls }, "finish_reason": "tool_calls" }],
            "usage": { "prompt_tokens": 3, "completion_tokens": 4, "total_tokens": 7 } }))
        .unwrap();
        let names: Vec<_> = answer
            .tool_calls
            .iter()
            .map(|call| (call.id.as_str(), call.name.as_str(), call.arguments.as_str()))
            .collect();
        assert_eq!(
            names,
            [("a", "one", "{\"x\":1}"), ("call_1", "two", "{\"x\":1}"), ("c", "three", "")]
        );
        assert_eq!(answer.tokens, Tokens { input: 3, output: 4 });
    }
}
