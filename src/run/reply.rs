//! Extracts JSON from the model's text: models think aloud, explain themselves, and use fences.

use std::collections::VecDeque;

use serde_json::Value;

/// At most this many places of a text are tried.
const MOST_STARTS: usize = 1_000;
/// At most this many bytes are parsed in all: each start may lead to the end of the text.
const MOST_PARSED: usize = 64 << 20;

/// The JSON values of a text, likeliest first: the text itself; without its thoughts; the content of
/// its fences; each object or list in it.
#[derive(Debug)]
pub struct Candidates<'a> {
    waiting: VecDeque<Value>,
    /// What is left to search for objects and lists.
    rest: Option<&'a str>,
    starts: usize,
    parsed: usize,
}

/// Reads a text.
///
/// # Errors
/// The JSON parser's error, if the text contains no JSON at all.
pub fn read(text: &str) -> Result<Candidates<'_>, String> {
    let text = text.trim().trim_start_matches('\u{feff}').trim();
    let error = match serde_json::from_str(text) {
        Ok(value) => return Ok(Candidates::only(value)),
        Err(error) => error,
    };
    let plain = without_thoughts(text);
    let mut error = error.to_string();
    let mut waiting = VecDeque::new();
    if plain.len() < text.len() {
        match serde_json::from_str(plain) {
            Ok(value) => return Ok(Candidates::only(value)),
            Err(other) => error = other.to_string(),
        }
    }
    for fenced in fences(plain) {
        match serde_json::from_str(fenced) {
            Ok(value) => waiting.push_back(value),
            Err(other) if waiting.is_empty() => error = other.to_string(),
            Err(_) => {}
        }
    }
    let mut candidates = Candidates { waiting, rest: Some(plain), starts: 0, parsed: 0 };
    match candidates.next() {
        Some(first) => {
            candidates.waiting.push_front(first);
            Ok(candidates)
        }
        None if plain.is_empty() => Err("it is empty".to_owned()),
        None => Err(error),
    }
}

impl Candidates<'_> {
    fn only(value: Value) -> Self {
        Self { waiting: [value].into(), rest: None, starts: 0, parsed: 0 }
    }
}

impl Iterator for Candidates<'_> {
    type Item = Value;

    fn next(&mut self) -> Option<Value> {
        if let Some(value) = self.waiting.pop_front() {
            return Some(value);
        }
        loop {
            let rest = self.rest.take()?;
            let start = rest.find(['{', '['])?;
            let from = rest.get(start..)?;
            self.starts += 1;
            if self.starts > MOST_STARTS || self.parsed > MOST_PARSED {
                return None;
            }
            let mut values = serde_json::Deserializer::from_str(from).into_iter::<Value>();
            let value = values.next();
            let end = values.byte_offset();
            match value {
                Some(Ok(value)) => {
                    self.parsed += end;
                    self.rest = from.get(end..);
                    return Some(value);
                }
                Some(Err(error)) => {
                    self.parsed += reached(from, &error);
                    self.rest = from.get(1..);
                }
                None => return None,
            }
        }
    }
}

/// How far the parser came.
fn reached(text: &str, error: &serde_json::Error) -> usize {
    let lines = text.split_inclusive('\n').take(error.line().saturating_sub(1));
    lines.map(str::len).sum::<usize>() + error.column()
}

/// The text after the model's thoughts, as reasoning models and their servers mark them.
fn without_thoughts(text: &str) -> &str {
    let mut text = text;
    loop {
        let before = text;
        for (open, close) in [("<think>", "</think>"), ("<thinking>", "</thinking>")] {
            // Some servers leave out the opening tag.
            let first = text.find(close);
            let is_thought = text.starts_with(open)
                || first.is_some_and(|end| !text.get(..end).unwrap_or_default().contains(open));
            let after = first.and_then(|end| text.get(end + close.len()..));
            // Inside a value, tags are content.
            let in_value = text.starts_with(['{', '[', '"']);
            if let Some(after) = after.filter(|_| is_thought && !in_value) {
                text = after.trim();
            }
        }
        if text.len() == before.len() {
            return text;
        }
    }
}

/// The contents of the fences; an unclosed one contains the rest.
fn fences(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut offset = 0;
    let mut open: Option<(usize, &str)> = None;
    for line in text.split_inclusive('\n') {
        let bare = line.trim();
        match open {
            None if bare.starts_with("```") || bare.starts_with("~~~") => {
                let length = bare.bytes().take_while(|byte| bare.bytes().next() == Some(*byte));
                open = bare.get(..length.count()).map(|fence| (offset + line.len(), fence));
            }
            Some((start, fence))
                if bare.starts_with(fence)
                    && bare.bytes().all(|byte| fence.bytes().next() == Some(byte)) =>
            {
                found.extend(text.get(start..offset));
                open = None;
            }
            _ => {}
        }
        offset += line.len();
    }
    found.extend(open.and_then(|(start, _)| text.get(start..)));
    found
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn all(text: &str) -> Vec<Value> {
        read(text).map(Iterator::collect).unwrap_or_default()
    }

    #[test]
    fn mdl_29_a_fence_is_removed() {
        for text in [
            "{\"a\": 1}",
            " \n{\"a\": 1}\n",
            "\u{feff}{\"a\": 1}",
            "```json\n{\"a\": 1}\n```",
            "```\n{\"a\": 1}\n```\n",
            "````json\n{\"a\": 1}\n````",
            "~~~\n{\"a\": 1}\n~~~",
            "Here it is:\r\n\r\n```json\r\n{\"a\": 1}\r\n```\r\nBye.",
            "```json\n{\"a\": 1}",
        ] {
            assert_eq!(all(text).first(), Some(&json!({ "a": 1 })), "{text:?}");
        }
        // A value that contains a fence is a value.
        assert_eq!(all("{\"a\": \"```\\n{}\\n```\"}"), [json!({ "a": "```\n{}\n```" })]);
        for text in ["", "Sorry.", "{\"a\": 1", "```json\n{\n```", "<think>a</think>", "a } b"] {
            assert!(read(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn mdl_29_json_is_found_among_other_words() {
        for text in [
            "<think>Let me count: {\"a\": 2}?</think>{\"a\": 1}",
            "<think>\n</think>\n\n```json\n{\"a\": 1}\n```",
            "no opening tag </think> {\"a\": 1}",
            "<thinking>a</thinking><think>b</think>\n{\"a\": 1}",
            "Here is: {\"a\": 1}",
            "Here is: {\"a\": 1}. Do you need {more}?",
            "{ \"a\": 1 } is the result",
            "{curly} braces, then {\"a\": 1}",
            "```\nno json\n```\n{\"a\": 1}",
        ] {
            assert_eq!(all(text).first(), Some(&json!({ "a": 1 })), "{text:?}");
        }
        assert_eq!(
            all("See [1]: {\"a\": {\"b\": 2}} {}"),
            [json!([1]), json!({ "a": { "b": 2 } }), json!({})]
        );
        // A value may contain the tags.
        assert_eq!(all("{\"a\": \"</think>\"}"), [json!({ "a": "</think>" })]);
        assert_eq!(all("Well: {\"a\": \"日本 }\"}"), [json!({ "a": "日本 }" })]);
    }

    #[test]
    fn hostile_text_is_read_in_linear_time() {
        for piece in ["{", "[", "{\"a\":", "[{\"a\":[", "<think>", "```\n", "[1,"] {
            let text = piece.repeat(200_000);
            assert!(read(&text).is_err(), "{piece}");
        }
    }
}
