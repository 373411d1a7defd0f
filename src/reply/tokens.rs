//! Thought and calls between the special tokens of models, as a server leaves them in the text if
//! it doesn't know the model.
//!
//! The forms are those of the models' own templates: Qwen3-Coder (`<function=edit>`), GLM-4.5
//! (`<arg_key>`), Kimi K2, DeepSeek V3, Mistral (`[ARGS]`), Llama 3 and OpenAI's Harmony.

use super::call::{self, Argument, Arguments, Call, NEW, OLD, PATHS, TEXT};
use super::lines::{Line, line_at};
use super::markdown::Scanner;
use super::tags::{attribute, closing, tag};
use super::{Draft, Why, element, invocation};
use crate::edit::Reason;
use crate::text::Span;

/// Marks around thought that aren't tags.
const THOUGHTS: &[(&str, &str)] = &[("[THINK]", "[/THINK]"), ("◁think▷", "◁/think▷")];
/// The first words of the title of a folded thought.
const TITLES: &[&str] = &["chain of thought", "reasoning", "thinking", "thought"];
/// Tokens without meaning for edits.
const SILENT: &[&str] = &[
    "<|tool_calls_section_begin|>",
    "<|tool_calls_section_end|>",
    "<｜tool▁calls▁begin｜>",
    "<｜tool▁calls▁end｜>",
    "<|end|>",
    "<|return|>",
];
/// Tokens that may follow a sentence in its line.
const OPENING: &[&str] = &[
    "<|tool_calls_section_begin|>",
    "<|tool_call_begin|>",
    "<｜tool▁calls▁begin｜>",
    "<｜tool▁call▁begin｜>",
    "<|start|>",
    "<|channel|>analysis",
    "<|channel|>commentary",
    "<|channel|>final",
];
const KIMI: (&str, &str, &str) =
    ("<|tool_call_begin|>", "<|tool_call_argument_begin|>", "<|tool_call_end|>");
const DEEPSEEK: (&str, &str, &str) =
    ("<｜tool▁call▁begin｜>", "<｜tool▁sep｜>", "<｜tool▁call▁end｜>");
const MISTRAL: (&str, &str) = ("[TOOL_CALLS]", "[ARGS]");
const FUNCTION: &str = "<function=";
const HARMONY: (&str, &str, &str) = ("<|start|>", "<|channel|>", "<|message|>");
const USER: &str = "<|start|>user";
/// A longer name isn't the name of a tool.
const LONGEST_NAME: usize = 200;

/// Whether a line contains the head of a message of the user's.
pub(super) fn is_user(line: &str) -> bool {
    line.contains(USER)
}

/// Whether the text ends thought that nothing in its line opens: `Better not.[/THINK]`. At the end of
/// a reply, it's about the tag.
pub(super) fn ends_thought(text: &str) -> bool {
    let marks = THOUGHTS.iter().any(|(open, close)| text.ends_with(close) && !text.contains(open));
    let tag = || {
        let at = text.rfind("</")?;
        let (before, close) = text.split_at_checked(at)?;
        let name = close.strip_prefix("</")?.strip_suffix('>')?;
        let open = format!("<{name}").to_lowercase();
        let spoken = before.ends_with('`') || before.to_lowercase().contains(&open);
        Some(!spoken && element::closes_thought(close))
    };
    marks || tag() == Some(true)
}

