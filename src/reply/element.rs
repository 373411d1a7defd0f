//! XML as models write it: tool calls, and elements that contain files. The content of an element
//! is never parsed again.

use super::call::{self, Argument, Arguments, Call, TEXT};
use super::content::{content, escaped, unindented, without_data, without_fence, without_wrapper};
use super::pairs::{pair_region, pairs};
use super::tags::{
    BAR, Tag, attribute, attribute_place, closing, decode, end_of_part, first_closing, last_close,
    openings, pairs_of, tag,
};
use super::{Draft, Fault, Why, invocation, shell, tokens};
use crate::edit::{self, Block, Dialect, Extent, Operation, Path, Reason, Split};
use crate::text::Span;

const THOUGHT: &[&str] = &[
    "think",
    "thinking",
    "thought",
    "thoughts",
    "reasoning",
    "antthinking",
    "reflection",
    "scratchpad",
    "seed:think",
];
const RESULTS: &[&str] = &[
    "function_call_output",
    "function_output",
    "function_response",
    "function_responses",
    "function_result",
    "function_results",
    "observation",
    "tool_call_result",
    "tool_output",
    "tool_outputs",
    "tool_response",
    "tool_responses",
    "tool_result",
    "tool_results",
    "result",
    "results",
    "output",
    "stdout",
    "stderr",
    "environment_details",
    "system-reminder",
    "system_reminder",
    "file_content",
    "final_file_content",
    "error",
];
/// Elements around calls and files that carry no information.
const AROUND: &[&str] = &[
    "function_calls",
    "tool_calls",
    "boltartifact",
    "codeproject",
    "answer",
    "response",
    "final_answer",
    "artifact",
];
/// Prefixes that vendors put before the names of elements.
const VENDORS: &[&str] = &["antml:", "minimax:", "xai:"];
/// Prefixes of the elements of some app builders.
const PREFIXES: &[&str] = &["dyad-", "lov-"];
const READERS: &[&str] = &[
    "read_file",
    "list_files",
    "search_files",
    "list_code_definition_names",
    "execute_command",
    "browser_action",
    "ask_followup_question",
    "attempt_completion",
    "use_mcp_tool",
    "access_mcp_resource",
    "new_task",
    "switch_mode",
    "update_todo_list",
    "fetch_instructions",
    "codebase_search",
    "plan_mode_respond",
];
const WRITERS: &[&str] = &[
    "write_to_file",
    "replace_in_file",
    "apply_diff",
    "insert_content",
    "search_and_replace",
    "edit_file",
    "create_file",
    "write_file",
    "str_replace",
    "str_replace_editor",
    "str_replace_based_edit_tool",
    "multi_edit",
    "delete_file",
    "apply_patch",
    "search_replace",
    "replace_string_in_file",
];
/// Pairs of elements with old and new text.
const PAIRS: &[&str] = &[
    "edit",
    "edits",
    "old_text",
    "old_string",
    "old_str",
    "old_code",
    "search",
    "find",
    "original",
    "old",
    "change",
    "modification",
    "file_edit",
];

const NO_COPY: &str = "the element copies a file, which is not supported";

/// The kind of element at a place, before it is parsed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Opens {
    Thought,
    Result,
    Around,
    Edit,
}

/// The name of an element without that of a vendor.
fn plain(name: &str) -> &str {
    let name = name.rsplit_once(BAR).map_or(name, |(_, name)| name);
    VENDORS.iter().find_map(|vendor| name.strip_prefix(vendor)).unwrap_or(name)
}

