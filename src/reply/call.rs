//! Tool calls, as JSON or as XML. A call is understood by its keys, and by its name only if the
//! keys are ambiguous: every client invents its own tool names, but the keys are mostly the same.

use super::json::{self, Json};
use super::vocabulary::{self, Purpose};
use super::{Draft, Fault, Why, content, numbered, shell};
use crate::edit::{self, Block, Dialect, Operation, Path, Reason, Split};
use crate::text::Span;

pub(super) const PATHS: &[&str] = &[
    "file_path",
    "filePath",
    "filepath",
    "path",
    "target_file",
    "targetFile",
    "TargetFile",
    "notebook_path",
    "target_notebook",
    "file",
    "filename",
    "file_name",
    "relative_workspace_path",
    "relative_path",
    "uri",
    "args",
];
pub(super) const OLD: &[&str] = &[
    "old_string",
    "oldString",
    "old_str",
    "oldStr",
    "old_text",
    "oldText",
    "before",
    "search",
    "find",
    "TargetContent",
    "old_code",
    "oldCode",
    "original",
];
pub(super) const NEW: &[&str] = &[
    "new_string",
    "newString",
    "new_str",
    "newStr",
    "new_text",
    "newText",
    "after",
    "replace",
    "replacement",
    "ReplacementContent",
    "insert_text",
    "insertText",
    "new_code",
    "newCode",
    "updated",
];
pub(super) const TEXT: &[&str] =
    &["content", "contents", "file_text", "fileText", "CodeContent", "text"];
const ALL: &[&str] =
    &["replace_all", "replaceAll", "allow_multiple", "allowMultiple", "AllowMultiple"];
pub(super) const COUNT: &[&str] = &[
    "expected_replacements",
    "expectedReplacements",
    "expected_occurrences",
    "expectedOccurrences",
];
pub(super) const LISTS: &[&str] = &[
    "edits",
    "replacements",
    "ReplacementChunks",
    "replacementChunks",
    "replace_blocks",
    "chunks",
    "changes",
    "diffs",
];
/// The tool of Kimi CLI, whose `edit` is one edit or a list.
const KIMI: &str = "strreplacefile";
/// Text with its own markers: patches, diffs, blocks.
pub(super) const PATCHES: &[&str] =
    &["patch", "input", "patchText", "patch_text", "diff", "apply_patch"];
/// Blocks or hunks of the file that the call names.
const DIFFS: &[&str] = &["diff", "search_replace_blocks"];
/// Code with gaps, which another model would merge into the file.
pub(super) const LAZY: &[&str] =
    &["code_edit", "codeEdit", "CodeEdit", "update", "code", "changes"];
/// The line where the old text begins.
const STARTS: &[&str] = &["StartLine", "start_line", "startLine"];
/// Commands to run.
pub(super) const COMMANDS: &[&str] = &["command", "cmd"];
/// Keys that explain or refine a call without changing its effect.
pub(super) const ASIDE: &[&str] = &[
    "explanation",
    "instruction",
    "instructions",
    "Instruction",
    "description",
    "Description",
    "display_description",
    "reason",
    "line_count",
    "mode",
    "command",
    "overwrite",
    "EmptyFile",
    "Complexity",
    "CodeMarkdownLanguage",
    "toolSummary",
    "toolAction",
    "id",
    "security_risk",
    "encoding",
    "create_dirs",
    "cell_type",
    "Overwrite",
    "task_progress",
    "requires_approval",
    "language",
];

/// Arguments by name, in order.
pub(super) type Arguments<'a> = Vec<(String, Argument<'a>)>;

/// A call as written.
pub(super) struct Call<'a> {
    pub name: Option<String>,
    pub arguments: Arguments<'a>,
    pub span: Span,
}

#[derive(Debug, Clone)]
pub(super) enum Argument<'a> {
    Json(Json<'a>),
    Text(String, Span),
}

/// `true`, or Python's `True`.
fn truth(text: &str) -> Option<bool> {
    text.trim().to_ascii_lowercase().parse().ok()
}

impl<'a> Argument<'a> {
    pub fn span(&self) -> Span {
        match self {
            Self::Json(value) => value.span(),
            Self::Text(_, span) => span.clone(),
        }
    }

