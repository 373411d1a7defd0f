//! The world as a client sees it: open buffers take precedence over the disk.

use std::ffi::OsString;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use parking_lot::Mutex;
use rustc_hash::{FxHashMap, FxHashSet};

use super::index::Index;
use super::recent::Answers;
use super::session::{Documents, Open};
use super::unsaved::Unsaved;
use super::uri::Key;
use crate::markdown::memo::Memo;
use crate::source::Source;
use crate::world::{
    Aspect, Disk, EntryKind, Listing, Protection, ReadError, Surroundings, World, identity,
    protection_in, rules_of,
};

/// The limit of files that a check may read for the first time: others are read with the workspace.
const PATIENCE: usize = 256;

/// A snapshot of the open documents, the disk, and a record of everything requested.
pub(super) struct Overlay {
    documents: Documents,
    disk: Arc<Disk>,
    index: Arc<Index>,
    unsaved: Arc<Unsaved>,
    folders: Vec<PathBuf>,
    asked: Mutex<AskedSet>,
    /// All files were requested before they were known.
    premature: AtomicBool,
    /// Don't wait any longer for unknown files.
    settled: AtomicBool,
    looked: OnceLock<Mutex<Looked>>,
    /// What the disk answered to this check, and to those just before it.
    recent: OnceLock<Arc<Answers>>,
}

/// What one check has seen of the disk: it names the same files and folders often. Paths are keys as
/// they are spelled, since a check may name hundreds and comparing their parts takes time.
#[derive(Default)]
struct Looked {
    /// The answers of [`World::kind`], which were recorded.
    kinds: FxHashMap<OsString, Option<EntryKind>>,
    on_disk: FxHashMap<OsString, Option<EntryKind>>,
    lists: FxHashMap<OsString, Listing>,
    texts: FxHashMap<OsString, Result<Source, ReadError>>,
    protections: FxHashMap<OsString, Protection>,
    surroundings: FxHashMap<OsString, Arc<Surroundings>>,
}

/// The maximum number of files whose text a check keeps.
const MOST_TEXTS: usize = 1024;

/// A path that was checked, and the aspect. Paths are compared as spelled.
#[derive(Debug, Clone)]
pub(super) struct Asked {
    pub path: PathBuf,
    pub what: What,
}

impl PartialEq for Asked {
    fn eq(&self, other: &Self) -> bool {
        self.path.as_os_str() == other.path.as_os_str() && self.what == other.what
    }
}

impl Eq for Asked {}

impl Hash for Asked {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.path.as_os_str().hash(hasher);
        self.what.hash(hasher);
    }
}

pub(super) type AskedSet = FxHashSet<Asked>;

/// The kind of dependency: the narrower, the less often an answer has to be repeated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum What {
    /// Its existence and kind.
    Kind(Option<EntryKind>),
    /// A folder's entries.
    Listed,
    /// Its content.
    Content,
    /// One aspect of its content, with the state at that time.
    Part(&'static Aspect, u64),
}

impl Asked {
    /// Whether something that happened to a file can change it.
    pub(super) fn may_change_with(&self, path: &Path) -> bool {
        match self.what {
            // The first file in a missing folder creates the folder.
            What::Kind(None) => path.starts_with(&self.path),
            What::Listed => path == self.path || path.parent() == Some(&self.path),
            _ => path == self.path,
        }
    }
}

impl What {
    /// Whether a change to a third file can change it.
    pub(super) fn spans_files(self) -> bool {
        matches!(self, Self::Part(aspect, _) if aspect.spans_files)
    }
}

impl Overlay {
    pub(super) fn new(
        documents: Documents,
        disk: Arc<Disk>,
        index: Arc<Index>,
        unsaved: Arc<Unsaved>,
        folders: Vec<PathBuf>,
    ) -> Self {
        Self {
            documents,
            disk,
            index,
            unsaved,
            folders,
            asked: Mutex::default(),
            premature: AtomicBool::default(),
            settled: AtomicBool::default(),
            looked: OnceLock::new(),
            recent: OnceLock::new(),
        }
    }

