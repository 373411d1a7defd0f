//! Ollama's own API, for models on this machine.

use serde_json::{Map, Value, json};

use super::api::{Api, Call, Keys, Stream, append, set};
use crate::run::mcp::Event;
use crate::run::message::{Completion, Force, Message, Request, Tokens, ToolCall};

pub static OLLAMA: Api = Api {
    name: "ollama",
    title: "Ollama",
    url: "http://localhost:11434",
    url_variables: &["OLLAMA_HOST"],
    key_variables: &["OLLAMA_API_KEY"],
    keys: Keys::Bearer,
    needs_key: false,
    endings: &["/api/chat"],
    unsupported: &[],
    call,
    read,
    stream: || Box::new(Assembly::default()),
    lines: true,
};

fn call(request: &Request, force: Force, stream: bool, _: bool) -> Call {
    let messages: Vec<Value> = request.messages.iter().map(message).collect();
    let mut body = json!({ "model": request.model, "messages": messages, "stream": stream });
    if request.tools.is_empty() {
        match force {
            Force::Schema => body["format"] = request.output.clone(),
            Force::Object => body["format"] = Value::from("json"),
            Force::Nothing => {}
        }
    } else {
        // A format would keep the model from calling tools.
        body["tools"] = request
            .tools
            .iter()
            .map(|tool| {
                json!({ "type": "function", "function": { "name": tool.name, "description": tool.description, "parameters": tool.parameters } })
            })
            .collect();
    }
    let config = request.config;
    let mut options = json!({});
    set(&mut options, "temperature", config.temperature);
    set(&mut options, "top_p", config.top_p);
    set(&mut options, "num_predict", config.max_tokens);
    set(&mut options, "seed", config.seed);
    if options.as_object().is_some_and(|options| !options.is_empty()) {
        body["options"] = options;
    }
    match config.reasoning_effort.as_deref() {
        Some("none") => body["think"] = Value::Bool(false),
        Some("minimal") => body["think"] = Value::from("low"),
        Some("xhigh" | "max") => body["think"] = Value::from("high"),
        Some(effort) => body["think"] = Value::from(effort),
        None => {}
    }
    Call { path: "/api/chat".to_owned(), body }
}

fn message(message: &Message) -> Value {
    match message {
        Message::System { content } => json!({ "role": "system", "content": content }),
        Message::User { content } => json!({ "role": "user", "content": content }),
        Message::Assistant { content, tool_calls, .. } => {
            let mut value =
                json!({ "role": "assistant", "content": content.as_deref().unwrap_or_default() });
            if !tool_calls.is_empty() {
                value["tool_calls"] = tool_calls
                    .iter()
                    .map(|call| {
                        let arguments: Value =
                            serde_json::from_str(&call.arguments).unwrap_or(json!({}));
                        json!({ "function": { "name": call.name, "arguments": arguments } })
                    })
                    .collect();
            }
            value
        }
        Message::Tool { name, content, .. } => {
            json!({ "role": "tool", "tool_name": name, "content": content })
        }
    }
}

fn read(body: &Value) -> Option<Completion> {
    let message = body.get("message")?;
    let calls = message.get("tool_calls").and_then(Value::as_array);
    let tool_calls = calls.into_iter().flatten().enumerate().filter_map(|(index, call)| {
        let function = call.get("function")?;
        Some(ToolCall {
            id: format!("call_{index}"),
            name: function.get("name")?.as_str()?.to_owned(),
            arguments: function.get("arguments").map(Value::to_string).unwrap_or_default(),
        })
    });
    let content = message.get("content").and_then(Value::as_str).map(str::to_owned);
    let count = |name: &str| body.get(name).and_then(Value::as_u64).unwrap_or_default();
    Some(Completion {
        content,
        tool_calls: tool_calls.collect(),
        finish: body.get("done_reason").and_then(Value::as_str).map(str::to_owned),
        tokens: Tokens { input: count("prompt_eval_count"), output: count("eval_count") },
        ..Completion::default()
    })
}

/// Each line is an answer with a part of the message.
#[derive(Default)]
struct Assembly {
    message: Map<String, Value>,
    calls: Vec<Value>,
    last: Option<Value>,
}

impl Stream for Assembly {
    fn event(&mut self, event: &Event) -> Option<usize> {
        let value: Value = serde_json::from_str(&event.data).ok()?;
        let text = value.pointer("/message/content").and_then(Value::as_str).unwrap_or_default();
        append(&mut self.message, "content", text);
        let calls = value.pointer("/message/tool_calls").and_then(Value::as_array);
        self.calls.extend(calls.into_iter().flatten().cloned());
        let length = text.len();
        let done = value.get("done").and_then(Value::as_bool).unwrap_or_default();
        if done || value.get("error").is_some() {
            self.last = Some(value);
        }
        Some(length)
    }

    fn whole(self: Box<Self>) -> Option<Value> {
        let mut whole = self.last?;
        let mut message = self.message;
        message.insert("role".to_owned(), Value::from("assistant"));
        if !self.calls.is_empty() {
            message.insert("tool_calls".to_owned(), Value::Array(self.calls));
        }
        if whole.get("error").is_none() {
            whole.as_object_mut()?.insert("message".to_owned(), Value::Object(message));
        }
        Some(whole)
    }
}
