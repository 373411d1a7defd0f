//! The world of a run: the disk, under texts that are not written there, or not yet.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use crate::markdown::memo::Memo;
use crate::source::Source;
use crate::world::{Disk, Entry, EntryKind, Knowledge, ReadError, World};

/// Texts before the disk.
#[derive(Debug, Default)]
pub struct Overlay {
    disk: Disk,
    texts: HashMap<PathBuf, Result<Source, ReadError>>,
    memo: Memo,
    /// The files of the call, and whether it names folders: then what is not among them is not there.
    files: Vec<PathBuf>,
    whole: bool,
}

impl Overlay {
    /// Says which files the call is about.
    pub fn know(&mut self, files: Vec<PathBuf>, whole: bool) {
        self.files = files;
        self.whole = whole;
        self.memo = Memo::default();
    }

    pub fn insert(&mut self, path: PathBuf, text: Result<Source, ReadError>) {
        self.texts.insert(path, text);
        self.memo = Memo::default();
    }

    pub fn remove(&mut self, path: &Path) {
        self.texts.remove(path);
        self.memo = Memo::default();
    }
}

impl World for Overlay {
    fn read(&self, path: &Path) -> Result<Source, ReadError> {
        self.texts.get(path).map_or_else(|| self.disk.read(path), Clone::clone)
    }

    fn kind(&self, path: &Path) -> Option<EntryKind> {
        self.disk.kind(path).or_else(|| self.texts.contains_key(path).then_some(EntryKind::File))
    }

    fn list(&self, folder: &Path) -> Vec<Entry> {
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

    fn memo(&self) -> &Memo {
        &self.memo
    }
}
