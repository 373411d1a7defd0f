//! The world of a run: the disk, overlaid with text that isn't written to it, or not yet.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use super::files::repository;
use crate::markdown::memo::Memo;
use crate::source::Source;
use crate::world::{
    self, Disk, EntryKind, Knowledge, Listing, ReadError, Snapshot, World, canonicalize,
};

/// Text that takes precedence over the disk.
#[derive(Debug)]
pub struct Overlay {
    disk: Snapshot,
    texts: HashMap<PathBuf, Result<Source, ReadError>>,
    memo: Memo,
    /// The files of the call, and whether it names folders: then other files don't exist.
    files: Vec<PathBuf>,
    named: HashSet<PathBuf>,
    whole: bool,
    /// Folders from which other files may be read; `None` for all.
    roots: Option<Vec<PathBuf>>,
}

/// The bytes of cached files: each file is checked once, and only imports are read again.
const MOST_BYTES: u64 = 8 << 20;

impl Default for Overlay {
    fn default() -> Self {
        Self {
            disk: Snapshot::new(Disk::keeping(MOST_BYTES)),
            texts: HashMap::new(),
            memo: Memo::default(),
            files: Vec::new(),
            named: HashSet::new(),
            whole: false,
            roots: None,
        }
    }
}

impl Overlay {
    /// Sets the files of the call.
    pub fn know(&mut self, files: Vec<PathBuf>, whole: bool) {
        self.named = files.iter().cloned().collect();
        self.files = files;
        self.whole = whole;
        self.memo = Memo::default();
    }

    /// From here on, only reads files of the call, or in the current folder, in a folder of the
    /// call, or in the repository around one. An import can name any file on the machine, and
    /// findings quote the file's content.
    pub fn stay_inside(&mut self, paths: &[PathBuf]) {
        let mut roots = Vec::new();
        for path in paths.iter().map(PathBuf::as_path).chain([Path::new(".")]) {
            let folder = if path.is_dir() {
                path
            } else {
                path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."))
            };
            let Ok(folder) = canonicalize(folder) else { continue };
            roots.push(repository(&folder).unwrap_or(&folder).to_owned());
            roots.push(folder);
        }
        roots.sort();
        roots.dedup();
        self.roots = Some(roots);
    }

    fn permits(&self, path: &Path) -> bool {
        let Some(roots) = self.roots.as_ref().filter(|_| !self.named.contains(path)) else {
            return true;
        };
        // A path that can't be resolved can't be read either.
        self.disk.resolved(path).is_none_or(|path| roots.iter().any(|root| path.starts_with(root)))
    }

    pub fn insert(&mut self, path: PathBuf, text: Result<Source, ReadError>) {
        self.texts.insert(path, text);
        self.disk.forget();
        self.memo = Memo::default();
    }

    pub fn remove(&mut self, path: &Path) {
        self.texts.remove(path);
        self.disk.forget();
        self.memo = Memo::default();
    }
}

impl World for Overlay {
    fn read(&self, path: &Path) -> Result<Source, ReadError> {
        if let Some(text) = self.texts.get(path) {
            return text.clone();
        }
        if self.permits(path) { self.disk.read(path) } else { Err(ReadError::Outside) }
    }

    fn rules(&self, path: &Path) -> Result<String, ReadError> {
        match self.texts.get(path) {
            None if self.permits(path) => self.disk.rules(path),
            None => Err(ReadError::Outside),
            Some(text) => world::rules_of(text.as_ref().map_err(Clone::clone)?),
        }
    }

    fn head(&self, path: &Path, most: usize) -> Result<String, ReadError> {
        match self.texts.get(path) {
            None if self.permits(path) => self.disk.head(path, most),
            None => Err(ReadError::Outside),
            Some(text) => text.as_ref().map(|text| world::head(text, most)).map_err(Clone::clone),
        }
    }

    fn kind(&self, path: &Path) -> Option<EntryKind> {
        self.disk.kind(path).or_else(|| self.texts.contains_key(path).then_some(EntryKind::File))
    }

    fn list(&self, folder: &Path) -> Listing {
        self.disk.list(folder)
    }

    fn known_files(&self) -> Vec<PathBuf> {
        self.files.clone()
    }

    fn knowledge(&self) -> Knowledge {
        if self.whole { Knowledge::All } else { Knowledge::Some }
    }

    fn identity(&self, path: &Path) -> PathBuf {
        self.disk.identity(path)
    }

    fn unsaved(&self, each: &mut dyn FnMut(&Path, &Source)) {
        for (path, text) in &self.texts {
            if let Ok(text) = text {
                each(path, text);
            }
        }
    }

    fn python(&self) -> bool {
        self.disk.python()
    }

    fn memo(&self) -> &Memo {
        &self.memo
    }
}
