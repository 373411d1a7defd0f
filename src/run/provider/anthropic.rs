//! Anthropic's Messages API.

use serde_json::{Value, json};

use super::api::{Api, Call, Keys, Stream, append, set};
use crate::run::mcp::Event;
use crate::run::message::{Completion, Force, Message, Request, Tokens, ToolCall};

pub static ANTHROPIC: Api = Api {
    name: "anthropic",
    title: "Anthropic",
    url: "https://api.anthropic.com/v1",
    url_variables: &["ANTHROPIC_BASE_URL"],
    key_variables: &["ANTHROPIC_API_KEY"],
    keys: Keys::Header { name: "x-api-key", more: &[("anthropic-version", "2023-06-01")] },
    needs_key: true,
    endings: &["/messages"],
    unsupported: &["seed"],
    call,
    read,
    stream: || Box::new(Assembly::default()),
    lines: false,
};

/// The API requires a limit.
const MAX_TOKENS: i64 = 8_192;

fn call(request: &Request, force: Force, stream: bool, _: bool) -> Call {
    let mut messages: Vec<Value> = Vec::new();
    let mut results: Vec<Value> = Vec::new();
    for message in request.messages {
        if let Message::Tool { tool_call_id, content, .. } = message {
            results.push(
                json!({ "type": "tool_result", "tool_use_id": tool_call_id, "content": content }),
            );
            continue;
        }
        // The results of one turn are one message.
        if !results.is_empty() {
            messages.push(json!({ "role": "user", "content": std::mem::take(&mut results) }));
        }
        match message {
            Message::User { content } => {
                messages.push(json!({ "role": "user", "content": content }))
            }
            Message::Assistant { original: Some(content), .. } => {
                messages.push(json!({ "role": "assistant", "content": content }));
            }
            Message::Assistant { content, tool_calls, .. } => {
                let text = content.iter().filter(|text| !text.trim().is_empty());
                let text = text.map(|text| json!({ "type": "text", "text": text }));
                let calls = tool_calls.iter().map(|call| {
                    let input: Value = serde_json::from_str(&call.arguments).unwrap_or(json!({}));
                    json!({ "type": "tool_use", "id": call.id, "name": call.name, "input": input })
                });
                let content: Vec<Value> = text.chain(calls).collect();
                // An empty message is refused.
                if !content.is_empty() {
                    messages.push(json!({ "role": "assistant", "content": content }));
                }
            }
            _ => {}
        }
    }
    if !results.is_empty() {
        messages.push(json!({ "role": "user", "content": results }));
    }
    let config = request.config;
    let mut body = json!({
        "model": request.model,
        "max_tokens": config.max_tokens.unwrap_or(MAX_TOKENS),
        "system": request.system(),
        "messages": messages,
    });
    if !request.tools.is_empty() {
        body["tools"] = request
            .tools
            .iter()
            .map(|tool| {
                json!({ "name": tool.name, "description": tool.description, "input_schema": tool.parameters })
            })
            .collect();
    }
    let mut output = json!({});
    // Its schemas must follow the rules of strict mode; it has no weaker way.
    if force == Force::Schema && request.strict {
        output["format"] = json!({ "type": "json_schema", "schema": request.output });
    }
    set(&mut output, "effort", config.reasoning_effort.clone());
    if output.as_object().is_some_and(|output| !output.is_empty()) {
        body["output_config"] = output;
    }
    set(&mut body, "temperature", config.temperature);
    set(&mut body, "top_p", config.top_p);
    if stream {
        body["stream"] = Value::Bool(true);
    }
    Call { path: "/messages".to_owned(), body }
}

