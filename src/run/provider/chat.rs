//! OpenAI's Chat Completions, which most other providers speak, too. Parsing is lenient: missing or
//! unknown fields are not errors.

use serde_json::{Map, Value, json};

use super::api::{Api, Call, Keys, Stream, append, set};
use crate::run::mcp::Event;
use crate::run::message::{Completion, Force, Message, Request, Tokens, ToolCall};

pub static CHAT: Api = Api {
    name: "openai",
    title: "OpenAI",
    url: "https://api.openai.com/v1",
    url_variables: &["OPENAI_BASE_URL"],
    key_variables: &["OPENAI_API_KEY"],
    keys: Keys::Bearer,
    needs_key: true,
    endings: &["/chat/completions"],
    unsupported: &[],
    call,
    read,
    stream: || Box::new(Assembly::default()),
    lines: false,
};

fn call(request: &Request, force: Force, stream: bool, is_default: bool) -> Call {
    let messages: Vec<Value> = request.messages.iter().map(message).collect();
    let mut body = json!({ "model": request.model, "messages": messages });
    if !request.tools.is_empty() {
        body["tools"] = request
            .tools
            .iter()
            .map(|tool| {
                let mut function = json!({ "name": tool.name });
                if !tool.description.is_empty() {
                    function["description"] = Value::from(tool.description.as_str());
                }
                function["parameters"] = tool.parameters.clone();
                json!({ "type": "function", "function": function })
            })
            .collect();
    }
    match force {
        Force::Schema => {
            let schema =
                json!({ "name": "output", "strict": request.strict, "schema": request.output });
            body["response_format"] = json!({ "type": "json_schema", "json_schema": schema });
        }
        Force::Object => body["response_format"] = json!({ "type": "json_object" }),
        Force::Nothing => {}
    }
    let config = request.config;
    set(&mut body, "temperature", config.temperature);
    set(&mut body, "top_p", config.top_p);
    // Others rarely know the new name, and OpenAI's new models refuse the old one.
    let limit = if is_default { "max_completion_tokens" } else { "max_tokens" };
    set(&mut body, limit, config.max_tokens);
    set(&mut body, "seed", config.seed);
    set(&mut body, "reasoning_effort", config.reasoning_effort.clone());
    if stream {
        body["stream"] = Value::Bool(true);
        body["stream_options"] = json!({ "include_usage": true });
    }
    Call { path: "/chat/completions".to_owned(), body }
}

fn message(message: &Message) -> Value {
    match message {
        Message::System { content } => json!({ "role": "system", "content": content }),
        Message::User { content } => json!({ "role": "user", "content": content }),
        Message::Assistant { content, tool_calls, .. } => {
            let mut value = json!({ "role": "assistant", "content": content });
            if !tool_calls.is_empty() {
                value["tool_calls"] = tool_calls
                    .iter()
                    .map(|call| json!({ "id": call.id, "type": "function", "function": { "name": call.name, "arguments": call.arguments } }))
                    .collect();
            }
            value
        }
        Message::Tool { tool_call_id, content, .. } => {
            json!({ "role": "tool", "tool_call_id": tool_call_id, "content": content })
        }
    }
}

fn read(body: &Value) -> Option<Completion> {
    let choice = body.get("choices")?.as_array()?.first()?;
    let message = choice.get("message")?;
    let calls = message.get("tool_calls").and_then(Value::as_array);
    let calls = calls.map(Vec::as_slice).unwrap_or_default();
    let count = |names: [&str; 2]| {
        names.iter().find_map(|name| body.get("usage")?.get(name)?.as_u64()).unwrap_or_default()
    };
    Some(Completion {
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
        original: None,
    })
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
    Some(ToolCall {
        id: id(call).map_or_else(|| format!("call_{index}"), str::to_owned),
        name: function.get("name")?.as_str()?.to_owned(),
        arguments: arguments(function),
    })
}

fn arguments(function: &Value) -> String {
    match function.get("arguments") {
        Some(Value::String(arguments)) => arguments.clone(),
        // Some providers send the object itself.
        Some(Value::Null) | None => String::new(),
        Some(other) => other.to_string(),
    }
}

