//! The names and arguments of calls that are understood. A call that would write, insert or delete
//! must have no others: any other may limit it to a part of the file.

use super::call::{ASIDE, Call, LAZY, LISTS, NEW, OLD, PATHS, TEXT};

/// Arguments for the place of an insertion.
const LINES: &[&str] = &["insert_line", "insertLine", "line", "command", "view_range"];
/// Words in the name of an argument that makes an edit a trial, or changes which text it finds.
const TRIALS: &[&str] = &["dryrun", "preview"];
const FINDERS: &[&str] = &["regex", "ignorecase", "caseinsensitive", "occurrence", "nth"];
/// Arguments that limit a replacement to some lines.
const LIMITS: &[&str] = &["start_line", "startLine", "StartLine", "end_line", "endLine", "EndLine"];
/// Parts of the names of tools that write files.
const WRITERS: &[&str] =
    &["write", "create", "save", "edit", "update", "replace", "upload", "modify", "put", "new"];
/// Words that mean writing only next to `file`.
const MAKERS: &[&str] = &["add", "generate", "make", "set"];
/// Words in names of tools that don't mention anything other than a file. The empty word is what
/// remains of `file`.
const PLAIN: &[&str] = &[
    "",
    "apply",
    "based",
    "code",
    "content",
    "contents",
    "create",
    "developer",
    "edit",
    "editor",
    "fs",
    "fscreate",
    "fswrite",
    "full",
    "modify",
    "new",
    "overwrite",
    "put",
    "replace",
    "rewrite",
    "save",
    "str",
    "text",
    "to",
    "tool",
    "update",
    "upload",
    "whole",
    "write",
];
/// Words of tools that change a part of a file, or something about it.
const PARTS: &[&str] = &[
    "after", "before", "block", "cell", "class", "comment", "comments", "end", "function",
    "import", "imports", "issue", "key", "line", "lines", "method", "range", "region", "review",
    "section", "start", "symbol", "value",
];
/// Parts of the names of tools that add to a file.
const ADDERS: &[&str] = &["append", "prepend", "insert"];
const DELETERS: &[&str] = &["delete", "remove", "unlink"];
/// Words in names of tools that delete files. The empty word is what remains of `file`.
const FILES: &[&str] = &["", "delete", "remove", "unlink", "files", "path", "paths", "fs", "tool"];
const MODES: &[&str] =
    &["", "w", "wt", "write", "create", "overwrite", "rewrite", "replace", "edit", "full"];
const ENCODINGS: &[&str] = &["", "utf-8", "utf8", "utf_8", "ascii", "text", "plain"];

/// Tools that never change a file, regardless of their arguments.
pub(super) const READERS: &[&str] = &[
    "read",
    "view",
    "grep",
    "glob",
    "ls",
    "read_file",
    "readfile",
    "read_many_files",
    "list_files",
    "list_dir",
    "list_directory",
    "search_files",
    "search_file_content",
    "grep_search",
    "file_search",
    "semantic_search",
    "codebase_search",
    "list_code_definition_names",
    "get_errors",
    "todowrite",
    "todo_write",
    "update_todo_list",
    "update_plan",
    "task",
    "webfetch",
    "websearch",
    "web_fetch",
    "web_search",
    "fetch",
    "think",
    "ask_followup_question",
    "attempt_completion",
    "browser_action",
    "use_mcp_tool",
    "access_mcp_resource",
    "switch_mode",
    "new_task",
    "plan_mode_respond",
    "view_image",
    "view_file",
    "find_by_name",
    "open_file",
    "undo_edit",
    "notebookread",
];
/// Tools that run a command.
pub(super) const RUNNERS: &[&str] = &[
    "bash",
    "shell",
    "sh",
    "run_in_terminal",
    "execute_command",
    "run_terminal_cmd",
    "run_terminal_command",
    "run_shell_command",
    "local_shell",
    "local_shell_call",
    "shell_command",
    "exec_command",
    "exec",
    "container.exec",
    "developer__shell",
    "run_command",
    "terminal",
];
/// Tools that create files and leave existing ones alone.
pub(super) const CREATORS: &[&str] =
    &["create_file", "create_new_file", "create", "fscreate", "create_text_file"];

/// What a call does with a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// Replaces old text.
    Edit,
    /// Inserts text at a line.
    Insert,
    /// Writes all of the file.
    Write,
    Delete,
}