/// Whether a relevant element opens at `at`.
pub(super) fn opens(text: &str, at: usize) -> Option<Opens> {
    let tag = tag(text, at)?;
    let name = tag.name.to_ascii_lowercase();
    let name = plain(&name);
    let known = |names: &[&str]| names.contains(&name);
    if known(THOUGHT) {
        return Some(Opens::Thought);
    }
    if known(RESULTS) {
        return Some(Opens::Result);
    }
    if known(AROUND) {
        return Some(Opens::Around);
    }
    let own = known(READERS)
        || known(WRITERS)
        || matches!(
            name,
            "invoke"
                | "tool_call"
                | "boltaction"
                | "update"
                | "quickedit"
                | "deletefile"
                | "movefile"
        );
    let prefixed = PREFIXES.iter().any(|prefix| name.starts_with(prefix));
    // `<lov-code>` around `<lov-write>`
    let inner = text.get(tag.span.end..).unwrap_or_default().trim_start();
    let inner = inner.strip_prefix('<').unwrap_or_default();
    if prefixed && !tag.closed && PREFIXES.iter().any(|prefix| inner.starts_with(prefix)) {
        return Some(Opens::Around);
    }
    let file = matches!(name, "file" | "plandexblock")
        && (attribute(tag.attributes, "path").is_some()
            || attribute(tag.attributes, "name").is_some())
        || name == "antartifact"
            && attribute(tag.attributes, "title").is_some_and(edit::naming::is_certain);
    // Sentences about calls also have its name.
    let call = name == "function_call"
        && (attribute(tag.attributes, "name").is_some()
            || text.get(tag.span.end..).is_some_and(|rest| {
                let rest = rest.trim_start();
                rest.is_empty() || rest.starts_with(['{', '[', '<'])
            }));
    (own || prefixed || file || call || known(PAIRS)).then_some(Opens::Edit)
}

/// The end of thought that an element at `at` closes without having been opened.
pub(super) fn closes_thought(text: &str) -> bool {
    let text = text.trim();
    let name = text
        .strip_prefix("</")
        .and_then(|rest| rest.split('>').next())
        .unwrap_or_default()
        .to_ascii_lowercase();
    THOUGHT.contains(&plain(&name))
}

/// The unmatched closing tag of a known editing element.
pub(super) fn is_stray_close(text: &str) -> bool {
    let name =
        text.trim().strip_prefix("</").and_then(|rest| rest.split('>').next()).unwrap_or_default();
    WRITERS.contains(&name)
        || matches!(
            name,
            "boltAction"
                | "dyad-write"
                | "dyad-search-replace"
                | "file"
                | "lov-write"
                | "invoke"
                | "diff"
                | "new_text"
                | "content"
        )
}

/// Elements whose content is a file.
const FILES: &[&str] = &["boltAction", "dyad-write", "file", "lov-write"];
/// Words that are also tags of pairs.
const WORDS: &[&str] =
    &["change", "edit", "edits", "find", "modification", "old", "original", "search", "update"];

/// Whether later text may contain another end of the file in the element at `at`.
pub(super) fn may_go_on(text: &str, at: usize, end: usize) -> bool {
    let Some(tag) = tag(text, at).filter(|tag| FILES.contains(&tag.name)) else { return false };
    text.get(end..).is_some_and(|rest| !rest.contains(&format!("<{}", tag.name)))
}

/// Whether the name of an element is also a word that sentences use.
pub(super) fn is_word(name: &str) -> bool {
    WORDS.contains(&name)
}

/// The end of the element at `at`, including its closing tag; `None` if it's never closed.
pub(super) fn end(text: &str, at: usize) -> Option<usize> {
    let tag = tag(text, at)?;
    if tag.closed {
        return Some(tag.span.end);
    }
    closing(text, tag.span.end, tag.name).map(|span| span.end)
}

