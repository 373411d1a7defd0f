//! OpenAI's Responses API.

use serde_json::{Value, json};

use super::api::{Api, Call, Keys, Stream, set};
use crate::run::mcp::Event;
use crate::run::message::{Completion, Force, Message, Request, Tokens, ToolCall};

pub static RESPONSES: Api = Api {
    name: "openai-responses",
    title: "OpenAI",
    url: "https://api.openai.com/v1",
    url_variables: &["OPENAI_BASE_URL"],
    key_variables: &["OPENAI_API_KEY"],
    keys: Keys::Bearer,
    needs_key: true,
    endings: &["/responses"],
    unsupported: &["seed"],
    call,
    read,
    stream: || Box::new(Assembly::default()),
    lines: false,
};

fn call(request: &Request, force: Force, stream: bool, _: bool) -> Call {
    let mut input = Vec::new();
    for message in request.messages {
        match message {
            Message::System { .. } => {}
            Message::User { content } => {
                input.push(json!({ "role": "user", "content": content }));
            }
            Message::Assistant { original: Some(Value::Array(items)), .. } => {
                input.extend(items.iter().cloned());
            }
            Message::Assistant { content, tool_calls, .. } => {
                if let Some(content) = content {
                    input.push(json!({ "role": "assistant", "content": content }));
                }
                input.extend(tool_calls.iter().map(|call| {
                    json!({ "type": "function_call", "call_id": call.id, "name": call.name, "arguments": call.arguments })
                }));
            }
            Message::Tool { tool_call_id, content, .. } => {
                input.push(json!({ "type": "function_call_output", "call_id": tool_call_id, "output": content }));
            }
        }
    }
    // The provider stores nothing, so thoughts are sent along with the conversation.
    let mut body = json!({
        "model": request.model, "instructions": request.system(), "input": input, "store": false,
    });
    // Other models refuse this.
    if request.config.reasoning_effort.is_some() || reasons(request.model) {
        body["include"] = json!(["reasoning.encrypted_content"]);
    }
    if !request.tools.is_empty() {
        body["tools"] = request
            .tools
            .iter()
            .map(|tool| {
                json!({ "type": "function", "name": tool.name, "description": tool.description, "parameters": tool.parameters, "strict": false })
            })
            .collect();
    }
    match force {
        Force::Schema => {
            body["text"] = json!({ "format": { "type": "json_schema", "name": "output", "strict": request.strict, "schema": request.output } });
        }
        Force::Object => body["text"] = json!({ "format": { "type": "json_object" } }),
        Force::Nothing => {}
    }
    let config = request.config;
    set(&mut body, "temperature", config.temperature);
    set(&mut body, "top_p", config.top_p);
    set(&mut body, "max_output_tokens", config.max_tokens);
    if let Some(effort) = &config.reasoning_effort {
        body["reasoning"] = json!({ "effort": effort });
    }
    if stream {
        body["stream"] = Value::Bool(true);
    }
    Call { path: "/responses".to_owned(), body }
}

/// Whether a model thinks before it replies.
fn reasons(model: &str) -> bool {
    let chat = model.contains("-chat");
    ["o1", "o3", "o4", "gpt-5", "codex"].iter().any(|name| model.starts_with(name)) && !chat
}

fn read(body: &Value) -> Option<Completion> {
    let items = body.get("output")?.as_array()?;
    let string = |value: &Value, name: &str| value.get(name)?.as_str().map(str::to_owned);
    let mut completion =
        Completion { original: Some(Value::from(items.clone())), ..Completion::default() };
    let mut content = String::new();
    let mut refusal = String::new();
    for (index, item) in items.iter().enumerate() {
        match item.get("type").and_then(Value::as_str) {
            Some("message") => {
                for part in item.get("content").and_then(Value::as_array).into_iter().flatten() {
                    content.push_str(&string(part, "text").unwrap_or_default());
                    refusal.push_str(&string(part, "refusal").unwrap_or_default());
                }
            }
            Some("function_call") => {
                let Some(name) = string(item, "name") else { continue };
                completion.tool_calls.push(ToolCall {
                    id: string(item, "call_id").unwrap_or_else(|| format!("call_{index}")),
                    name,
                    arguments: string(item, "arguments").unwrap_or_default(),
                });
            }
            _ => {}
        }
    }
    completion.content = (!content.is_empty()).then_some(content);
    completion.refusal = (!refusal.trim().is_empty()).then_some(refusal);
    completion.finish = match body.pointer("/incomplete_details/reason").and_then(Value::as_str) {
        Some("max_output_tokens") => Some("length".to_owned()),
        other => other.map(str::to_owned),
    };
    let count = |name: &str| body.get("usage").and_then(|usage| usage.get(name)?.as_u64());
    completion.tokens = Tokens {
        input: count("input_tokens").unwrap_or_default(),
        output: count("output_tokens").unwrap_or_default(),
    };
    Some(completion)
}

/// The last event has the whole response.
#[derive(Default)]
struct Assembly {
    response: Option<Value>,
}

impl Stream for Assembly {
    fn event(&mut self, event: &Event) -> Option<usize> {
        let mut value: Value = serde_json::from_str(&event.data).ok()?;
        let kind = value.get("type").and_then(Value::as_str).unwrap_or(&event.name).to_owned();
        match kind.as_str() {
            "response.completed" | "response.incomplete" | "response.failed" => {
                self.response = value.get_mut("response").map(Value::take);
            }
            "error" => self.response = Some(json!({ "error": value })),
            _ => {}
        }
        Some(value.get("delta").and_then(Value::as_str).map_or(0, str::len))
    }

    fn whole(self: Box<Self>) -> Option<Value> {
        self.response
    }
}
