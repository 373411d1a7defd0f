//! What JSON is, by its keys: a message, an event of a transcript, a call, or other data.

use super::call;
use super::json::Json;

/// Keys that contain the name of a tool.
pub(super) const NAMES: &[&str] = &["name", "tool", "tool_name", "toolName", "recipient_name"];
/// Keys that contain the arguments of a call.
pub(super) const ARGUMENTS: &[&str] = &["input", "arguments", "args", "parameters", "params"];

/// Whether a value has the shape of a message, an event of a transcript, or a call.
pub(super) fn is_known(value: Json) -> bool {
    if let Some(items) = value.items() {
        return items.iter().any(|item| is_known(*item));
    }
    let Some(entries) = value.entries() else { return false };
    let has = |key: &str| entries.iter().any(|(name, _)| name == key);
    let message = has("role") && (has("content") || has("parts") || has("tool_calls"))
        || has("choices")
        || has("candidates")
        || has("output") && (has("object") || has("status") || has("id") || has("stopReason"))
        || has("messages")
        || has("done") && (has("message") || has("response"))
        || value.get("message").is_some_and(|message| {
            has("type") || message.get("role").is_some() && message.get("content").is_some()
        })
        || has("type") && (has("payload") || has("content") || has("operation"));
    message || is_call(value)
}

/// Whether a value may be a message that doesn't name its speaker.
pub(super) fn is_said(value: Json) -> bool {
    if let Some(items) = value.items() {
        return !items.is_empty() && items.iter().all(|item| is_said(*item));
    }
    let said = |message: Json| {
        ["content", "parts"].iter().any(|key| {
            message.get(key).is_some_and(|said| said.string().is_some() || said.is_array())
        })
    };
    said(value) || value.get("message").is_some_and(said)
}

/// Whether a value is a part of an answer of Ollama's, or all of it.
pub(super) fn is_part(value: &Json) -> bool {
    let done = value.get("done").is_some_and(|done| done.bool().is_some());
    done && (value.get("message").is_some_and(|message| message.is_object())
        || value.get("response").is_some())
}

/// Whether a value is a call of a tool, or the arguments of one.
pub(super) fn is_call(value: Json) -> bool {
    is_call_in(value, false)
}

/// The same for a value in a text.
pub(super) fn is_call_in(value: Json, text: bool) -> bool {
    if let Some(items) = value.items() {
        return !items.is_empty() && items.iter().all(|item| is_call_in(*item, text));
    }
    let Some(entries) = value.entries() else { return false };
    let keys: Vec<&str> = entries.iter().map(|(key, _)| key.as_str()).collect();
    let has = |names: &[&str]| keys.iter().any(|key| names.contains(key));
    // A tool definition isn't a call.
    let schema = entries
        .iter()
        .any(|(key, value)| ARGUMENTS.contains(&key.as_str()) && value.get("properties").is_some())
        || has(&["input_schema", "inputSchema"]);
    let named = has(NAMES) && has(ARGUMENTS);
    let wrapped =
        has(&["function", "functionCall", "function_call", "tool_calls", "tool_use", "toolUse"]);
    let kind = entries
        .iter()
        .find(|(key, _)| key == "type")
        .and_then(|(_, value)| value.string())
        .unwrap_or_default();
    !schema
        && (named
            || wrapped
            || kind.ends_with("_call")
            || kind == "tool_use"
            || call::is_edit(&keys, text))
}

/// Whether invalid JSON was meant as a call.
pub(super) fn looks_like_a_call(text: &str) -> bool {
    // Some models write literals in Python's spelling.
    let head = text.get(..text.floor_char_boundary(4000)).unwrap_or(text).replace('\'', "\"");
    let mut names: Vec<&str> = vec![
        "\"name\"",
        "\"old_string\"",
        "\"oldString\"",
        "\"old_str\"",
        "\"new_string\"",
        "\"file_text\"",
        "\"patchText\"",
        "\"tool_calls\"",
        "\"functionCall\"",
        "\"file_path\"",
    ];
    names.retain(|name| head.contains(name));
    match names.as_slice() {
        [] => false,
        ["\"name\""] => ARGUMENTS.iter().any(|key| head.contains(&format!("\"{key}\""))),
        _ => true,
    }
}

pub(super) fn looks_like_a_message(text: &str) -> bool {
    let head = text.get(..text.floor_char_boundary(2000)).unwrap_or(text);
    ["\"role\"", "\"choices\"", "\"candidates\"", "\"stop_reason\"", "\"output\"", "\"tool_use\""]
        .iter()
        .any(|key| head.contains(key))
}
