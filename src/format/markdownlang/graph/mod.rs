//! The graph of imports, forward and backward, with its rings.
//!
//! It is stored in a [`World`] and never looks at bodies: a file's imports are read once per
//! version of its front matter. A query first updates the front matter of every changed unsaved
//! document, so that its answer is current. The imports of a file on disk are read on demand, and
//! again when the file is reported as changed.

mod components;
mod rings;

use std::collections::{HashMap, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::{Mutex, MutexGuard};
use rustc_hash::{FxHashMap, FxHashSet};

use super::program::{Header, ImportKind};
use super::{read, recognise};
use crate::cache::{Held, Share};
use crate::source::Source;
use crate::steps::Steps;
use crate::text::{Encoding, Span};
use crate::world::World;
use components::Components;
pub use rings::{RINGS, Ring, Rings, Step};

/// The imports of every file that has been looked at so far.
#[derive(Debug)]
pub struct Graph {
    state: Mutex<State>,
    cut_short: AtomicBool,
}

type Id = usize;

/// The share of a world's memory limit. Imports beyond it lead nowhere.
const PART: u64 = 4;
/// The cost of a node in addition to its paths, including its entries in the maps.
const EACH: usize = 384;
/// The cost of an edge, including the way back.
const EACH_EDGE: usize = size_of::<Edge>() + size_of::<Id>();

#[derive(Debug)]
struct State {
    /// By every name that refers to a file.
    ids: HashMap<PathBuf, Id>,
    nodes: Vec<Node>,
    /// Unused nodes, which will be reused.
    free: Vec<Id>,
    share: Share,
    /// Nodes whose imports come from an open document rather than from the disk.
    unsaved: FxHashSet<Id>,
    components: Components,
    rings: FxHashMap<Id, Arc<Rings>>,
    generation: u64,
}

#[derive(Debug, Default)]
struct Node {
    /// The first name that referred to it.
    path: PathBuf,
    identity: PathBuf,
    /// The front matter read last; `None` before the first read.
    read: Option<u64>,
    /// The settings declare it as a program, regardless of its contents.
    declared: bool,
    /// The file doesn't exist.
    missing: bool,
    edges: Vec<Edge>,
    importers: Vec<Id>,
    /// Other names that referred to it.
    aliases: Vec<PathBuf>,
    held: Vec<Held>,
    held_by_edges: Option<Held>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Edge {
    to: Id,
    /// The index among the program's imports.
    index: usize,
    span: Span,
    /// The line of the import: it may change while the span stays the same.
    line: u32,
    /// An invalid path (`helper.md`): it doesn't lead to a program.
    bare: bool,
}

impl Graph {
    /// The graph of a world.
    pub fn of(world: &dyn World) -> Arc<Self> {
        let limit = world.limit();
        world.memo().get_or(|| Self {
            state: Mutex::new(State::new(Share::new(&limit, PART))),
            cut_short: AtomicBool::default(),
        })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock()
    }

    /// The state, up to date at the time of a query. It isn't locked while files are read, so a
    /// slow file system doesn't block queries about other files.
    fn synchronised(&self, world: &dyn World) -> MutexGuard<'_, State> {
        let mut state = self.state();
        let closed = state.synchronise(world);
        if closed.is_empty() {
            return state;
        }
        drop(state);
        self.reread(world, closed);
        state = self.state();
        // Files closed in the meantime are read by the next query.
        let again = state.synchronise(world);
        state.unsaved.extend(again);
        state
    }

    /// Reads files again, unless they are open.
    fn reread(&self, world: &dyn World, ids: impl IntoIterator<Item = Id>) {
        for id in ids {
            let Some(path) = self.state().node(id).map(|node| node.path.clone()) else { continue };
            let source = world.look(&path).ok();
            let mut state = self.state();
            let is_same = state.node(id).is_some_and(|node| node.path == path);
            if is_same && !state.unsaved.contains(&id) {
                state.learn_or_miss(world, id, source.as_ref());
            }
        }
    }

    /// Changes whenever an answer about rings may have changed.
    pub fn generation(&self, world: &dyn World) -> u64 {
        self.synchronised(world).generation
    }

    /// Whether an answer since the last call was incomplete.
    pub fn was_cut_short(&self) -> bool {
        self.cut_short.swap(false, Ordering::Relaxed)
    }

    /// Adds a file's imports, unless they are known.
    pub fn learn(&self, world: &dyn World, path: &Path, source: &Source) {
        let mut state = self.state();
        if let Some(id) = state.id(world, path).filter(|id| !state.unsaved.contains(id)) {
            state.learn(world, id, source);
        }
    }

    /// Updates the graph from documents that were read anyway, because not every change is
    /// reported.
    pub fn compare<'a>(
        &self,
        world: &dyn World,
        files: impl Iterator<Item = (&'a Path, &'a Source)>,
    ) {
        let mut state = self.synchronised(world);
        for (path, source) in files {
            if let Some(id) = state.id(world, path) {
                state.learn(world, id, source);
            }
        }
    }

    /// Updates a file's imports after it changed, appeared or was deleted.
    pub fn refresh(&self, world: &dyn World, path: &Path) {
        let identity = world.identity(path);
        let mut state = self.synchronised(world);
        if !state.ids.contains_key(path) && !world.keeps(path) {
            return;
        }
        let moved = state
            .ids
            .get(path)
            .copied()
            .filter(|id| state.node(*id).is_some_and(|node| node.identity != identity));
        let importers = moved
            .and_then(|id| state.node(id))
            .map(|node| node.importers.clone())
            .unwrap_or_default();
        if moved.is_some() {
            state.ids.remove(path);
        }
        let id = state.id(world, path);
        drop(state);
        // Open documents keep their own imports.
        self.reread(world, importers.into_iter().chain(id));
    }

    /// The rings that a program's imports belong to. At most as many files as the world allows are
    /// read; the answer is then based on those. Returns `None` if cancelled.
    pub fn rings(
        &self,
        world: &dyn World,
        path: &Path,
        source: &Source,
        cancelled: &dyn Fn() -> bool,
    ) -> Option<Arc<Rings>> {
        let mut state = self.synchronised(world);
        let Some(own) = state.take_over(world, path, source) else { return Some(Arc::default()) };
        if !state.components.knows(own) {
            let complete = self.load(state, world, own, cancelled)?;
            if !complete {
                self.cut_short.store(true, Ordering::Relaxed);
            }
            // Other queries came in between: the state may no longer fit this one.
            state = self.synchronised(world);
            state.take_over(world, path, source);
        }
        state.rings_of(own, &mut Steps::new(cancelled))
    }

    /// Reads all files reachable from a node; those reachable from a node of a known component have
    /// been read. Returns `false` if there were more than the world allows, `None` if cancelled.
    fn load<'a>(
        &'a self,
        mut state: MutexGuard<'a, State>,
        world: &dyn World,
        own: Id,
        cancelled: &dyn Fn() -> bool,
    ) -> Option<bool> {
        let mut patience = world.patience();
        let mut complete = true;
        let mut steps = Steps::new(cancelled);
        let mut seen = FxHashSet::from_iter([own]);
        let mut open = VecDeque::from([own]);
        while let Some(id) = open.pop_front() {
            let Some(node) = state.node(id) else { continue };
            steps.take(1 + node.edges.len() as u64)?;
            if node.read.is_none() {
                if patience == 0 {
                    complete = false;
                    continue;
                }
                if cancelled() {
                    return None;
                }
                patience -= 1;
                let path = node.path.clone();
                drop(state);
                let source = world.look(&path);
                state = self.state();
                // The node may have been released or reused in the meantime.
                if state.node(id).is_some_and(|node| node.path == path) {
                    state.learn_or_miss(world, id, source.ok().as_ref());
                }
            }
            let next = state.node(id).into_iter().flat_map(|node| &node.edges).map(|edge| edge.to);
            let known = |next: &Id| !state.components.partial && state.components.knows(*next);
            open.extend(next.filter(|next| !known(next) && seen.insert(*next)));
        }
        Some(complete)
    }

    /// Every file of the workspace that imports the one at `path`, sorted. Waits until all files
    /// are known.
    pub fn importers(
        &self,
        world: &dyn World,
        path: &Path,
        cancelled: &dyn Fn() -> bool,
    ) -> Vec<PathBuf> {
        self.load_all(world, cancelled);
        let mut state = self.synchronised(world);
        let id = state.id(world, path);
        let mut paths = state.importers(|other| Some(other) == id);
        drop(state);
        paths.retain(|path| belongs(world, path));
        paths
    }

    /// Every file of the workspace that imports a path of this kind, or has one, sorted. Waits
    /// until all files are known.
    pub fn touching(
        &self,
        world: &dyn World,
        wanted: impl Fn(&Path) -> bool,
        cancelled: &dyn Fn() -> bool,
    ) -> Vec<PathBuf> {
        self.load_all(world, cancelled);
        let state = self.synchronised(world);
        let names = state.ids.iter().filter(|(path, _)| wanted(path));
        let targets: FxHashSet<Id> = names.map(|(_, id)| *id).collect();
        let mut paths = state.importers(|id| targets.contains(&id));
        let own =
            targets.iter().filter_map(|id| state.node(*id)).filter(|node| !node.edges.is_empty());
        let own: Vec<PathBuf> = own.map(|node| node.path.clone()).collect();
        drop(state);
        paths.retain(|path| belongs(world, path));
        paths.extend(own);
        paths.sort();
        paths.dedup();
        paths
    }

    fn load_all(&self, world: &dyn World, cancelled: &dyn Fn() -> bool) {
        for path in world.files() {
            if cancelled() {
                return;
            }
            let known = {
                let mut state = self.state();
                let id = state.id(world, &path);
                id.is_none_or(|id| state.node(id).is_some_and(|node| node.read.is_some()))
            };
            if !known && let Ok(source) = world.look(&path) {
                self.learn(world, &path, &source);
            }
        }
    }

    /// Every known import, as two paths: for tests that compare two graphs.
    #[cfg(test)]
    pub(super) fn edges(&self) -> Vec<(PathBuf, PathBuf)> {
        let state = self.state();
        let each = state
            .nodes
            .iter()
            .flat_map(|node| node.edges.iter().map(move |edge| (node.path.clone(), edge.to)));
        let mut found: Vec<_> =
            each.filter_map(|(from, to)| Some((from, state.node(to)?.path.clone()))).collect();
        found.sort();
        found
    }
}