fn read(body: &Value) -> Option<Completion> {
    let blocks = body.get("content")?.as_array()?;
    let mut completion = Completion::default();
    let mut content = String::new();
    for (index, block) in blocks.iter().enumerate() {
        let string = |name: &str| block.get(name).and_then(Value::as_str).map(str::to_owned);
        match block.get("type").and_then(Value::as_str) {
            Some("text") => content.push_str(&string("text").unwrap_or_default()),
            Some("tool_use") => {
                let Some(name) = string("name") else { continue };
                let arguments = block.get("input").map(Value::to_string).unwrap_or_default();
                let id = string("id").unwrap_or_else(|| format!("call_{index}"));
                completion.tool_calls.push(ToolCall { id, name, arguments });
            }
            _ => {}
        }
    }
    let reason = body.get("stop_reason").and_then(Value::as_str);
    completion.finish = reason.map(|reason| match reason {
        "max_tokens" | "model_context_window_exceeded" => "length".to_owned(),
        other => other.to_owned(),
    });
    if reason == Some("refusal") {
        let why = if content.trim().is_empty() { "it gave no reason" } else { content.trim() };
        completion.refusal = Some(why.to_owned());
    }
    completion.content = (!content.is_empty()).then_some(content);
    completion.original = (!blocks.is_empty()).then(|| Value::from(blocks.clone()));
    let count = |name: &str| {
        body.get("usage").and_then(|usage| usage.get(name)?.as_u64()).unwrap_or_default()
    };
    let cached = count("cache_creation_input_tokens") + count("cache_read_input_tokens");
    completion.tokens =
        Tokens { input: count("input_tokens") + cached, output: count("output_tokens") };
    Some(completion)
}

/// An answer that arrives in pieces.
#[derive(Default)]
struct Assembly {
    message: Value,
    blocks: Vec<Value>,
    /// The input of the tool calls so far, as JSON.
    inputs: Vec<String>,
    done: bool,
}

impl Stream for Assembly {
    fn event(&mut self, event: &Event) -> Option<usize> {
        let value: Value = serde_json::from_str(&event.data).ok()?;
        let index = value.get("index").and_then(Value::as_u64);
        let index = usize::try_from(index.unwrap_or_default()).unwrap_or_default();
        match value.get("type").and_then(Value::as_str)? {
            "message_start" => self.message = value.get("message").cloned().unwrap_or_default(),
            "content_block_start" => {
                self.blocks.push(value.get("content_block").cloned().unwrap_or_default());
                self.inputs.push(String::new());
            }
            "content_block_delta" => {
                let delta = value.get("delta")?;
                let block = self.blocks.get_mut(index).and_then(Value::as_object_mut)?;
                let mut length = 0;
                for name in ["text", "thinking", "signature"] {
                    if let Some(text) = delta.get(name).and_then(Value::as_str) {
                        length += text.len();
                        append(block, name, text);
                    }
                }
                if let Some(piece) = delta.get("partial_json").and_then(Value::as_str) {
                    length += piece.len();
                    self.inputs.get_mut(index)?.push_str(piece);
                }
                return Some(length);
            }
            "message_delta" => {
                let reason = value.pointer("/delta/stop_reason").cloned().unwrap_or_default();
                if let Some(message) = self.message.as_object_mut() {
                    message.insert("stop_reason".to_owned(), reason);
                    let usage = message.entry("usage").or_insert_with(|| json!({}));
                    let given = value.get("usage").and_then(Value::as_object);
                    for (name, count) in given.into_iter().flatten() {
                        if count.is_number() {
                            usage[name] = count.clone();
                        }
                    }
                }
            }
            "message_stop" => self.done = true,
            "error" => {
                self.message = value;
                self.done = true;
            }
            _ => {}
        }
        Some(0)
    }

    fn whole(self: Box<Self>) -> Option<Value> {
        if !self.done {
            return None;
        }
        let mut message = self.message;
        if message.get("error").is_some() {
            return Some(message);
        }
        let blocks: Vec<Value> = self
            .blocks
            .into_iter()
            .zip(self.inputs)
            .map(|(mut block, input)| {
                if block.get("type").and_then(Value::as_str) == Some("tool_use") {
                    block["input"] = serde_json::from_str(&input).unwrap_or_else(|_| json!({}));
                }
                block
            })
            .collect();
        message.as_object_mut()?.insert("content".to_owned(), Value::Array(blocks));
        Some(message)
    }
}
