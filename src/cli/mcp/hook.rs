//! `--hook`: checks the file that a coding agent has just written.

use std::io::{Read, Write};
use std::path::PathBuf;

use anyhow::Context;
use serde::Deserialize;
use serde_json::json;

use super::root::Root;
use super::tools;
use crate::cli::{Status, check};
use crate::world::is_markdown;

/// The event of an agent: Claude Code's `PostToolUse`. Unknown fields are left to the agent.
#[derive(Deserialize)]
struct Event {
    cwd: Option<PathBuf>,
    tool_input: Option<Input>,
}

#[derive(Deserialize)]
struct Input {
    file_path: Option<PathBuf>,
}

/// An event is never longer: it contains the written file.
const LONGEST: u64 = 64 << 20;

/// Prints the findings in the file on stderr and returns status 2, which makes the agent show them
/// to the model; silent if there are none. If the hook itself fails, status 1 makes the agent show
/// the error to the user instead.
pub fn run() -> Status {
    answer().unwrap_or_else(|error| {
        // If stderr is closed, this error can't be reported.
        let _ = writeln!(std::io::stderr(), "agentmd mcp --hook: {error:#}");
        Status::Found
    })
}

fn answer() -> anyhow::Result<Status> {
    let mut text = String::new();
    std::io::stdin().lock().take(LONGEST).read_to_string(&mut text)?;
    let event: Event = serde_json::from_str(&text).context("stdin is not the event of a hook")?;
    let file = event.tool_input.and_then(|input| input.file_path);
    let Some(file) = file.filter(|file| is_markdown(file)) else { return Ok(Status::Fine) };
    let folder = event.cwd.unwrap_or_else(|| PathBuf::from("."));
    // The agent may have changed into a subfolder of its project. It may also write files of other
    // projects, which this hook ignores.
    let mut root = Root::new(&folder)?;
    let file = std::path::absolute(root.folder().join(file))?.to_string_lossy().into_owned();
    if root.inside(&file).is_err()
        && let Some(repository) = check::repository(root.folder())
    {
        root = Root::new(repository)?;
    }
    let Ok(path) = root.inside(&file) else { return Ok(Status::Fine) };
    std::env::set_current_dir(root.folder())?;
    let answer = tools::call(&root, "check", json!({ "paths": [path.to_string_lossy()] }))?;
    let count = |key: &str| answer.value.get(key).and_then(serde_json::Value::as_u64).unwrap_or(0);
    if count("errors") + count("warnings") == 0 {
        let unchecked = answer.value.get("not_checked").and_then(serde_json::Value::as_array);
        let unchecked = unchecked.into_iter().flatten().filter_map(serde_json::Value::as_str);
        let unchecked: Vec<&str> = unchecked.collect();
        anyhow::ensure!(unchecked.is_empty(), "{}", unchecked.join("; "));
        return Ok(Status::Fine);
    }
    writeln!(
        std::io::stderr(),
        "agentmd checked what you have just written. Repair this:\n{}",
        answer.text
    )?;
    Ok(Status::Wrong)
}
