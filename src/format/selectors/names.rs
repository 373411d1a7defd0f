//! The index of names: files by the names of their documents, and which files mention a name. A key
//! press never reads the workspace for it: files are added when the workspace is read, and updated
//! one by one when they change.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rustc_hash::FxHashMap;

use crate::selector::{mention, namespace};
use crate::source::Source;
use crate::world::{Knowledge, World};

/// The names of a world.
#[derive(Debug, Default)]
pub struct Names {
    state: Mutex<State>,
    /// Every file of the workspace is known.
    complete: AtomicBool,
    /// A request came before that.
    early: AtomicBool,
    /// The files that the world knows without reading have been added.
    listed: AtomicBool,
}

#[derive(Debug, Default)]
struct State {
    documents: FxHashMap<String, BTreeSet<PathBuf>>,
    speakers: FxHashMap<String, BTreeSet<PathBuf>>,
    /// The names that each file mentions.
    said: FxHashMap<PathBuf, Box<[String]>>,
}

/// The name of the document at a path.
pub fn name(path: &Path) -> String {
    namespace(&path.file_name().unwrap_or_default().to_string_lossy())
}

impl Names {
    /// The names of a world, with everything that is available at once.
    pub fn of(world: &dyn World) -> Arc<Self> {
        let names: Arc<Self> = world.memo().get();
        let knowledge = world.knowledge();
        if knowledge != Knowledge::Later && !names.listed.load(Ordering::SeqCst) {
            world.known_files().iter().for_each(|path| names.list(path));
            names.complete.store(knowledge == Knowledge::All, Ordering::SeqCst);
            names.listed.store(true, Ordering::SeqCst);
        }
        names
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a file in its current version.
    pub fn learn(&self, path: &Path, source: &Source) {
        let mut said: Vec<String> =
            mention::all(source).iter().flat_map(mention::Mention::names).collect();
        said.sort();
        said.dedup();
        let mut state = self.state();
        state.forget_said(path);
        state.documents.entry(name(path)).or_default().insert(path.to_owned());
        for name in &said {
            state.speakers.entry(name.clone()).or_default().insert(path.to_owned());
        }
        if !said.is_empty() {
            state.said.insert(path.to_owned(), said.into());
        }
    }

    /// Adds the existence of a file, not its contents.
    pub fn list(&self, path: &Path) {
        self.state().documents.entry(name(path)).or_default().insert(path.to_owned());
    }

    pub fn forget(&self, path: &Path) {
        let mut state = self.state();
        state.forget_said(path);
        let name = name(path);
        if let Some(paths) = state.documents.get_mut(&name) {
            paths.remove(path);
            if paths.is_empty() {
                state.documents.remove(&name);
            }
        }
    }

    /// The files whose documents have this name, in lower case.
    pub fn documents(&self, name: &str) -> Vec<PathBuf> {
        self.state().documents.get(name).into_iter().flatten().cloned().collect()
    }

    /// Every name, sorted, with its number of files.
    pub fn all(&self) -> Vec<(String, usize)> {
        let mut all: Vec<_> = self
            .state()
            .documents
            .iter()
            .map(|(name, paths)| (name.clone(), paths.len()))
            .collect();
        all.sort();
        all
    }

    /// The files that mention this name.
    pub fn speakers(&self, name: &str) -> Vec<PathBuf> {
        self.state().speakers.get(name).into_iter().flatten().cloned().collect()
    }

    /// Whether all files are known. A caller that is too early must ask again.
    pub fn is_complete(&self) -> bool {
        let complete = self.complete.load(Ordering::SeqCst);
        if !complete {
            self.early.store(true, Ordering::SeqCst);
        }
        complete
    }

    /// All files are known from now on; returns whether a request came before that.
    pub fn finish(&self) -> bool {
        self.complete.store(true, Ordering::SeqCst);
        self.early.swap(false, Ordering::SeqCst)
    }
}

impl State {
    fn forget_said(&mut self, path: &Path) {
        for name in self.said.remove(path).unwrap_or_default() {
            if let Some(paths) = self.speakers.get_mut(&name) {
                paths.remove(path);
                if paths.is_empty() {
                    self.speakers.remove(&name);
                }
            }
        }
    }
}