    /// From now on, checks every path only once: for a single answer, which assumes that the disk
    /// doesn't change.
    pub(super) fn look_once(&self) {
        self.look_once_with(Arc::default());
    }

    /// The same, with answers that the checks of a document share.
    pub(super) fn look_once_with(&self, answers: Arc<Answers>) {
        self.looked.get_or_init(Mutex::default);
        self.recent.get_or_init(|| answers);
    }

    /// The kind of an entry on the disk, regardless of open documents.
    fn recent_kind(&self, path: &Path) -> Option<EntryKind> {
        let ask = || self.disk.kind(path);
        self.recent.get().map_or_else(ask, |recent| recent.kinds.get(path, ask))
    }

    fn kind_on_disk(&self, path: &Path) -> Option<EntryKind> {
        let Some(looked) = self.looked.get() else { return self.disk.kind(path) };
        if let Some(known) = looked.lock().on_disk.get(path.as_os_str()) {
            return *known;
        }
        let no_folder = self.has_no_folder(path);
        let kind = if no_folder { None } else { self.recent_kind(path) };
        let folder = path.parent().filter(|_| kind.is_none() && !no_folder);
        let folder =
            folder.filter(|folder| !looked.lock().on_disk.contains_key(folder.as_os_str()));
        let folder = folder.map(|folder| {
            // A new document may be open in a folder that the disk doesn't have yet.
            let open = || self.has_open_inside(folder).then_some(EntryKind::Folder);
            let kind = self.recent_kind(folder).or_else(open);
            if kind.is_none() {
                self.add(folder, What::Kind(None));
            }
            (folder.as_os_str().to_owned(), kind)
        });
        let mut looked = looked.lock();
        looked.on_disk.extend(folder);
        looked.on_disk.insert(path.as_os_str().to_owned(), kind);
        kind
    }

    /// The target of a path with all links resolved, as [`World::real`] of the disk.
    fn real_on_disk(&self, path: &Path) -> Result<PathBuf, ReadError> {
        let Some(recent) = self.recent.get() else { return self.disk.real(path) };
        recent.targets.get(path, || {
            match path.parent().and_then(|folder| self.real_on_disk(folder).ok()) {
                Some(folder) => self.disk.real_in(path, &folder),
                None => self.disk.real(path),
            }
        })
    }

    /// Whether the folder of a path is known not to exist. The folder was recorded then, so the path
    /// needn't be.
    fn has_no_folder(&self, path: &Path) -> bool {
        let Some(looked) = self.looked.get() else { return false };
        let folder = path.parent().map(Path::as_os_str);
        folder.is_some_and(|folder| looked.lock().on_disk.get(folder) == Some(&None))
    }

    /// Whether a document is open at a path.
    fn is_open(&self, path: &Path) -> bool {
        // Few documents are compared faster than a key is made.
        if self.documents.len() > 8 {
            return self.documents.contains_key(&Key::File(path.to_owned()));
        }
        let name = path.file_name();
        let open = self.documents.keys().filter_map(Key::path);
        open.filter(|open| open.file_name() == name).any(|open| open == path)
    }

    /// Whether a document is open somewhere in a folder.
    fn has_open_inside(&self, folder: &Path) -> bool {
        let mut open = self.documents.keys().filter_map(Key::path);
        open.any(|open| open.starts_with(folder))
    }

    /// Whether an answer depends on files that weren't all known: it must be repeated when they
    /// are.
    pub(super) fn is_premature(&self) -> bool {
        self.premature.load(Ordering::Relaxed)
    }

    /// Waits until the workspace has been read.
    pub(super) async fn wait_for_files(&self) {
        self.index.wait().await;
        self.settled.store(true, Ordering::Relaxed);
    }

