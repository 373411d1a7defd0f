//! The world outside a document: other files. Features read them through [`World`] and nothing
//! else.

mod protection;
mod regular;
mod walk;

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};

use crate::markdown::memo::Memo;
use crate::source::Source;

pub use protection::Protection;
pub use regular::{LARGEST_RULES, create_own, open_regular, own_folder, read_rules};
pub use walk::{Unused, walk};

/// Other files, as the caller sees them: the disk for the command line, open buffers before the
/// disk for the server.
pub trait World: Send + Sync {
    /// The text of a file.
    ///
    /// # Errors
    /// When it is not there, not a file, too large or not UTF-8.
    fn read(&self, path: &Path) -> Result<Source, ReadError>;
    /// What stands at a path; `None` when nothing does.
    fn kind(&self, path: &Path) -> Option<EntryKind>;
    /// How many bytes a file has, where that can be said without reading it.
    fn length(&self, _path: &Path) -> Option<u64> {
        None
    }
    /// What is in a folder, sorted by name; empty when it is no folder.
    fn list(&self, folder: &Path) -> Vec<Entry>;
    /// Reads a file for one aspect of it, which the caller names with [`World::note`]: the rest of
    /// it may change without changing the answer.
    ///
    /// # Errors
    /// As [`World::read`].
    fn look(&self, path: &Path) -> Result<Source, ReadError> {
        self.read(path)
    }
    /// Notes that an answer rests on this aspect of the file at `path`, which was `id` when it was
    /// looked at.
    fn note(&self, _path: &Path, _aspect: Aspect, _id: u64) {}
    /// The one name of a file that has several: links followed, letters as the file system keeps
    /// them.
    fn identity(&self, path: &Path) -> PathBuf {
        path.to_owned()
    }
    /// Where a path leads once every link in it is followed.
    ///
    /// # Errors
    /// When nothing is there, or a link leads nowhere.
    fn real(&self, path: &Path) -> Result<PathBuf, ReadError> {
        self.kind(path).map(|_| path.to_owned()).ok_or(ReadError::Missing)
    }
    /// What speaks against changing the file at `path` unasked.
    fn protection(&self, _path: &Path) -> Protection {
        Protection::default()
    }
    /// The folder of the workspace that the document at `path` belongs to, if there is one.
    fn root(&self, _path: Option<&Path>) -> Option<PathBuf> {
        None
    }
    /// The Markdown files of the workspace, once all are known. What answers a key must not ask for
    /// them.
    fn files(&self) -> Vec<PathBuf> {
        Vec::new()
    }
    /// How much is known of the files of the workspace.
    fn knowledge(&self) -> Knowledge {
        Knowledge::Later
    }
    /// The files that are known from the start, where no others will be known later.
    fn known_files(&self) -> Vec<PathBuf> {
        Vec::new()
    }
    /// The text of a file as it is saved, whatever stands before it.
    ///
    /// # Errors
    /// As [`World::read`].
    fn saved(&self, path: &Path) -> Result<Source, ReadError> {
        self.read(path)
    }
    /// Every text that stands before the disk, with its path.
    fn unsaved(&self, _each: &mut dyn FnMut(&Path, &Source)) {}
    /// How many files a question may read that nobody has read before.
    fn patience(&self) -> usize {
        usize::MAX
    }
    /// What formats remember from one question to the next.
    fn memo(&self) -> &Memo;
}

/// How much is known of the files of a workspace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Knowledge {
    /// All of them, once the workspace is read: whoever needs them sooner is to ask again.
    Later,
    /// Some, and never more.
    Some,
    All,
}

/// What of another file an answer can rest on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Aspect {
    /// What it shows to files that import it.
    Interface,
    /// The rings of imports that lead back to it.
    Rings,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EntryKind {
    File,
    Folder,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    pub name: String,
    pub kind: EntryKind,
}

/// Why a file cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    #[error("no such file")]
    Missing,
    #[error("is a folder, not a file")]
    Folder,
    #[error("is not UTF-8: the byte at offset {offset} begins no character")]
    NotUtf8 { offset: usize },
    #[error("has {bytes} bytes, more than the {limit} that are read")]
    TooLarge { bytes: u64, limit: u64 },
    /// A FIFO, a socket or a device.
    #[error("is not a regular file")]
    Irregular,
    #[error("is a symlink, which is not followed here")]
    Symlink,
    /// Nothing that the file says may be repeated.
    #[error("is outside of the folders that are checked")]
    Outside,
    #[error("{0}")]
    Io(String),
}

/// Larger files are not read: offsets are kept in 32 bits, and nobody writes such a file by hand.
pub const LARGEST_FILE: u64 = 512 * 1024 * 1024;

