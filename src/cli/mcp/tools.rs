//! The tools, with their arguments and answers. Their schemas are in `tools.json`.

use std::path::Path;
use std::sync::LazyLock;

use anyhow::Context;
use rmcp::model::Tool;
use serde::Deserialize;
use serde_json::{Value, json};

use super::root::Root;
use super::text;
use crate::cli::workspace::Scope;
use crate::cli::{apply, check, cost, index, loaded, select};
use crate::selector::page::MAX_WORDS;

/// An answer for programs, and the same in few words.
#[derive(Debug)]
pub struct Answer {
    pub value: Value,
    pub text: String,
}

/// The default limit of findings in an answer: a model reads them all.
const MOST_FINDINGS: usize = 100;

/// Every tool. All of them are read-only.
pub fn list() -> Vec<Tool> {
    static TOOLS: LazyLock<Vec<Tool>> = LazyLock::new(|| {
        let mut tools: Vec<Value> =
            serde_json::from_str(include_str!("tools.json")).unwrap_or_default();
        for tool in tools.iter_mut().filter_map(Value::as_object_mut) {
            let hints =
                json!({ "readOnlyHint": true, "idempotentHint": true, "openWorldHint": false });
            tool.insert("annotations".to_owned(), hints);
        }
        tools.into_iter().filter_map(|tool| serde_json::from_value(tool).ok()).collect()
    });
    TOOLS.clone()
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Check {
    #[serde(default)]
    paths: Vec<String>,
    #[serde(default)]
    clients: Vec<String>,
    limit: Option<usize>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Verdicts {
    #[serde(default)]
    paths: Vec<String>,
    #[serde(default)]
    clients: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Loaded {
    path: Option<String>,
    from: Option<String>,
    #[serde(default)]
    clients: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cost {
    path: Option<String>,
    #[serde(default)]
    clients: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Index {
    files: Vec<String>,
    #[serde(default)]
    blocks: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Select {
    selectors: Vec<String>,
    files: Vec<String>,
    max_words: Option<usize>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Rehearse {
    reply: String,
    #[serde(default)]
    partial: bool,
}

fn read<T: serde::de::DeserializeOwned>(arguments: Value) -> anyhow::Result<T> {
    serde_json::from_value(arguments).context("wrong arguments")
}

/// Answers a call.
///
/// # Errors
/// If the arguments are wrong, or the question has no answer; the error says why.
pub fn call(root: &Root, name: &str, arguments: Value) -> anyhow::Result<Answer> {
    match name {
        "check" => findings(root, read(arguments)?),
        "verdicts" => verdicts(root, read(arguments)?),
        "loaded" => {
            let Loaded { path, from, clients } = read(arguments)?;
            let path = root.inside(path.as_deref().unwrap_or("."))?;
            let from = from.map(|from| root.inside(&from)).transpose()?;
            let (loads, unread) = loaded::answer(&path, from.as_deref(), &Scope::of(clients))?;
            let mut value = json!({ "clients": loads });
            mention(&mut value, &unread);
            Ok(Answer { text: text::loaded(&value), value })
        }
        "cost" => {
            let Cost { path, clients } = read(arguments)?;
            let path = root.inside(path.as_deref().unwrap_or("."))?;
            let cost::Costs { costs, budget, unread } = cost::answer(&path, &Scope::of(clients))?;
            let mut value = json!({ "clients": costs });
            if let (Some(budget), Some(value)) = (budget, value.as_object_mut()) {
                value.insert("budget".to_owned(), budget.into());
            }
            mention(&mut value, &unread);
            Ok(Answer { text: text::cost(&value), value })
        }
        "index" => {
            let Index { files, blocks } = read(arguments)?;
            let value = index::answer(&existing(root, &files)?, MAX_WORDS, blocks)?;
            Ok(Answer { text: value.to_string(), value })
        }
        "select" => {
            let Select { selectors, files, max_words } = read(arguments)?;
            anyhow::ensure!(
                !selectors.is_empty(),
                "missing selector; add one, such as `section[0]`"
            );
            let files = existing(root, &files)?;
            let value = select::answer(selectors, &files, max_words.unwrap_or(MAX_WORDS))?;
            Ok(Answer { text: text::selected(&value), value })
        }
        "rehearse" => {
            let Rehearse { reply, partial } = read(arguments)?;
            let (mut value, diff) = apply::rehearse(reply, root.folder(), partial)?;
            if let Some(value) = value.as_object_mut() {
                value.remove("written");
                value.insert("diff".to_owned(), diff.into());
            }
            Ok(Answer { text: text::rehearsed(&value), value })
        }
        name => anyhow::bail!("unknown tool `{name}`"),
    }
}

/// Files and folders that exist: without any, the command line would read stdin.
fn existing(root: &Root, files: &[String]) -> anyhow::Result<Vec<std::path::PathBuf>> {
    let files = root.all_inside(files)?;
    for file in &files {
        anyhow::ensure!(file.exists(), "{}: no such file or folder", Path::display(file));
    }
    Ok(files)
}

/// Paths of which at least one exists: the others are named in the answer.
fn some_exist(root: &Root, paths: &[String]) -> anyhow::Result<Vec<std::path::PathBuf>> {
    let files = root.all_inside(paths)?;
    anyhow::ensure!(
        files.iter().any(|file| file.exists()),
        "no such file or folder: {}",
        paths.join(", ")
    );
    Ok(files)
}

fn rank(severity: &str) -> usize {
    ["error", "warning", "info", "hint"].iter().position(|one| *one == severity).unwrap_or(4)
}

/// What a fix changes, if a model can do the same from one line.
fn change(fix: &Value) -> Option<String> {
    const LONGEST: usize = 120;
    let [edit] = fix.get("edits")?.as_array()?.as_slice() else { return None };
    let text = edit.get("text")?.as_str()?;
    let place = |end: &str| {
        let place = edit.pointer(&format!("/range/{end}"))?;
        Some((place.get("line")?.as_u64()?, place.get("column")?.as_u64()?))
    };
    let (start, end) = (place("start")?, place("end")?);
    if text.contains('\n') || text.len() > LONGEST || start.0 != end.0 {
        return None;
    }
    let at = format!("{}:{}", start.0, start.1);
    Some(match (text.is_empty(), start == end) {
        (_, true) => format!("insert `{text}` at {at}"),
        (true, false) => format!("delete {at} to {}:{}", end.0, end.1),
        (false, false) => format!("replace {at} to {}:{} with `{text}`", end.0, end.1),
    })
}

/// Adds what could not be read, if anything.
fn mention(value: &mut Value, unread: &[String]) {
    if let Some(value) = value.as_object_mut().filter(|_| !unread.is_empty()) {
        value.insert("unread".to_owned(), json!(unread));
    }
}

fn findings(root: &Root, asked: Check) -> anyhow::Result<Answer> {
    let (answer, not_checked) = check::answer(some_exist(root, &asked.paths)?, asked.clients)?;
    let at = |value: &Value, pointer: &str| value.pointer(pointer).cloned().unwrap_or_default();
    let files = answer.get("files").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let mut found = Vec::new();
    for file in files {
        let path = at(file, "/path");
        let all = file.get("diagnostics").and_then(Value::as_array).into_iter().flatten();
        for one in all.filter(|one| at(one, "/severity") != "hint") {
            let fixes = one.get("fixes").and_then(Value::as_array).into_iter().flatten();
            let fixes: Vec<Value> = fixes
                .map(|fix| {
                    let mut shown = json!({ "title": at(fix, "/title"), "safe": at(fix, "/safe") });
                    if let (Some(change), Some(shown)) = (change(fix), shown.as_object_mut()) {
                        shown.insert("change".to_owned(), change.into());
                    }
                    shown
                })
                .collect();
            found.push(json!({
                "path": path,
                "line": at(one, "/range/start/line"),
                "column": at(one, "/range/start/column"),
                "end_line": at(one, "/range/end/line"),
                "end_column": at(one, "/range/end/column"),
                "severity": at(one, "/severity"),
                "code": at(one, "/code"),
                "message": at(one, "/message"),
                "fixes": fixes,
            }));
        }
    }
    found.sort_by_key(|one| rank(one.get("severity").and_then(Value::as_str).unwrap_or_default()));
    let limit = asked.limit.unwrap_or(MOST_FINDINGS).max(1);
    let omitted = found.len().saturating_sub(limit);
    found.truncate(limit);
    let value = json!({
        "findings": found,
        "omitted": omitted,
        "files": at(&answer, "/summary/files"),
        "errors": at(&answer, "/summary/errors"),
        "warnings": at(&answer, "/summary/warnings"),
        "not_checked": not_checked,
    });
    Ok(Answer { text: text::findings(&value), value })
}

fn verdicts(root: &Root, asked: Verdicts) -> anyhow::Result<Answer> {
    let (answer, not_checked) = check::answer(some_exist(root, &asked.paths)?, asked.clients)?;
    let files = answer.get("files").and_then(Value::as_array).into_iter().flatten();
    let part = |file: &Value, key: &str| file.get(key).cloned().unwrap_or_default();
    let files: Vec<Value> = files
        .filter(|file| file.get("kind").is_some())
        .map(|file| {
            let verdicts = file.get("verdicts").cloned().unwrap_or_else(|| json!([]));
            json!({ "path": part(file, "path"), "kind": part(file, "kind"), "verdicts": verdicts })
        })
        .collect();
    let value = json!({ "files": files, "not_checked": not_checked });
    Ok(Answer { text: text::verdicts(&value), value })
}