    pub fn string(&self) -> Option<String> {
        match self {
            Self::Json(value) => value.string(),
            Self::Text(text, _) => Some(text.clone()),
        }
    }

    fn dialect(&self) -> Dialect {
        if matches!(self, Self::Json(_)) { Dialect::Strings } else { Dialect::Xml }
    }

    fn bool(&self) -> Option<bool> {
        match self {
            Self::Json(value) => value.bool().or_else(|| truth(&value.string()?)),
            Self::Text(text, _) => truth(text),
        }
    }

    fn number(&self) -> Option<usize> {
        match self {
            Self::Json(value) => value.number().or_else(|| value.string()?.trim().parse().ok()),
            Self::Text(text, _) => text.trim().parse().ok(),
        }
    }

    /// The strings of a list, or a single string as a list.
    fn strings(&self) -> Option<Vec<String>> {
        match self {
            Self::Json(value) => value
                .items()
                .map(|items| items.iter().filter_map(Json::string).collect())
                .or_else(|| Some(vec![value.string()?])),
            Self::Text(text, _) => Some(vec![text.clone()]),
        }
    }

    fn is_list(&self) -> bool {
        match self {
            Self::Json(value) => {
                value.is_array()
                    || value.string().is_some_and(|text| text.trim_start().starts_with('['))
            }
            Self::Text(text, _) => text.trim_start().starts_with('['),
        }
    }

    /// Whether it's an object or a list.
    fn is_structured(&self) -> bool {
        matches!(self, Self::Json(value) if value.is_object()) || self.is_list()
    }

    /// An argument without effect: `false`, `null` or empty.
    pub fn is_off(&self) -> bool {
        let null = matches!(self, Self::Json(value) if value.is_null());
        null || self.is_empty() || self.bool() == Some(false)
    }

    fn is_empty(&self) -> bool {
        match self {
            Self::Json(value) => {
                value.string().is_some_and(|text| text.is_empty())
                    || value.items().is_some_and(|items| items.is_empty())
            }
            Self::Text(text, _) => text.trim().is_empty(),
        }
    }
}

impl<'a> Call<'a> {
    /// The call whose arguments are an object, or a string that contains one.
    pub fn of_json(name: Option<String>, arguments: Json<'a>, span: Span) -> Self {
        let arguments = arguments
            .entries()
            .unwrap_or_default()
            .into_iter()
            .map(|(key, value)| (key, Argument::Json(value)))
            .collect();
        Self { name, arguments, span }
    }

    /// The same call, with the usual names of the old and the new text.
    fn spelled_out(mut self) -> Self {
        if self.get(&["old"]).and(self.get(&["new"])).is_none() {
            return self;
        }
        for (key, _) in &mut self.arguments {
            match key.as_str() {
                "old" => "old_string".clone_into(key),
                "new" => "new_string".clone_into(key),
                _ => {}
            }
        }
        self
    }

    pub fn get(&self, names: &[&str]) -> Option<&Argument<'a>> {
        names
            .iter()
            .find_map(|name| self.arguments.iter().rev().find(|(key, _)| key == name))
            .map(|(_, value)| value)
    }

    pub fn string(&self, names: &[&str]) -> Option<String> {
        self.get(names)?.string()
    }

    /// The last part of its name: `functions.Edit`, `functions.edit_file:0`, `mcp__fs__write_file`.
    pub fn base(&self) -> &str {
        let name = self.name.as_deref().unwrap_or_default();
        // Kimi counts its calls.
        let number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let name =
            name.rsplit_once(':').filter(|(_, end)| number(end)).map_or(name, |(name, _)| name);
        let name = name.rsplit(['.', ':', '/']).next().unwrap_or(name);
        if name.starts_with("mcp__") { name.rsplit("__").next().unwrap_or(name) } else { name }
    }

    /// The same in lower case.
    pub fn tool(&self) -> String {
        self.base().to_ascii_lowercase()
    }

    /// Whether its arguments are a command to run: a list of words, or without the name of a tool
    /// also a script.
    fn runs(&self, nameless: bool) -> bool {
        let texts = [OLD, NEW, TEXT, LAZY].iter().any(|keys| self.get(keys).is_some());
        self.get(COMMANDS).is_some_and(|command| {
            command.is_list() || nameless && !texts && command.string().is_some()
        })
    }

    fn path(&self) -> Option<Path> {
        let argument = self.get(PATHS)?;
        let text = argument.string()?;
        // The span without the quotes.
        let span = match argument {
            Argument::Json(value) => value.span().start + 1..value.span().end.saturating_sub(1),
            Argument::Text(_, span) => span.clone(),
        };
        let text = text.trim().to_owned();
        (!text.is_empty()).then_some(Path { text, span, inherited: false })
    }
}

