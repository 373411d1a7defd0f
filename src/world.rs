//! Everything outside a document: other files. Features read them only through [`World`].

mod folders;
mod listings;
mod protection;
mod regular;
mod snapshot;
mod walk;

use std::collections::HashMap;
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};

use crate::cache::{Cache, Limit};
use crate::markdown::memo::Memo;
use crate::source::Source;
pub use folders::{cache_folder, python_component};
pub use listings::Listing;

pub use protection::{Protection, Surroundings, is_program, protection_in, usual_permissions};
pub use regular::{LARGEST_RULES, create_own, open_regular, own_folder, path_of_bytes, read_rules};
pub use snapshot::Snapshot;
pub use walk::{Reach, Unused, reaches, unread, walk};

/// Other files, as the caller sees them: the disk for the command line; for the server, open
/// buffers take precedence over the disk.
pub trait World: Send + Sync {
    /// The text of a file.
    ///
    /// # Errors
    /// If it doesn't exist, isn't a file, is too large or not UTF-8.
    fn read(&self, path: &Path) -> Result<Source, ReadError>;
    /// The text of a file that settings consist of, read like `agentmd.toml`: of limited size, and
    /// without following a symlink.
    ///
    /// # Errors
    /// Like [`World::read`], or if it's larger or a symlink.
    fn rules(&self, path: &Path) -> Result<String, ReadError> {
        rules_of(&self.read(path)?)
    }
    /// The raw bytes of a file.
    ///
    /// # Errors
    /// If it doesn't exist, isn't a file or is too large.
    fn bytes(&self, path: &Path) -> Result<Vec<u8>, ReadError> {
        self.read(path).map(|source| source.text().to_string().into_bytes())
    }
    /// The kind of the entry at a path; `None` if it doesn't exist.
    fn kind(&self, path: &Path) -> Option<EntryKind>;
    /// Whether a folder doesn't exist, so that nothing in it needs to be looked up. `false` if that
    /// isn't known: a world can have files that the disk has no folder for.
    fn lacks(&self, _folder: &Path) -> bool {
        false
    }
    /// The size of a file in bytes, if it's known without reading it.
    fn length(&self, _path: &Path) -> Option<u64> {
        None
    }
    /// The entries of a folder, sorted by name; empty if it isn't a folder.
    fn list(&self, folder: &Path) -> Listing;
    /// Reads a file for one aspect of it, which the caller records with [`World::note`]: other
    /// changes to the file don't change the answer.
    ///
    /// # Errors
    /// Like [`World::read`].
    fn look(&self, path: &Path) -> Result<Source, ReadError> {
        self.read(path)
    }
    /// The text of a file up to about this many bytes. The rest needn't be UTF-8.
    ///
    /// # Errors
    /// Like [`World::read`].
    fn head(&self, path: &Path, most: usize) -> Result<String, ReadError> {
        self.look(path).map(|source| head(&source, most))
    }
    /// Records that an answer depends on this aspect of the file at `path`, which was `id` at that
    /// time.
    fn note(&self, _path: &Path, _aspect: &'static Aspect, _id: u64) {}
    /// The canonical path of a file: links resolved, letter case as in the file system.
    fn identity(&self, path: &Path) -> PathBuf {
        path.to_owned()
    }
    /// The target of a path with all links resolved.
    ///
    /// # Errors
    /// If it doesn't exist, or a link is broken.
    fn real(&self, path: &Path) -> Result<PathBuf, ReadError> {
        self.kind(path).map(|_| path.to_owned()).ok_or(ReadError::Missing)
    }
    /// Why the file at `path` should not be changed without asking.
    fn protection(&self, _path: &Path) -> Protection {
        Protection::default()
    }
    /// The workspace folder that contains the document at `path`, if any.
    fn root(&self, _path: Option<&Path>) -> Option<PathBuf> {
        None
    }
    /// The Markdown files of the workspace, once all are known. Must not be used between a key
    /// press and its answer.
    fn files(&self) -> Vec<PathBuf> {
        Vec::new()
    }
    /// How many of the workspace's files are known.
    fn knowledge(&self) -> Knowledge {
        Knowledge::Later
    }
    /// The files that are known from the start, if no others will be known later.
    fn known_files(&self) -> Vec<PathBuf> {
        Vec::new()
    }
    /// Whether a file is one of those that are known, or open.
    fn keeps(&self, _path: &Path) -> bool {
        true
    }
    /// The saved text of a file, ignoring open buffers.
    ///
    /// # Errors
    /// Like [`World::read`].
    fn saved(&self, path: &Path) -> Result<Source, ReadError> {
        self.read(path)
    }
    /// Every open buffer, with its path.
    fn unsaved(&self, _each: &mut dyn FnMut(&Path, &Source)) {}
    /// The limit of files that one request may read for the first time.
    fn patience(&self) -> usize {
        usize::MAX
    }
    /// Whether programs that run here have the tool `python`.
    fn python(&self) -> bool {
        true
    }
    /// Data cached by formats between requests.
    fn memo(&self) -> &Memo;
    /// The memory limit that all caches share.
    fn limit(&self) -> Arc<Limit> {
        self.memo().get()
    }
}

/// How many of a workspace's files are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Knowledge {
    /// All of them, once the workspace has been read: ask again if you need them sooner.
    Later,
    /// Only some, and never more.
    Some,
    All,
}

