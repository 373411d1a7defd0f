//! Extracts JSON from the model's text: models think aloud, explain themselves, and use fences.

use std::borrow::Cow;
use std::collections::VecDeque;

use serde_json::Value;

/// At most this many places are tried.
const MOST_STARTS: usize = 1_000;
/// At most this many bytes are parsed in total: each start may lead to the end of the text.
const MOST_PARSED: usize = 64 << 20;

/// The JSON values in a reply, most likely first: the reply itself; without its thoughts; the
/// content of its fences; each object or list in it.
#[derive(Debug)]
pub struct Candidates<'a> {
    waiting: VecDeque<Value>,
    /// Searched for objects and lists, from `at`.
    text: Cow<'a, str>,
    at: usize,
    starts: usize,
    parsed: usize,
}

/// Reads a reply.
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
        match serde_json::from_str(&plain) {
            Ok(value) => return Ok(Candidates::only(value)),
            Err(other) => error = other.to_string(),
        }
    }
    for fenced in fences(&plain) {
        match serde_json::from_str(fenced) {
            Ok(value) => waiting.push_back(value),
            Err(other) if waiting.is_empty() => error = other.to_string(),
            Err(_) => {}
        }
    }
    let is_empty = plain.is_empty();
    let mut candidates = Candidates { waiting, text: plain, at: 0, starts: 0, parsed: 0 };
    match candidates.next() {
        Some(first) => {
            candidates.waiting.push_front(first);
            Ok(candidates)
        }
        None if is_empty && text.is_empty() => Err("it is empty".to_owned()),
        None if is_empty => Err("nothing follows the thoughts in it".to_owned()),
        None => Err(error),
    }
}

impl Candidates<'_> {
    fn only(value: Value) -> Self {
        Self { waiting: [value].into(), text: Cow::Borrowed(""), at: 0, starts: 0, parsed: 0 }
    }
}

impl Iterator for Candidates<'_> {
    type Item = Value;

    fn next(&mut self) -> Option<Value> {
        if let Some(value) = self.waiting.pop_front() {
            return Some(value);
        }
        loop {
            self.at += self.text.get(self.at..)?.find(['{', '['])?;
            let from = self.text.get(self.at..)?;
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
                    self.at += end;
                    return Some(value);
                }
                Some(Err(error)) => {
                    self.parsed += reached(from, &error);
                    self.at += 1;
                }
                None => return None,
            }
        }
    }
}

/// How far the parser got.
fn reached(text: &str, error: &serde_json::Error) -> usize {
    let lines = text.split_inclusive('\n').take(error.line().saturating_sub(1));
    lines.map(str::len).sum::<usize>() + error.column()
}

/// The text without the model's thoughts, as reasoning models and their servers mark them: closed
/// ones, and one that is cut off, which begins a line. Inside a value, tags are content.
fn without_thoughts(text: &str) -> Cow<'_, str> {
    let mut kept: Vec<&str> = Vec::new();
    let mut rest = after_stray_end(text);
    let mut unclosed = [false; TAGS.len()];
    let (mut from, mut in_value) = (0, false);
    while let Some((passed, behind)) = rest.get(from..).and_then(|rest| rest.split_once("<think")) {
        in_value |= passed.contains(['{', '[', '"', '`']);
        let at = from + passed.len();
        let before = rest.get(..at).unwrap_or_default();
        let begins_line = {
            let before = before.trim_end_matches([' ', '\t']);
            before.is_empty() || before.ends_with('\n')
        };
        from = at + 1;
        let tag = TAGS.iter().zip(&mut unclosed).find(|((open, _), _)| behind.starts_with(open));
        let Some(((_, close), unclosed)) = tag.filter(|_| begins_line || !in_value) else {
            continue;
        };
        let end = if *unclosed { None } else { behind.find(close) };
        *unclosed = end.is_none();
        if end.is_none() && !begins_line {
            continue;
        }
        kept.push(before);
        let after = end.and_then(|end| behind.get(end + close.len()..));
        rest = after_stray_end(after.unwrap_or_default());
        (from, in_value) = (0, false);
    }
    match kept.iter().all(|part| part.trim().is_empty()) {
        true => Cow::Borrowed(rest.trim()),
        false => {
            kept.push(rest);
            Cow::Owned(kept.concat().trim().to_owned())
        }
    }
}

/// What follows `<think` in the tag that opens a thought, and the tag that closes it.
const TAGS: [(&str, &str); 2] = [(">", "</think>"), ("ing>", "</thinking>")];

/// The text after a closing tag without an opening one, which some servers leave out.
fn after_stray_end(text: &str) -> &str {
    let text = text.trim_start();
    if text.starts_with(['{', '[', '"']) {
        return text;
    }
    let Some((before, behind)) = text.split_once("</think") else { return text };
    let after = TAGS.iter().find_map(|(end, _)| behind.strip_prefix(end));
    after.filter(|_| !before.contains("<think")).unwrap_or(text)
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
            "Sure. <think>{\"a\": 2}?</think> {\"a\": 1}",
            "Sure.\n<think>\n```\n{\"a\": 2}\n```\n</think>\n{\"a\": 1}",
            "{\"a\": 1}\n<think>or {\"a\": 2}?",
            "The tag <think> opens a thought. {\"a\": 1}",
        ] {
            assert_eq!(all(text).first(), Some(&json!({ "a": 1 })), "{text:?}");
        }
        assert_eq!(
            all("See [1]: {\"a\": {\"b\": 2}} {}"),
            [json!([1]), json!({ "a": { "b": 2 } }), json!({})]
        );
        // A thought that is cut off contains drafts.
        for text in [
            "<think>Maybe {\"a\": 2}? No, because",
            "<thinking>\n```\n{\"a\": 2}\n```\nNo,",
            "<think>ok</think><think>or {\"a\": 2}?",
            "Well.\n<think>{\"a\": 2}",
            "<think>\n{\"a\": 2}\n</thinking>",
        ] {
            assert_eq!(all(text), [Value::Null; 0], "{text}");
        }
        // A value may contain the tags.
        assert_eq!(
            all("Well: {\"a\": \"<think>b</think>\"}"),
            [json!({ "a": "<think>b</think>" })]
        );
        assert_eq!(all("{\"a\": \"</think>\"}"), [json!({ "a": "</think>" })]);
        assert_eq!(all("Well: {\"a\": \"日本 }\"}"), [json!({ "a": "日本 }" })]);
    }

    #[test]
    fn hostile_text_is_read_in_linear_time() {
        for piece in [
            "{",
            "[",
            "{\"a\":",
            "[{\"a\":[",
            "<think>",
            "<think></think>",
            "x<think></thinking>",
            "```\n",
            "[1,",
        ] {
            let text = piece.repeat(200_000);
            assert!(read(&text).is_err(), "{piece}");
        }
    }
}
