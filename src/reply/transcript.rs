//! Whose an entry of a transcript is, and what it says.

use std::collections::HashMap;

use super::element::{self, Opens};
use super::json::Json;

/// The roles of tools.
const TOOLS: &[&str] = &["function", "ipython", "observation", "tool"];

fn string(value: Json, key: &str) -> Option<String> {
    value.get(key)?.string()
}

/// Whether an entry of a transcript is the assistant's; `None` if it doesn't name a speaker.
pub(super) fn by_assistant(value: Json) -> Option<bool> {
    let kind = string(value, "type").unwrap_or_default();
    match kind.as_str() {
        "assistant" => return Some(true),
        "user"
        | "system"
        | "summary"
        | "file-history-snapshot"
        | "event_msg"
        | "session_meta"
        | "turn_context" => return Some(false),
        // What Codex reports besides its messages is done.
        "item.completed" => {
            let item = value.get("item")?;
            return Some(string(item, "type").is_some_and(|kind| kind == "agent_message"));
        }
        kind if ["item.", "thread.", "turn."].iter().any(|start| kind.starts_with(start)) => {
            return Some(false);
        }
        "response_item" => {
            let payload = value.get("payload")?;
            return Some(string(payload, "role").is_none_or(|role| role == "assistant"));
        }
        _ => {}
    }
    string(value, "role").map(|role| role == "assistant" || role == "model")
}

/// Whether what a program prints about a run says that it failed.
pub(super) fn has_failed(value: Json) -> bool {
    value.get("is_error").and_then(|failed| failed.bool()) == Some(true)
        || string(value, "subtype").is_some_and(|subtype| subtype.starts_with("error"))
        || value.get("error").is_some_and(|error| !error.is_null())
}

/// How many of Gemini's results without an id there are for each tool.
pub(super) fn names_of_results(values: &[Json]) -> HashMap<String, usize> {
    let mut found = HashMap::new();
    for value in values {
        for part in value.get("parts").and_then(|parts| parts.items()).unwrap_or_default() {
            let Some(result) = part.get("functionResponse") else { continue };
            if let Some(name) = string(result, "name").filter(|_| result.get("id").is_none()) {
                *found.entry(name).or_default() += 1;
            }
        }
    }
    found
}

/// The message in an entry of a transcript.
fn message_in(value: Json) -> Json {
    let message = value.get("message").filter(Json::is_object);
    message.or_else(|| value.get("payload")).unwrap_or(value)
}

fn is_users(message: Json) -> bool {
    string(message, "role").is_some_and(|role| role == "user" || role == "human")
}

/// What the user says in an entry of a transcript, and that the user stops the turn.
pub(super) fn words_in(value: Json) -> Vec<String> {
    let message = message_in(value);
    if string(message, "type").is_some_and(|kind| kind == "turn_aborted") {
        return vec![string(message, "reason").unwrap_or_else(|| "turn aborted".to_owned())];
    }
    // A subagent's prompt is the model's.
    let marked = |key: &str| value.get(key).and_then(|mark| mark.bool()) == Some(true);
    if !is_users(message) || marked("isMeta") || marked("isSidechain") {
        return Vec::new();
    }
    let Some(content) = message.get("content").or_else(|| message.get("parts")) else {
        return Vec::new();
    };
    let said = texts(content);
    if said.iter().any(|text| is_result(text)) { Vec::new() } else { said }
}

/// Whether a tool's result is given in the user's name, as Cline's `[write_to_file for 'a.py']
/// Result:` and Qwen's `<tool_response>` are.
fn is_result(text: &str) -> bool {
    let text = text.trim_start();
    let line = text.lines().next().unwrap_or_default();
    line.starts_with('[') && line.contains("] Result:")
        || element::opens(text, 0) == Some(Opens::Answer)
}

/// The texts of a message.
fn texts(content: Json) -> Vec<String> {
    match content.items() {
        Some(items) => items
            .iter()
            .filter_map(|item| item.string().or_else(|| string(*item, "text")))
            .collect(),
        None => content.string().into_iter().collect(),
    }
}

/// Whether an entry of a transcript is the result of calls, and doesn't say of which ones.
pub(super) fn is_answer(value: Json) -> bool {
    let message = message_in(value);
    let ids = ["tool_call_id", "toolCallId", "tool_use_id", "call_id"];
    let texts = message.get("content").map(texts).unwrap_or_default();
    let tool = string(message, "role").is_some_and(|role| TOOLS.contains(&role.as_str()));
    !ids.iter().any(|id| message.get(id).is_some())
        && (tool && !texts.is_empty()
            || is_users(message) && texts.iter().any(|text| is_result(text)))
}

/// Whether an entry of a transcript contains the user's words rather than tool results.
pub(super) fn is_request(value: Json) -> bool {
    let message = message_in(value);
    let content = message.get("content").or_else(|| message.get("parts"));
    let result = |item: &Json| {
        string(*item, "type").is_some_and(|kind| kind.ends_with("result"))
            || item.get("functionResponse").is_some()
    };
    let results =
        content.and_then(|content| content.items()).is_some_and(|items| items.iter().any(result));
    is_users(message) && !results && !is_answer(value)
}
