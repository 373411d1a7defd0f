//! Google's Gemini API.

use serde_json::{Value, json};

use super::api::{Api, Call, Keys, Stream, set};
use crate::run::mcp::Event;
use crate::run::message::{Completion, Force, Message, Request, Tokens, ToolCall};

pub static GEMINI: Api = Api {
    name: "gemini",
    title: "Google",
    url: "https://generativelanguage.googleapis.com/v1beta",
    url_variables: &["GEMINI_BASE_URL", "GOOGLE_GEMINI_BASE_URL"],
    key_variables: &["GEMINI_API_KEY", "GOOGLE_API_KEY"],
    keys: Keys::Header { name: "x-goog-api-key", more: &[] },
    needs_key: true,
    endings: &[],
    unsupported: &[],
    call,
    read,
    stream: || Box::new(Assembly::default()),
    lines: false,
};

fn call(request: &Request, force: Force, stream: bool, _: bool) -> Call {
    let mut contents: Vec<Value> = Vec::new();
    let mut results: Vec<Value> = Vec::new();
    for message in request.messages {
        if let Message::Tool { name, content, .. } = message {
            // The API expects an object.
            let response = match serde_json::from_str::<Value>(content) {
                Ok(value @ Value::Object(_)) => value,
                _ => json!({ "result": content }),
            };
            results.push(json!({ "functionResponse": { "name": name, "response": response } }));
            continue;
        }
        if !results.is_empty() {
            contents.push(json!({ "role": "user", "parts": std::mem::take(&mut results) }));
        }
        match message {
            Message::User { content } => {
                contents.push(json!({ "role": "user", "parts": [{ "text": content }] }));
            }
            Message::Assistant { original: Some(parts), .. } => {
                contents.push(json!({ "role": "model", "parts": parts }));
            }
            Message::Assistant { content, tool_calls, .. } => {
                let text = content.iter().map(|text| json!({ "text": text }));
                let calls = tool_calls.iter().map(|call| {
                    let arguments: Value =
                        serde_json::from_str(&call.arguments).unwrap_or(json!({}));
                    json!({ "functionCall": { "name": call.name, "args": arguments } })
                });
                let parts: Vec<Value> = text.chain(calls).collect();
                contents.push(json!({ "role": "model", "parts": parts }));
            }
            _ => {}
        }
    }
    if !results.is_empty() {
        contents.push(json!({ "role": "user", "parts": results }));
    }
    let mut body = json!({
        "systemInstruction": { "parts": [{ "text": request.system() }] },
        "contents": contents,
    });
    if !request.tools.is_empty() {
        let declarations: Vec<Value> = request
            .tools
            .iter()
            .map(|tool| {
                json!({ "name": tool.name, "description": tool.description, "parametersJsonSchema": tool.parameters })
            })
            .collect();
        body["tools"] = json!([{ "functionDeclarations": declarations }]);
    }
    let config = request.config;
    let mut generation = json!({});
    if force != Force::Nothing {
        generation["responseMimeType"] = Value::from("application/json");
    }
    if force == Force::Schema {
        generation["responseJsonSchema"] = request.output.clone();
    }
    set(&mut generation, "temperature", config.temperature);
    set(&mut generation, "topP", config.top_p);
    set(&mut generation, "maxOutputTokens", config.max_tokens);
    set(&mut generation, "seed", config.seed);
    if let Some(effort) = &config.reasoning_effort {
        generation["thinkingConfig"] = match effort.as_str() {
            "none" => json!({ "thinkingBudget": 0 }),
            "xhigh" | "max" => json!({ "thinkingLevel": "high" }),
            effort => json!({ "thinkingLevel": effort }),
        };
    }
    body["generationConfig"] = generation;
    let model = request.model.strip_prefix("models/").unwrap_or(request.model);
    let model = percent_encoding::utf8_percent_encode(model, percent_encoding::NON_ALPHANUMERIC)
        .to_string()
        .replace("%2D", "-")
        .replace("%2E", ".")
        .replace("%5F", "_");
    let path = match stream {
        true => format!("/models/{model}:streamGenerateContent?alt=sse"),
        false => format!("/models/{model}:generateContent"),
    };
    Call { path, body }
}