impl<'t> Scanner<'t, '_> {
    /// Thought and calls that begin with a token in this line; returns the line after them.
    pub(super) fn tokens(&mut self, at: usize, to: usize) -> Option<usize> {
        let line = self.lines.get(at)?.clone();
        if !line.text.contains(['<', '[', '◁']) {
            return None;
        }
        if let Some(next) = self.folded(at, &line).or_else(|| self.python(at, &line)) {
            return Some(next);
        }
        let first = first_token(line.text)?;
        let mut offset = line.span.start + first;
        let (from, mut end_of_line) = (offset, line.end());
        while let Some(end) = self.token(offset) {
            offset = end.min(self.text.len());
            let last = line_at(&self.lines, offset.saturating_sub(1).max(from));
            end_of_line = self.lines.get(last).map_or(self.text.len(), Line::end).max(offset);
            let rest = self.text.get(offset..end_of_line).unwrap_or_default();
            offset += rest.len() - rest.trim_start_matches([' ', '\t']).len();
        }
        if offset == from {
            return None;
        }
        let next = (line_at(&self.lines, offset.saturating_sub(1)) + 1).min(to).max(at + 1);
        self.owned.push(from..offset);
        self.prose.clear();
        self.before = false;
        self.resume = self.start(next);
        self.open |= offset >= self.text.len();
        let rest = self.text.get(offset..end_of_line).unwrap_or_default();
        if !rest.trim().is_empty() {
            self.prose.push(Line { span: offset..self.start(next).max(offset), text: rest });
        }
        Some(next)
    }

    /// The end of what begins with a token at this place.
    fn token(&mut self, at: usize) -> Option<usize> {
        let text = self.text;
        let rest = text.get(at..)?;
        if let Some((open, close)) = THOUGHTS.iter().find(|(open, _)| rest.starts_with(open)) {
            return Some(self.thought_to(at, at + open.len(), close));
        }
        if let Some(silent) = SILENT.iter().find(|silent| rest.starts_with(**silent)) {
            return Some(at + silent.len());
        }
        if rest.starts_with(HARMONY.0) || rest.starts_with(HARMONY.1) {
            return self.harmony(at);
        }
        if rest.starts_with(FUNCTION) {
            return Some(function(text, at, &mut self.draft));
        }
        if rest.starts_with(KIMI.0) {
            return Some(self.between(at, KIMI));
        }
        if rest.starts_with(DEEPSEEK.0) {
            return Some(self.between(at, DEEPSEEK));
        }
        let named = rest.strip_prefix(MISTRAL.0)?.trim_start_matches([' ', '\t']);
        let name = named.split(['{', '\n']).next()?;
        let tool = name.split('[').next()?.trim();
        if tool.is_empty() || !is_tool(tool) {
            return None;
        }
        let from = at + (rest.len() - named.len()) + name.len();
        Some(self.json_call(tool, at, from))
    }

    fn thought_to(&mut self, at: usize, from: usize, close: &str) -> usize {
        let end = self.text.get(from..).and_then(|rest| rest.find(close));
        let Some(end) = end.map(|end| from + end + close.len()) else {
            let message = "the thought that begins here never ends: the reply was cut off";
            self.draft.fault(at..from, Reason::CutOff, message);
            return self.text.len();
        };
        self.draft.skip(at..end, Why::Thought);
        end
    }

    /// A call that consists of a name and JSON, whose arguments begin at `from`.
    fn json_call(&mut self, name: &str, at: usize, from: usize) -> usize {
        let rest = self.text.get(from..).unwrap_or_default();
        let lead = rest.len() - rest.trim_start().len();
        let value = rest.trim_start();
        invocation::named(name, value, from + lead, &mut self.draft).unwrap_or_else(|| {
            let message = format!("the arguments of the call `{name}` are not valid JSON");
            self.draft.fault(at..from, Reason::InvalidJson, message);
            self.text.len()
        })
    }

    /// A call with tokens before its name, between name and arguments, and after them.
    fn between(&mut self, at: usize, (open, divider, close): (&str, &str, &str)) -> usize {
        let text = self.text;
        let from = at + open.len();
        let rest = text.get(from..).unwrap_or_default();
        let length = rest.find(close);
        let inner = length.and_then(|length| rest.get(..length)).unwrap_or_default();
        let (Some(length), Some(divided)) = (length, inner.find(divider)) else {
            self.draft.fault(at..from, Reason::InvalidJson, "the tool call is incomplete");
            return text.len();
        };
        let end = from + length + close.len();
        let mut name = rest.get(..divided).unwrap_or_default().trim();
        let after = from + divided + divider.len();
        let inner = text.get(after..end - close.len()).unwrap_or_default();
        let mut start = inner.find('{').unwrap_or(inner.len());
        // DeepSeek V3 writes `function`, and the name after the divider.
        if let Some(fence) = inner.find("```json").filter(|fence| *fence < start) {
            name = inner.get(..fence).unwrap_or_default().trim();
            start = fence + "```json".len();
        }
        let arguments = inner.get(start..).unwrap_or_default();
        let lead = arguments.len() - arguments.trim_start().len();
        let place = after + start + lead;
        if invocation::named(name, arguments.trim_start(), place, &mut self.draft).is_none() {
            self.draft.fault(at..end, Reason::InvalidJson, "the tool call is incomplete");
        }
        end
    }

    /// A message of Harmony's: thought, a call, the result of one, or the head of text.
    fn harmony(&mut self, at: usize) -> Option<usize> {
        let rest = self.text.get(at..)?;
        let length = rest.get(..rest.floor_char_boundary(2 * LONGEST_NAME))?.find(HARMONY.2)?;
        let head = rest.get(..length)?;
        let from = at + length + HARMONY.2.len();
        let said = head.strip_prefix(HARMONY.0);
        if said.is_some_and(|role| !role.starts_with("assistant")) {
            let end = self.text.get(from..)?.find("<|end|>").map(|end| from + end);
            let end = end.unwrap_or(self.text.len());
            if rest.starts_with(USER) {
                self.answer = Some(from..end);
            } else if head.contains("to=assistant") {
                // The calls before it have been made.
                self.retract(Why::Quoted);
            }
            self.draft.skip(at..end, Why::Quoted);
            return Some(end);
        }
        // An answer to the user begins another turn.
        if said.is_some() && self.answer.take().is_some() {
            self.retract(Why::Quoted);
        }
        let name = head
            .split_once("to=")
            .map(|(_, name)| name.split([' ', '<', '\t']).next().unwrap_or_default());
        if let Some(name) = name {
            let mut end = self.json_call(name, at, from);
            for close in ["<|call|>", "<|end|>"] {
                let after = self.text.get(end..).is_some_and(|rest| rest.starts_with(close));
                end += if after { close.len() } else { 0 };
            }
            return Some(end);
        }
        if head.contains("<|channel|>analysis") {
            return Some(self.thought_to(at, from, "<|end|>"));
        }
        Some(from)
    }

    /// Thought in `<details>`, which its title gives away.
    fn folded(&mut self, at: usize, line: &Line<'t>) -> Option<usize> {
        let trimmed = line.text.trim_start();
        let start = line.span.start + (line.text.len() - trimmed.len());
        let tag = trimmed.starts_with("<d").then(|| tag(self.text, start)).flatten()?;
        if tag.name != "details" {
            return None;
        }
        let rest = self.text.get(tag.span.end..)?.trim_start();
        let title = rest.strip_prefix("<summary>").and_then(|rest| rest.split('<').next());
        let title = title.unwrap_or_default().to_lowercase();
        let title = title.trim_start_matches(|letter: char| !letter.is_alphanumeric());
        let thought = attribute(tag.attributes, "type") == Some("reasoning")
            || TITLES.iter().any(|known| title.starts_with(known));
        if !thought {
            return None;
        }
        let close = closing(self.text, tag.span.end, tag.name);
        let end = close.map(|close| line_at(&self.lines, close.end.saturating_sub(1)) + 1);
        Some(self.thought(at, end))
    }

    /// A call as Python code, `[edit_file(path="a.py", …)]`, which isn't read.
    fn python(&mut self, at: usize, line: &Line<'t>) -> Option<usize> {
        let call = line.text.trim().strip_prefix('[')?.strip_suffix(")]")?;
        let (name, _) = call.split_once('(').filter(|(name, _)| is_tool(name))?;
        if !is_python_call(call) {
            return None;
        }
        let message = format!("the call `{name}` is Python code, which is not supported");
        self.draft.fault(line.span.start..line.end(), Reason::UnknownCall, message);
        self.own(at, at + 1);
        Some(at + 1)
    }
}