    /// Takes the possible dependencies of an answer, after it was computed.
    pub(super) fn take_asked(&self) -> AskedSet {
        std::mem::take(&mut *self.asked.lock())
    }

    /// The open document at a path.
    pub(super) fn open(&self, path: &Path) -> Option<&Open> {
        self.documents.get(&Key::File(path.to_owned())).map(AsRef::as_ref)
    }

    /// Whether a client has unsaved changes to a file.
    pub(super) fn is_unsaved(&self, path: &Path) -> bool {
        self.unsaved.text(path).is_some()
    }

    /// Whether the dependencies are unchanged, or can't have changed the answer.
    pub(super) fn holds(&self, asked: &Asked) -> bool {
        match asked.what {
            What::Kind(None) => self.lacks(&asked.path),
            What::Kind(kind) => self.kind(&asked.path) == kind,
            What::Part(aspect, id) => (aspect.state)(self, &asked.path) == id,
            What::Listed | What::Content => false,
        }
    }

    pub(super) fn documents(&self) -> &Documents {
        &self.documents
    }

    fn add(&self, path: &Path, what: What) {
        self.asked.lock().insert(Asked { path: path.to_owned(), what });
    }

    /// The text of an open document or a file; a document may be open under another name of its
    /// file.
    pub(super) fn peek(&self, path: &Path) -> Result<Source, ReadError> {
        let Some(looked) = self.looked.get() else { return self.text(path) };
        if let Some(known) = looked.lock().texts.get(path.as_os_str()) {
            return known.clone();
        }
        let text = self.text(path);
        let mut looked = looked.lock();
        if looked.texts.len() < MOST_TEXTS {
            looked.texts.insert(path.as_os_str().to_owned(), text.clone());
        }
        text
    }

    fn text(&self, path: &Path) -> Result<Source, ReadError> {
        let open = |path: &Path| {
            self.documents
                .get(&Key::File(path.to_owned()))
                .map(|open| open.document.source().clone())
        };
        if let Some(source) = open(path) {
            return Ok(source);
        }
        let identity = self.identity(path);
        match open(&identity).filter(|_| identity != path) {
            Some(source) => Ok(source),
            None => self.unsaved.text(path).map_or_else(|| self.saved(path), Ok),
        }
    }

    /// Records a dependency under all names by which changes may be reported.
    fn add_file(&self, path: &Path, what: What) {
        self.add(path, what);
        let identity = self.identity(path);
        if identity != path {
            self.add(&identity, what);
        }
    }
}

impl World for Overlay {
    fn real(&self, path: &Path) -> Result<PathBuf, ReadError> {
        if self.has_no_folder(path) {
            return Err(ReadError::Missing);
        }
        self.add(path, What::Kind(self.kind_on_disk(path)));
        self.real_on_disk(path)
    }

    fn root(&self, path: Option<&Path>) -> Option<PathBuf> {
        let holds = |folder: &&PathBuf| path.is_some_and(|path| path.starts_with(folder));
        let deepest =
            self.folders.iter().filter(holds).max_by_key(|folder| folder.as_os_str().len());
        match (deepest, self.folders.as_slice()) {
            (Some(folder), _) | (None, [folder]) => Some(folder.clone()),
            // The intended folder is unknown.
            (None, _) => None,
        }
    }

    fn read(&self, path: &Path) -> Result<Source, ReadError> {
        self.add_file(path, What::Content);
        self.peek(path)
    }

    fn rules(&self, path: &Path) -> Result<String, ReadError> {
        let source = self.read(path)?;
        if self.is_open(path) { rules_of(&source) } else { self.disk.rules(path) }
    }

    fn bytes(&self, path: &Path) -> Result<Vec<u8>, ReadError> {
        self.add_file(path, What::Content);
        match self.peek(path) {
            Err(ReadError::NotUtf8 { .. }) => self.disk.bytes(path),
            read => read.map(|source| source.text().to_string().into_bytes()),
        }
    }

