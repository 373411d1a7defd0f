//! What JSON is, by its keys: a message, an event of a transcript, a call, or other data.

use super::call::{COMMANDS, LAZY, LISTS, NEW, OLD, PATCHES, PATHS, TEXT};
use super::json::Json;
use super::shell;
use crate::edit::naming as words;

/// Keys that contain the name of a tool.
pub(super) const NAMES: &[&str] = &["name", "tool", "tool_name", "toolName", "recipient_name"];
/// Keys that contain the arguments of a call.
pub(super) const ARGUMENTS: &[&str] = &["input", "arguments", "args", "parameters", "params"];

/// Keys that are just as common in other data.
const GENERAL: &[&str] = &[
    "after",
    "args",
    "before",
    "changes",
    "chunks",
    "code",
    "file",
    "file_name",
    "filename",
    "find",
    "original",
    "path",
    "replace",
    "replacement",
    "search",
    "update",
    "updated",
    "uri",
];
/// Keys of an API's description of a file.
const TOLD: &[&str] =
    &["additions", "deletions", "download_url", "git_url", "sha", "size", "status"];
/// Words of a sentence that calls what follows data: `The response looks like this:`
const DATA: &[&str] = &[
    "body", "endpoint", "entry", "example", "like", "looks", "payload", "request", "response",
    "returned", "returns", "sample", "sends", "sent",
];

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
        || value.get("output").is_some_and(is_output)
        || result_in(value).is_some()
        || has("item")
            && value.get("type").and_then(|kind| kind.string()).as_deref()
                == Some("item.completed")
        || has("messages")
        || has("done") && (has("message") || has("response"))
        || value.get("message").is_some_and(|message| {
            has("type") || message.get("role").is_some() && message.get("content").is_some()
        })
        || has("type") && (has("payload") || has("content") || has("operation"));
    message || is_call(value)
}

/// Whether a value is the list of what a model wrote in the Responses API.
fn is_output(value: Json) -> bool {
    let known = |item: &Json| {
        item.get("type").and_then(|kind| kind.string()).is_some_and(|kind| {
            matches!(&*kind, "message" | "reasoning") || kind.ends_with("_call")
        })
    };
    value.items().is_some_and(|items| !items.is_empty() && items.iter().all(known))
}

/// The answer, if there is one, in what a program prints about a run: Claude Code's
/// `{"type":"result","result":"…"}`, Gemini CLI's `{"response":"…","stats":{}}`, and a line of the
/// batches of OpenAI and Anthropic.
pub(super) fn result_in(value: Json) -> Option<Option<Json>> {
    let kind = value.get("type").and_then(|kind| kind.string()).unwrap_or_default();
    let result = value.get("result");
    let response = value.get("response");
    if value.get("custom_id").is_some() {
        let body = response.and_then(|response| response.get("body"));
        let message = result.and_then(|result| result.get("message"));
        return (response.is_some() || result.is_some()).then(|| body.or(message));
    }
    if kind == "result" && (value.get("subtype").is_some() || value.get("session_id").is_some()) {
        return Some(result.filter(|result| result.string().is_some()));
    }
    let stats = value.get("stats").is_some() || value.get("session_id").is_some();
    (stats && response?.string().is_some()).then_some(response)
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

/// The same for a value in prose.
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
            || is_edit(&entries, text)
            || is_patch(&entries)
            || !text && is_command(&entries))
}

/// Whether an object has a patch, or a command that applies one.
fn is_patch(entries: &[(String, Json)]) -> bool {
    entries.iter().any(|(key, value)| {
        let known = PATCHES.contains(&key.as_str()) || COMMANDS.contains(&key.as_str());
        let words = || value.items().unwrap_or_else(|| vec![*value]);
        known
            && words()
                .iter()
                .any(|word| word.string().is_some_and(|text| shell::holds_patch(&text)))
    })
}

/// Whether an object is the arguments of a tool that runs commands: a list of words, or a script
/// next to nothing but settings of the run.
fn is_command(entries: &[(String, Json)]) -> bool {
    let words = |value: &Json| {
        let items = value.items().unwrap_or_default();
        !items.is_empty() && items.iter().all(|item| item.string().is_some())
    };
    entries.iter().any(|(key, value)| {
        COMMANDS.contains(&key.as_str())
            && (words(value) || value.string().is_some_and(|text| shell::writes(&text).is_some()))
    })
}