/// Reads a call as operations.
pub(super) fn read(call: &Call, draft: &mut Draft) {
    let tool = call.tool();
    let command = call.string(&["command"]).unwrap_or_default();
    if tool == "undo_edit" || command == "undo_edit" {
        return undo(call, draft);
    }
    if vocabulary::READERS.contains(&tool.as_str()) || command == "view" {
        return draft.skip(call.span.clone(), Why::Example);
    }
    if vocabulary::RUNNERS.contains(&tool.as_str())
        || tool != "apply_patch" && call.path().is_none() && call.runs(tool.is_empty())
    {
        return run(call, draft);
    }
    if let Some(patch) = patch(call) {
        return of_patch(call, &patch, draft);
    }
    let Some(path) = call.path() else { return without_path(call, draft) };
    if let Some(fault) = contradiction(call, &tool) {
        return draft.faults.push(Fault { file: Some(path.text), ..fault });
    }
    if tool.contains("notebook") {
        let message = "notebook cells cannot be edited";
        return draft.faults.push(Fault {
            file: Some(path.text),
            ..Fault::new(call.span.clone(), Reason::UnknownCall, message)
        });
    }
    let kimi = || call.get(&["edit"]).filter(|edit| tool == KIMI && edit.is_structured());
    let list = call.get(LISTS).filter(|list| list.is_list()).or_else(kimi);
    if let Some(list) = list.filter(|list| !list.is_empty()) {
        return of_list(call, list, &path, draft);
    }
    let edit = Edit { path: &path, span: call.span.clone() };
    if let Some(block) = edit.of(call) {
        return draft.block(block);
    }
    if let Some(diff) = call.string(DIFFS) {
        return of_diff(call, &diff, &path, draft);
    }
    if let Some(Argument::Json(diffs)) = call.get(&["diff"])
        && let Some(diffs) = diffs.items().filter(|diffs| !diffs.is_empty())
    {
        return of_diffs(call, &diffs, &path, draft);
    }
    if let Some(line) = call.get(&["line"]).and_then(Argument::number)
        && let Some(text) = call.string(TEXT)
        && let Some(hint) = numbered::line_after(&tool, line)
    {
        return draft
            .block(Block { hint: Some(hint), ..edit.block(Split::new("", whole_lines(&text))) });
    }
    if let Some(text) = call.string(TEXT).filter(|_| call.get(&["line"]).is_none()) {
        let kept = call.get(&["overwrite", "Overwrite"]).and_then(Argument::bool) == Some(false);
        let creates = vocabulary::CREATORS.contains(&tool.as_str()) || command == "create" || kept;
        let operation = if creates { Operation::Create } else { Operation::Write };
        let dialect = call.get(TEXT).map_or(Dialect::Strings, Argument::dialect);
        let split = Split::new("", content::without_wrapper(&text, &path.text));
        return draft.block(Block { operation, dialect, ..edit.block(split) });
    }
    if vocabulary::deletes(&tool) {
        return draft.block(Block { operation: Operation::Delete, ..edit.block(Split::default()) });
    }
    if let Some(text) = call.string(LAZY) {
        return draft.block(Block {
            operation: Operation::Lazy,
            ..edit.block(Split::new("", whole_lines(&text)))
        });
    }
    unknown(call, &tool, Some(path.text), draft);
}

/// A call that undoes the last edit of a file: one of this reply, or an earlier one.
fn undo(call: &Call, draft: &mut Draft) {
    let file = call.path().map(|path| path.text);
    let edits = |step: &super::Step| {
        let path = step.block.path.as_ref();
        path.is_some_and(|path| file.as_deref() == Some(path.text.as_str()))
    };
    if !draft.steps.iter().any(edits) {
        return draft.skip(call.span.clone(), Why::Example);
    }
    let message = "the call undoes an edit of this reply, which is not supported";
    let fault = Fault::new(call.span.clone(), Reason::UnknownCall, message);
    draft.faults.push(Fault { file, ..fault });
}

