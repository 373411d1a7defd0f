//! The speaker of an entry of a transcript, and its message.

use std::collections::HashMap;

use super::json::Json;

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
        // Other items that Codex reports have already been carried out.
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

/// Whether a program's report about a run says that it failed.
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

/// The user's messages in an entry of a transcript, including that the turn was interrupted.
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
    let said: Vec<String> = match content.items() {
        Some(items) => items
            .iter()
            .filter_map(|item| item.string().or_else(|| string(*item, "text")))
            .collect(),
        None => content.string().into_iter().collect(),
    };
    if said.iter().any(|text| is_result(text)) { Vec::new() } else { said }
}

/// Whether Cline gives a tool's result in the user's name: `[write_to_file for 'a.py'] Result:`
fn is_result(text: &str) -> bool {
    let line = text.trim_start().lines().next().unwrap_or_default();
    line.starts_with('[') && line.contains("] Result:")
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
    is_users(message) && !results
}
