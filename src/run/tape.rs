//! Recordings of runs: a folder with every request and reply, and every call of `python` or of a
//! server's tool, as numbered JSON files. A run that is replayed sends nothing and starts nothing.
//!
//! `01.request.json` and `01.reply.json` are the first request of a program. `01.2.tool.json` is the
//! second call in its reply; if that calls an imported program, its own requests begin with
//! `01.2.01.`. `00.servers.json` has the tools of the program's servers.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use serde_json::Value;

use super::journal::HIDDEN;

/// Whether a run is recorded or replayed.
#[derive(Debug)]
pub enum Tape {
    Record(Record),
    Replay(Replay),
}

/// A recording being written.
#[derive(Debug)]
pub struct Record {
    folder: PathBuf,
    discarded: AtomicBool,
}

/// A recording being read.
#[derive(Debug)]
pub struct Replay {
    folder: PathBuf,
    /// How to make a new one, for errors.
    advice: String,
    mismatch: Mismatch,
}

/// Set if a recording doesn't fit the run that replays it: the reason.
pub type Mismatch = Arc<OnceLock<String>>;

/// At most this many differences are reported.
const MOST: usize = 5;

impl Record {
    /// A recording in a folder, which is created, or emptied of an earlier recording.
    ///
    /// # Errors
    /// If it can't be written.
    pub fn new(folder: &Path) -> Result<Self, String> {
        let wrong = |error: std::io::Error| format!("cannot write {}: {error}", folder.display());
        std::fs::create_dir_all(folder).map_err(wrong)?;
        empty(folder).map_err(wrong)?;
        Ok(Self { folder: folder.to_owned(), discarded: AtomicBool::new(false) })
    }

    /// Removes the recording: it can't be completed.
    pub fn discard(&self) {
        self.discarded.store(true, Ordering::SeqCst);
        // The remaining files can't be replayed to the end.
        let _ = empty(&self.folder);
    }

    /// Writes a file.
    ///
    /// # Errors
    /// If it can't be written.
    pub fn write(&self, name: &str, value: &Value) -> Result<(), String> {
        if self.discarded.load(Ordering::SeqCst) {
            return Ok(());
        }
        let path = self.folder.join(name);
        std::fs::write(&path, format!("{value:#}\n"))
            .map_err(|error| format!("cannot write {}: {error}", path.display()))
    }
}

/// Removes a recording from a folder.
fn empty(folder: &Path) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)?.flatten() {
        if is_own(&entry.file_name().to_string_lossy()) {
            std::fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

/// Whether a file belongs to a recording.
fn is_own(name: &str) -> bool {
    let kinds = [".request.json", ".reply.json", ".tool.json", ".servers.json"];
    kinds.iter().find_map(|kind| name.strip_suffix(kind)).is_some_and(|number| {
        !number.is_empty() && number.chars().all(|char| char.is_ascii_digit() || char == '.')
    })
}

impl Replay {
    /// A recording in a folder. `advice` says how to make a new one.
    ///
    /// # Errors
    /// If the folder has none.
    pub fn new(folder: &Path, advice: &str) -> Result<Self, String> {
        let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let has_any =
            files.map(|entry| entry.file_name()).any(|name| is_own(&name.to_string_lossy()));
        if !has_any {
            return Err(format!("{} contains no recording; {advice}", folder.display()));
        }
        Ok(Self::empty(folder, advice))
    }

    /// A recording without any request.
    pub fn empty(folder: &Path, advice: &str) -> Self {
        Self { folder: folder.to_owned(), advice: advice.to_owned(), mismatch: Mismatch::default() }
    }

    /// Reports later why the recording didn't fit: a run may report the error as its own.
    pub fn mismatch(&self) -> Mismatch {
        Arc::clone(&self.mismatch)
    }

    /// An error of the recording rather than of the run.
    pub fn unfit(&self, error: String) -> String {
        self.mismatch.get_or_init(|| error.clone());
        error
    }

    /// Reads a file.
    ///
    /// # Errors
    /// If it's missing, or not JSON.
    pub fn read(&self, name: &str) -> Result<Value, String> {
        self.look(name).map_err(|error| self.unfit(error))
    }

    fn look(&self, name: &str) -> Result<Value, String> {
        let path = self.folder.join(name);
        let text = std::fs::read_to_string(&path).map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => {
                format!("the recording has no {}; {}", self.shown(name), self.advice)
            }
            _ => format!("cannot read {}: {error}", self.shown(name)),
        })?;
        serde_json::from_str(&text)
            .map_err(|error| format!("{} is not JSON: {error}", self.shown(name)))
    }

    /// A file of the recording, for messages.
    pub fn shown(&self, name: &str) -> String {
        self.folder.join(name).display().to_string()
    }

    /// The first request's model.
    pub fn model(&self) -> Option<String> {
        let first = self.look("01.request.json").ok()?;
        first.get("model")?.as_str().map(str::to_owned)
    }

    /// Whether the first request of a program, whose numbers begin with `prefix`, offered a tool.
    pub fn offers(&self, prefix: &str, tool: &str) -> bool {
        let Ok(request) = self.look(&format!("{prefix}01.request.json")) else { return false };
        request.pointer("/body/tools").is_some_and(|tools| declares(tools, tool))
    }

    /// Whether a request is still the same.
    ///
    /// # Errors
    /// If it isn't: the differences.
    pub fn compare(&self, name: &str, recorded: &Value, now: &Value) -> Result<(), String> {
        let mut found = Vec::new();
        differences("", recorded, now, &mut found);
        if found.is_empty() {
            return Ok(());
        }
        let more = found.len().saturating_sub(MOST);
        found.truncate(MOST);
        let more = if more > 0 { format!("; and {more} more") } else { String::new() };
        Err(self.unfit(format!(
            "the request differs from the recorded one, {}: {}{more}; {}",
            self.shown(name),
            found.join("; "),
            self.advice
        )))
    }
}