/// An aspect of another file that an answer can depend on, such as what its importers see of it.
/// Formats declare their own.
#[derive(Debug)]
pub struct Aspect {
    /// Unique among all aspects.
    pub name: &'static str,
    /// A number for its current state: equal numbers lead to equal answers.
    pub state: fn(&dyn World, &Path) -> u64,
    /// Whether a change to a third file can change it.
    pub spans_files: bool,
}

impl PartialEq for Aspect {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Aspect {}

impl Hash for Aspect {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
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

/// Why a file can't be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    #[error("no such file")]
    Missing,
    #[error("is a folder, not a file")]
    Folder,
    #[error("is not UTF-8: invalid byte at offset {offset}")]
    NotUtf8 { offset: usize },
    #[error("has {bytes} bytes, more than the limit of {limit}")]
    TooLarge { bytes: u64, limit: u64 },
    /// A FIFO, a socket or a device.
    #[error("is not a regular file")]
    Irregular,
    #[error("is a symlink, which is not followed here")]
    Symlink,
    /// The file's content must not appear in messages.
    #[error("is outside of the folders that are checked")]
    Outside,
    #[error("{0}")]
    Io(String),
}

/// The text of a source that contains settings, unless it's too large.
///
/// # Errors
/// If it is.
pub fn rules_of(source: &Source) -> Result<String, ReadError> {
    match source.len() as u64 {
        bytes if bytes > LARGEST_RULES => Err(ReadError::TooLarge { bytes, limit: LARGEST_RULES }),
        _ => Ok(source.text().to_string()),
    }
}

/// The beginning of a source's text, up to about this many bytes.
pub fn head(source: &Source, most: usize) -> String {
    let mut text = source.slice(0..source.len()).into_owned();
    text.truncate(text.floor_char_boundary(most));
    text
}

/// Larger files are not read: offsets are stored in 32 bits, and such a file isn't written by hand.
pub const LARGEST_FILE: u64 = 512 * 1024 * 1024;

/// Reads a file's text as strict UTF-8.
///
/// # Errors
/// Like [`World::read`].
pub fn read_text(path: &Path) -> Result<String, ReadError> {
    regular::read(&open_regular(path)?, LARGEST_FILE)
}

fn io_error(error: &std::io::Error) -> ReadError {
    match error.kind() {
        std::io::ErrorKind::NotFound => ReadError::Missing,
        _ => ReadError::Io(error.to_string()),
    }
}

/// Why a path has no target.
fn real_error(path: &Path, error: &std::io::Error) -> ReadError {
    match fs::symlink_metadata(path) {
        Ok(_) if error.kind() == std::io::ErrorKind::NotFound => {
            ReadError::Io("is a broken link".to_owned())
        }
        _ => io_error(error),
    }
}

/// The file system. Files that were read are cached until their time or size changes.
#[derive(Debug)]
pub struct Disk {
    files: Cache<PathBuf, Cached>,
    listings: listings::Listings,
    ignores: protection::Ignores,
    memo: Memo,
}

#[derive(Debug, Clone)]
struct Cached {
    modified: Option<SystemTime>,
    length: u64,
    source: Source,
}

/// The estimated cost of a cached file, for each of its bytes: the rope, blocks, syntax trees.
const EACH_BYTE: u64 = 4;
/// The same for each file: the path, the sections.
const EACH_FILE: u64 = 4096;

impl Default for Disk {
    fn default() -> Self {
        Self::with_limit(Limit::default())
    }
}

impl Disk {
    /// A file system whose caches share this limit.
    pub fn with_limit(limit: Limit) -> Self {
        let memo = Memo::default();
        let (files, listings) = (Cache::new(&limit), listings::Listings::new(&limit));
        let ignores = protection::Ignores::new(&limit);
        memo.get_or(|| limit);
        Self { files, listings, ignores, memo }
    }

