//! Containers of calls and text: API messages, JSON Lines transcripts, event streams. A document is
//! one of these only if all of it is.

use std::collections::{HashMap, HashSet};

use super::json::{self, Json};
use super::shape::{self, NAMES, is_call, is_known, is_part, is_said};
use super::stream::Stream;
use super::transcript::{by_assistant, has_failed, is_request, names_of_results, words_in};
use super::{Draft, Grammar, Why, invocation, markdown};
use crate::edit::Reason;

/// Values with which a client or a model reports that it stopped early.
const CUT_OFF: &[&str] = &[
    "max_tokens",
    "model_context_window_exceeded",
    "pause_turn",
    "refusal",
    "length",
    "content_filter",
    "incomplete",
    "in_progress",
    "MAX_TOKENS",
    "MALFORMED_FUNCTION_CALL",
    "SAFETY",
    "RECITATION",
    "PROHIBITED_CONTENT",
    "BLOCKLIST",
    "SPII",
    "OTHER",
    "LANGUAGE",
    "UNEXPECTED_TOOL_CALL",
    "content-filter",
    "content_filtered",
    "guardrail_intervened",
    "failed",
    "cancelled",
    "error",
];

/// The draft of a document that is a message, a transcript or a stream; `None` for any other
/// document.
pub(super) fn read(text: &str, grammars: &[&dyn Grammar]) -> Option<Draft> {
    let (inner, at) = bare(text);
    if let Some(draft) = events(inner, at, grammars) {
        return Some(draft);
    }
    let opens = inner.strip_prefix(['{', '['])?.trim_start();
    if !opens.starts_with(['"', '{', '}', ']', '[']) {
        return None;
    }
    let mut reader = Reader {
        grammars,
        draft: Draft::default(),
        answered: HashSet::new(),
        named: HashMap::new(),
    };
    match json::values(inner, at) {
        Ok(values) => {
            let known = values.iter().any(|value| is_known(*value));
            if !values.iter().all(|value| value.is_object() || value.is_array())
                || !known && !values.iter().all(|value| is_said(*value))
            {
                return None;
            }
            reader.values(&values);
            // Without a speaker, it's a message only if it contains edits.
            let edits = |fault: &super::Fault| fault.reason != Reason::NoEdits;
            if !known && reader.draft.steps.is_empty() && !reader.draft.faults.iter().any(edits) {
                return None;
            }
        }
        Err(_) if let Some(draft) = escaped(inner, at, grammars) => return Some(draft),
        Err(error) => {
            // Not valid JSON as a whole, and not Markdown that starts with a bracket.
            let line = inner.get(..inner.len()).map_or(1, |_| error.line());
            let first = json::first(inner, at);
            let known = first.map_or_else(
                || shape::looks_like_a_call(inner) || shape::looks_like_a_message(inner),
                is_known,
            );
            let rest =
                first.and_then(|first| inner.get(first.span().end - at..)).unwrap_or_default();
            let lines = first.is_none() || rest.trim_start().starts_with(['{', '[']);
            if !known || !lines {
                return None;
            }
            let start = inner
                .split_inclusive('\n')
                .take(line.saturating_sub(1))
                .map(str::len)
                .sum::<usize>()
                + at;
            let message = format!(
                "the JSON is invalid or cut off in line {}: {error}",
                line + text.get(..at).unwrap_or_default().matches('\n').count()
            );
            reader.draft.fault(
                start..start,
                if error.is_eof() { Reason::CutOff } else { Reason::InvalidJson },
                message,
            );
            reader.draft.envelope = true;
        }
    }
    reader.draft.free = true;
    Some(reader.draft)
}

/// The same for a document whose strings have line breaks.
fn escaped(inner: &str, at: usize, grammars: &[&dyn Grammar]) -> Option<Draft> {
    let escaped = json::Escaped::all(inner, at)?;
    let draft = read(&escaped.text, grammars)?;
    Some(Draft { ..draft.placed(&|span| escaped.place(span)) })
}