fn read(body: &Value) -> Option<Completion> {
    let mut completion = Completion::default();
    let count = |name: &str| {
        body.get("usageMetadata").and_then(|usage| usage.get(name)?.as_u64()).unwrap_or_default()
    };
    completion.tokens = Tokens {
        input: count("promptTokenCount") + count("toolUsePromptTokenCount"),
        output: count("candidatesTokenCount") + count("thoughtsTokenCount"),
    };
    if let Some(reason) = body.pointer("/promptFeedback/blockReason").and_then(Value::as_str) {
        completion.refusal = Some(format!("the prompt was blocked: {reason}"));
        return Some(completion);
    }
    let candidate = body.get("candidates")?.as_array()?.first()?;
    let parts = candidate.pointer("/content/parts").and_then(Value::as_array);
    let parts = parts.map(Vec::as_slice).unwrap_or_default();
    let mut content = String::new();
    for (index, part) in parts.iter().enumerate() {
        let is_thought = part.get("thought").and_then(Value::as_bool).unwrap_or_default();
        if let Some(text) = part.get("text").and_then(Value::as_str).filter(|_| !is_thought) {
            content.push_str(text);
        }
        let Some(call) = part.get("functionCall") else { continue };
        let Some(name) = call.get("name").and_then(Value::as_str) else { continue };
        let id = call.get("id").and_then(Value::as_str);
        completion.tool_calls.push(ToolCall {
            id: id.map_or_else(|| format!("call_{index}"), str::to_owned),
            name: name.to_owned(),
            arguments: call.get("args").map(Value::to_string).unwrap_or_default(),
        });
    }
    completion.content = (!content.is_empty()).then_some(content);
    completion.original = (!parts.is_empty()).then(|| Value::from(parts.to_vec()));
    let finish = candidate.get("finishReason").and_then(Value::as_str);
    completion.finish = finish.map(|finish| match finish {
        "MAX_TOKENS" => "length".to_owned(),
        "SAFETY" | "PROHIBITED_CONTENT" | "BLOCKLIST" | "SPII" | "RECITATION" => {
            "content_filter".to_owned()
        }
        other => other.to_lowercase(),
    });
    Some(completion)
}

/// Each event is an answer with some of the parts.
#[derive(Default)]
struct Assembly {
    parts: Vec<Value>,
    last: Option<Value>,
    finish: Option<Value>,
}

impl Stream for Assembly {
    fn event(&mut self, event: &Event) -> Option<usize> {
        let value: Value = serde_json::from_str(&event.data).ok()?;
        let mut length = 0;
        let parts = value.pointer("/candidates/0/content/parts").and_then(Value::as_array);
        for part in parts.into_iter().flatten() {
            length += part.get("text").and_then(Value::as_str).map_or(0, str::len);
            self.add(part);
        }
        if let Some(finish) = value.pointer("/candidates/0/finishReason") {
            self.finish = Some(finish.clone());
        }
        self.last = Some(value);
        Some(length)
    }

    fn whole(self: Box<Self>) -> Option<Value> {
        let mut whole = self.last?;
        if whole.get("promptFeedback").is_some() || whole.get("error").is_some() {
            return Some(whole);
        }
        let finish = self.finish?;
        whole.as_object_mut()?.insert(
            "candidates".to_owned(),
            json!([{ "content": { "role": "model", "parts": self.parts }, "finishReason": finish }]),
        );
        Some(whole)
    }
}

impl Assembly {
    /// Pieces of one text become one part again.
    fn add(&mut self, part: &Value) {
        let plain = |part: &Value| {
            part.as_object().is_some_and(|part| part.len() == 1 && part.contains_key("text"))
        };
        match self.parts.last_mut().filter(|last| plain(last) && plain(part)) {
            Some(last) => {
                let text = |part: &Value| part["text"].as_str().unwrap_or_default().to_owned();
                *last = json!({ "text": text(last) + &text(part) });
            }
            None => self.parts.push(part.clone()),
        }
    }
}