/// Why a call isn't understood, if it isn't.
pub(super) fn misunderstood(call: &Call, purpose: Purpose) -> Option<String> {
    let odd = call.arguments.iter().filter(|(_, value)| !value.is_off()).map(|(key, _)| key);
    let plain = |key: &str| key.replace(['_', '-'], "").to_ascii_lowercase();
    let has = |key: &str, words: &[&str]| words.iter().any(|word| plain(key).contains(word));
    if let Some(key) = odd.clone().find(|key| has(key, TRIALS)) {
        return Some(format!("the call is a dry run: it has `{key}`"));
    }
    if let Some(encoding) = call.string(&["encoding"])
        && !ENCODINGS.contains(&encoding.to_ascii_lowercase().as_str())
    {
        return Some(format!(
            "the call has content in the encoding `{encoding}`, which is not supported"
        ));
    }
    let known: &[&[&str]] = match purpose {
        Purpose::Edit => {
            let found = odd
                .clone()
                .find(|key| has(key, FINDERS) && !super::call::COUNT.contains(&key.as_str()));
            return found.map(|key| format!("the call has `{key}`, which is not supported"));
        }
        Purpose::Insert => &[PATHS, NEW, TEXT, LINES, ASIDE],
        Purpose::Write if call.get(TEXT).is_some() => &[PATHS, TEXT, ASIDE, LISTS],
        Purpose::Write if call.get(LAZY).is_some() => &[PATHS, LAZY, ASIDE],
        Purpose::Write => &[PATHS, &["new_text"], OLD, ASIDE],
        Purpose::Delete => &[PATHS, ASIDE],
    };
    if let Some(key) =
        odd.clone().find(|key| !known.iter().any(|keys| keys.contains(&key.as_str())))
    {
        let next = match purpose {
            Purpose::Delete => "of a call that deletes a file",
            Purpose::Insert => "next to text to insert",
            Purpose::Edit | Purpose::Write => "next to a path and whole content",
        };
        return Some(format!("unknown argument `{key}` {next}"));
    }
    let mode = call.string(&["mode"]).unwrap_or_default();
    if purpose == Purpose::Write && !MODES.contains(&mode.to_ascii_lowercase().as_str()) {
        return Some(format!("unknown mode `{mode}` next to a path and whole content"));
    }
    let (tool, words) = (call.tool(), words(call.base()));
    let is = |known: &[&str]| words.iter().any(|word| known.contains(&word.as_str()));
    let holds = |known: &[&str]| known.iter().any(|part| tool.contains(part));
    let all = |words: &[String], known: &[&str]| {
        words.iter().all(|word| known.contains(&word.trim_end_matches("file")))
    };
    let file = is(&["file", "files", "document"]);
    let writes = tool.is_empty()
        || (holds(WRITERS) && (file || all(&words, PLAIN)) || file && is(MAKERS))
            && !is(PARTS)
            && !holds(ADDERS);
    // Words before the verb are about the tool: `filesystem_delete_file`.
    let verb = words.iter().position(|word| DELETERS.contains(&word.trim_end_matches("file")));
    let from = verb.filter(|_| file && !is(PARTS)).unwrap_or_default();
    let deleted = words.get(from..).unwrap_or_default();
    match purpose {
        Purpose::Write if !writes => {
            Some(format!("unknown tool call `{}`: it might not write the whole file", call.base()))
        }
        Purpose::Delete if !all(deleted, FILES) => Some(format!(
            "unknown tool call `{}`: it might not delete the file itself",
            call.base()
        )),
        _ => None,
    }
}

/// Whether the name of a tool says that it deletes or removes something.
pub(super) fn deletes(tool: &str) -> bool {
    DELETERS.iter().any(|word| tool.contains(word))
}

/// Whether a replacement at every place is limited to some lines.
pub(super) fn is_limited(call: &Call) -> bool {
    call.get(LIMITS).is_some_and(|value| !value.is_off())
}

/// The words of a name in snake, kebab or camel case, in lower case.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut last = ' ';
    for letter in name.chars() {
        if letter.is_alphanumeric() {
            let begins = !last.is_alphanumeric() || letter.is_uppercase() && last.is_lowercase();
            if begins {
                words.push(String::new());
            }
            if let Some(word) = words.last_mut() {
                word.extend(letter.to_lowercase());
            }
        }
        last = letter;
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_names() {
        for (name, expected) in [
            ("delete_file", &["delete", "file"][..]),
            ("deleteFile", &["delete", "file"]),
            ("fsWrite", &["fs", "write"]),
            ("insert-at-end", &["insert", "at", "end"]),
        ] {
            assert_eq!(words(name), expected);
        }
    }
}