/// Whether an object without the name of a tool may be the arguments of one, judged by its keys.
/// In prose, code for the reader has the same general keys: only those of tools count.
fn is_edit(entries: &[(String, Json)], in_text: bool) -> bool {
    let keys: Vec<&str> = entries.iter().map(|(key, _)| key.as_str()).collect();
    let any = |names: &[&str]| keys.iter().any(|key| names.contains(key));
    let general: &[&str] = if in_text { GENERAL } else { &["args"] };
    let any_special =
        |names: &[&str]| keys.iter().any(|key| names.contains(key) && !general.contains(key));
    let command =
        keys.contains(&"command") && any(&["old_str", "file_text", "insert_line", "new_str"]);
    // Two general keys for old and new text say as much as a special one.
    let pair = any(OLD) && any(NEW) && !(in_text && any(&["before", "after"]));
    let whole = any(TEXT)
        && (!in_text
            || any_special(PATHS) && !any(&["text"])
            || any(&["file_text", "fileText", "CodeContent"]));
    let diff = any(&["diff", "patch"]) && !any(&["filename", "file"])
        || has_hunks(entries)
        || has_pairs(entries, if in_text { &["before", "after"] } else { &[] });
    let path = keys.iter().any(|key| PATHS.contains(key) && *key != "args");
    path && (any_special(OLD)
        || any_special(NEW)
        || pair
        || whole
        || diff
        || any_special(LISTS)
        || any_special(LAZY)
        || keys.contains(&"insert_line"))
        || command
        || any(&["patchText", "ReplacementChunks"])
        || any(&["old_string", "oldString", "old_str"]) && any(NEW)
}

/// The value of the first key that an object has.
fn value<'a>(entries: &[(String, Json<'a>)], names: &[&str]) -> Option<Json<'a>> {
    entries.iter().rev().find(|(key, _)| names.contains(&key.as_str())).map(|(_, value)| *value)
}

/// Whether an object has a diff, or blocks, of a file.
fn has_hunks(entries: &[(String, Json)]) -> bool {
    value(entries, TOLD).is_none()
        && value(entries, &["diff"]).and_then(|diff| diff.string()).is_some_and(|diff| {
            diff.lines().any(|line| line.starts_with("@@") || line.starts_with("<<<<<<<"))
        })
}

/// Whether an object has a list of old and new text, under other keys than these.
fn has_pairs(entries: &[(String, Json)], but: &[&str]) -> bool {
    let text = |item: &Json, names: &[&str]| {
        names.iter().any(|name| {
            !but.contains(name) && item.get(name).is_some_and(|text| text.string().is_some())
        })
    };
    let items = value(entries, LISTS).and_then(|list| list.items()).unwrap_or_default();
    !items.is_empty() && items.iter().all(|item| text(item, OLD) && text(item, NEW))
}

/// The files that a value in prose may change, although it has neither the name nor the keys of a
/// tool. Data that an API returns doesn't count.
pub(super) fn possible_edits(value: Json) -> Vec<String> {
    let items = value.items().unwrap_or_else(|| vec![value]);
    items.iter().filter_map(|item| possible_edit(&item.entries()?)).collect()
}

fn possible_edit(entries: &[(String, Json)]) -> Option<String> {
    let text = |names: &[&str]| value(entries, names).and_then(|text| text.string());
    let paths: Vec<&str> = PATHS.iter().copied().filter(|path| *path != "args").collect();
    let path = text(&paths).filter(|path| words::is_file_name(path))?;
    let changes = text(TEXT).is_some()
        || text(LAZY).is_some()
        || text(OLD).is_some() && text(NEW).is_some()
        || has_pairs(entries, &[]);
    (changes && value(entries, TOLD).is_none()).then_some(path)
}

/// Whether a sentence calls what follows data.
pub(super) fn is_about_data(sentence: &str) -> bool {
    super::prose::words_of(sentence).iter().any(|word| DATA.contains(&word.as_str()))
}

/// Whether a path looks like that of source code, and not of prose or data.
pub(super) fn is_source(path: &str) -> bool {
    let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension);
    words::is_file_name(path)
        && !words::is_document(path)
        && !matches!(extension, "csv" | "json" | "jsonl" | "log" | "tsv" | "xml")
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
