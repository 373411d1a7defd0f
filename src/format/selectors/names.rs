//! The index of names: files by the names of their documents, and which files mention a name. A key
//! press never reads the workspace for it: files are added when the workspace is read, and updated
//! one by one when they change.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::{Mutex, MutexGuard};
use rustc_hash::{FxHashMap, FxHasher};

use crate::cache::{Held, Share};
use crate::format::Context;
use crate::format::completeness::Completeness;
use crate::selector::{mention, namespace};
use crate::source::Source;
use crate::suggestion::closest;
use crate::world::{Aspect, Knowledge, World};

/// The names of a world.
#[derive(Debug)]
pub struct Names {
    state: Mutex<State>,
    share: Share,
    completeness: Completeness,
    /// Whether the files that the world knows without reading them have been added.
    listed: AtomicBool,
}

#[derive(Debug, Default)]
struct State {
    documents: BTreeMap<String, BTreeSet<PathBuf>>,
    /// The names that unknown ones were most likely meant to be. Many files may have the same
    /// unknown name.
    likely: FxHashMap<String, Option<String>>,
    speakers: FxHashMap<String, BTreeSet<PathBuf>>,
    /// The names that each file mentions, and the memory that they take.
    said: FxHashMap<PathBuf, (Box<[String]>, Held)>,
    /// The memory that the paths of documents take.
    listed: FxHashMap<PathBuf, Held>,
}

/// Names may take one part in this many of a world's memory.
const PART: u64 = 8;
/// The bytes that a name or a path takes besides its characters, entries in the maps included.
const EACH: usize = 96;

/// The likely meanings of this many unknown names are cached.
const MOST_LIKELY: usize = 1024;

/// The bytes that the names in a file take.
fn cost(path: &Path, names: &[String]) -> u64 {
    let path = path.as_os_str().len() + EACH;
    names.iter().map(|name| (2 * name.len() + path + EACH) as u64).sum()
}

/// The name of the document at a path.
pub fn name(path: &Path) -> String {
    namespace(&path.file_name().unwrap_or_default().to_string_lossy())
}

impl Names {
    /// The names of a world, with everything that is available at once.
    pub fn of(world: &dyn World) -> Arc<Self> {
        let limit = world.limit();
        let names = world.memo().get_or(|| Self {
            state: Mutex::default(),
            share: Share::new(&limit, PART),
            completeness: Completeness::default(),
            listed: AtomicBool::default(),
        });
        let knowledge = world.knowledge();
        if knowledge != Knowledge::Later && !names.listed.load(Ordering::SeqCst) {
            world.known_files().iter().for_each(|path| names.list(path));
            names.completeness.set(knowledge == Knowledge::All);
            names.listed.store(true, Ordering::SeqCst);
        }
        names
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock()
    }

    #[cfg(test)]
    pub(super) fn held(&self) -> u64 {
        self.share.held()
    }

    /// Indexes the current content of a file.
    pub fn learn(&self, path: &Path, source: &Source) {
        let mut said: Vec<String> =
            mention::all(source).iter().flat_map(mention::Mention::names).collect();
        said.sort();
        said.dedup();
        let mut state = self.state();
        state.forget_said(path);
        self.list_in(&mut state, path);
        if said.is_empty() {
            return;
        }
        let Some(held) = self.share.hold(cost(path, &said)) else {
            return self.completeness.refuse();
        };
        for name in &said {
            state.speakers.entry(name.clone()).or_default().insert(path.to_owned());
        }
        state.said.insert(path.to_owned(), (said.into(), held));
    }

    /// Adds the existence of a file, not its contents.
    pub fn list(&self, path: &Path) {
        self.list_in(&mut self.state(), path);
    }