    fn kind(&self, path: &Path) -> Option<EntryKind> {
        let known = self.looked.get().map(Mutex::lock);
        if let Some(kind) = known.and_then(|known| known.kinds.get(path.as_os_str()).copied()) {
            return kind;
        }
        let is_open = self.is_open(path);
        if !is_open && self.has_no_folder(path) {
            return None;
        }
        let kind = if is_open { Some(EntryKind::File) } else { self.kind_on_disk(path) };
        self.add(path, What::Kind(kind));
        if let Some(looked) = self.looked.get() {
            looked.lock().kinds.insert(path.as_os_str().to_owned(), kind);
        }
        kind
    }

    fn lacks(&self, folder: &Path) -> bool {
        self.kind(folder).is_none() && !self.has_open_inside(folder)
    }

    fn length(&self, path: &Path) -> Option<u64> {
        match self.open(path) {
            Some(open) => Some(open.document.source().len() as u64),
            None => {
                let ask = || self.disk.length(path);
                self.recent.get().map_or_else(ask, |recent| recent.lengths.get(path, ask))
            }
        }
    }

    fn list(&self, folder: &Path) -> Listing {
        self.add(folder, What::Listed);
        let Some(looked) = self.looked.get() else { return self.disk.list(folder) };
        if let Some(known) = looked.lock().lists.get(folder.as_os_str()) {
            return known.clone();
        }
        let list = self.disk.list(folder);
        looked.lock().lists.insert(folder.as_os_str().to_owned(), list.clone());
        list
    }

    fn look(&self, path: &Path) -> Result<Source, ReadError> {
        self.peek(path)
    }

    fn note(&self, path: &Path, aspect: &'static Aspect, id: u64) {
        self.add_file(path, What::Part(aspect, id));
    }

    fn identity(&self, path: &Path) -> PathBuf {
        identity(path, |path| self.real_on_disk(path).ok())
    }

    fn protection(&self, path: &Path) -> Protection {
        let Some(looked) = self.looked.get() else { return self.disk.protection(path) };
        if let Some(known) = looked.lock().protections.get(path.as_os_str()) {
            return *known;
        }
        let folder = path.parent().unwrap_or(path);
        let known = looked.lock().surroundings.get(folder.as_os_str()).cloned();
        let around = known.unwrap_or_else(|| {
            let around = Arc::new(self.disk.surroundings(folder));
            looked.lock().surroundings.insert(folder.as_os_str().to_owned(), Arc::clone(&around));
            around
        });
        let protection = protection_in(path, &around);
        looked.lock().protections.insert(path.as_os_str().to_owned(), protection);
        protection
    }

    fn files(&self) -> Vec<PathBuf> {
        if !self.index.is_ready() && !self.settled.load(Ordering::Relaxed) {
            self.premature.store(true, Ordering::Relaxed);
            return Vec::new();
        }
        let open = self
            .documents
            .keys()
            .filter_map(Key::path)
            .filter(|path| crate::world::is_markdown(path));
        let mut files: Vec<PathBuf> = open.map(Path::to_owned).chain(self.index.paths()).collect();
        files.sort();
        files.dedup();
        files
    }

    fn keeps(&self, path: &Path) -> bool {
        self.is_open(path) || self.index.contains(path)
    }

    fn saved(&self, path: &Path) -> Result<Source, ReadError> {
        let ask = || {
            #[cfg(debug_assertions)]
            super::testing::before_file(path);
            self.disk.read(path)
        };
        match self.recent.get() {
            Some(recent) => recent.text(path, || self.disk.kept(path), ask),
            None => ask(),
        }
    }

    fn unsaved(&self, each: &mut dyn FnMut(&Path, &Source)) {
        for (key, open) in self.documents.iter() {
            if let Some(path) = key.path() {
                each(path, open.document.source());
            }
        }
    }

