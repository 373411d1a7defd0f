//! The journal of a transaction: one file in the root, which is also the lock. Each line says what
//! holds from now on; a line that is not complete was never written.

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

/// How long one process waits for another.
const PATIENCE: Duration = Duration::from_secs(10);

/// How long Windows may take to remove a journal that another process is looking at.
const VANISHING: Duration = Duration::from_secs(1);

/// Whether something was removed and is still there for those who have it open: on Windows nobody
/// else may open it then.
fn is_vanishing(error: &io::Error) -> bool {
    cfg!(windows) && error.kind() == io::ErrorKind::PermissionDenied
}

/// How far a transaction has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// New texts are being written beside the files: the old state holds.
    Prepare,
    /// Files are being replaced: the new state is to hold.
    Commit,
    /// Files are being put back: the old state is to hold.
    Undo,
    /// The new state holds; only what was put aside is still there.
    Done,
}

/// What a transaction does.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// Folders that are not there yet, outermost first, each with `/` from the root.
    pub folders: Vec<String>,
    pub steps: Vec<Step>,
}

/// What becomes of one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// With `/` from the root, and without links.
    pub path: String,
    /// `None`: it is not there.
    pub before: Option<Print>,
    pub after: Option<Print>,
    /// The new text until the file has it, and the old one from then on, beside the file.
    pub new: String,
    pub old: String,
}

/// Enough of a text to know it again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Print {
    pub length: u64,
    pub hash: Hash,
    /// Of a link, where it leads is the text.
    #[serde(default)]
    pub link: bool,
}

impl Print {
    pub fn of(text: &[u8]) -> Self {
        Self { length: text.len() as u64, hash: Hash::of(text), link: false }
    }

    /// What stands at a name; nothing else is like a folder or a device.
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

/// What every version of a journal says of itself.
#[derive(Deserialize)]
struct Origin {
    agentmd: String,
    #[serde(default)]
    version: u32,
}

/// The version of what a journal says. One of another version is left to the program that wrote it.
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
    /// Takes the lock, and waits for one who has it.
    ///
    /// # Errors
    /// When it cannot be had.
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
                // The one before removes the file when it has done.
                Ok(()) if folder.is_still(JOURNAL, &file).with_context(place)? => {
                    return Ok(Self { root: folder, file });
                }
                Ok(()) => {}
                // Where nothing can be locked, files that change meanwhile are noticed all the
                // same.
                Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {
                    return Ok(Self { root: folder, file });
                }
                Err(TryLockError::Error(error)) => return Err(error).with_context(place),
                Err(TryLockError::WouldBlock) => {
                    anyhow::ensure!(
                        start.elapsed() < PATIENCE,
                        "another `agentmd apply` is at work in {}",
                        root.display()
                    );
                    std::thread::sleep(Duration::from_millis(10));
                }
            }
        }
    }

    /// Whether a process that ended left something to be done. Nothing is written, and one that is
    /// at work is waited for.
    ///
    /// # Errors
    /// When it is at work for too long.
    pub fn is_left(root: &Path) -> anyhow::Result<bool> {
        let start = Instant::now();
        loop {
            // One that cannot be read is not passed over.
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
                        "an `agentmd apply` is at work in {}",
                        root.display()
                    );
                    std::thread::sleep(Duration::from_millis(10));
                }
                _ if file.metadata()?.len() > 0 && root.join(JOURNAL).exists() => return Ok(true),
                _ => return Ok(false),
            }
        }
    }

    /// What an earlier transaction meant to do, and how far it came; `None` when there is nothing
    /// to mend.
    ///
    /// # Errors
    /// When the journal cannot be read, or was written by somebody else.
    pub fn interrupted(&mut self) -> anyhow::Result<Option<(Record, State)>> {
        let mut text = String::new();
        self.file.rewind()?;
        self.file.read_to_string(&mut text)?;
        let mut lines = text.split_inclusive('\n').filter_map(|line| line.strip_suffix('\n'));
        // Without a first line nothing was done.
        let Some(head) = lines.next() else { return Ok(None) };
        let foreign =
            || format!("`{JOURNAL}` is not an agentmd journal; look at it, and remove it");
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

    /// Says what is going to be done, before any of it is.
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

    /// Nothing is left to do; the lock stays.
    pub fn clear(&mut self) -> io::Result<()> {
        self.file.set_len(0)
    }

    /// Nothing is left to do: the file goes, and the lock with it.
    pub fn close(self) -> io::Result<()> {
        self.root.remove(JOURNAL)
    }
}