/// Whether a file isn't excluded from its workspace. The graph knows more files: those that were
/// open, or are imported.
fn belongs(world: &dyn World, path: &Path) -> bool {
    let inside = world.root(Some(path)).is_some_and(|root| path.starts_with(root));
    !inside || world.keeps(path) || world.keeps(&world.identity(path))
}

impl State {
    fn new(share: Share) -> Self {
        Self {
            ids: HashMap::new(),
            nodes: Vec::new(),
            free: Vec::new(),
            share,
            unsaved: FxHashSet::default(),
            components: Components::default(),
            rings: FxHashMap::default(),
            generation: 0,
        }
    }

    fn node(&self, id: Id) -> Option<&Node> {
        self.nodes.get(id)
    }

    fn importers(&self, wanted: impl Fn(Id) -> bool) -> Vec<PathBuf> {
        let targets = self.nodes.iter().enumerate().filter(|(id, _)| wanted(*id));
        let importers =
            targets.flat_map(|(_, node)| &node.importers).filter_map(|id| self.node(*id));
        let mut paths: Vec<PathBuf> = importers.map(|node| node.path.clone()).collect();
        paths.sort();
        paths.dedup();
        paths
    }

    /// The node of a path. Returns `None` if the graph takes too much with it.
    fn id(&mut self, world: &dyn World, path: &Path) -> Option<Id> {
        if let Some(id) = self.ids.get(path) {
            return Some(*id);
        }
        let identity = world.identity(path);
        let id = match self.ids.get(&identity).copied() {
            Some(id) => {
                let held = self.share.hold((2 * path.as_os_str().len() + EACH) as u64)?;
                let node = self.nodes.get_mut(id)?;
                node.aliases.push(path.to_owned());
                node.held.push(held);
                id
            }
            None => self.add(path, &identity)?,
        };
        self.ids.insert(identity, id);
        self.ids.insert(path.to_owned(), id);
        Some(id)
    }

