//! A folder for one reply, in which the program is run.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

/// Paths, with `/` between folders, and the bytes of each file.
pub type Files = BTreeMap<String, Vec<u8>>;

#[derive(Debug)]
pub struct Workspace {
    folder: TempDir,
}

#[derive(Debug)]
pub struct Answer {
    pub status: i32,
    pub messages: String,
}

impl Answer {
    /// Whether a message names a line of the reply or of a file, as in `line 12` or `:12`.
    pub fn names_a_line(&self) -> bool {
        let digit_after = |mark: &str| {
            self.messages.match_indices(mark).any(|(at, _)| {
                self.messages[at + mark.len()..].starts_with(|c: char| c.is_ascii_digit())
            })
        };
        digit_after("line ") || digit_after("lines ") || digit_after(":")
    }
}

pub fn files<'a>(pairs: impl IntoIterator<Item = (&'a str, &'a str)>) -> Files {
    pairs.into_iter().map(|(path, text)| (path.to_owned(), text.as_bytes().to_vec())).collect()
}

impl Workspace {
    pub fn new(files: &Files) -> Self {
        let workspace = Self { folder: tempfile::tempdir().unwrap() };
        fs::create_dir(workspace.root()).unwrap();
        for (path, bytes) in files {
            let path = workspace.root().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        }
        workspace
    }

    /// The parent of the root is also new, so the tests notice files that are written outside the
    /// root.
    pub fn root(&self) -> PathBuf {
        self.folder.path().join("root")
    }

    /// Pipes the reply to `apply`. Panics if the program crashes or exits with an unknown status.
    #[track_caller]
    pub fn apply(&self, reply: &[u8]) -> Answer {
        let mut child = Command::new(env!("CARGO_BIN_EXE_agentmd"))
            .args(["apply", "-", "--root"])
            .arg(self.root())
            .current_dir(self.folder.path())
            .env("NO_COLOR", "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        // The reply can be larger than a pipe's buffer. If the program stops reading early, the
        // write fails, and the exit status shows why.
        let output = std::thread::scope(|scope| {
            scope.spawn(move || drop(stdin.write_all(reply)));
            child.wait_with_output().unwrap()
        });
        let messages = format!(
            "{}{}",
            String::from_utf8_lossy(&output.stderr),
            String::from_utf8_lossy(&output.stdout)
        );
        let status = output.status.code().filter(|status| (0..=2).contains(status));
        let status = status.unwrap_or_else(|| {
            panic!("{}: {messages}\nreply, up to 2000 bytes:\n{}", output.status, start(reply))
        });
        Answer { status, messages }
    }

    /// Every file below the root, and those next to it as `../name`.
    pub fn files(&self) -> Files {
        let mut found = Files::new();
        collect(&self.root(), "", &mut found);
        for entry in fs::read_dir(self.folder.path())
            .unwrap()
            .map(Result::unwrap)
            .filter(|entry| entry.file_name() != "root")
        {
            found.insert(format!("../{}", entry.file_name().to_string_lossy()), Vec::new());
        }
        found
    }
}

fn start(reply: &[u8]) -> String {
    String::from_utf8_lossy(&reply[..reply.len().min(2000)]).into_owned()
}

fn collect(folder: &Path, prefix: &str, found: &mut Files) {
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let path = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.file_type().unwrap().is_dir() {
            collect(&entry.path(), &format!("{path}/"), found);
        } else {
            found.insert(path, fs::read(entry.path()).unwrap());
        }
    }
}

/// Whether files are equal byte for byte, except that new files may differ in their final newline.
pub fn same(before: &Files, have: &Files, want: &Files) -> bool {
    let trimmed = |bytes: &Vec<u8>| bytes.strip_suffix(b"\n").unwrap_or(bytes).to_vec();
    have.len() == want.len()
        && have.iter().all(|(path, bytes)| {
            want.get(path).is_some_and(|wanted| {
                bytes == wanted || !before.contains_key(path) && trimmed(bytes) == trimmed(wanted)
            })
        })
}

/// The outcome of a reply that should change the files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    Applied,
    Refused,
    /// Exit status 0, although nothing was written.
    Dropped,
    Wrong,
}

/// Applies a reply that should turn `before` into `after`.
#[track_caller]
pub fn outcome(before: &Files, reply: &str, after: &Files) -> Outcome {
    let workspace = Workspace::new(before);
    let answer = workspace.apply(reply.as_bytes());
    let have = workspace.files();
    match answer.status {
        0 if same(before, &have, after) => Outcome::Applied,
        0 if have == *before => Outcome::Dropped,
        1 | 2 if have == *before => Outcome::Refused,
        _ => Outcome::Wrong,
    }
}