/// What a call does, by its keys.
fn purpose(call: &Call, tool: &str) -> Option<Purpose> {
    let has = |names: &[&str]| call.get(names).is_some();
    if call.get(&["insert_line", "insertLine"]).and_then(Argument::number).is_some() {
        return Some(Purpose::Insert);
    }
    if call.get(LISTS).is_some_and(|list| list.is_list() && !list.is_empty())
        || has(DIFFS)
        || call.string(OLD).is_some()
    {
        return Some(Purpose::Edit);
    }
    if has(TEXT) && numbered::line_after(tool, 0).is_some() && has(&["line"]) {
        return Some(Purpose::Insert);
    }
    if has(&["new_text"]) || has(TEXT) || call.string(LAZY).is_some() {
        return Some(Purpose::Write);
    }
    vocabulary::deletes(tool).then_some(Purpose::Delete)
}

/// A call that doesn't name a file.
fn without_path(call: &Call, draft: &mut Draft) {
    let tool = call.tool();
    let names = [
        ("from", "to"),
        ("old_path", "new_path"),
        ("source", "destination"),
        ("source_path", "destination_path"),
        ("src", "dst"),
    ];
    let moved =
        || names.iter().find_map(|(from, to)| Some((call.get(&[*from])?, call.string(&[*to])?)));
    if (tool.contains("rename") || tool.contains("move"))
        && let Some((from, to)) = moved()
        && let Some(text) = from.string()
    {
        let path = Path { text, span: from.span(), inherited: false };
        let block = Edit { path: &path, span: call.span.clone() }.block(Split::default());
        return draft.block(Block { operation: Operation::Move(to), ..block });
    }
    if let Some(list) = call.get(LISTS).filter(|list| list.is_list() && !list.is_empty()) {
        let nowhere = Path { text: String::new(), span: call.span.clone(), inherited: false };
        return of_list(call, list, &nowhere, draft);
    }
    if call.get(OLD).is_some()
        || call.get(NEW).is_some() && call.get(&["command", "insert_line"]).is_some()
    {
        return draft.fault(
            call.span.clone(),
            Reason::MissingPath,
            "the call does not name a file",
        );
    }
    unknown(call, &tool, None, draft);
}

/// A call of an unknown tool: harmless, unless it looks like one that writes.
fn unknown(call: &Call, tool: &str, file: Option<String>, draft: &mut Draft) {
    let writes =
        ["write", "edit", "patch", "replace", "insert", "create", "delete", "rename", "append"]
            .iter()
            .any(|verb| tool.contains(verb));
    let texts = [OLD, NEW, TEXT, LAZY, PATCHES].iter().any(|keys| call.get(keys).is_some());
    if !(writes || texts && file.is_some()) {
        return draft.skip(call.span.clone(), Why::Example);
    }
    let name = call.name.as_deref().unwrap_or("without a name");
    let fault = Fault::new(
        call.span.clone(),
        Reason::UnknownCall,
        format!("unknown tool call `{name}`: its arguments are not those of any editing tool"),
    );
    draft.faults.push(Fault { file, ..fault });
}

/// Arguments that contradict each other, would lose something, or aren't understood.
fn contradiction(call: &Call, tool: &str) -> Option<Fault> {
    let fault = |message: String| Some(Fault::new(call.span.clone(), Reason::UnknownCall, message));
    let filled = |names: &[&str]| call.get(names).is_some_and(|value| !value.is_empty());
    let list = call.get(LISTS).filter(|list| list.is_list()).is_some_and(|list| !list.is_empty());
    let mode = call.string(&["mode"]).unwrap_or_default();
    if list && filled(TEXT) {
        return fault("the call has both `edits` and whole content".to_owned());
    }
    if call.get(&["use_regex", "useRegex", "regex"]).and_then(Argument::bool) == Some(true) {
        return fault(
            "the call replaces what a regular expression matches, which is not supported"
                .to_owned(),
        );
    }
    if mode == "append" || tool.contains("append") {
        return fault("the call appends to the file, which is not supported".to_owned());
    }
    if let Some(message) =
        purpose(call, tool).and_then(|purpose| vocabulary::misunderstood(call, purpose))
    {
        return fault(message);
    }
    if call.tool() == "search_and_replace" && vocabulary::is_limited(call) {
        return fault(
            "the call limits the replacement to some lines, which is not supported".to_owned(),
        );
    }
    None
}

