//! The journal of a transaction: one file in the root, which is also the lock. Each line records a
//! state; an incomplete line doesn't count.

use std::fs::{File, TryLockError};
use std::io::{self, Read, Seek};
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Context;
use serde::{Deserialize, Serialize};

use super::folder::{self, Content, Folder};
use super::hash::Hash;
use super::signal;
use crate::plan::path::JOURNAL;

/// How long a process waits for another one.
const PATIENCE: Duration = Duration::from_secs(10);

/// How long Windows may take to remove a journal that another process has open.
const VANISHING: Duration = Duration::from_secs(1);

/// Whether a file was removed but still exists for processes that have it open: on Windows it can't
/// be opened then.
fn is_vanishing(error: &io::Error) -> bool {
    cfg!(windows) && error.kind() == io::ErrorKind::PermissionDenied
}

/// The state of a transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// New content is being written next to the files: the old state is valid.
    Prepare,
    /// Files are being replaced: going forward to the new state.
    Commit,
    /// Files are being restored: going back to the old state.
    Undo,
    /// The new state is valid; only backups are left.
    Done,
}

/// The changes of a transaction.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// Folders to create, outermost first, relative to the root with `/`.
    pub folders: Vec<String>,
    pub steps: Vec<Step>,
}

/// The change of one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// Relative to the root with `/`, and without links.
    pub path: String,
    /// `None`: it doesn't exist.
    pub before: Option<Print>,
    pub after: Option<Print>,
    /// The file's new content before the change, and its old content after it, next to the file.
    pub new: String,
    pub old: String,
}

/// Enough to recognize content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Print {
    pub length: u64,
    pub hash: Hash,
    /// For a link, the target counts as content.
    #[serde(default)]
    pub link: bool,
}

impl Print {
    pub fn of(text: &[u8]) -> Self {
        Self { length: text.len() as u64, hash: Hash::of(text), link: false }
    }

    /// The entry with a name; folders and devices never match.
    pub fn at(folder: &Folder, name: &str) -> io::Result<Option<Self>> {
        Ok(match folder.look(name)? {
            None => None,
            Some(Content::File(text)) => Some(Self::of(&text)),
            Some(Content::Link(target)) => Some(Self { link: true, ..Self::of(&target) }),
            Some(Content::Other) => {
                Some(Self { length: u64::MAX, hash: Hash::default(), link: true })
            }
        })
    }
}

#[derive(Serialize, Deserialize)]
struct Head {
    agentmd: String,
    version: u32,
    #[serde(flatten)]
    record: Record,
}

/// The part of a journal that every version writes.
#[derive(Deserialize)]
struct Origin {
    agentmd: String,
    #[serde(default)]
    version: u32,
}

/// The journal format's version. Other versions are left to the program that wrote them.
const VERSION: u32 = 1;

#[derive(Serialize, Deserialize)]
struct Line {
    state: State,
}

/// The journal of a root, locked: no other process changes files there at the same time.
#[derive(Debug)]
pub struct Journal {
    pub root: Folder,
    file: File,
}

impl Journal {
    /// Takes the lock, and waits for its current owner.
    ///
    /// # Errors
    /// If it can't be taken.
    pub fn open(root: &Path) -> anyhow::Result<Self> {
        let place = || format!("no journal can be kept in {}", root.display());
        let folder = Folder::open(root).with_context(place)?;
        let start = Instant::now();
        loop {
            anyhow::ensure!(!signal::came(), "interrupted, nothing was changed");
            let file = match folder.open_log(JOURNAL) {
                Err(error) if is_vanishing(&error) && start.elapsed() < VANISHING => {
                    std::thread::sleep(Duration::from_millis(10));
                    continue;
                }
                file => file.with_context(place)?,
            };
            match file.try_lock() {
                // The previous owner removes the file when it is done.
                Ok(()) if folder.is_still(JOURNAL, &file).with_context(place)? => {
                    return Ok(Self { root: folder, file });
                }
                Ok(()) => {}
                // Without locks, concurrent changes to files are still detected.
                Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {
                    return Ok(Self { root: folder, file });
                }
                Err(TryLockError::Error(error)) => return Err(error).with_context(place),
                Err(TryLockError::WouldBlock) => {
                    anyhow::ensure!(
                        start.elapsed() < PATIENCE,
                        "another `agentmd apply` is running in {}",
                        root.display()
                    );
                    std::thread::sleep(Duration::from_millis(10));
                }
            }
        }
    }

