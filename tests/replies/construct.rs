//! The ways in which a reply can change or create one file.

use serde_json::json;

/// One change that a construct should express.
#[derive(Debug, Clone, Copy)]
pub struct Change<'a> {
    pub path: &'a str,
    /// The whole file before; empty if the construct creates the file.
    pub before: &'a str,
    /// One line of the file, or several, each with its newline.
    pub old: &'a str,
    /// The replacement of the lines, or the whole text of a new file.
    pub new: &'a str,
    /// The index of the change in the reply, from 0, since Duckflow numbers its actions.
    pub number: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Edits,
    Creates,
}

#[derive(Debug, Clone, Copy)]
pub struct Construct {
    pub name: &'static str,
    pub kind: Kind,
    /// The number of lines after which a reader knows that a construct has started.
    pub opened_by: usize,
    pub write: fn(Change) -> String,
}

const fn construct(
    name: &'static str,
    kind: Kind,
    opened_by: usize,
    write: fn(Change) -> String,
) -> Construct {
    Construct { name, kind, opened_by, write }
}

use Kind::{Creates, Edits};

pub const ALL: [Construct; 20] = [
    construct("search-replace", Edits, 3, |c| {
        format!("{}\n```\n{}```\n", c.path, block(c, '<', "SEARCH", 7))
    }),
    construct("search-replace-bare", Edits, 2, |c| {
        format!("{}\n{}", c.path, block(c, '<', "SEARCH", 7))
    }),
    construct("search-replace-dashes", Edits, 3, |c| {
        format!("{}\n```\n{}```\n", c.path, block(c, '-', "SEARCH", 7))
    }),
    construct("original-updated", Edits, 2, |c| {
        format!("```patch {}\n{}```\n", c.path, block(c, '<', "ORIGINAL", 7))
    }),
    construct("llmd", Edits, 2, |c| format!("{}\n{}", c.path, block(c, '<', "SEARCH", 6))),
    construct("diff-fence", Edits, 4, |c| format!("```diff\n{}```\n", unified(c))),
    construct("diff-bare", Edits, 3, unified),
    construct("patch-bare", Edits, 1, patch),
    construct("patch-fence", Edits, 2, |c| format!("```\n{}```\n", patch(c))),
    construct("patch-add", Creates, 1, |c| {
        format!(
            "*** Begin Patch\n*** Add File: {}\n{}*** End Patch\n",
            c.path,
            prefixed('+', c.new)
        )
    }),
    construct("replace-in-file", Edits, 1, |c| {
        format!(
            "<replace_in_file>\n<path>{}</path>\n<diff>\n{}</diff>\n</replace_in_file>\n",
            c.path,
            block(c, '-', "SEARCH", 7)
        )
    }),
    construct("write-to-file", Creates, 1, |c| {
        format!(
            "<write_to_file>\n<path>{}</path>\n<content>\n{}</content>\n</write_to_file>\n",
            c.path, c.new
        )
    }),
    construct("invoke-edit", Edits, 1, |c| {
        invoke("Edit", &[("file_path", c.path), ("old_string", c.old), ("new_string", c.new)])
    }),
    construct("invoke-write", Creates, 1, |c| {
        invoke("Write", &[("file_path", c.path), ("content", c.new)])
    }),
    construct("json-edit", Edits, 3, |c| {
        json_fence("Edit", json!({"file_path": c.path, "old_string": c.old, "new_string": c.new}))
    }),
    construct("json-write", Creates, 3, |c| {
        json_fence("Write", json!({"file_path": c.path, "content": c.new}))
    }),
    construct("duckflow", Creates, 1, |c| {
        let (n, path, text) = (c.number, c.path, c.new);
        format!(
            "[ACTION_{n}_TYPE] create_file\n[ACTION_{n}_PATH] {path}\n[ACTION_{n}_CONTENT_START]\n{text}[ACTION_{n}_CONTENT_END]\n"
        )
    }),
    construct("named-fence", Creates, 2, |c| format!("{}\n```\n{}```\n", c.path, c.new)),
    construct("old-text-new-text", Edits, 1, |c| {
        format!(
            "<edit_file>\n<path>{}</path>\n<edits>\n<old_text>\n{}</old_text>\n<new_text>\n{}</new_text>\n</edits>\n</edit_file>\n",
            c.path, c.old, c.new
        )
    }),
    construct("bolt-action", Creates, 1, |c| {
        format!(
            "<boltArtifact id=\"part-{}\" title=\"Part\">\n<boltAction type=\"file\" filePath=\"{}\">\n{}</boltAction>\n</boltArtifact>\n",
            c.number, c.path, c.new
        )
    }),
];

fn block(change: Change, sign: char, head: &str, length: usize) -> String {
    let (end_sign, end) = match (sign, head) {
        ('-', _) => ('+', "REPLACE"),
        (_, "ORIGINAL") => ('>', "UPDATED"),
        _ => ('>', "REPLACE"),
    };
    let line = |sign: char, word: &str| format!("{} {word}\n", sign.to_string().repeat(length));
    format!("{}{}=======\n{}{}", line(sign, head), change.old, change.new, line(end_sign, end))
}

fn prefixed(sign: char, text: &str) -> String {
    text.lines().map(|line| format!("{sign}{line}\n")).collect()
}

/// Uses the whole file as context, so that the line counts are those of the file.
fn unified(change: Change) -> String {
    let (above, below) = change.before.split_once(change.old).unwrap();
    let after = above.lines().count() + change.new.lines().count() + below.lines().count();
    format!(
        "--- a/{path}\n+++ b/{path}\n@@ -1,{} +1,{after} @@\n{}{}{}{}",
        change.before.lines().count(),
        prefixed(' ', above),
        prefixed('-', change.old),
        prefixed('+', change.new),
        prefixed(' ', below),
        path = change.path,
    )
}

fn patch(change: Change) -> String {
    let (removed, added) = (prefixed('-', change.old), prefixed('+', change.new));
    format!(
        "*** Begin Patch\n*** Update File: {}\n@@\n{removed}{added}*** End Patch\n",
        change.path
    )
}

fn invoke(tool: &str, parameters: &[(&str, &str)]) -> String {
    let parameters: String = parameters
        .iter()
        .map(|(name, value)| format!("<parameter name=\"{name}\">{value}</parameter>\n"))
        .collect();
    format!(
        "<function_calls>\n<invoke name=\"{tool}\">\n{parameters}</invoke>\n</function_calls>\n"
    )
}

fn json_fence(tool: &str, input: serde_json::Value) -> String {
    format!(
        "```json\n{}\n```\n",
        serde_json::to_string_pretty(&json!({"name": tool, "input": input})).unwrap()
    )
}