/// Reads a file's text, strictly UTF-8.
///
/// # Errors
/// As [`World::read`].
pub fn read_text(path: &Path) -> Result<String, ReadError> {
    regular::read(open_regular(path)?.0, LARGEST_FILE)
}

fn io_error(error: &std::io::Error) -> ReadError {
    match error.kind() {
        std::io::ErrorKind::NotFound => ReadError::Missing,
        _ => ReadError::Io(error.to_string()),
    }
}

/// The file system. What was read is kept until the file's time or size changes.
#[derive(Debug, Default)]
pub struct Disk {
    cache: Mutex<Cache>,
    ignores: protection::Ignores,
    memo: Memo,
}

/// The contents of files. A process has one [`Disk`], so the limit is process-wide.
#[derive(Debug)]
struct Cache {
    files: HashMap<PathBuf, Cached>,
    /// The sum of their costs.
    bytes: u64,
    most: u64,
    /// Counts lookups.
    clock: u64,
}

#[derive(Debug, Clone)]
struct Cached {
    modified: Option<SystemTime>,
    length: u64,
    source: Source,
    used: u64,
}

/// How many bytes [`Disk`] caches.
const MOST_BYTES: u64 = 64 << 20;
/// An estimate of what a file costs in addition to its contents: the rope, the path, the sections.
const EACH: u64 = 4096;

impl Default for Cache {
    fn default() -> Self {
        Self { files: HashMap::new(), bytes: 0, most: MOST_BYTES, clock: 0 }
    }
}

impl Disk {
    /// The file system, with so many bytes of files kept at most.
    pub fn keeping(most: u64) -> Self {
        let cache = Mutex::new(Cache { most, ..Cache::default() });
        Self { cache, ..Self::default() }
    }
}

impl Cache {
    fn get(&mut self, path: &Path, modified: Option<SystemTime>, length: u64) -> Option<Source> {
        self.clock += 1;
        let cached = self
            .files
            .get_mut(path)
            .filter(|cached| cached.modified == modified && cached.length == length)?;
        cached.used = self.clock;
        Some(cached.source.clone())
    }

    /// Caches a file and evicts the least recently used ones. A file that exceeds the limit alone
    /// isn't cached.
    fn keep(&mut self, path: &Path, modified: Option<SystemTime>, length: u64, source: &Source) {
        self.forget(path);
        let cost = length + EACH;
        if cost > self.most {
            return;
        }
        if self.bytes + cost > self.most {
            self.make_room(cost);
        }
        self.bytes += cost;
        self.files.insert(
            path.to_owned(),
            Cached { modified, length, source: source.clone(), used: self.clock },
        );
    }

    /// Evicts a quarter at once, so that the next files don't have to sort the cache again.
    fn make_room(&mut self, cost: u64) {
        let mut oldest: Vec<(u64, PathBuf)> =
            self.files.iter().map(|(path, cached)| (cached.used, path.clone())).collect();
        oldest.sort_unstable();
        let goal = (self.most - cost).min(self.most / 4 * 3);
        for (_, path) in oldest {
            if self.bytes <= goal {
                break;
            }
            self.forget(&path);
        }
    }

    fn forget(&mut self, path: &Path) {
        if let Some(cached) = self.files.remove(path) {
            self.bytes -= cached.length + EACH;
        }
    }
}

impl World for Disk {
    fn read(&self, path: &Path) -> Result<Source, ReadError> {
        let metadata = fs::metadata(path).map_err(|error| io_error(&error))?;
        let (modified, length) = (metadata.modified().ok(), metadata.len());
        let mut cache = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(source) = cache.get(path, modified, length) {
            return Ok(source);
        }
        drop(cache);
        let source = Source::new(&read_text(path)?);
        cache = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        cache.keep(path, modified, length, &source);
        Ok(source)
    }

    fn kind(&self, path: &Path) -> Option<EntryKind> {
        let metadata = fs::metadata(path).ok()?;
        Some(if metadata.is_dir() { EntryKind::Folder } else { EntryKind::File })
    }

    fn length(&self, path: &Path) -> Option<u64> {
        Some(fs::metadata(path).ok()?.len())
    }

    fn list(&self, folder: &Path) -> Vec<Entry> {
        let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
        let mut found: Vec<Entry> = entries
            .flatten()
            .filter_map(|entry| {
                let name = entry.file_name().into_string().ok()?;
                // Only of a link does the folder itself not say where it leads: very large folders
                // are read while somebody types.
                let kind = entry.file_type().ok()?;
                let folder = if kind.is_symlink() {
                    fs::metadata(entry.path()).ok()?.is_dir()
                } else {
                    kind.is_dir()
                };
                Some(Entry { name, kind: if folder { EntryKind::Folder } else { EntryKind::File } })
            })
            .collect();
        found.sort_by(|a, b| a.name.cmp(&b.name));
        found
    }