/// Where the first token in a line begins, in bytes. Code spans are about tokens.
fn first_token(text: &str) -> Option<usize> {
    let trimmed = text.trim_start();
    let lead = text.len() - trimmed.len();
    let starts = [FUNCTION, MISTRAL.0].iter().chain(THOUGHTS.iter().map(|(open, _)| open));
    if starts.clone().any(|token| trimmed.starts_with(token)) {
        return Some(lead);
    }
    if SILENT.iter().any(|token| trimmed.starts_with(token)) {
        return Some(lead);
    }
    let at = OPENING.iter().filter_map(|token| text.find(token)).min()?;
    (!text.get(..at)?.contains('`')).then_some(at)
}

fn is_tool(name: &str) -> bool {
    name.len() < LONGEST_NAME
        && !name.is_empty()
        && name.chars().all(|letter| letter.is_alphanumeric() || "_-.:".contains(letter))
}

/// Whether code is a call with a path and text.
pub(super) fn is_python_call(code: &str) -> bool {
    let has = |names: &[&str]| names.iter().any(|name| code.contains(&format!("{name}=")));
    has(PATHS) && (has(OLD) || has(NEW) || has(TEXT))
}

/// A call that begins at `at`: `<function=edit>`, then `<parameter=path>` or JSON; returns its end.
fn function(text: &str, at: usize, draft: &mut Draft) -> usize {
    read_function(text, at, draft).unwrap_or_else(|tool| {
        let message = format!("the call `{tool}` is never closed: it may have been cut off");
        draft.fault(at..at + FUNCTION.len(), Reason::UnterminatedBlock, message);
        text.len()
    })
}