    /// Whether a crashed process left work to do. Writes nothing, and waits for a running process.
    ///
    /// # Errors
    /// If that one runs for too long.
    pub fn is_left(root: &Path) -> anyhow::Result<bool> {
        let start = Instant::now();
        loop {
            // An unreadable journal must not be ignored.
            let unreadable = || format!("{JOURNAL} cannot be read");
            match std::fs::symlink_metadata(root.join(JOURNAL)) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
                Err(error) if is_vanishing(&error) && start.elapsed() < VANISHING => {
                    std::thread::sleep(Duration::from_millis(10));
                    continue;
                }
                found => anyhow::ensure!(
                    found.with_context(unreadable)?.is_file(),
                    "{JOURNAL} is not a file"
                ),
            }
            let file = match File::open(root.join(JOURNAL)) {
                Err(error)
                    if error.kind() == io::ErrorKind::NotFound
                        || is_vanishing(&error) && start.elapsed() < VANISHING =>
                {
                    continue;
                }
                file => file.with_context(unreadable)?,
            };
            match file.try_lock_shared() {
                Err(TryLockError::WouldBlock) => {
                    anyhow::ensure!(
                        start.elapsed() < PATIENCE,
                        "an `agentmd apply` is running in {}",
                        root.display()
                    );
                    std::thread::sleep(Duration::from_millis(10));
                }
                _ if file.metadata()?.len() > 0 && root.join(JOURNAL).exists() => return Ok(true),
                _ => return Ok(false),
            }
        }
    }

    /// The plan of an earlier transaction, and its state; `None` if nothing to recover.
    ///
    /// # Errors
    /// If the journal can't be read, or wasn't written by agentmd.
    pub fn interrupted(&mut self) -> anyhow::Result<Option<(Record, State)>> {
        let mut text = String::new();
        self.file.rewind()?;
        self.file.read_to_string(&mut text)?;
        let mut lines = text.split_inclusive('\n').filter_map(|line| line.strip_suffix('\n'));
        // Without a first line nothing was done.
        let Some(head) = lines.next() else { return Ok(None) };
        let foreign = || format!("`{JOURNAL}` is not an agentmd journal; inspect and remove it");
        let origin: Origin = serde_json::from_str(head).with_context(foreign)?;
        anyhow::ensure!(
            origin.version == VERSION,
            "`{JOURNAL}` was left by agentmd {} in journal version {}, but this is version {VERSION}; recover with the agentmd that wrote it",
            origin.agentmd,
            origin.version
        );
        let head: Head = serde_json::from_str(head).with_context(foreign)?;
        let last = lines.filter_map(|line| serde_json::from_str::<Line>(line).ok()).next_back();
        Ok(Some((head.record, last.map_or(State::Prepare, |line| line.state))))
    }

    /// Records the changes before making any of them.
    pub fn begin(&mut self, record: &Record) -> io::Result<()> {
        self.file.set_len(0)?;
        let head = Head {
            agentmd: env!("CARGO_PKG_VERSION").to_owned(),
            version: VERSION,
            record: record.clone(),
        };
        self.add(&serde_json::to_string(&head)?)?;
        self.root.sync()
    }

    pub fn note(&mut self, state: State) -> io::Result<()> {
        self.add(&serde_json::to_string(&Line { state })?)
    }

    fn add(&mut self, line: &str) -> io::Result<()> {
        self.file.seek(io::SeekFrom::End(0))?;
        folder::write(&mut self.file, format!("{line}\n").as_bytes())?;
        folder::keep(&self.file)
    }

    /// Empties the journal once everything is done; keeps the lock.
    pub fn clear(&mut self) -> io::Result<()> {
        self.file.set_len(0)
    }

    /// Everything is done: removes the file and releases the lock.
    pub fn close(self) -> io::Result<()> {
        self.root.remove(JOURNAL)
    }
}
