//! Calls in the shapes that messages and replies have around their arguments.

use super::call::{self, Argument, Arguments, Call};
use super::container::string;
use super::json::{self, Escaped, Json};
use super::lines::{Line, line_at};
use super::markdown::Scanner;
use super::shape::{self, ARGUMENTS, NAMES};
use super::{Draft, Why, shell};
use crate::edit::{self, Block, Dialect, Operation, Path, Reason, Split};
use crate::text::Span;

impl Scanner<'_, '_> {
    /// A call written as JSON in the text.
    pub(super) fn json(&mut self, at: usize, to: usize) -> Option<usize> {
        let line = self.lines.get(at)?;
        let mut offset = line.span.start + (line.text.len() - line.text.trim_start().len());
        for mark in ["[TOOL_CALLS]", "<|python_tag|>", "<tool_call>"] {
            if let Some(rest) = self.text.get(offset..).and_then(|rest| rest.strip_prefix(mark)) {
                let lead = rest.len() - rest.trim_start_matches([' ', '\t']).len();
                offset += mark.len() + lead;
            }
        }
        let rest = self.text.get(offset..)?;
        let opens = rest.strip_prefix('{').or_else(|| {
            rest.strip_prefix('[').and_then(|rest| rest.trim_start().strip_prefix('{'))
        });
        if !opens.is_some_and(|rest| rest.trim_start().starts_with(['"', '}'])) {
            return None;
        }
        // Values inside an invalid value, up to its mistake, are invalid, too.
        let value =
            if self.unended_json.contains(&offset) { None } else { json::first(rest, offset) };
        let Some(value) = value else {
            if !shape::looks_like_a_call(rest) {
                if !self.unended_json.contains(&offset) {
                    self.unended_json.extend(json::unended(rest, offset));
                }
                return None;
            }
            let draft = &mut self.draft;
            if let Some(end) = first(rest, offset, draft, |value, draft| {
                shape::is_call_in(value, true).then(|| call(value, draft))
            }) {
                let next = (line_at(&self.lines, end.saturating_sub(1)) + 1).min(to);
                self.own(at, next);
                return Some(next);
            }
            let error =
                json::values(rest, offset).err().map(|error| error.to_string()).unwrap_or_default();
            self.draft.fault(
                self.span(at, at + 1),
                Reason::InvalidJson,
                format!("the tool call is not valid JSON: {error}"),
            );
            self.own(at, to);
            return Some(to);
        };
        if shape::is_call_in(value, true) {
            call(value, &mut self.draft);
        } else if !self.may_be_edit(value) {
            return None;
        }
        let end = (line_at(&self.lines, value.span().end.saturating_sub(1)) + 1).min(to);
        self.own(at, end);
        Some(end)
    }
}

/// A text that is nothing but calls. Line breaks in its strings need no escapes.
///
/// # Errors
/// The first mistake.
pub(super) fn calls(text: &str, at: usize, draft: &mut Draft) -> Result<(), serde_json::Error> {
    match json::values(text, at) {
        Ok(values) => values.into_iter().for_each(|value| call(value, draft)),
        Err(error) => {
            let escaped = Escaped::all(text, at).ok_or(error)?;
            let mut inner = Draft::default();
            for value in json::values(&escaped.text, 0)? {
                call(value, &mut inner);
            }
            draft.extend(inner.placed(&|span| escaped.place(span)));
        }
    }
    Ok(())
}

/// The first value, which may have line breaks in its strings, given to `read`; its end.
pub(super) fn first(
    text: &str,
    at: usize,
    draft: &mut Draft,
    read: impl FnOnce(Json, &mut Draft) -> Option<()>,
) -> Option<usize> {
    if let Some(value) = json::first(text, at) {
        read(value, draft)?;
        return Some(value.span().end);
    }
    let escaped = Escaped::first(text, at)?;
    let value = json::first(&escaped.text, 0)?;
    let mut inner = Draft::default();
    read(value, &mut inner)?;
    draft.extend(inner.placed(&|span| escaped.place(span)));
    Some(escaped.place(&value.span()).end)
}