    fn list_in(&self, state: &mut State, path: &Path) {
        if state.listed.contains_key(path) {
            return;
        }
        let name = name(path);
        let Some(held) = self.share.hold(cost(path, std::slice::from_ref(&name))) else {
            return self.completeness.refuse();
        };
        state.listed.insert(path.to_owned(), held);
        let paths = state.documents.entry(name).or_default();
        if paths.is_empty() {
            state.likely.clear();
        }
        paths.insert(path.to_owned());
    }

    pub fn forget(&self, path: &Path) {
        let mut state = self.state();
        state.forget_said(path);
        state.listed.remove(path);
        let name = name(path);
        if let Some(paths) = state.documents.get_mut(&name) {
            paths.remove(path);
            if paths.is_empty() {
                state.documents.remove(&name);
                state.likely.clear();
            }
        }
    }

    /// The files whose documents have this name, in lower case.
    pub fn documents(&self, name: &str) -> Vec<PathBuf> {
        self.state().documents.get(name).into_iter().flatten().cloned().collect()
    }

    /// Every name, sorted, with its number of files.
    pub fn all(&self) -> Vec<(String, usize)> {
        let state = self.state();
        state.documents.iter().map(|(name, paths)| (name.clone(), paths.len())).collect()
    }

    /// The name that an unknown one, in lower case, was most likely meant to be.
    pub fn likely(&self, name: &str) -> Option<String> {
        let mut state = self.state();
        let state = &mut *state;
        if let Some(known) = state.likely.get(name) {
            return known.clone();
        }
        let found = closest(name, state.documents.keys().map(String::as_str)).map(str::to_owned);
        if state.likely.len() >= MOST_LIKELY {
            state.likely.clear();
        }
        state.likely.insert(name.to_owned(), found.clone());
        found
    }

    /// The files that mention this name.
    pub fn speakers(&self, name: &str) -> Vec<PathBuf> {
        self.state().speakers.get(name).into_iter().flatten().cloned().collect()
    }

    /// Whether all files are known. A caller that is too early must ask again.
    pub fn is_complete(&self) -> bool {
        self.completeness.ask()
    }

    /// Records that all files are known; returns whether a request came before that.
    pub fn finish(&self) -> bool {
        self.completeness.finish()
    }
}

/// The files that the names in a document lead to: changes when one of them appears or disappears.
pub static DOCUMENTS: Aspect =
    Aspect { name: "selector-documents", state: documents, spans_files: true };

fn documents(world: &dyn World, path: &Path) -> u64 {
    let Ok(source) = world.look(path) else { return 0 };
    let mentions = mention::all(&source);
    let mut said: Vec<String> = mentions.iter().flat_map(mention::Mention::names).collect();
    said.sort();
    said.dedup();
    let names = Names::of(world);
    let mut hasher = FxHasher::default();
    for name in &said {
        let paths = names.documents(name);
        if paths.is_empty() {
            names.likely(name).hash(&mut hasher);
        }
        paths.hash(&mut hasher);
    }
    hasher.finish()
}

/// Records that an answer depends on which documents exist.
pub fn note(cx: &Context) {
    // The command line checks each file once.
    if let Some(path) = cx.path.filter(|_| cx.world.knowledge() == Knowledge::Later) {
        cx.world.note(path, &DOCUMENTS, documents(cx.world, path));
    }
}

/// Keeps the index of names up to date with the files of the workspace.
pub struct Workspace;

impl crate::format::workspace::Workspace for Workspace {
    fn learn(&self, world: &dyn World, path: &Path, source: &Source) {
        Names::of(world).learn(path, source);
    }

    fn forget(&self, world: &dyn World, path: &Path) {
        Names::of(world).forget(path);
    }

    fn complete(&self, world: &dyn World) -> bool {
        Names::of(world).finish()
    }
}

impl State {
    fn forget_said(&mut self, path: &Path) {
        let Some((said, _held)) = self.said.remove(path) else { return };
        for name in said {
            if let Some(paths) = self.speakers.get_mut(&name) {
                paths.remove(path);
                if paths.is_empty() {
                    self.speakers.remove(&name);
                }
            }
        }
    }
}
