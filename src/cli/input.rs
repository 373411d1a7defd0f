//! The single input file of a command: a path, or stdin.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::Context;

use crate::world::LARGEST_FILE;

/// A text and its source.
#[derive(Debug)]
pub struct Input {
    /// As given.
    pub shown: String,
    /// Absolute; `None` for stdin.
    pub path: Option<PathBuf>,
    pub text: String,
    /// The first invalid UTF-8 byte, if any; it's read as `U+FFFD`.
    pub broken: Option<usize>,
}

impl Input {
    /// Reads a file, or stdin for `-`.
    ///
    /// # Errors
    /// If it can't be read.
    pub fn read(path: &Path) -> anyhow::Result<Self> {
        let stdin = path.as_os_str() == "-";
        let shown = if stdin { "<stdin>".to_owned() } else { path.display().to_string() };
        let mut bytes = Vec::new();
        let read = match stdin {
            true => std::io::stdin().lock().take(LARGEST_FILE + 1).read_to_end(&mut bytes),
            false => File::open(path)
                .and_then(|file| file.take(LARGEST_FILE + 1).read_to_end(&mut bytes)),
        };
        read.with_context(|| format!("cannot read {shown}"))?;
        anyhow::ensure!(
            bytes.len() as u64 <= LARGEST_FILE,
            "{shown} has more than {LARGEST_FILE} bytes"
        );
        let (text, broken) = match String::from_utf8(bytes) {
            Ok(text) => (text, None),
            Err(error) => (
                String::from_utf8_lossy(error.as_bytes()).into_owned(),
                Some(error.utf8_error().valid_up_to()),
            ),
        };
        let path = if stdin {
            None
        } else {
            Some(std::path::absolute(path).with_context(|| shown.clone())?)
        };
        Ok(Self { shown, path, text, broken })
    }
}
