//! A workspace in a temporary folder.

use std::fs;
#[cfg(unix)]
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use crate::program::{self, Answer};

/// A folder that stands for an untrusted clone.
pub struct Workspace {
    folder: tempfile::TempDir,
}

impl Workspace {
    pub fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    /// A workspace with these files.
    pub fn with(files: &[(&str, &str)]) -> Self {
        let workspace = Self::new();
        files.iter().for_each(|(name, text)| workspace.write(name, text));
        workspace
    }

    pub fn root(&self) -> &Path {
        self.folder.path()
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.root().join(name)
    }

    pub fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    pub fn link(&self, to: impl AsRef<Path>, name: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        symlink(to, path).unwrap();
    }

    /// A FIFO without a writer.
    pub fn fifo(&self, name: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        rustix::fs::mkfifoat(
            rustix::fs::CWD,
            path,
            rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR,
        )
        .unwrap();
    }

    #[track_caller]
    pub fn run(&self, arguments: &[&str]) -> Answer {
        program::run(self.root(), arguments, "")
    }

    #[track_caller]
    pub fn run_with(&self, arguments: &[&str], stdin: &str) -> Answer {
        program::run(self.root(), arguments, stdin)
    }

    /// The files in which `check` finds something.
    #[track_caller]
    pub fn checked(&self) -> Vec<String> {
        let answer = self.run(&["check", "--format", "json"]).json();
        answer["files"]
            .as_array()
            .unwrap()
            .iter()
            .map(|file| file["path"].as_str().unwrap().to_owned())
            .collect()
    }

    pub fn into_folder(self) -> tempfile::TempDir {
        self.folder
    }
}

/// A program with one finding, `markdownlang/unknown-field`.
pub fn found() -> String {
    crate::fixture::program("modle: x\n")
}