/// A patch that a call carries.
fn patch(call: &Call) -> Option<(String, Span)> {
    let argument = call.get(PATCHES)?;
    let text = argument.string()?;
    let start = text.trim_start();
    let begins = ["*** Begin Patch", "<<", "apply_patch", "applypatch"]
        .iter()
        .any(|start_of| start.starts_with(start_of));
    (begins && shell::holds_patch(&text)).then(|| (text, argument.span()))
}

fn of_patch(call: &Call, (text, span): &(String, Span), draft: &mut Draft) {
    match shell::without_heredoc(text) {
        Some(patch) => super::patch::of_call(patch, span, draft),
        None => draft.fault(
            call.span.clone(),
            Reason::UnterminatedBlock,
            "the patch has no `*** End Patch`",
        ),
    }
}

fn run(call: &Call, draft: &mut Draft) {
    let Some(argument) = call.get(&["command", "cmd", "script", "CommandLine", "input"]) else {
        return draft.skip(call.span.clone(), Why::Example);
    };
    shell::of_command(
        &argument.strings().unwrap_or_default(),
        &call.string(&["workdir", "cwd"]).unwrap_or_default(),
        &argument.span(),
        draft,
    );
}

/// Several edits: of the call's file, unless an edit names its own.
fn of_list(call: &Call, list: &Argument, path: &Path, draft: &mut Draft) {
    let decoded;
    let (items, place) = match list {
        Argument::Json(value) if value.is_array() => (value.items(), None),
        Argument::Json(value) if value.is_object() => (Some(vec![*value]), None),
        other => {
            let text = other.string().unwrap_or_default();
            let text = text.trim_start();
            let escaped = json::first(text, 0).is_none().then(|| json::Escaped::first(text, 0));
            decoded = escaped.flatten().map_or_else(|| text.to_owned(), |escaped| escaped.text);
            (json::first(&decoded, 0).and_then(|value| value.items()), Some(other.span()))
        }
    };
    let Some(items) = items else {
        return draft.fault(
            list.span(),
            Reason::InvalidJson,
            "the list of edits is not valid JSON",
        );
    };
    if numbered::is_hashline(&items) {
        return numbered::hashline(&items, path, call.span.clone(), draft);
    }
    let all = call.get(ALL).and_then(Argument::bool) == Some(true);
    // `old` and `new` may be anything in the list of another tool.
    let tool = call.tool();
    let edits_text = ["replace", "edit"].iter().any(|verb| tool.contains(verb));
    for item in items {
        let span = place.clone().unwrap_or_else(|| item.span());
        let inner = Call::of_json(call.name.clone(), item, span.clone());
        let inner = if edits_text { inner.spelled_out() } else { inner };
        let own = inner.path().map(|own| Path { span: place.clone().unwrap_or(own.span), ..own });
        let path = own.unwrap_or_else(|| path.clone());
        if path.text.is_empty() {
            draft.fault(span, Reason::MissingPath, "the edit does not name a file");
            continue;
        }
        if let Some(message) = vocabulary::misunderstood(&inner, Purpose::Edit) {
            let fault = Fault::new(span, Reason::UnknownCall, message);
            draft.faults.push(Fault { file: Some(path.text), ..fault });
            continue;
        }
        let edit = Edit { path: &path, span: span.clone() };
        let block = edit.of(&inner).filter(|block| block.operation != Operation::Write);
        match block.or_else(|| edit.of_lines(&inner)) {
            Some(block) => draft.block(Block { all: block.all || all, ..block }),
            None => draft.faults.push(Fault {
                file: Some(path.text.clone()),
                ..Fault::new(
                    span,
                    Reason::UnknownCall,
                    "an edit of the list has no old and new text",
                )
            }),
        }
    }
}