/// An answer that arrives in pieces.
#[derive(Default)]
struct Assembly {
    message: Map<String, Value>,
    /// With their indexes, if the provider sends any.
    calls: Vec<(Option<u64>, Value)>,
    finish: Option<Value>,
    usage: Option<Value>,
    done: bool,
}

impl Stream for Assembly {
    fn event(&mut self, event: &Event) -> Option<usize> {
        if event.data.trim() == "[DONE]" {
            self.done = true;
            return Some(0);
        }
        let value: Value = serde_json::from_str(&event.data).ok()?;
        if let Some(usage) = value.get("usage").filter(|usage| usage.is_object()) {
            self.usage = Some(usage.clone());
        }
        let choice = value.get("choices").and_then(|choices| choices.get(0));
        let Some(choice) = choice else { return Some(0) };
        if let Some(finish) = choice.get("finish_reason").filter(|finish| finish.is_string()) {
            self.finish = Some(finish.clone());
        }
        let mut length = 0;
        let delta = choice.get("delta").and_then(Value::as_object);
        for (name, value) in delta.into_iter().flatten() {
            match (name.as_str(), value) {
                ("content" | "refusal", Value::String(text)) => {
                    length += text.len();
                    append(&mut self.message, name, text);
                }
                ("tool_calls", Value::Array(calls)) => {
                    calls.iter().for_each(|call| length += self.call(call));
                }
                _ => {}
            }
        }
        Some(length)
    }

    fn whole(self: Box<Self>) -> Option<Value> {
        if !self.done && self.finish.is_none() {
            return None;
        }
        let mut message = self.message;
        message.insert("role".to_owned(), Value::from("assistant"));
        message.entry("content").or_insert(Value::Null);
        if !self.calls.is_empty() {
            let mut calls = self.calls;
            calls.sort_by_key(|(index, _)| *index);
            let calls = calls.into_iter().map(|(_, call)| call).collect();
            message.insert("tool_calls".to_owned(), Value::Array(calls));
        }
        let choice = json!({ "index": 0, "message": message, "finish_reason": self.finish });
        Some(json!({ "choices": [choice], "usage": self.usage }))
    }
}

impl Assembly {
    /// Adds a piece of a tool call.
    fn call(&mut self, piece: &Value) -> usize {
        const MOST: usize = 1_000;
        let at = match self.known(piece) {
            Some(at) => at,
            None if self.calls.len() >= MOST => return 0,
            None => {
                let index = piece.get("index").and_then(Value::as_u64);
                self.calls.push((index, json!({ "type": "function", "function": {} })));
                self.calls.len() - 1
            }
        };
        let call = self.calls.get_mut(at).and_then(|(_, call)| call.as_object_mut());
        let Some(call) = call else { return 0 };
        if let Some(id) = id(piece) {
            call.insert("id".to_owned(), Value::from(id));
        }
        let function = call.get_mut("function").and_then(Value::as_object_mut);
        let (Some(function), Some(given)) = (function, piece.get("function")) else { return 0 };
        // Some providers repeat it in every piece.
        let known = function.get("name").and_then(Value::as_str);
        if let Some(name) =
            given.get("name").and_then(Value::as_str).filter(|name| known != Some(name))
        {
            append(function, "name", name);
        }
        let arguments = arguments(given);
        append(function, "arguments", &arguments);
        arguments.len()
    }