    /// [`World::real`] of a path, given that of its folder.
    ///
    /// # Errors
    /// Like [`World::real`].
    pub fn real_in(&self, path: &Path, folder: &Path) -> Result<PathBuf, ReadError> {
        canonicalize_in(path, folder).map_err(|error| real_error(path, &error))
    }

    /// The text of a file when it was last read, if it's still in the cache.
    pub fn kept(&self, path: &Path) -> Option<Source> {
        self.files.get(path).map(|known| known.source)
    }

    /// The facts about a folder that [`protection_in`] needs.
    pub fn surroundings(&self, folder: &Path) -> Surroundings {
        self.ignores.surroundings(folder)
    }

    /// A file system that caches at most this many bytes of files, as [`EACH_BYTE`] counts them.
    pub fn keeping(most: u64) -> Self {
        Self { files: Cache::new(&Limit::new(most)), ..Self::default() }
    }
}

impl World for Disk {
    fn read(&self, path: &Path) -> Result<Source, ReadError> {
        if let Some(known) = self.files.get(path) {
            let metadata = fs::metadata(path).map_err(|error| io_error(&error))?;
            if known.modified == metadata.modified().ok() && known.length == metadata.len() {
                return Ok(known.source);
            }
        }
        let opened = open_regular(path)?;
        let (modified, length) = (opened.1.modified().ok(), opened.1.len());
        let bytes = regular::read_bytes(&opened, LARGEST_FILE)?;
        let source = Source::new(regular::text(&bytes)?);
        let cost = length.saturating_mul(EACH_BYTE).saturating_add(EACH_FILE);
        self.files.insert(
            path.to_owned(),
            Cached { modified, length, source: source.clone() },
            cost,
        );
        Ok(source)
    }

    fn rules(&self, path: &Path) -> Result<String, ReadError> {
        read_rules(path)
    }

    fn bytes(&self, path: &Path) -> Result<Vec<u8>, ReadError> {
        regular::read_bytes(&open_regular(path)?, LARGEST_FILE)
    }

    fn head(&self, path: &Path, most: usize) -> Result<String, ReadError> {
        regular::read_head(&open_regular(path)?, most)
    }

    fn kind(&self, path: &Path) -> Option<EntryKind> {
        let metadata = fs::metadata(path).ok()?;
        Some(if metadata.is_dir() { EntryKind::Folder } else { EntryKind::File })
    }

    fn length(&self, path: &Path) -> Option<u64> {
        Some(fs::metadata(path).ok()?.len())
    }

    fn list(&self, folder: &Path) -> Listing {
        self.listings.list(folder)
    }

    fn identity(&self, path: &Path) -> PathBuf {
        identity(path, |path| canonicalize(path).ok())
    }

    fn real(&self, path: &Path) -> Result<PathBuf, ReadError> {
        canonicalize(path).map_err(|error| real_error(path, &error))
    }

    fn protection(&self, path: &Path) -> Protection {
        self.ignores.protection(path)
    }

    fn python(&self) -> bool {
        cfg!(feature = "python") && python_component().is_some_and(|path| path.is_file())
    }