/// Blocks or hunks of one file.
fn of_diff(call: &Call, diff: &str, path: &Path, draft: &mut Draft) {
    let span = call.get(DIFFS).map_or(call.span.clone(), Argument::span);
    let mut blocks = edit::read_search_replace(diff);
    if blocks.is_empty() {
        blocks = edit::read_unified(diff);
    }
    if blocks.is_empty() {
        return draft.faults.push(Fault {
            file: Some(path.text.clone()),
            ..Fault::new(
                call.span.clone(),
                Reason::MissingDivider,
                "the diff has neither a SEARCH block nor a hunk",
            )
        });
    }
    // A line next to the diff is that of its only block.
    let line = call.get(STARTS).and_then(Argument::number).filter(|_| blocks.len() == 1);
    for block in blocks {
        let hint = block.hint.or(line);
        draft.block(Block { hint, path: Some(path.clone()), span: span.clone(), ..block });
    }
}

/// Diffs of one file, each with the line where it begins: `[{"content": …, "startLine": 3}]`
fn of_diffs(call: &Call, list: &[Json], path: &Path, draft: &mut Draft) {
    for item in list {
        let mut inner = Call::of_json(call.name.clone(), *item, item.span());
        for (key, _) in inner.arguments.iter_mut().filter(|(key, _)| key == "content") {
            "diff".clone_into(key);
        }
        let diff = inner.string(&["diff"]).unwrap_or_default();
        of_diff(&inner, &diff, path, draft);
    }
}

/// The file of some edits, and where they are written.
struct Edit<'a> {
    path: &'a Path,
    span: Span,
}

impl Edit<'_> {
    fn block(&self, split: Split) -> Block {
        Block {
            path: Some(self.path.clone()),
            span: self.span.clone(),
            splits: vec![split],
            ..Block::of(Dialect::Strings, "", "")
        }
    }

    /// An insertion at a line, or old and new text.
    fn of(&self, call: &Call) -> Option<Block> {
        if let Some(line) = call.get(&["insert_line", "insertLine"]).and_then(Argument::number) {
            // Cline counts from 1 and inserts before that line; the others insert after it.
            let before = call.get(&["new_text"]).is_some();
            let line = if before { line.saturating_sub(1) } else { line };
            let text = call.string(NEW).or_else(|| call.string(TEXT))?;
            return Some(Block {
                hint: Some(line),
                ..self.block(Split::new("", whole_lines(&text)))
            });
        }
        let command = call.string(&["command"]).unwrap_or_default();
        let new = call.string(NEW).or_else(|| (command == "str_replace").then(String::new));
        let (old, new) = match (call.string(OLD), new) {
            (Some(old), Some(new)) => (old, new),
            // Cline leaves the old text out to write the whole file.
            (None, Some(new)) if call.get(&["new_text"]).is_some() => {
                return Some(Block {
                    operation: Operation::Write,
                    ..self.block(Split::new("", new))
                });
            }
            (Some(_), None) => {
                let error = Some(Reason::MissingDivider);
                return Some(Block { error, ..self.block(Split::default()) });
            }
            _ => return None,
        };
        let count = call.get(COUNT).and_then(Argument::number);
        let everywhere = call.get(&["search"]).is_some() && call.tool() == "search_and_replace";
        let all = everywhere
            || call.get(ALL).and_then(Argument::bool) == Some(true)
            || count.is_some_and(|count| count > 1);
        let operation = if old.is_empty() { Operation::Create } else { Operation::Edit };
        let hint = call.get(STARTS).and_then(Argument::number).filter(|_| !everywhere);
        Some(Block { all, count, operation, hint, ..self.block(Split::new(old, new)) })
    }

    /// Lists of whole lines.
    fn of_lines(&self, call: &Call) -> Option<Block> {
        let lines = |name: &str| call.get(&[name])?.strings();
        let text =
            |lines: Vec<String>| lines.iter().map(|line| whole_lines(line)).collect::<String>();
        Some(self.block(Split::new(text(lines("original_lines")?), text(lines("updated_lines")?))))
    }
}

pub(super) fn whole_lines(text: &str) -> String {
    if text.is_empty() || text.ends_with('\n') { text.to_owned() } else { format!("{text}\n") }
}