/// A call in any of the known shapes.
pub(super) fn call(value: Json, draft: &mut Draft) {
    if let Some(items) = value.items() {
        return items.into_iter().for_each(|item| call(item, draft));
    }
    for key in ["function", "functionCall", "function_call", "tool_use", "toolUse"] {
        if let Some(inner) = value.get(key).filter(Json::is_object) {
            return call(inner, draft);
        }
    }
    if let Some(calls) = value.get("tool_calls").filter(Json::is_array) {
        return call(calls, draft);
    }
    let span = value.span();
    if let Some(operation) = value.get("operation").filter(Json::is_object) {
        return patch_operation(operation, &span, draft);
    }
    if let Some(action) = value.get("action").filter(Json::is_object)
        && string(value, "type").is_some_and(|kind| kind.contains("shell"))
    {
        return call::read(&Call::of_json(Some("shell".to_owned()), action, span), draft);
    }
    let name = NAMES.iter().find_map(|key| string(value, key));
    let arguments = ARGUMENTS.iter().find_map(|key| value.get(key));
    let Some(arguments) = arguments.filter(|_| name.is_some()) else {
        return call::read(&Call::of_json(name, value, span), draft);
    };
    if arguments.is_object() {
        return call::read(&Call::of_json(name, arguments, span), draft);
    }
    let Some(text) = arguments.string() else { return draft.skip(span, Why::Example) };
    if shell::holds_patch(&text) && !text.trim_start().starts_with('{') {
        let arguments = vec![("input".to_owned(), Argument::Text(text, arguments.span()))];
        return call::read(&Call { name, arguments, span }, draft);
    }
    let escaped = json::values(&text, 0).err().and_then(|_| Escaped::all(&text, 0));
    match json::values(escaped.as_ref().map_or(&text, |escaped| &escaped.text), 0) {
        Ok(values) => {
            let mut inner = Draft::default();
            for value in values {
                call::read(&Call::of_json(name.clone(), value, value.span()), &mut inner);
            }
            let place = arguments.span();
            draft.extend(inner.placed(&|_| place.clone()));
        }
        Err(error) => {
            let reason = if error.is_eof() { Reason::CutOff } else { Reason::InvalidJson };
            draft.fault(
                arguments.span(),
                reason,
                format!("the arguments of the call are not valid JSON: {error}"),
            );
        }
    }
}

/// A call whose name is before its arguments; the end of these.
pub(super) fn named(name: &str, text: &str, at: usize, draft: &mut Draft) -> Option<usize> {
    first(text, at, draft, |value, draft| {
        let span = value.is_object().then(|| value.span())?;
        named_call(name, value, span, draft);
        Some(())
    })
}

/// A call with its name outside its arguments.
pub(super) fn named_call(name: &str, arguments: Json, span: Span, draft: &mut Draft) {
    call::read(&Call::of_json(Some(name.to_owned()), arguments, span), draft);
}

/// The operation of an `apply_patch_call`: one file, and hunks without an envelope.
fn patch_operation(operation: Json, span: &Span, draft: &mut Draft) {
    let place = operation
        .get("path")
        .map_or(span.clone(), |path| path.span().start + 1..path.span().end.saturating_sub(1));
    let Some(path) =
        string(operation, "path").map(|text| Path { text, span: place, inherited: false })
    else {
        return draft.fault(
            span.clone(),
            Reason::MissingPath,
            "the operation does not name a file",
        );
    };
    let diff = string(operation, "diff").unwrap_or_default();
    let block = |operation: Operation, text: String| Block {
        operation,
        span: span.clone(),
        path: Some(path.clone()),
        splits: vec![Split::new("", text)],
        ..Block::of(Dialect::ApplyPatch, "", "")
    };
    match string(operation, "type").unwrap_or_default().as_str() {
        "create_file" => {
            let text = edit::added(&diff);
            let error = text.is_none().then_some(Reason::MalformedPatch);
            draft.block(Block { error, ..block(Operation::Create, text.unwrap_or_default()) });
        }
        "delete_file" => draft.block(block(Operation::Delete, String::new())),
        "update_file" => {
            let moved = string(operation, "move_to")
                .map(|to| format!("*** Move to: {to}\n"))
                .unwrap_or_default();
            let end = if diff.ends_with('\n') || diff.is_empty() { "" } else { "\n" };
            let whole = format!(
                "*** Begin Patch\n*** Update File: {}\n{moved}{diff}{end}*** End Patch\n",
                path.text
            );
            super::patch::of_call(&whole, span, draft);
        }
        other => {
            draft.fault(span.clone(), Reason::UnknownCall, format!("unknown operation `{other}`"))
        }
    }
}

/// Continue's calls: `TOOL_NAME: x`, `BEGIN_ARG: a` … `END_ARG`.
pub(super) fn tool_fence(lines: &[Line], body: Span, draft: &mut Draft) {
    let mut name: Option<String> = None;
    let mut arguments: Arguments = Vec::new();
    // An argument's name, its text so far, and where the text begins.
    let mut open: Option<(String, String, usize)> = None;
    let start = lines.get(body.start).map_or(0, |line| line.span.start);
    let end = body.end.checked_sub(1).and_then(|last| lines.get(last)).map_or(start, Line::end);
    for line in lines.get(body).unwrap_or_default() {
        let text = line.text.trim();
        match &mut open {
            Some((key, value, from)) => {
                if text == "END_ARG" {
                    let value = value.strip_suffix('\n').unwrap_or(value).to_owned();
                    arguments
                        .push((std::mem::take(key), Argument::Text(value, *from..line.span.start)));
                    open = None;
                } else {
                    value.push_str(line.text);
                    value.push('\n');
                }
            }
            None => {
                if let Some(tool) = text.strip_prefix("TOOL_NAME:") {
                    name = Some(tool.trim().to_owned());
                } else if let Some(key) = text.strip_prefix("BEGIN_ARG:") {
                    open = Some((key.trim().to_owned(), String::new(), line.span.end));
                }
            }
        }
    }
    if open.is_some() {
        return draft.fault(
            start..end,
            Reason::UnterminatedBlock,
            "an argument of the call has no `END_ARG`",
        );
    }
    call::read(&Call { name, arguments, span: start..end }, draft);
}
