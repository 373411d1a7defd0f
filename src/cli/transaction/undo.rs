//! The replaced bytes of a run, for `--reverse`. Each run leaves one record in a folder of the
//! user, never below the root: files of a repository are never taken for a record.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use super::folder::{Content, Folder};
pub use super::hash::Hash;
use crate::world::canonicalize;

/// The limits of kept records: their number, and their total size.
const MOST: usize = 200;
const MOST_BYTES: u64 = 64 << 20;
/// The size limit of a record.
const LARGEST: usize = 24 << 20;
const VERSION: u32 = 1;
const END: &str = ".json";

/// The changes of a run to files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    pub version: u32,
    /// The root, without links.
    pub root: String,
    /// The consent given to the run.
    pub overwrite: bool,
    pub allow: Vec<String>,
    pub files: Vec<Entry>,
}

/// One file before and after.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// Below the root, with `/`.
    pub path: String,
    pub before: Option<String>,
    pub after: Option<Hash>,
    /// It was executable.
    pub program: bool,
}

/// The location of a reply's record in a root.
#[derive(Debug)]
pub struct Place {
    folder: PathBuf,
    root: String,
    name: String,
}

impl Place {
    /// The location for a reply, identified by `key`; `None` if no folder outside the root can have
    /// records.
    pub fn of(root: &Path, key: &[&[u8]]) -> Option<Self> {
        let folder = state()?.join("agentmd").join("undo");
        let real = canonicalize(root).ok()?;
        // Resolves links in the deepest existing folder.
        let known = folder.ancestors().find_map(|folder| canonicalize(folder).ok())?;
        if known.starts_with(&real) {
            return None;
        }
        let root = real.to_str()?.to_owned();
        let mut text = Vec::new();
        for part in [root.as_bytes()].iter().chain(key) {
            text.extend_from_slice(&(part.len() as u64).to_le_bytes());
            text.extend_from_slice(part);
        }
        Some(Self { folder, root, name: Hash::of(&text).hex() + END })
    }

    /// Stores a record, replacing an earlier one.
    ///
    /// # Errors
    /// If it's too large, or can't be written.
    pub fn keep(&self, overwrite: bool, allow: Vec<String>, files: Vec<Entry>) -> io::Result<()> {
        let record = Record { version: VERSION, root: self.root.clone(), overwrite, allow, files };
        let text = serde_json::to_vec(&record)?;
        if text.len() > LARGEST {
            return Err(io::Error::other("the record would be too large"));
        }
        fs::create_dir_all(&self.folder)?;
        let folder = Folder::open(&self.folder)?;
        let time = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let temporary = format!("{}.{:x}-{:x}.tmp", self.name, std::process::id(), time.as_nanos());
        let kept = folder
            .create_private(&temporary, &text)
            .and_then(|()| folder.rename(&temporary, &self.name));
        if kept.is_err() {
            // The failure was already reported.
            let _ = folder.remove(&temporary);
        }
        self.forget_the_oldest();
        kept
    }

    /// The record of the last run, if this version can read it.
    pub fn recall(&self) -> Option<Record> {
        let Content::File(text) = Folder::open(&self.folder).ok()?.look(&self.name).ok()?? else {
            return None;
        };
        let record: Record = serde_json::from_slice(&text).ok()?;
        (record.version == VERSION && record.root == self.root).then_some(record)
    }

    pub fn forget(&self) {
        // A stale record is useless: the files no longer match it.
        let _ = Folder::open(&self.folder).and_then(|folder| folder.remove(&self.name));
    }

    fn forget_the_oldest(&self) {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let mut found: Vec<(SystemTime, u64, PathBuf)> = entries
            .filter_map(|entry| {
                let metadata = entry.metadata().ok().filter(fs::Metadata::is_file)?;
                Some((metadata.modified().ok()?, metadata.len(), entry.path()))
            })
            .collect();
        found.sort_unstable_by(|one, other| other.cmp(one));
        let mut bytes = 0;
        for (index, (_, length, path)) in found.iter().enumerate() {
            bytes += length;
            if index >= MOST || bytes > MOST_BYTES {
                // Another process may have done so.
                let _ = fs::remove_file(path);
            }
        }
    }
}

/// The system's folder for program state.
fn state() -> Option<PathBuf> {
    let folder =
        |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    folder("XDG_STATE_HOME")
        .or_else(|| folder("LOCALAPPDATA"))
        .or_else(|| Some(folder("HOME")?.join(".local").join("state")))
}
