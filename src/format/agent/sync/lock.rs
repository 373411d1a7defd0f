//! `agentmd.lock`: the copies that `sync` wrote, with hashes of them and their sources.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::Deserialize;
use sha2::{Digest, Sha256};

/// Every copy, by its path.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Lock {
    pub copies: BTreeMap<String, Copy>,
}

/// A copy as it was last written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Copy {
    /// The path of the source, relative to the settings, with `/`.
    pub source: String,
    /// The kind that it was written for; `None` for a file of a skill that is copied as it is.
    pub to: Option<String>,
    pub source_hash: String,
    pub hash: String,
    /// The source that the copy was made from, kept while the copy has changes made by hand: it
    /// separates them from later changes in the source.
    pub base: Option<String>,
}

/// The hash of a file. Line breaks don't count, because Git changes them.
pub fn hash(text: &str) -> String {
    digest(&text.replace("\r\n", "\n"))
}

/// The SHA-256 of the text in hexadecimal.
pub fn digest(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The version of the file's format.
const VERSION: u32 = 1;

#[derive(Deserialize)]
struct Written {
    version: u32,
    #[serde(default)]
    copy: Vec<WrittenCopy>,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct WrittenCopy {
    path: String,
    source: String,
    #[serde(default)]
    to: Option<String>,
    source_hash: String,
    hash: String,
    #[serde(default)]
    base: Option<String>,
}

impl Lock {
    /// Reads the file.
    ///
    /// # Errors
    /// If it's invalid, or a newer version wrote it.
    pub fn read(text: &str) -> Result<Self, String> {
        let written: Written = toml::from_str(text).map_err(|error| {
            let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
            let line = before.matches('\n').count() + 1;
            let message = error.message().lines().next().unwrap_or_default().to_owned();
            format!("line {line}: {message}")
        })?;
        if written.version != VERSION {
            return Err(format!(
                "its version is {}; this agentmd knows {VERSION}",
                written.version
            ));
        }
        let copy = |copy: WrittenCopy| {
            let WrittenCopy { path, source, to, source_hash, hash, base } = copy;
            (path, Copy { source, to, source_hash, hash, base })
        };
        Ok(Self { copies: written.copy.into_iter().map(copy).collect() })
    }

    /// The contents of the file. The same copies always give the same text.
    pub fn text(&self) -> String {
        let mut out = format!("# Written by `agentmd sync`.\nversion = {VERSION}\n");
        for (path, copy) in &self.copies {
            let string = |text: &str| toml::Value::String(text.to_owned()).to_string();
            let _ = write!(
                out,
                "\n[[copy]]\npath = {}\nsource = {}\n",
                string(path),
                string(&copy.source)
            );
            if let Some(to) = &copy.to {
                let _ = writeln!(out, "to = {}", string(to));
            }
            let _ = writeln!(out, "source-hash = {}", string(&copy.source_hash));
            let _ = writeln!(out, "hash = {}", string(&copy.hash));
            if let Some(base) = &copy.base {
                let _ = writeln!(out, "base = {}", string(base));
            }
        }
        out
    }
}