/// Reads the element at `at`; returns the place after it.
pub(super) fn read(
    text: &str,
    at: usize,
    above: Option<&Path>,
    draft: &mut Draft,
) -> Option<usize> {
    let tag = tag(text, at)?;
    let lower = tag.name.to_ascii_lowercase();
    let name = match plain(&lower) {
        // Grok names the tool in an attribute.
        "function_call" if attribute(tag.attributes, "name").is_some() => "invoke",
        "function_call" => "tool_call",
        name => name,
    };
    let unclosed = |draft: &mut Draft| {
        let message = format!("`<{}>` is never closed: the reply may have been cut off", tag.name);
        draft.fault(tag.span.clone(), Reason::UnterminatedBlock, message);
        Some(text.len())
    };
    let whole = |end: usize| at..end;
    if PAIRS.contains(&name) {
        let end = pair_region(text, &tag);
        pairs(text, at..end, above, draft);
        return Some(end);
    }
    // A self-closing element, or one whose name is enough.
    let path = |names: &[&str]| names.iter().find_map(|key| attribute_place(text, &tag, key));
    if tag.closed
        || matches!(
            name,
            "deletefile" | "movefile" | "dyad-delete" | "dyad-rename" | "lov-delete" | "lov-rename"
        )
    {
        let block = |operation: Operation, path: Path| Block {
            operation,
            span: tag.span.clone(),
            path: Some(path),
            ..Block::of(Dialect::Xml, "", "")
        };
        let end = if tag.closed {
            tag.span.end
        } else {
            closing(text, tag.span.end, tag.name).map_or(tag.span.end, |span| span.end)
        };
        match name {
            "dyad-delete" | "lov-delete" | "deletefile" => {
                match path(&["path", "file_path", "file"]) {
                    Some(path) => draft.block(block(Operation::Delete, path)),
                    None => draft.fault(
                        tag.span.clone(),
                        Reason::MissingPath,
                        "the element does not name a file",
                    ),
                }
            }
            "dyad-rename" | "lov-rename" | "movefile" => {
                let to = path(&["to", "new_file_path"]);
                match (path(&["from", "original_file_path"]), to) {
                    (Some(from), Some(to)) => draft.block(block(Operation::Move(to.text), from)),
                    _ => draft.fault(
                        tag.span.clone(),
                        Reason::MissingPath,
                        "the element does not name both files",
                    ),
                }
            }
            "dyad-copy" => draft.fault(tag.span.clone(), Reason::UnknownCall, NO_COPY),
            _ => draft.skip(tag.span.clone(), Why::Example),
        }
        return Some(end);
    }
    match name {
        "boltaction" => bolt(text, &tag, draft).or_else(|| unclosed(draft)),
        "tool_call" => {
            let Some(close) = closing(text, tag.span.end, tag.name) else { return unclosed(draft) };
            let inner = text.get(tag.span.end..close.start).unwrap_or_default();
            if tokens::in_tool_call(text, &(tag.span.end..close.start), draft).is_some() {
                return Some(close.end);
            }
            let start = tag.span.end + (inner.len() - inner.trim_start().len());
            if let Err(error) = invocation::calls(inner.trim(), start, draft) {
                // The closing tag may be in a string, but not in one of the next call.
                let after = text.get(close.end..).unwrap_or_default();
                let next = after.find("<tool_call").map_or(text.len(), |next| close.end + next);
                let rest = text.get(start..next).unwrap_or_default();
                let close_tag = format!("</{}>", tag.name);
                let mut read = Draft::default();
                let end = invocation::first(rest, start, &mut read, |value, draft| {
                    invocation::call(value, draft);
                    Some(())
                });
                let after = end.and_then(|end| text.get(end..)).unwrap_or_default();
                let closed = after.trim_start().starts_with(&close_tag);
                if let Some(end) = end.filter(|_| closed) {
                    draft.extend(read);
                    let blank = after.len() - after.trim_start().len();
                    return Some(end + blank + close_tag.len());
                }
                draft.fault(
                    whole(close.end),
                    Reason::InvalidJson,
                    format!("the tool call is not valid JSON: {error}"),
                );
            }
            Some(close.end)
        }
        "invoke" => {
            let Some(close) = closing(text, tag.span.end, tag.name) else { return unclosed(draft) };
            match parameters(text, tag.span.end..close.start) {
                Ok(arguments) => {
                    let call = Call {
                        name: attribute(tag.attributes, "name").map(str::to_owned),
                        arguments,
                        span: whole(close.end),
                    };
                    call::read(&call, draft);
                }
                Err(fault) => draft.faults.push(fault),
            }
            Some(close.end)
        }
        "dyad-copy" => {
            let close = closing(text, tag.span.end, tag.name);
            let end = close.map_or(tag.span.end, |close| close.end);
            draft.fault(whole(end), Reason::UnknownCall, NO_COPY);
            Some(end)
        }
        _ if READERS.contains(&name) => {
            let Some(close) = closing(text, tag.span.end, tag.name) else { return unclosed(draft) };
            if name == "execute_command"
                && let Ok(arguments) = children(text, tag.span.end..close.start)
            {
                let call =
                    Call { name: Some(tag.name.to_owned()), arguments, span: whole(close.end) };
                call::read(&call, draft);
                return Some(close.end);
            }
            draft.skip(whole(close.end), Why::Example);
            Some(close.end)
        }
        "dyad-write" | "lov-write" | "file" | "plandexblock" | "antartifact" => {
            let rest = text.get(tag.span.end..).unwrap_or_default();
            let last = format!("</{}>", tag.name);
            let Some(end) = end_of_part(rest, tag.name).map(|end| tag.span.end + end) else {
                let closes = rest.matches(&last).count();
                let Some(end) = rest.rfind(&last).filter(|_| closes > openings(rest, tag.name))
                else {
                    let file = path(&["path", "file_path", "name", "title"]);
                    let before = draft.faults.len();
                    let end = unclosed(draft);
                    let added = draft.faults.iter_mut().skip(before);
                    added
                        .for_each(|fault| fault.file = file.as_ref().map(|path| path.text.clone()));
                    return end;
                };
                let message = format!("more than one `{last}` could end the file");
                draft.fault(tag.span.clone(), Reason::FenceAmbiguous, message);
                return Some(tag.span.end + end + last.len());
            };
            let close = end..end + last.len();
            let Some(path) = path(&["path", "file_path", "name", "title"]) else {
                draft.fault(
                    whole(close.end),
                    Reason::MissingPath,
                    "the element does not name a file",
                );
                return Some(close.end);
            };
            let inner = text.get(tag.span.end..close.start).unwrap_or_default();
            let content = content(without_fence(without_data(inner)));
            let content = unindented(content, text, tag.span.start, inner);
            let lazy = edit::gaps(&content, &path.text).next().is_some();
            let error = if lazy { Some(Reason::ElisionInReplace) } else { escaped(&content) };
            // An artifact may also show a part of the file, and Plandex's block without a gap, too.
            let (operation, dialect) = match name {
                "antartifact" | "plandexblock" => {
                    (Operation::Listing { extent: Extent::Unsaid }, Dialect::WholeFile)
                }
                _ => (Operation::Write, Dialect::Xml),
            };
            draft.block(Block {
                operation,
                span: whole(close.end),
                path: Some(path),
                splits: vec![Split::new("", content)],
                error,
                ..Block::of(dialect, "", "")
            });
            Some(close.end)
        }
        "dyad-search-replace" => {
            let Some(close) = closing(text, tag.span.end, tag.name) else { return unclosed(draft) };
            let path = path(&["path"]);
            let blocks =
                edit::read_search_replace(text.get(tag.span.end..close.start).unwrap_or_default());
            if blocks.is_empty() {
                draft.fault(
                    whole(close.end),
                    Reason::MissingDivider,
                    "the element contains no SEARCH block",
                );
            }
            for block in blocks {
                let error = block.error.or(path.is_none().then_some(Reason::MissingPath));
                draft.block(Block { path: path.clone(), error, ..block.shifted(tag.span.end) });
            }
            Some(close.end)
        }
        "update" | "quickedit" => {
            let Some(close) = closing(text, tag.span.end, tag.name) else { return unclosed(draft) };
            let message = "the new text omits lines, which another model would have to restore";
            draft.fault(whole(close.end), Reason::ElisionInReplace, message);
            Some(close.end)
        }
        _ => {
            let Some(close) = closing(text, tag.span.end, tag.name) else { return unclosed(draft) };
            if name.starts_with("dyad-") || name == "lov-add-dependency" {
                draft.skip(whole(close.end), Why::Example);
                return Some(close.end);
            }
            let region = tag.span.end..close.start;
            if let Some(files) = several_files(text, &region) {
                for (arguments, span) in files {
                    call::read(&Call { name: Some(tag.name.to_owned()), arguments, span }, draft);
                }
                return Some(close.end);
            }
            match children(text, region) {
                Ok(mut arguments) => {
                    if let Some((_, edits)) =
                        arguments.iter().find(|(key, _)| key == "edits" || key == "edit")
                    {
                        let path =
                            arguments.iter().find(|(key, _)| key.contains("path") || key == "file");
                        let path = path.and_then(|(_, value)| {
                            Some(Path {
                                text: value.string()?.trim().to_owned(),
                                span: value.span(),
                                inherited: false,
                            })
                        });
                        pairs(text, edits.span(), path.as_ref(), draft);
                        return Some(close.end);
                    }
                    for (key, value) in pairs_of(tag.attributes) {
                        arguments.push((
                            key.to_owned(),
                            Argument::Text(value.to_owned(), tag.span.clone()),
                        ));
                    }
                    let from = draft.steps.len();
                    call::read(
                        &Call {
                            name: Some(tag.name.to_owned()),
                            arguments,
                            span: whole(close.end),
                        },
                        draft,
                    );
                    for step in draft
                        .steps
                        .iter_mut()
                        .skip(from)
                        .filter(|step| step.block.operation == Operation::Write)
                    {
                        let text = step
                            .block
                            .splits
                            .first()
                            .map(|split| split.replace.as_str())
                            .unwrap_or_default();
                        step.block.error = step.block.error.or(escaped(text));
                    }
                }
                Err(fault) => draft.faults.push(fault),
            }
            Some(close.end)
        }
    }
}