/// Whether the tools of a request include one with this name, in the notation of any API.
fn declares(tools: &Value, name: &str) -> bool {
    match tools {
        Value::Array(tools) => tools.iter().any(|tool| declares(tool, name)),
        Value::Object(tool) => {
            tool.get("name").and_then(Value::as_str) == Some(name)
                || ["function", "functionDeclarations"]
                    .iter()
                    .filter_map(|key| tool.get(*key))
                    .any(|inner| declares(inner, name))
        }
        _ => false,
    }
}

fn differences(at: &str, recorded: &Value, now: &Value, found: &mut Vec<String>) {
    match (recorded, now) {
        (Value::Object(before), Value::Object(after)) => {
            for (name, value) in before {
                let at = format!("{at}/{}", name.replace('~', "~0").replace('/', "~1"));
                match after.get(name) {
                    Some(other) => differences(&at, value, other, found),
                    None => found.push(format!("`{at}` was {}, and is missing now", brief(value))),
                }
            }
            for (name, value) in after.iter().filter(|(name, _)| !before.contains_key(*name)) {
                found.push(format!("`{at}/{name}` is new: {}", brief(value)));
            }
        }
        (Value::Array(before), Value::Array(after)) => {
            for (index, value) in before.iter().enumerate() {
                match after.get(index) {
                    Some(other) => differences(&format!("{at}/{index}"), value, other, found),
                    None => {
                        found.push(format!(
                            "`{at}/{index}` was {}, and is missing now",
                            brief(value)
                        ));
                    }
                }
            }
            for (index, value) in after.iter().enumerate().skip(before.len()) {
                found.push(format!("`{at}/{index}` is new: {}", brief(value)));
            }
        }
        (Value::String(before), Value::String(after)) if is_same(before, after) => {}
        (Value::String(before), Value::String(after)) => {
            let (before, after) = around(before, after);
            found.push(format!("`{at}` was \"{before}\", and is \"{after}\" now"));
        }
        (before, after) if before == after => {}
        (before, after) => {
            found.push(format!("`{at}` was {}, and is {} now", brief(before), brief(after)));
        }
    }
}

/// Whether `now` equals the recorded text, whose secrets are hidden.
fn is_same(recorded: &str, now: &str) -> bool {
    if !recorded.contains(HIDDEN) {
        return recorded == now;
    }
    let mut parts = recorded.split(HIDDEN);
    let Some(mut rest) = now.strip_prefix(parts.next().unwrap_or_default()) else { return false };
    let mut parts = parts.peekable();
    while let Some(part) = parts.next() {
        if parts.peek().is_none() {
            return rest.ends_with(part);
        }
        let Some(at) = rest.find(part) else { return false };
        rest = rest.get(at + part.len()..).unwrap_or_default();
    }
    true
}

/// The first difference between two strings, with a little context.
fn around(before: &str, after: &str) -> (String, String) {
    const BEFORE: usize = 20;
    const AFTER: usize = 60;
    let same = before.chars().zip(after.chars()).take_while(|(one, other)| one == other).count();
    let start = same.saturating_sub(BEFORE);
    let cut = |text: &str| {
        let part: String = text.chars().skip(start).take(BEFORE + AFTER).collect();
        let (first, last) = (start > 0, text.chars().count() > start + BEFORE + AFTER);
        format!("{}{part}{}", if first { "…" } else { "" }, if last { "…" } else { "" })
    };
    (cut(before), cut(after))
}

fn brief(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(80) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn differences_are_named_by_their_place() {
        let found = |before: Value, after: Value| {
            let mut found = Vec::new();
            differences("", &before, &after, &mut found);
            found
        };
        assert_eq!(found(json!({ "a": [1, "b"] }), json!({ "a": [1, "b"] })), Vec::<String>::new());
        assert_eq!(
            found(json!({ "a/b": [1, "one"], "c": 1 }), json!({ "a/b": [2, "two", 3], "d": 4 })),
            [
                "`/a~1b/0` was 1, and is 2 now",
                "`/a~1b/1` was \"one\", and is \"two\" now",
                "`/a~1b/2` is new: 3",
                "`/c` was 1, and is missing now",
                "`/d` is new: 4"
            ]
        );
        assert!(is_same("a [hidden] b [hidden]", "a 1 b 2") && !is_same("a [hidden] b", "a 1 c"));
        assert!(is_same("[hidden]", "") && !is_same("x", "y"));
    }

    #[test]
    fn tools_are_found_in_every_notation() {
        for tools in [
            json!([{ "type": "function", "function": { "name": "python" } }]),
            json!([{ "name": "other" }, { "name": "python", "input_schema": {} }]),
            json!([{ "functionDeclarations": [{ "name": "python" }] }]),
        ] {
            assert!(declares(&tools, "python") && !declares(&tools, "pyth"), "{tools}");
        }
        assert!(!declares(&json!([{ "name": "a", "parameters": { "name": "python" } }]), "python"));
    }

    #[test]
    fn only_its_own_files_are_replaced() {
        for name in ["01.request.json", "01.2.tool.json", "01.2.00.servers.json", "10.reply.json"] {
            assert!(is_own(name), "{name}");
        }
        for name in ["request.json", "package.json", "a.reply.json", "01.json", ".tool.json.bak"] {
            assert!(!is_own(name), "{name}");
        }
    }
}
