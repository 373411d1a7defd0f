//! Tests of the real program, command by command.

mod agents;
mod apply;
mod attributes;
mod check;
mod completions;
mod consent;
mod context;
mod convert;
mod convert_agents;
mod cost;
mod diff;
mod dry_run;
mod explain;
mod files;
mod fix;
mod formats;
mod graph;
#[cfg(feature = "run")]
mod interface;
mod kill;
mod kinds;
mod loaded;
#[cfg(feature = "mcp")]
mod mcp;
mod messages;
mod own_dialects;
mod pages;
mod render;
mod replies;
mod reverse;
mod parse;
mod recovery;
#[cfg(feature = "run")]
mod run;
mod safety;
mod selectors;
mod self_check;
mod server;
mod stdin;
mod sync;
mod whole_replies;

#[path = "../support/growth.rs"]
mod growth;
#[path = "../support/needs.rs"]
mod needs;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A program with one error, `markdownlang/wrong-type` after an emoji, which has a safe fix.
pub const BROKEN: &str = "---
name: greet
description: Greets a person
input: { type: object, properties: { who: { type: string } }, required: [who] }
output: { type: object, properties: { text: { type: string } }, required: [text] }
mcp_servers: [{ name: tool, env: { A: 日本🦆 }, command: 12 }]
---

Greet {{ .who }}.
";

/// A program without findings.
pub const GOOD: &str = "---
name: greet
description: Greets a person
input: { type: object, properties: { who: { type: string } }, required: [who] }
output: { type: object, properties: { text: { type: string } }, required: [text] }
---

Greet {{ .who }}.
";

/// A program with a single warning, which has a fix.
pub fn warned() -> String {
    GOOD.replace("---\nname", "---\nmodle: gpt-4o\nname")
}

/// A temporary folder for one test.
#[derive(Debug)]
pub struct Folder {
    folder: tempfile::TempDir,
}

/// The exit status and output of the program.
#[derive(Debug, PartialEq, Eq)]
pub struct Answer {
    pub status: i32,
    pub out: String,
    pub err: String,
}

impl Answer {
    #[track_caller]
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {self:#?}"))
    }
}

impl Folder {
    /// An empty folder.
    pub fn empty() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    /// An empty folder, in memory if the system allows it, so that writing doesn't wait for a disk.
    pub fn in_memory() -> Self {
        Self { folder: tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap() }
    }

    /// A folder with these files.
    pub fn with(files: &[(&str, &str)]) -> Self {
        let folder = Self::empty();
        for (name, text) in files {
            folder.write(name, text);
        }
        folder
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn root(&self) -> &Path {
        self.folder.path()
    }

    pub fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    #[track_caller]
    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_agentmd"));
        command
            .args(arguments)
            .current_dir(self.root())
            .env_remove("NO_COLOR")
            .env_remove("CLICOLOR_FORCE")
            .env("RUST_BACKTRACE", "0");
        // Keeps the records for `apply --reverse` apart from those of the developer.
        command.env("XDG_STATE_HOME", env!("CARGO_TARGET_TMPDIR"));
        command
    }

    pub fn run(&self, arguments: &[&str]) -> Answer {
        self.run_with(arguments, b"")
    }

    pub fn run_with(&self, arguments: &[&str], stdin: &[u8]) -> Answer {
        let mut command = self.command(arguments);
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // If the program ends without reading, its answer shows why.
        let _ = child.stdin.take().unwrap().write_all(stdin);
        let output = child.wait_with_output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Answer {
            status: output.status.code().unwrap(),
            out: text(output.stdout),
            err: text(output.stderr),
        }
    }

    /// The paths of the files in which `check` finds something.
    #[track_caller]
    pub fn checked(&self, arguments: &[&str]) -> Vec<String> {
        let answer = self.run(&[&["check", "--format", "json"], arguments].concat());
        answer.json()["files"]
            .as_array()
            .unwrap()
            .iter()
            .map(|file| file["path"].as_str().unwrap().to_owned())
            .collect()
    }
}