/// The parts of a call: `<path>src/a.rs</path>`, in order. The text of a part ends at its only
/// closing tag, or at the last one if the others close elements inside.
fn children<'a>(text: &str, region: Span) -> Result<Arguments<'a>, Fault> {
    parts(text, region, |tag| Some(tag.name))
}

/// The same, written as `<parameter name="path">`.
fn parameters<'a>(text: &str, region: Span) -> Result<Arguments<'a>, Fault> {
    parts(text, region, |tag| {
        if tag.name.ends_with("parameter") {
            attribute(tag.attributes, "name")
        } else {
            Some(tag.name)
        }
    })
}

/// Whether an argument is the line where text is inserted, which can have any indentation.
fn is_line(key: &str) -> bool {
    matches!(key, "line" | "insert_line")
}

fn parts<'a>(
    text: &str,
    region: Span,
    key: impl for<'t> Fn(&Tag<'t>) -> Option<&'t str>,
) -> Result<Arguments<'a>, Fault> {
    let mut found = Vec::new();
    let mut at = region.start;
    while let Some(start) =
        text.get(at..region.end).and_then(|rest| rest.find('<')).map(|offset| at + offset)
    {
        let Some(tag) = tag(text, start).filter(|tag| tag.span.end <= region.end) else {
            at = start + 1;
            continue;
        };
        let Some(name) = key(&tag) else {
            at = tag.span.end;
            continue;
        };
        if tag.closed {
            at = tag.span.end;
            continue;
        }
        let inside = text.get(tag.span.end..region.end).unwrap_or_default();
        let data =
            inside.trim_start().strip_prefix("<![CDATA[").and_then(|data| data.split_once("]]>"));
        let data =
            data.filter(|(_, rest)| rest.trim_start().starts_with(&format!("</{}>", tag.name)));
        if let Some((data, rest)) = data {
            let start = (data.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
            found.push((name.to_owned(), Argument::Text(content(data), start..start + data.len())));
            at = start + data.len() + 3 + rest.find('>').map_or(0, |end| end + 1);
            continue;
        }
        let Some(end) = end_of_part(inside, tag.name) else {
            let message =
                format!("`<{}>` has no closing tag, or several, so its end is unclear", tag.name);
            return Err(Fault::new(tag.span.clone(), Reason::UnterminatedBlock, message));
        };
        let inner = inside.get(..end).unwrap_or_default();
        let span = tag.span.end..tag.span.end + end;
        let short = !inner.contains('\n');
        let value = if short { inner.to_owned() } else { content(inner) };
        // A name never includes the line breaks around it.
        let value = if value.trim().lines().count() <= 1
            && matches!(name, "path" | "file_path" | "filename" | "file" | "target_file")
        {
            value.trim().to_owned()
        } else {
            value
        };
        let whole = TEXT.contains(&name) && !found.iter().any(|(key, _)| is_line(key));
        let value =
            if whole && !short { unindented(value, text, tag.span.start, inner) } else { value };
        found.push((name.to_owned(), Argument::Text(value, span)));
        at = tag.span.end + end + tag.name.len() + 3;
    }
    Ok(found)
}