    fn memo(&self) -> &Memo {
        &self.memo
    }
}

/// The canonical path of a file, given those of paths that exist. For a missing file, its folder's is
/// used.
pub fn identity(path: &Path, real: impl Fn(&Path) -> Option<PathBuf>) -> PathBuf {
    let folder = || Some(real(path.parent()?)?.join(path.file_name()?));
    real(path).or_else(folder).unwrap_or_else(|| path.to_owned())
}

/// The absolute path without links.
///
/// # Errors
/// If it doesn't exist, or a link is broken.
pub fn canonicalize(path: &Path) -> std::io::Result<PathBuf> {
    fs::canonicalize(path).map(plain)
}

/// The same, given the absolute path without links of its folder.
///
/// # Errors
/// Like [`canonicalize`].
pub fn canonicalize_in(path: &Path, folder: &Path) -> std::io::Result<PathBuf> {
    // Elsewhere, the letter case of the name may have to be looked up.
    let keeps_case = cfg!(not(any(windows, target_vendor = "apple")));
    let Some(name) = path.file_name().filter(|_| keeps_case) else { return canonicalize(path) };
    let path = folder.join(name);
    match fs::symlink_metadata(&path)?.is_symlink() {
        true => canonicalize(&path),
        false => Ok(path),
    }
}

/// Windows returns `\\?\C:\a`, which doesn't match URIs or paths as users write them.
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

/// A portable form of a path, with `/` between its parts.
pub fn slashed(path: &Path) -> String {
    let text = path.to_string_lossy();
    if cfg!(windows) { text.replace('\\', "/") } else { text.into_owned() }
}

/// A world of given files: for tests, and for text without a file.
#[derive(Debug, Default, Clone)]
pub struct Memory {
    files: HashMap<PathBuf, Source>,
    folders: Vec<PathBuf>,
    lacks_python: bool,
    memo: Arc<Memo>,
}

impl Memory {
    /// The world without the tool `python`.
    #[must_use]
    pub fn without_python(mut self) -> Self {
        self.lacks_python = true;
        self
    }

    #[must_use]
    pub fn with(mut self, path: impl Into<PathBuf>, text: &str) -> Self {
        self.files.insert(path.into(), Source::new(text));
        self.memo = Arc::default();
        self
    }

    /// The world with caches that share this limit.
    #[must_use]
    pub fn with_limit(self, limit: Limit) -> Self {
        self.memo.get_or(|| limit);
        self
    }

    /// The world with one more workspace folder.
    #[must_use]
    pub fn in_folder(mut self, folder: impl Into<PathBuf>) -> Self {
        self.folders.push(folder.into());
        self
    }
}

impl World for Memory {
    fn root(&self, path: Option<&Path>) -> Option<PathBuf> {
        let holds = |folder: &&PathBuf| path.is_some_and(|path| path.starts_with(folder));
        let inner = self.folders.iter().filter(holds).max_by_key(|folder| folder.as_os_str().len());
        let only = || self.folders.first().filter(|_| self.folders.len() == 1);
        inner.or_else(only).cloned()
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

    fn lacks(&self, folder: &Path) -> bool {
        self.kind(folder).is_none()
    }

    fn list(&self, folder: &Path) -> Listing {
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
        found.into_iter().collect()
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

    fn python(&self) -> bool {
        !self.lacks_python
    }

    fn memo(&self) -> &Memo {
        &self.memo
    }
}

/// The path that `relative` means in the file `from`: `.` and `..` are resolved lexically.
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

/// All characters except those that RFC 3986 allows in a path.
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
    // Editors compare URIs as strings, and the most common one on Windows writes `c%3A`.
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

/// Whether agentmd looks at this file without being asked.
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
        let limit = Limit::new(16 * (1000 * EACH_BYTE + EACH_FILE));
        let most = 16 * (1000 * EACH_BYTE + EACH_FILE);
        let disk = Disk::with_limit(limit.clone());
        (0..100).for_each(|number| fs::write(path(number), "x".repeat(1000)).unwrap());
        for number in 0..100 {
            assert_eq!(disk.read(&path(number)).unwrap().len(), 1000);
            // Used again after each of the others.
            disk.read(&path(0)).unwrap();
            assert!(limit.held() <= most, "{}", limit.held());
            assert!(disk.files.get(&path(0)).is_some() && disk.files.get(&path(number)).is_some());
        }
        assert!(disk.files.get(&path(1)).is_none());
        // A file that is read again has the same content.
        assert_eq!(disk.read(&path(1)).unwrap().text().to_string(), "x".repeat(1000));
        // A changed file counts once; a file above the limit is read but not cached.
        let before = limit.held();
        fs::write(path(99), "x".repeat(2000)).unwrap();
        disk.read(&path(99)).unwrap();
        assert_eq!(limit.held(), before + 1000 * EACH_BYTE);
        fs::write(path(99), "x".repeat(usize::try_from(most).unwrap())).unwrap();
        assert_eq!(disk.read(&path(99)).unwrap().len() as u64, most);
        assert!(disk.files.get(&path(99)).is_none() && limit.held() < before);
    }

    #[test]
    fn a_list_resolves_links() {
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