    fn identity(&self, path: &Path) -> PathBuf {
        identity(path)
    }

    fn real(&self, path: &Path) -> Result<PathBuf, ReadError> {
        canonicalize(path).map_err(|error| match fs::symlink_metadata(path) {
            Ok(_) if error.kind() == std::io::ErrorKind::NotFound => {
                ReadError::Io("is a link that leads nowhere".to_owned())
            }
            _ => io_error(&error),
        })
    }

    fn protection(&self, path: &Path) -> Protection {
        self.ignores.protection(path)
    }

    fn memo(&self) -> &Memo {
        &self.memo
    }
}

/// The path by which the file system knows a file. Of a file that is not there, the folder's
/// counts.
fn identity(path: &Path) -> PathBuf {
    let folder = || Some(canonicalize(path.parent()?).ok()?.join(path.file_name()?));
    canonicalize(path).ok().or_else(folder).unwrap_or_else(|| path.to_owned())
}

/// The absolute path of what is there, without links.
///
/// # Errors
/// When nothing is there, or a link leads nowhere.
pub fn canonicalize(path: &Path) -> std::io::Result<PathBuf> {
    fs::canonicalize(path).map(plain)
}

/// Windows answers `\\?\C:\a`: no URI says that, and no path that anybody wrote begins with it.
#[cfg(windows)]
fn plain(path: PathBuf) -> PathBuf {
    use std::path::{Component, Prefix};
    let mut parts = path.components();
    let Some(Component::Prefix(prefix)) = parts.next() else { return path };
    let start = match prefix.kind() {
        Prefix::VerbatimDisk(letter) => format!("{}:", char::from(letter).to_ascii_uppercase()),
        Prefix::VerbatimUNC(server, share) => {
            format!("\\\\{}\\{}", server.to_string_lossy(), share.to_string_lossy())
        }
        _ => return path,
    };
    let mut out = std::ffi::OsString::from(start);
    out.push(parts.as_path());
    PathBuf::from(out)
}

#[cfg(not(windows))]
fn plain(path: PathBuf) -> PathBuf {
    path
}

/// A path as all systems can read it: with `/` between its parts.
pub fn slashed(path: &Path) -> String {
    let text = path.to_string_lossy();
    if cfg!(windows) { text.replace('\\', "/") } else { text.into_owned() }
}

/// A world of given files: for tests, and for text that comes from nowhere.
#[derive(Debug, Default, Clone)]
pub struct Memory {
    files: HashMap<PathBuf, Source>,
    root: Option<PathBuf>,
    memo: Arc<Memo>,
}

impl Memory {
    #[must_use]
    pub fn with(mut self, path: impl Into<PathBuf>, text: &str) -> Self {
        self.files.insert(path.into(), Source::new(text));
        self.memo = Arc::default();
        self
    }

    /// The world with one workspace folder.
    #[must_use]
    pub fn in_folder(mut self, root: impl Into<PathBuf>) -> Self {
        self.root = Some(root.into());
        self
    }
}

impl World for Memory {
    fn root(&self, _path: Option<&Path>) -> Option<PathBuf> {
        self.root.clone()
    }

    fn read(&self, path: &Path) -> Result<Source, ReadError> {
        match self.kind(path) {
            Some(EntryKind::Folder) => Err(ReadError::Folder),
            _ => self.files.get(path).cloned().ok_or(ReadError::Missing),
        }
    }

    fn kind(&self, path: &Path) -> Option<EntryKind> {
        if self.files.contains_key(path) {
            return Some(EntryKind::File);
        }
        self.files.keys().any(|file| file.starts_with(path)).then_some(EntryKind::Folder)
    }

    fn list(&self, folder: &Path) -> Vec<Entry> {
        let mut found: Vec<Entry> = self
            .files
            .keys()
            .filter_map(|file| {
                let mut parts = file.strip_prefix(folder).ok()?.components();
                let name = parts.next()?.as_os_str().to_str()?.to_owned();
                let kind = if parts.next().is_some() { EntryKind::Folder } else { EntryKind::File };
                Some(Entry { name, kind })
            })
            .collect();
        found.sort_by(|a, b| a.name.cmp(&b.name));
        found.dedup();
        found
    }

    fn knowledge(&self) -> Knowledge {
        Knowledge::All
    }

    fn known_files(&self) -> Vec<PathBuf> {
        self.files()
    }