/// `<args><file>…</file><file>…</file></args>`: a call about several files.
fn several_files<'a>(text: &str, region: &Span) -> Option<Vec<(Arguments<'a>, Span)>> {
    let inside = text.get(region.clone())?;
    let trimmed = inside.trim_start();
    if !trimmed.starts_with("<args>") {
        return None;
    }
    let mut found = Vec::new();
    let mut at = region.start;
    while let Some(start) =
        text.get(at..region.end).and_then(|rest| rest.find("<file>")).map(|offset| at + offset)
    {
        let close = closing(text, start + "<file>".len(), "file")
            .filter(|close| close.end <= region.end)?;
        let outer = children(text, start + "<file>".len()..close.start).ok()?;
        let path = outer.iter().find(|(key, _)| key == "path")?.clone();
        for (_, diff) in outer.iter().filter(|(key, _)| key == "diff") {
            let mut inner = children(text, diff.span()).unwrap_or_default();
            match inner.iter_mut().find(|(key, _)| key == "content") {
                Some((key, _)) => "diff".clone_into(key),
                None => inner = vec![("diff".to_owned(), diff.clone())],
            }
            inner.push(path.clone());
            found.push((inner, start..close.end));
        }
        at = close.end;
    }
    (!found.is_empty()).then_some(found)
}