    fn add(&mut self, path: &Path, identity: &Path) -> Option<Id> {
        let bytes = 2 * (path.as_os_str().len() + identity.as_os_str().len()) + EACH;
        let held = vec![self.share.hold(bytes as u64)?];
        let (path, identity) = (path.to_owned(), identity.to_owned());
        let node = Node { path, identity, held, ..Node::default() };
        if let Some(id) = self.free.pop() {
            *self.nodes.get_mut(id)? = node;
            return Some(id);
        }
        self.nodes.push(node);
        Some(self.nodes.len() - 1)
    }

    /// Releases a node that only a removed import referred to: each key press in a path creates
    /// one.
    fn release(&mut self, id: Id) {
        let unused = |node: &&mut Node| {
            !node.held.is_empty()
                && node.importers.is_empty()
                && node.edges.is_empty()
                && !node.declared
                && (node.read.is_none() || node.missing)
        };
        if self.unsaved.contains(&id) || self.components.knows(id) {
            return;
        }
        let Some(node) = self.nodes.get_mut(id).filter(unused) else { return };
        let node = std::mem::take(node);
        for name in [&node.path, &node.identity].into_iter().chain(&node.aliases) {
            if self.ids.get(name) == Some(&id) {
                self.ids.remove(name);
            }
        }
        self.free.push(id);
    }

