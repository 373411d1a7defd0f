//! The world as a client sees it: open buffers before the disk.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::session::{Documents, Open};
use super::uri::Key;
use crate::source::Source;
use crate::world::{Disk, Entry, EntryKind, ReadError, World};

/// The open documents of one moment, the disk behind them, and a note of every path that was asked for.
pub(super) struct Overlay {
    documents: Documents,
    disk: Arc<Disk>,
    asked: Mutex<HashSet<Asked>>,
}

/// A path that somebody looked at, and whether for what is written there or only for whether something is.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Asked {
    pub path: PathBuf,
    pub content: bool,
}

impl Overlay {
    pub(super) fn new(documents: Documents, disk: Arc<Disk>) -> Self {
        Self { documents, disk, asked: Mutex::default() }
    }

    /// The paths that answers may depend on.
    pub(super) fn asked(&self) -> HashSet<Asked> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The open document at a path.
    pub(super) fn open(&self, path: &Path) -> Option<&Open> {
        self.documents.get(&Key::File(path.to_owned())).map(AsRef::as_ref)
    }

    fn note(&self, path: &Path, content: bool) {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).insert(Asked { path: path.to_owned(), content });
    }
}

impl World for Overlay {
    fn read(&self, path: &Path) -> Result<Source, ReadError> {
        self.note(path, true);
        match self.documents.get(&Key::File(path.to_owned())) {
            Some(open) => Ok(open.document.source().clone()),
            None => self.disk.read(path),
        }
    }

    fn kind(&self, path: &Path) -> Option<EntryKind> {
        self.note(path, false);
        if self.documents.contains_key(&Key::File(path.to_owned())) {
            return Some(EntryKind::File);
        }
        self.disk.kind(path)
    }

    fn list(&self, folder: &Path) -> Vec<Entry> {
        self.note(folder, false);
        self.disk.list(folder)
    }
}