/// `<boltAction type="file" filePath="p">`: the first closing tag ends it, so a second one makes
/// the end ambiguous.
fn bolt(text: &str, tag: &Tag, draft: &mut Draft) -> Option<usize> {
    let close = first_closing(text, tag.span.end, tag.name)?;
    let kind = attribute(tag.attributes, "type").unwrap_or("file");
    if kind == "shell" {
        let script = decode(text.get(tag.span.end..close.start).unwrap_or_default());
        shell::of_script(&script, "", &(tag.span.start..close.end), draft);
        return Some(close.end);
    }
    if kind != "file" {
        draft.skip(tag.span.start..close.end, Why::Example);
        return Some(close.end);
    }
    let rest = text.get(close.end..).unwrap_or_default();
    let next = rest.find("<boltAction").unwrap_or(rest.len());
    let again = last_close(rest.get(..next).unwrap_or_default(), "</boltAction>").is_some();
    if again {
        draft.fault(
            tag.span.start..close.end,
            Reason::FenceAmbiguous,
            "more than one `</boltAction>` could end the file",
        );
        return Some(
            close.end + rest.rfind("</boltAction>").map_or(0, |at| at + "</boltAction>".len()),
        );
    }
    let Some(path) =
        ["filePath", "filepath", "path"].iter().find_map(|name| attribute_place(text, tag, name))
    else {
        draft.fault(tag.span.clone(), Reason::MissingPath, "the element does not name a file");
        return Some(close.end);
    };
    let inner = text.get(tag.span.end..close.start).unwrap_or_default();
    let content = without_wrapper(without_data(inner).trim(), &path.text).trim();
    draft.block(Block {
        operation: Operation::Write,
        span: tag.span.start..close.end,
        path: Some(path),
        splits: vec![Split::new("", format!("{content}\n"))],
        ..Block::of(Dialect::Xml, "", "")
    });
    Some(close.end)
}