/// The text without a byte order mark and a fence around all of it.
fn bare(text: &str) -> (&str, usize) {
    let inner = text.strip_prefix('\u{feff}').unwrap_or(text).trim();
    let at = |part: &str| (part.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
    let unfenced = inner.split_once('\n').and_then(|(first, rest)| {
        let (mark, info) = super::fence::opener(first)?;
        let body = rest.trim_end().strip_suffix(mark)?;
        (matches!(info, "" | "json" | "jsonl" | "jsonc")
            && body.ends_with('\n')
            && !body.contains(mark))
        .then(|| body.trim())
    });
    let inner = unfenced.unwrap_or(inner);
    (inner, at(inner))
}

struct Reader<'g> {
    grammars: &'g [&'g dyn Grammar],
    draft: Draft,
    /// Calls that have a result.
    answered: HashSet<String>,
    /// How many results without an id name a tool.
    named: HashMap<String, usize>,
}

pub(super) fn string(value: Json, key: &str) -> Option<String> {
    value.get(key)?.string()
}

impl Reader<'_> {
    fn values(&mut self, values: &[Json]) {
        values.iter().for_each(|value| self.note_results(*value));
        match values {
            parts if parts.iter().all(is_part) => self.parts(parts),
            [one] => self.value(*one),
            many => self.transcript(many),
        }
        if self.draft.envelope && self.draft.steps.is_empty() && self.draft.faults.is_empty() {
            let quoted = !self.draft.skipped.is_empty()
                && self.draft.skipped.iter().all(|skipped| skipped.why == Why::Quoted);
            if !quoted {
                let span =
                    values.first().map_or(0..0, |value| value.span().start..value.span().start + 1);
                self.draft.fault(span, Reason::NoEdits, "the message contains no edit");
            }
        }
    }

    /// An answer of Ollama's in parts, each with some of the text: the last one is `done`.
    fn parts(&mut self, parts: &[Json]) {
        let (Some(first), Some(last)) = (parts.first(), parts.last()) else { return };
        self.draft.envelope = true;
        if last.get("done").and_then(|done| done.bool()) != Some(true) {
            let message = "the stream stops before its last part";
            return self.draft.fault(last.span(), Reason::CutOff, message);
        }
        self.cut_off(*last, &["done_reason"]);
        let text = |part: &Json| {
            part.get("message")
                .filter(|message| string(*message, "role").is_none_or(|role| role == "assistant"))
                .and_then(|message| string(message, "content"))
                .or_else(|| string(*part, "response"))
        };
        let whole: String = parts.iter().filter_map(text).collect();
        let span = first.span().start..last.span().end;
        self.draft.extend(markdown::scan(&whole, self.grammars).placed(&|_| span.clone()));
        for part in parts {
            let calls = part.get("message").and_then(|message| message.get("tool_calls"));
            let calls = calls.and_then(|calls| calls.items()).unwrap_or_default();
            calls.into_iter().for_each(|call| self.item(call));
        }
    }

    /// The ids of answered calls.
    fn note_results(&mut self, value: Json) {
        let mut open = vec![(value, 0, false)];
        while let Some((value, depth, wrapped)) = open.pop() {
            if depth > 5 {
                continue;
            }
            if let Some(items) = value.items() {
                open.extend(items.into_iter().map(|item| (item, depth + 1, false)));
            }
            let Some(entries) = value.entries() else { continue };
            let kind = entries
                .iter()
                .find(|(key, _)| key == "type")
                .and_then(|(_, value)| value.string())
                .unwrap_or_default();
            let role = entries
                .iter()
                .find(|(key, _)| key == "role")
                .and_then(|(_, value)| value.string())
                .unwrap_or_default();
            let answers =
                wrapped || kind.ends_with("result") || kind.ends_with("_output") || role == "tool";
            for (key, inner) in entries {
                match key.as_str() {
                    "tool_use_id" | "toolUseId" | "toolCallId" | "call_id" | "tool_call_id"
                        if answers =>
                    {
                        self.answered.extend(inner.string())
                    }
                    "messages" | "message" | "content" | "payload" | "input" | "output"
                    | "items" | "parts" => open.push((inner, depth + 1, false)),
                    // Bedrock's and Gemini's.
                    "toolResult" | "functionResponse" => open.push((inner, depth + 1, true)),
                    "id" if wrapped => self.answered.extend(inner.string()),
                    _ => {}
                }
            }
        }
    }

    fn value(&mut self, value: Json) {
        if let Some(items) = value.items() {
            return self.transcript(&items);
        }
        if let Some(messages) = value.get("messages").and_then(|messages| messages.items()) {
            return self.transcript(&messages);
        }
        if let Some(inner) = shape::result_in(value) {
            return self.result(value, inner);
        }
        if let Some(choices) = value.get("choices").and_then(|choices| choices.items()) {
            self.draft.envelope = true;
            if let [_, second, ..] = choices.as_slice() {
                return self.draft.fault(
                    second.span(),
                    Reason::SeveralVersions,
                    "the message has several choices; keep one",
                );
            }
            for choice in choices {
                self.cut_off(choice, &["finish_reason"]);
                match (choice.get("message"), choice.get("text")) {
                    (Some(message), _) => self.message(message),
                    (None, Some(text)) => self.text(text),
                    (None, None) => {}
                }
            }
            return;
        }
        if let Some(candidates) = value.get("candidates").and_then(|candidates| candidates.items())
        {
            self.draft.envelope = true;
            if let [_, second, ..] = candidates.as_slice() {
                return self.draft.fault(
                    second.span(),
                    Reason::SeveralVersions,
                    "the message has several candidates; keep one",
                );
            }
            for candidate in candidates {
                self.cut_off(candidate, &["finishReason"]);
                if let Some(content) = candidate.get("content") {
                    self.message(content);
                }
            }
            return;
        }
        if let Some(message) = value.get("output").and_then(|output| output.get("message")) {
            self.draft.envelope = true;
            self.cut_off(value, &["stopReason"]);
            return self.message(message);
        }
        if let Some(items) = value.get("output").and_then(|output| output.items()) {
            self.draft.envelope = true;
            self.cut_off(value, &["status"]);
            return items.into_iter().for_each(|item| self.item(item));
        }
        self.entry(value);
    }

    /// A program's wrapper around an answer, or a line of a batch.
    fn result(&mut self, value: Json, inner: Option<Json>) {
        self.draft.envelope = true;
        if has_failed(value) {
            let start = value.span().start;
            self.draft.fault(start..start + 1, Reason::CutOff, "the run ended with an error");
        }
        match inner {
            Some(inner) if inner.is_object() => self.value(inner),
            Some(inner) => self.text(inner),
            None => {}
        }
    }

    /// Several messages or events: the open operations of the assistant's last turn.
    fn transcript(&mut self, values: &[Json]) {
        let mut results = values.iter().filter(|value| value.get("custom_id").is_some());
        if let Some(second) = results.nth(1) {
            self.draft.envelope = true;
            let message = "the batch has several results; keep one";
            return self.draft.fault(second.span(), Reason::SeveralVersions, message);
        }
        let said: Vec<Option<bool>> = values.iter().map(|value| by_assistant(*value)).collect();
        if said.iter().all(Option::is_none) {
            // Consecutive calls.
            return values.iter().for_each(|value| self.value(*value));
        }
        self.draft.envelope = true;
        // Results come between calls; the user's words end a turn. Those after it may be thanks.
        let last = said.iter().rposition(|said| *said == Some(true)).unwrap_or(values.len());
        let before = values.get(..last).unwrap_or_default();
        let spoken =
            before.iter().rposition(|value| is_request(*value)).map_or(0, |index| index + 1);
        self.named = names_of_results(values.get(spoken..).unwrap_or_default());
        for (index, value) in values.iter().enumerate() {
            if string(*value, "type").is_some_and(|kind| kind == "turn.failed") {
                self.draft.fault(value.span(), Reason::CutOff, "the turn failed");
            } else if index > last && shape::result_in(*value).is_some() && has_failed(*value) {
                self.draft.fault(value.span(), Reason::CutOff, "the run ended with an error");
            } else if said.get(index).copied().flatten() == Some(true) && index >= spoken {
                self.entry(*value);
            } else {
                self.draft.skip(value.span(), Why::Quoted);
            }
        }
        for value in values.iter().skip(last + 1) {
            words_in(*value).iter().for_each(|said| self.draft.take_answer(said, value.span()));
        }
    }

    /// A message, an event of a transcript, or a call.
    fn entry(&mut self, value: Json) {
        if let Some(items) = value.items() {
            return items.into_iter().for_each(|item| self.entry(item));
        }
        let kind = string(value, "type").unwrap_or_default();
        if value.get("isSidechain").and_then(|value| value.bool()) == Some(true) {
            return self.draft.skip(value.span(), Why::Quoted);
        }
        if let Some(message) = value.get("message").filter(Json::is_object) {
            self.draft.envelope = true;
            return self.message(message);
        }
        if let Some(item) = value.get("item").filter(Json::is_object)
            && kind == "item.completed"
        {
            self.draft.envelope = true;
            return self.item(item);
        }
        if let Some(payload) = value.get("payload").filter(Json::is_object) {
            self.draft.envelope = true;
            return if kind == "response_item" {
                self.item(payload)
            } else {
                self.draft.skip(value.span(), Why::Quoted)
            };
        }
        if value.get("role").is_some() && !is_call(value)
            || value.get("tool_calls").is_some()
            || kind == "message"
            || kind.is_empty() && is_said(value) && !is_call(value)
        {
            self.draft.envelope = true;
            return self.message(value);
        }
        self.item(value);
    }

    fn cut_off(&mut self, value: Json, keys: &[&str]) {
        for key in keys {
            if let Some(reason) =
                string(value, key).filter(|reason| CUT_OFF.contains(&reason.as_str()))
            {
                let message = format!("the message is marked as incomplete: `{key}` is `{reason}`");
                self.draft.fault(
                    value.span().start..value.span().start + 1,
                    Reason::CutOff,
                    message,
                );
            }
        }
    }

    /// The content of one speaker's turn.
    fn message(&mut self, message: Json) {
        let role = string(message, "role").unwrap_or_default();
        if !matches!(role.as_str(), "" | "assistant" | "model") {
            return self.draft.skip(message.span(), Why::Quoted);
        }
        self.cut_off(message, &["stop_reason", "status", "finishReason"]);
        for key in ["content", "parts"] {
            let Some(content) = message.get(key) else { continue };
            match content.items() {
                Some(items) => items.into_iter().for_each(|item| self.item(item)),
                None => self.text(content),
            }
        }
        if let Some(calls) = message.get("tool_calls").and_then(|calls| calls.items()) {
            calls.into_iter().for_each(|call| self.item(call));
        }
        if let Some(call) = message.get("function_call").filter(Json::is_object) {
            self.item(call);
        }
    }

    /// Whether a call has a result, by its id or, for the calls of Gemini that have none, by its name.
    fn is_answered(&mut self, item: Json) -> bool {
        let call = ["functionCall", "toolUse"].iter().find_map(|key| item.get(key));
        let call = call.filter(Json::is_object).unwrap_or(item);
        let ids = ["id", "call_id", "toolCallId", "toolUseId"];
        let mut ids = ids.iter().filter_map(|key| string(call, key)).peekable();
        if ids.peek().is_some() {
            return ids.any(|id| self.answered.contains(&id));
        }
        let name = item.get("functionCall").and_then(|call| string(call, "name"));
        let left = name.and_then(|name| self.named.get_mut(&name)).filter(|left| **left > 0);
        left.map(|left| *left -= 1).is_some()
    }

    /// A part of a message: text, a call, or content to skip.
    fn item(&mut self, item: Json) {
        if item.entries().is_none() {
            return self.text(item);
        }
        let kind = string(item, "type").unwrap_or_default();
        let id = self.is_answered(item);
        let thought = item.get("thought").and_then(|thought| thought.bool()) == Some(true);
        match kind.as_str() {
            _ if thought => self.draft.skip(item.span(), Why::Thought),
            "thinking" | "redacted_thinking" | "reasoning" | "reasoning_content" => {
                self.draft.skip(item.span(), Why::Thought)
            }
            "message" => self.message(item),
            "text" | "output_text" | "agent_message" => {
                item.get("text").into_iter().for_each(|text| self.text(text))
            }
            kind if kind.ends_with("result")
                || kind.ends_with("_output")
                || kind == "server_tool_use" =>
            {
                self.draft.skip(item.span(), Why::Quoted)
            }
            _ if id => self.draft.skip(item.span(), Why::Quoted),
            "" if item.get("functionResponse").is_some() || item.get("toolResult").is_some() => {
                self.draft.skip(item.span(), Why::Quoted)
            }
            "tool" | "dynamic-tool" => self.part(item, string(item, "tool")),
            kind if kind.starts_with("tool-") && kind != "tool-call" => {
                self.part(item, kind.strip_prefix("tool-").map(str::to_owned))
            }
            "" if item.get("text").is_some() && !is_call(item) => {
                item.get("text").into_iter().for_each(|text| self.text(text))
            }
            _ => {
                if string(item, "status")
                    .is_some_and(|status| status == "in_progress" || status == "incomplete")
                {
                    self.draft.fault(item.span(), Reason::CutOff, "the call is incomplete");
                }
                invocation::call(item, &mut self.draft);
            }
        }
    }

    /// A call with its state, as interfaces keep it: `input-available`, `output-available`.
    fn part(&mut self, item: Json, name: Option<String>) {
        let name = name.or_else(|| NAMES.iter().find_map(|key| string(item, key)));
        let inner = item.get("state").filter(Json::is_object).unwrap_or(item);
        let state = string(inner, "status").or_else(|| string(inner, "state")).unwrap_or_default();
        match inner.get("input").or_else(|| inner.get("args")) {
            _ if state.starts_with("output")
                || matches!(&*state, "completed" | "error" | "result") =>
            {
                self.draft.skip(item.span(), Why::Quoted)
            }
            Some(arguments) if arguments.is_object() && !state.contains("streaming") => {
                invocation::named_call(
                    &name.unwrap_or_default(),
                    arguments,
                    item.span(),
                    &mut self.draft,
                )
            }
            _ => self.draft.fault(item.span(), Reason::CutOff, "the call is incomplete"),
        }
    }

    /// Text in a JSON string.
    fn text(&mut self, value: Json) {
        let Some(text) = value.string() else { return };
        let mut draft = markdown::scan(&text, self.grammars);
        let span = value.span();
        // Spans in the text become those of the string that contains it; names in it keep their
        // order.
        draft = draft.placed(&|_| span.clone());
        self.draft.extend(draft);
    }
}