    /// Updates the graph with the program that a query is about.
    fn take_over(&mut self, world: &dyn World, path: &Path, source: &Source) -> Option<Id> {
        let id = self.id(world, path)?;
        if let Some(node) = self.nodes.get_mut(id)
            && !std::mem::replace(&mut node.declared, true)
        {
            node.read = None;
        }
        self.learn(world, id, source);
        Some(id)
    }

    /// Updates the graph with open documents. Returns the nodes whose documents have been closed.
    fn synchronise(&mut self, world: &dyn World) -> Vec<Id> {
        let mut unsaved = FxHashSet::default();
        world.unsaved(&mut |path, source| {
            if let Some(id) = self.id(world, path) {
                unsaved.insert(id);
                self.learn(world, id, source);
            }
        });
        let closed = self.unsaved.difference(&unsaved).copied().collect();
        self.unsaved = unsaved;
        closed
    }

    fn learn_or_miss(&mut self, world: &dyn World, id: Id, source: Option<&Source>) {
        match source {
            Some(source) => self.learn(world, id, source),
            None => self.set(world, id, None, &Header::default()),
        }
    }

    fn learn(&mut self, world: &dyn World, id: Id, source: &Source) {
        let header = read::header(source);
        if self.node(id).is_some_and(|node| node.read != Some(header.id)) {
            self.set(world, id, Some(source), &header);
        }
    }

    /// Replaces the imports of a node; without text, the file doesn't exist.
    fn set(&mut self, world: &dyn World, id: Id, source: Option<&Source>, header: &Header) {
        let Some(node) = self.node(id) else { return };
        let path = node.path.clone();
        let is_program =
            node.declared || source.is_some_and(|source| recognise::recognise(Some(&path), source));
        let imports = header.imports.iter().enumerate().filter(|_| is_program);
        let edges = imports.filter_map(|(index, import)| {
            let line =
                source.map_or(0, |source| source.position(import.span.start, Encoding::Utf8).line);
            let to = self.id(world, &import.path(&path)?)?;
            Some(Edge {
                to,
                index,
                span: import.span.clone(),
                line,
                bare: import.kind == ImportKind::Bare,
            })
        });
        let mut edges: Vec<Edge> = edges.collect();
        let spoken_of: Vec<Id> = edges.iter().map(|edge| edge.to).collect();
        let old_held = self.nodes.get_mut(id).and_then(|node| node.held_by_edges.take());
        drop(old_held);
        let held = self.share.hold((edges.len() * EACH_EDGE) as u64);
        if held.is_none() {
            edges.clear();
        }
        let Some(node) = self.nodes.get_mut(id) else { return };
        node.read = Some(header.id);
        node.missing = source.is_none();
        node.held_by_edges = held;
        let old = std::mem::replace(&mut node.edges, edges.clone());
        self.connect(id, &old, &edges);
        for target in old.iter().map(|edge| edge.to).chain(spoken_of).chain([id]) {
            self.release(target);
        }
    }

    /// Updates everything that depends on the edges of a node.
    fn connect(&mut self, id: Id, old: &[Edge], edges: &[Edge]) {
        if old == edges {
            return;
        }
        let targets =
            |edges: &[Edge]| edges.iter().map(|edge| (edge.to, edge.bare)).collect::<Vec<_>>();
        if targets(old) == targets(edges) {
            // Only positions changed: the rings are the same, but elsewhere.
            self.rings.clear();
            self.generation += 1;
            return;
        }
        for edge in old {
            if let Some(target) = self.nodes.get_mut(edge.to) {
                target.importers.retain(|importer| *importer != id);
            }
        }
        for edge in edges {
            // Only this node's edges are added now, so an earlier one to the same target is last.
            if let Some(target) =
                self.nodes.get_mut(edge.to).filter(|target| target.importers.last() != Some(&id))
            {
                target.importers.push(id);
            }
        }
        if self.components.knows(id) {
            self.components.clear();
            self.rings.clear();
            self.generation += 1;
        }
    }
}

/// A hash of an answer about files.
fn fingerprint(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests;
