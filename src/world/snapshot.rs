//! The disk during one run of the command line, which looks up the same few folders again and
//! again.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use dashmap::DashMap;
use rustc_hash::FxBuildHasher;

use super::{Disk, EntryKind, Listing, ReadError, World, canonicalize, canonicalize_in};

/// The most answers of each kind that are cached.
const MOST: usize = 1 << 16;

/// By the path as spelled: hashing a [`Path`] splits it into components, which is slow.
type Answers<A> = DashMap<OsString, A, FxBuildHasher>;

/// A disk that is assumed not to change, so its answers are cached.
#[derive(Debug, Default)]
pub struct Snapshot {
    disk: Disk,
    kinds: Answers<Option<EntryKind>>,
    lists: Answers<Listing>,
    /// Folders with all links resolved.
    folders: Answers<Option<PathBuf>>,
    /// The disk has changed, so cached files are compared with it.
    changed: bool,
}

impl Snapshot {
    pub fn new(disk: Disk) -> Self {
        Self { disk, ..Self::default() }
    }

    pub fn disk(&self) -> &Disk {
        &self.disk
    }

    /// Forgets all answers, because the disk has changed.
    pub fn forget(&mut self) {
        self.kinds.clear();
        self.lists.clear();
        self.folders.clear();
        self.changed = true;
    }

    /// The path of a file with all links resolved, if it exists.
    pub fn resolved(&self, path: &Path) -> Option<PathBuf> {
        let folder = path.parent().filter(|folder| *folder != Path::new(""));
        let Some(folder) = folder else { return canonicalize(path).ok() };
        let folder = kept(&self.folders, folder, || canonicalize(folder).ok())?;
        canonicalize_in(path, &folder).ok()
    }
}

/// The cached answer, or a new one.
fn kept<A: Clone>(answers: &Answers<A>, path: &Path, answer: impl FnOnce() -> A) -> A {
    if let Some(known) = answers.get(path.as_os_str()) {
        return known.clone();
    }
    let new = answer();
    if answers.len() >= MOST {
        answers.clear();
    }
    answers.insert(path.as_os_str().to_owned(), new.clone());
    new
}

impl World for Snapshot {
    fn read(&self, path: &Path) -> Result<crate::source::Source, ReadError> {
        let known = self.disk.kept(path).filter(|_| !self.changed);
        known.map_or_else(|| self.disk.read(path), Ok)
    }

    fn rules(&self, path: &Path) -> Result<String, ReadError> {
        self.disk.rules(path)
    }

    fn bytes(&self, path: &Path) -> Result<Vec<u8>, ReadError> {
        self.disk.bytes(path)
    }

    fn head(&self, path: &Path, most: usize) -> Result<String, ReadError> {
        self.disk.head(path, most)
    }

    fn kind(&self, path: &Path) -> Option<EntryKind> {
        kept(&self.kinds, path, || self.disk.kind(path))
    }

    fn length(&self, path: &Path) -> Option<u64> {
        self.disk.length(path)
    }

    fn list(&self, folder: &Path) -> Listing {
        kept(&self.lists, folder, || self.disk.list(folder))
    }

    fn identity(&self, path: &Path) -> PathBuf {
        self.resolved(path).unwrap_or_else(|| self.disk.identity(path))
    }

    fn python(&self) -> bool {
        self.disk.python()
    }

    fn memo(&self) -> &crate::markdown::memo::Memo {
        self.disk.memo()
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn answers_equal_those_of_the_disk_after_changes_too() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("a")).unwrap();
        fs::write(at("a/b.md"), "one").unwrap();
        symlink("a", at("link")).unwrap();
        symlink("b.md", at("a/c.md")).unwrap();
        let disk = Disk::default();
        let mut snapshot = Snapshot::new(Disk::default());
        let names = ["a", "a/b.md", "link/b.md", "link/c.md", "a/c.md", "a/none.md", "none/x"];
        let same = |snapshot: &Snapshot| {
            for path in names.map(at) {
                for _ in 0..2 {
                    assert_eq!(snapshot.kind(&path), disk.kind(&path), "{path:?}");
                    assert_eq!(snapshot.list(&path), disk.list(&path), "{path:?}");
                    assert_eq!(snapshot.identity(&path), disk.identity(&path), "{path:?}");
                    let text = |world: &dyn World| {
                        world.read(&path).map(|source| source.text().to_string())
                    };
                    assert_eq!(text(snapshot), text(&disk), "{path:?}");
                }
            }
        };
        same(&snapshot);
        fs::write(at("a/b.md"), "two and more").unwrap();
        fs::write(at("a/none.md"), "three").unwrap();
        snapshot.forget();
        same(&snapshot);
        // The cache stays small.
        (0..3 * MOST).for_each(|number| assert_eq!(snapshot.kind(&at(&number.to_string())), None));
        assert!(snapshot.kinds.len() <= MOST);
    }
}