    fn patience(&self) -> usize {
        PATIENCE
    }

    fn python(&self) -> bool {
        self.disk.python()
    }

    fn memo(&self) -> &Memo {
        self.disk.memo()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cache::Limit;

    /// The world over a disk, without open documents.
    fn world(disk: &Arc<Disk>) -> Overlay {
        let limit = Limit::default();
        let (index, unsaved) = (Arc::new(Index::new(&limit)), Arc::new(Unsaved::new(&limit)));
        Overlay::new(Documents::default(), Arc::clone(disk), index, unsaved, Vec::new())
    }

    #[cfg(unix)]
    #[test]
    fn one_check_resolves_links_as_the_disk_does() {
        use std::os::unix::fs::symlink;

        let (folder, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let at = |name: &str| folder.path().join(name);
        std::fs::create_dir(at("a")).unwrap();
        std::fs::write(at("a/b.md"), "").unwrap();
        std::fs::write(other.path().join("secret"), "").unwrap();
        for (target, link) in [("a", "link"), ("b.md", "a/c.md"), ("gone", "a/broken")] {
            symlink(target, at(link)).unwrap();
        }
        symlink(other.path(), at("out")).unwrap();
        let disk = Arc::default();
        let check = world(&disk);
        check.look_once();
        let names = [
            "",
            "a",
            "a/b.md",
            "a/c.md",
            "link",
            "link/",
            "link/b.md",
            "link/c.md",
            "a/broken",
            "a/none.md",
            "none/x",
            "out/secret",
            "a/../link/b.md",
            "a/b.md/x",
        ];
        for path in names.map(at).iter().chain(names.map(at).iter().rev()) {
            assert_eq!(check.identity(path), disk.identity(path), "{path:?}");
            assert_eq!(check.real(path), disk.real(path), "{path:?}");
        }
    }

    #[test]
    fn one_check_reads_a_file_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        let disk = Arc::default();
        let world = || world(&disk);
        let text = |world: &Overlay| world.read(&path).map(|source| source.text().to_string());
        std::fs::write(&path, "old").unwrap();
        let check = world();
        check.look_once();
        assert_eq!(text(&check), Ok("old".to_owned()));
        std::fs::write(&path, "longer").unwrap();
        assert_eq!(text(&check), Ok("old".to_owned()));
        assert_eq!(text(&world()), Ok("longer".to_owned()));
    }

    #[cfg(unix)]
    #[test]
    fn one_answer_looks_at_permissions_once() {
        use std::os::unix::fs::PermissionsExt;

        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.sh");
        std::fs::write(&path, "").unwrap();
        let disk = Arc::default();
        let (answer, other) = (world(&disk), world(&disk));
        answer.look_once();
        assert!(!answer.protection(&path).executable && !other.protection(&path).executable);
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        assert!(!answer.protection(&path).executable && other.protection(&path).executable);
    }

    #[test]
    fn a_change_invalidates_the_aspects_that_it_can_change() {
        let asked = |path: &str, what: What| Asked { path: path.into(), what };
        for (asked, at, expected) in [
            (asked("/w/a", What::Kind(None)), "/w/a", true),
            (asked("/w/a", What::Kind(None)), "/w/a/日本/b.md", true),
            (asked("/w/a", What::Kind(None)), "/w/ab", false),
            (asked("/w/a", What::Kind(Some(EntryKind::Folder))), "/w/a/b.md", false),
            (asked("/w/a", What::Listed), "/w/a/b.md", true),
            (asked("/w/a", What::Listed), "/w/a/b/c.md", false),
            (asked("/w/a.md", What::Content), "/w/a.md", true),
            (asked("/w/a.md", What::Content), "/w/b.md", false),
        ] {
            assert_eq!(asked.may_change_with(Path::new(at)), expected, "{asked:?} {at}");
        }
    }
}
