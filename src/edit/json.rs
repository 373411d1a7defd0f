//! Tool calls as JSON: `old_string` and `new_string`, `str_replace`, `insert`, alone or in lists,
//! at any nesting.

use serde_json::{Map, Value};

use super::block::{Block, Dialect, Operation, Path, Split};
use crate::text::Span;

const OLD: &[&str] = &["old_string", "old_str", "oldString", "oldText", "old_text", "search"];
const NEW: &[&str] = &[
    "new_string",
    "new_str",
    "newString",
    "newText",
    "new_text",
    "insert_text",
    "insertText",
    "replace",
];
const ALL: &[&str] = &["replace_all", "replaceAll", "allowMultiple", "allow_multiple"];
const PATHS: &[&str] = &["file_path", "filePath", "path", "target_file", "filename", "file"];
/// Keys whose values are the arguments of a call, or edits of one file.
const INSIDE: &[&str] = &[
    "edits",
    "input",
    "arguments",
    "parameters",
    "args",
    "function",
    "tool_calls",
    "content",
    "replacements",
];
/// Deeper values contain no edits.
const DEEPEST: usize = 8;

/// Every edit in a reply that is JSON, or contains it in fences.
pub fn read(text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    if !OLD.iter().chain(&["insert_line", "file_text"]).any(|name| text.contains(name)) {
        return blocks;
    }
    for span in values(text) {
        let source = text.get(span.clone()).unwrap_or_default();
        for value in serde_json::Deserializer::from_str(source).into_iter::<Value>() {
            let Ok(value) = value else { break };
            let mut reader = Reader { text, span: span.clone(), blocks: &mut blocks, path: None };
            reader.value(&value, 0);
        }
    }
    blocks
}

/// The parts of a reply that may be JSON: all of it, consecutive lines, or the content of fences.
fn values(text: &str) -> Vec<Span> {
    let begins = |text: &str| text.trim_start().starts_with(['{', '[']);
    if begins(text) {
        let start = text.len() - text.trim_start().len();
        return std::iter::once(start..text.trim_end().len()).collect();
    }
    let (mut found, mut open, mut at) = (Vec::new(), None, 0);
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        if line.trim_start().starts_with("```") {
            match open.take() {
                None => open = Some(at),
                Some(from) if text.get(from..start).is_some_and(begins) => found.push(from..start),
                Some(_) => {}
            }
        }
    }
    found
}

struct Reader<'a> {
    text: &'a str,
    span: Span,
    blocks: &'a mut Vec<Block>,
    /// The path of the enclosing value.
    path: Option<String>,
}

fn string<'v>(object: &'v Map<String, Value>, names: &[&str]) -> Option<&'v str> {
    names.iter().find_map(|name| object.get(*name)?.as_str())
}

impl Reader<'_> {
    fn value(&mut self, value: &Value, depth: usize) {
        match value {
            _ if depth > DEEPEST => {}
            Value::Array(items) => items.iter().for_each(|item| self.value(item, depth + 1)),
            // In some replies, the arguments of a call are JSON within JSON.
            Value::String(inner) if depth > 0 && inner.trim_start().starts_with('{') => {
                if let Ok(value) = serde_json::from_str::<Value>(inner) {
                    self.value(&value, depth + 1);
                }
            }
            Value::Object(object) => {
                let outer = self.path.clone();
                self.path = string(object, PATHS).map(str::to_owned).or(outer.clone());
                if !self.edit(object) {
                    INSIDE
                        .iter()
                        .filter_map(|name| object.get(*name))
                        .for_each(|inner| self.value(inner, depth + 1));
                }
                self.path = outer;
            }
            _ => {}
        }
    }

    fn edit(&mut self, object: &Map<String, Value>) -> bool {
        let lines = |text: &str| {
            if text.is_empty() || text.ends_with('\n') {
                text.to_owned()
            } else {
                format!("{text}\n")
            }
        };
        let mut block = Block::of(Dialect::Strings, "", "");
        let (old, new) = (string(object, OLD), string(object, NEW));
        if let Some(line) = object.get("insert_line").and_then(Value::as_u64) {
            // After that line; 0 means before the first.
            block.hint = usize::try_from(line).ok();
            block.splits = vec![Split::new("", lines(new.unwrap_or_default()))];
        } else if let Some(text) = string(object, &["file_text"]) {
            block.operation = Operation::Create;
            block.splits = vec![Split::new("", text)];
        } else if let (Some(old), true) = (
            old,
            new.is_some() || object.get("command").and_then(Value::as_str) == Some("str_replace"),
        ) {
            // A missing REPLACE text means a deletion only if the call is a replacement.
            block.all =
                ALL.iter().any(|name| object.get(*name).and_then(Value::as_bool) == Some(true));
            block.splits = vec![Split::new(old, new.unwrap_or_default())];
        } else {
            return false;
        }
        block.path = self.path.clone().map(|name| self.place(name));
        block.span = self.span.clone();
        // Several edits of one value share its span; the first keeps it, the others follow it.
        if let Some(last) = self
            .blocks
            .last()
            .filter(|last| last.span.start >= self.span.start && last.span.end <= self.span.end)
        {
            block.span = last.span.end..last.span.end;
        }
        self.blocks.push(block);
        true
    }

    /// Where a path is written.
    fn place(&self, name: String) -> Path {
        let known = self.blocks.last().and_then(|block| block.path.as_ref());
        if let Some(known) = known.filter(|known| known.text == name) {
            return known.clone();
        }
        let quoted = Value::from(name.as_str()).to_string();
        let inside = self.text.get(self.span.clone()).unwrap_or_default();
        let span = inside.find(&quoted).map_or(self.span.clone(), |at| {
            self.span.start + at + 1..self.span.start + at + quoted.len() - 1
        });
        Path { text: name, span, inherited: false }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> Vec<(String, String, String, bool)> {
        let split = |block: &Block| block.splits[0].clone();
        let path =
            |block: &Block| block.path.as_ref().map(|path| path.text.clone()).unwrap_or_default();
        read(text)
            .iter()
            .map(|block| (path(block), split(block).search, split(block).replace, block.all))
            .collect()
    }

    #[test]
    fn calls_of_tools() {
        let edit = |path: &str, old: &str, new: &str, all| {
            (path.to_owned(), old.to_owned(), new.to_owned(), all)
        };
        assert_eq!(
            said(
                r#"{"file_path": "a.rs", "old_string": "x", "new_string": "y", "replace_all": true}"#
            ),
            [edit("a.rs", "x", "y", true)]
        );
        let several = "Here:\n\n```json\n{\"path\": \"a.rs\", \"edits\": [{\"oldText\": \"1\", \"newText\": \"2\"}, {\"oldText\": \"3\", \"newText\": \"\"}]}\n```\n";
        assert_eq!(said(several), [edit("a.rs", "1", "2", false), edit("a.rs", "3", "", false)]);
        let call = r#"{"name": "edit", "arguments": "{\"path\": \"b\", \"old_str\": \"x\", \"new_str\": \"y\"}"}"#;
        assert_eq!(said(call), [edit("b", "x", "y", false)]);
        let lines = "{\"command\": \"insert\", \"path\": \"b\", \"insert_line\": 3, \"new_str\": \"new\"}\n{\"command\": \"create\", \"path\": \"c\", \"file_text\": \"all\"}\n";
        assert_eq!(said(lines), [edit("b", "", "new\n", false), edit("c", "", "all", false)]);
        assert!(said("{\"old_string\"").is_empty() && said("{\"search\": \"words\"}").is_empty());
    }
}