    /// The call that a piece continues: the last one with its index, unless its identifier or its name shows
    /// that another one begins. Some providers send whole calls without an index, or all with the same one.
    fn known(&self, piece: &Value) -> Option<usize> {
        let index = piece.get("index").and_then(Value::as_u64);
        let own = id(piece);
        let is_own = |call: &Value| own.is_some() && id(call) == own;
        if let Some(known) = self.calls.iter().rposition(|(_, call)| is_own(call)) {
            return Some(known);
        }
        let found = match index {
            Some(_) => self.calls.iter().rposition(|(known, _)| *known == index),
            None if own.is_some() => None,
            None => self.calls.len().checked_sub(1),
        };
        let (_, call) = self.calls.get(found?)?;
        if own.is_some() && id(call).is_some() {
            return None;
        }
        let is_named = |call: &Value| call.pointer("/function/name").is_some_and(Value::is_string);
        let written = call.pointer("/function/arguments").and_then(Value::as_str);
        let is_whole = is_named(piece)
            && is_named(call)
            && written.is_some_and(|text| serde_json::from_str::<Value>(text).is_ok());
        found.filter(|_| !is_whole)
    }
}

fn id(call: &Value) -> Option<&str> {
    call.get("id").and_then(Value::as_str).filter(|id| !id.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mdl_27_streamed_calls_are_distinguished() {
        let piece = |index: Option<u64>, id: Option<&str>, name: Option<&str>, arguments: Value| {
            let mut piece = json!({ "function": { "arguments": arguments } });
            index.into_iter().for_each(|index| piece["index"] = index.into());
            id.into_iter().for_each(|id| piece["id"] = id.into());
            name.into_iter().for_each(|name| piece["function"]["name"] = name.into());
            piece
        };
        let (one, two) = ((Some("a"), Some("one")), (Some("b"), Some("two")));
        let whole = |x: u64| json!(format!("{{\"x\":{x}}}"));
        let both = [("a", "one", "{\"x\":1}"), ("b", "two", "{\"x\":2}")];
        for (pieces, expected) in [
            (
                vec![
                    piece(Some(0), one.0, one.1, whole(1)),
                    piece(Some(1), two.0, two.1, whole(2)),
                ],
                &both[..],
            ),
            (
                vec![
                    piece(Some(1), two.0, two.1, whole(2)),
                    piece(Some(0), one.0, one.1, whole(1)),
                ],
                &both,
            ),
            (
                vec![
                    piece(Some(0), one.0, one.1, whole(1)),
                    piece(Some(0), two.0, two.1, whole(2)),
                ],
                &both,
            ),
            (vec![piece(None, one.0, one.1, whole(1)), piece(None, two.0, two.1, whole(2))], &both),
            (
                vec![
                    piece(Some(0), one.0, one.1, json!("")),
                    piece(Some(0), two.0, two.1, whole(2)),
                ],
                &[("a", "one", ""), ("b", "two", "{\"x\":2}")],
            ),
            (
                vec![piece(None, None, one.1, whole(1)), piece(None, None, two.1, whole(2))],
                &[("call_0", "one", "{\"x\":1}"), ("call_1", "two", "{\"x\":2}")],
            ),
            (vec![piece(Some(0), one.0, one.1, json!({ "x": 1 }))], &both[..1]),
            (
                vec![
                    piece(Some(0), one.0, one.1, json!("{\"x\"")),
                    piece(Some(0), one.0, one.1, json!(":1")),
                    piece(Some(0), None, None, json!("}")),
                ],
                &both[..1],
            ),
            (
                vec![
                    piece(None, one.0, one.1, json!("")),
                    piece(None, None, None, json!("{\"x\"")),
                    piece(None, None, None, json!(":1}")),
                ],
                &both[..1],
            ),
            (
                vec![
                    piece(Some(0), one.0, Some("o"), Value::Null),
                    piece(Some(0), None, Some("ne"), whole(1)),
                ],
                &both[..1],
            ),
        ] {
            let mut assembly = Assembly { done: true, ..Assembly::default() };
            pieces.iter().for_each(|piece| _ = assembly.call(piece));
            let found = read(&Box::new(assembly).whole().unwrap()).unwrap().tool_calls;
            let found: Vec<_> = found
                .iter()
                .map(|call| (call.id.as_str(), call.name.as_str(), call.arguments.as_str()))
                .collect();
            assert_eq!(found, expected, "{pieces:?}");
        }
    }

    #[test]
    fn mdl_27_answers_are_parsed_leniently() {
        let read = |body: Value| read(&body);
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