/// A stream of server-sent events, which is complete only with its final event.
fn events(text: &str, at: usize, grammars: &[&dyn Grammar]) -> Option<Draft> {
    let is_field = |line: &str| {
        ["event:", "data:", "id:", "retry:", ":"].iter().any(|field| line.starts_with(field))
    };
    if !text.lines().all(|line| line.trim().is_empty() || is_field(line))
        || !text.lines().any(|line| line.starts_with("data:"))
    {
        return None;
    }
    let mut draft = Draft { envelope: true, ..Draft::default() };
    let mut stream = Stream::default();
    for line in text.lines() {
        let Some(data) = line.strip_prefix("data:").map(str::trim) else { continue };
        if data == "[DONE]" {
            stream.ended = true;
        } else if let Ok(value) = serde_json::from_str::<serde_json::Value>(data) {
            stream.take(&value);
        } else {
            stream.broken = true;
        }
    }
    let span = at..at + text.len();
    if !stream.ended || stream.broken {
        let last = text.trim_end().rfind('\n').map_or(at, |last| at + last + 1);
        draft.fault(
            last..at + text.trim_end().len(),
            Reason::CutOff,
            "the stream stops before its last event",
        );
        return Some(draft);
    }
    let whole = stream.message().to_string();
    let mut reader = Reader {
        grammars,
        draft: Draft::default(),
        answered: HashSet::new(),
        named: HashMap::new(),
    };
    if let Ok(values) = json::values(&whole, 0) {
        reader.values(&values);
    }
    draft.extend(reader.draft.placed(&|_| span.clone()));
    Some(draft)
}