fn read_function<'t>(text: &'t str, at: usize, draft: &mut Draft) -> Result<usize, &'t str> {
    const END: &str = "</function>";
    let rest = text.get(at..).and_then(|rest| rest.strip_prefix(FUNCTION)).unwrap_or_default();
    let name = rest.split('>').next().filter(|name| is_tool(name)).unwrap_or_default();
    let mut offset = at + FUNCTION.len() + name.len() + 1;
    let mut arguments: Arguments = Vec::new();
    loop {
        let rest = text.get(offset..).unwrap_or_default();
        offset += rest.len() - rest.trim_start().len();
        let rest = rest.trim_start();
        if rest.starts_with('{') && arguments.is_empty() {
            let end = invocation::named(name, rest, offset, draft).ok_or(name)?;
            let after = text.get(end..).unwrap_or_default();
            let close = after.len() - after.trim_start().len();
            let closed = after.trim_start().starts_with(END);
            return Ok(if closed { end + close + END.len() } else { end });
        }
        if rest.starts_with(END) {
            let end = offset + END.len();
            call::read(&Call { name: Some(name.to_owned()), arguments, span: at..end }, draft);
            return Ok(end);
        }
        let (key, inner) =
            rest.strip_prefix("<parameter=").and_then(|rest| rest.split_once('>')).ok_or(name)?;
        let follows = |after: &str| {
            let after = after.trim_start();
            after.starts_with("<parameter=") || after.starts_with(END)
        };
        let close = "</parameter>";
        let length = inner
            .match_indices(close)
            .map(|(length, _)| length)
            .find(|length| inner.get(length + close.len()..).is_some_and(follows))
            .ok_or(name)?;
        let start = offset + "<parameter=".len() + key.len() + 1;
        let value = inner.get(..length).unwrap_or_default();
        arguments
            .push((key.to_owned(), Argument::Text(parameter(key, value), start..start + length)));
        offset = start + length + close.len();
    }
}

/// The value of a parameter: the line breaks around it aren't part of it, but a file ends with one.
fn parameter(key: &str, value: &str) -> String {
    let value = value.strip_prefix("\r\n").or_else(|| value.strip_prefix('\n')).unwrap_or(value);
    if TEXT.contains(&key) && value.trim_end().contains('\n') {
        return value.to_owned();
    }
    value.strip_suffix("\r\n").or_else(|| value.strip_suffix('\n')).unwrap_or(value).to_owned()
}

