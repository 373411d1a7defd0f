//! The single input file of a command: a path, or stdin.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::Context;
use serde_json::{Map, Value};

use crate::world::LARGEST_FILE;

/// The text of a file or of stdin.
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

    /// Reads a file, or stdin for `-`, that has to be UTF-8.
    ///
    /// # Errors
    /// If it can't be read, or isn't UTF-8.
    pub fn read_utf8(path: &Path) -> anyhow::Result<Self> {
        let input = Self::read(path)?;
        if let Some(offset) = input.broken {
            anyhow::bail!("{} is not UTF-8: invalid byte at offset {offset}", input.shown);
        }
        Ok(input)
    }
}

/// The input of a program: the value of `--input`, or the content of `--input-file`. Nothing but white
/// space means an empty object.
///
/// # Errors
/// If it can't be read, or isn't JSON.
pub fn program_input(given: Option<&str>, file: Option<&Path>) -> anyhow::Result<Option<Value>> {
    let (name, text) = match (given, file) {
        (Some(text), _) => ("`--input`".to_owned(), text.to_owned()),
        (None, Some(path)) => {
            let input = Input::read_utf8(path)?;
            (input.shown, input.text)
        }
        (None, None) => return Ok(None),
    };
    if text.trim().is_empty() {
        return Ok(Some(Value::Object(Map::new())));
    }
    match serde_json::from_str(text.strip_prefix('\u{feff}').unwrap_or(&text)) {
        Ok(value) => Ok(Some(value)),
        // If the text isn't JSON at all, the position doesn't help.
        Err(error) if error.is_syntax() && (error.line(), error.column()) == (1, 1) => {
            anyhow::bail!("{name} is not JSON")
        }
        Err(error) => Err(error).with_context(|| format!("{name} is not JSON")),
    }
}