    fn files(&self) -> Vec<PathBuf> {
        let mut files: Vec<PathBuf> =
            self.files.keys().filter(|path| is_markdown(path)).cloned().collect();
        files.sort();
        files
    }

    fn memo(&self) -> &Memo {
        &self.memo
    }
}

/// The path that `relative` means when it is written in the file `from`: `.` and `..` are resolved
/// by text alone.
pub fn resolve(from: &Path, relative: &str) -> PathBuf {
    let base = from.parent().unwrap_or(Path::new(""));
    let mut out = PathBuf::new();
    for part in base.join(relative).components() {
        match part {
            std::path::Component::CurDir => {}
            std::path::Component::ParentDir if out.file_name().is_some() => {
                out.pop();
            }
            part => out.push(part),
        }
    }
    out
}

/// Everything but what RFC 3986 lets stand in a path.
const RESERVED: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'%')
    .add(b'<')
    .add(b'>')
    .add(b'?')
    .add(b'[')
    .add(b'\\')
    .add(b']')
    .add(b'^')
    .add(b'`')
    .add(b'{')
    .add(b'|')
    .add(b'}');

/// The `file:` URI of an absolute path.
pub fn uri(path: &Path) -> String {
    let text = slashed(path);
    // Editors compare URIs by their text, and the one that most people have on Windows writes
    // `c%3A`.
    if let Some((drive, rest)) =
        text.split_once(':').filter(|(drive, _)| drive.len() == 1 && *drive != "/")
    {
        return format!(
            "file:///{}%3A{}",
            drive.to_ascii_lowercase(),
            utf8_percent_encode(rest, RESERVED)
        );
    }
    let encoded = utf8_percent_encode(&text, RESERVED).to_string();
    match encoded.strip_prefix("//") {
        Some(host) => format!("file://{host}"),
        None => format!("file://{encoded}"),
    }
}

/// Whether a file is one that agentmd looks at of its own accord.
pub fn is_markdown(path: &Path) -> bool {
    let extension =
        path.extension().and_then(|extension| extension.to_str()).map(str::to_ascii_lowercase);
    matches!(extension.as_deref(), Some("md" | "markdown" | "mdc" | "llmd"))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn the_least_recently_used_files_leave_the_cache() {
        let folder = tempfile::tempdir().unwrap();
        let path = |number: usize| folder.path().join(format!("{number}.md"));
        let disk = Disk::default();
        let most = 16 * (1000 + EACH);
        disk.cache.lock().unwrap().most = most;
        (0..100).for_each(|number| fs::write(path(number), "x".repeat(1000)).unwrap());
        for number in 0..100 {
            assert_eq!(disk.read(&path(number)).unwrap().len(), 1000);
            // Used again after every other file.
            disk.read(&path(0)).unwrap();
            let cache = disk.cache.lock().unwrap();
            let sum: u64 = cache.files.values().map(|cached| cached.length + EACH).sum();
            assert_eq!(cache.bytes, sum);
            assert!(
                sum <= most
                    && cache.files.contains_key(&path(0))
                    && cache.files.contains_key(&path(number)),
                "{number}"
            );
        }
        // A changed file counts once; a file above the limit is read but not cached.
        let most = 2 * most;
        disk.cache.lock().unwrap().most = most;
        let before = disk.cache.lock().unwrap().bytes;
        fs::write(path(99), "x".repeat(2000)).unwrap();
        disk.read(&path(99)).unwrap();
        assert_eq!(disk.cache.lock().unwrap().bytes, before + 1000);
        fs::write(path(99), "x".repeat(usize::try_from(most).unwrap())).unwrap();
        assert_eq!(disk.read(&path(99)).unwrap().len() as u64, most);
        assert_eq!(disk.cache.lock().unwrap().bytes, before - 1000 - EACH);
    }

    #[test]
    fn a_list_says_where_links_lead() {
        use std::os::unix::fs::symlink;

        let folder = tempfile::tempdir().unwrap();
        let at = folder.path();
        fs::create_dir(at.join("folder")).unwrap();
        fs::write(at.join("file"), "").unwrap();
        symlink("folder", at.join("to folder")).unwrap();
        symlink("file", at.join("to file")).unwrap();
        symlink("none", at.join("to nothing")).unwrap();
        let found = Disk::default().list(at);
        let found: Vec<_> = found.iter().map(|entry| (entry.name.as_str(), entry.kind)).collect();
        assert_eq!(
            found,
            [
                ("file", EntryKind::File),
                ("folder", EntryKind::Folder),
                ("to file", EntryKind::File),
                ("to folder", EntryKind::Folder)
            ]
        );
    }
}