/// The calls in `<tool_call>` that aren't JSON; `None` if there are none.
pub(super) fn in_tool_call(text: &str, region: &Span, draft: &mut Draft) -> Option<()> {
    let inner = text.get(region.clone())?;
    let mut at = region.start + (inner.len() - inner.trim_start().len());
    let part = text.get(..region.end)?;
    if inner.trim_start().starts_with("<invoke") {
        while text.get(at..region.end)?.starts_with("<invoke") {
            at = element::read(part, at, None, draft)?;
            let rest = text.get(at..region.end)?;
            at += rest.len() - rest.trim_start().len();
        }
        return Some(());
    }
    if inner.trim_start().starts_with(FUNCTION) {
        while text.get(at..region.end)?.starts_with(FUNCTION) {
            at = function(part, at, draft);
            let rest = text.get(at..region.end)?;
            at += rest.len() - rest.trim_start().len();
        }
        return Some(());
    }
    let name = inner.split("<arg_key>").next()?.trim();
    if !inner.contains("<arg_key>") || !is_tool(name) {
        return None;
    }
    let mut arguments: Arguments = Vec::new();
    let mut rest = inner.get(inner.find("<arg_key>")?..)?;
    while let Some(pair) = rest.strip_prefix("<arg_key>") {
        let (key, after) = pair.split_once("</arg_key>")?;
        let value = after.trim_start().strip_prefix("<arg_value>")?;
        let close = "</arg_value>";
        let follows =
            |after: &str| after.trim().is_empty() || after.trim_start().starts_with("<arg_key>");
        let length = value
            .match_indices(close)
            .map(|(length, _)| length)
            .find(|length| value.get(length + close.len()..).is_some_and(follows))?;
        let start = (value.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
        let said = value.get(..length)?.to_owned();
        arguments.push((key.trim().to_owned(), Argument::Text(said, start..start + length)));
        rest = value.get(length + close.len()..)?.trim_start();
    }
    let span = region.clone();
    call::read(&Call { name: Some(name.to_owned()), arguments, span }, draft);
    Some(())
}

#[cfg(test)]
mod tests {
    use super::ends_thought;
    use crate::growth;

    #[test]
    fn thought_that_ends_in_a_line() {
        for text in ["Better not.</think>", "So. </Thinking>", "No.[/THINK]"] {
            assert!(ends_thought(text), "{text}");
        }
        for text in
            ["<think>No.</think>", "Ends with `</think>", "a.</div>", "[THINK]x[/THINK]", ""]
        {
            assert!(!ends_thought(text), "{text}");
        }
    }

    #[test]
    fn calls_without_arguments_are_read_in_linear_time() {
        for (call, divider) in [
            ("<|tool_call_begin|>x<|tool_call_end|>\n", "<|tool_call_argument_begin|>"),
            ("<｜tool▁call▁begin｜>x<｜tool▁call▁end｜>\n", "<｜tool▁sep｜>"),
        ] {
            growth::is_linear(
                call,
                2_000,
                |calls| format!("{}{divider}", call.repeat(calls)),
                |text| {
                    std::hint::black_box(crate::reply::read(&text, &[]));
                },
            );
        }
    }

    #[test]
    fn unclosed_constructs_are_read_in_linear_time() {
        for line in [
            "{\"a\":\n",
            "[{\"a\":\n",
            "<|channel|>\n",
            "<|channel|>commentary to=f<|message|>{\n",
            "<|tool_call_begin|>x\n",
            "<function=edit>\n<parameter=path>\n</parameter>\n",
            "<details>\n<summary>Thinking</summary>\n",
            "<lov-code>\n<lov-x>\n",
            "Not so.</think>\n",
        ] {
            growth::is_linear(
                line,
                2_000,
                |lines| line.repeat(lines),
                |text| {
                    std::hint::black_box(crate::reply::read(&text, &[]));
                },
            );
        }
    }
}
