//! The index of names: the files that declare a name, and those that mention one. A key press never
//! reads the workspace for it: files are added when the workspace is read, and updated one by one
//! when they change. Open documents are synchronised before each answer.

use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parking_lot::{Mutex, MutexGuard};
use rustc_hash::FxHashMap;

use super::declared::{self, Declaration};
use super::mentions::{self, Word};
use crate::cache::{Held, Share};
use crate::client;
use crate::format::completeness::Completeness;
use crate::markdown::LinkKind;
use crate::parallel;
use crate::source::Source;
use crate::suggestion::Typo;
use crate::world::{Knowledge, World};

/// The names of a world.
#[derive(Debug)]
pub struct Index {
    state: Mutex<State>,
    share: Share,
    completeness: Completeness,
    /// What has been added for the files that the world knows without reading them.
    listed: Mutex<Added>,
    places: Mutex<HashSet<PathBuf>>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Added {
    #[default]
    Nothing,
    Declarations,
    /// Also mentions, for which every file is parsed.
    All,
}

#[derive(Debug, Default)]
struct State {
    files: FxHashMap<PathBuf, File>,
    /// The files that declare each name, in lower case.
    declarers: FxHashMap<String, BTreeSet<PathBuf>>,
    speakers: FxHashMap<String, BTreeSet<PathBuf>>,
    /// Files whose entries come from open documents.
    unsaved: HashSet<PathBuf>,
    generation: u64,
    /// Answers that are valid until the next generation.
    all: Option<Arc<[Arc<Declaration>]>>,
    plugin_bases: Option<Arc<[PathBuf]>>,
    near: FxHashMap<String, Near>,
}

#[derive(Debug)]
struct File {
    declared: Option<Arc<Declaration>>,
    said: Box<[Box<str>]>,
    _held: Held,
}

/// Names may take one part in this many of a world's memory.
const PART: u64 = 8;
/// The bytes that a name or a path takes besides its characters, entries in the maps included.
const EACH: usize = 112;
/// At most this many lists of similar names are cached.
const MOST_NEAR: usize = 256;
/// The number of names in each.
const MOST_EACH: usize = 64;

/// Names with the declarations that have them.
pub type Near = Arc<[(String, Arc<Declaration>)]>;

impl Index {
    /// The index of a world, with everything that is available at once, except for mentions.
    pub fn of(world: &dyn World) -> Arc<Self> {
        Self::with(world, Added::Declarations)
    }

    fn with(world: &dyn World, wanted: Added) -> Arc<Self> {
        let limit = world.limit();
        let index = world.memo().get_or(|| Self {
            state: Mutex::default(),
            share: Share::new(&limit, PART),
            completeness: Completeness::default(),
            listed: Mutex::default(),
            places: Mutex::default(),
        });
        let knowledge = world.knowledge();
        if knowledge != Knowledge::Later {
            // Other threads wait until all files are added: an answer from half of them would be
            // wrong.
            let mut listed = index.listed.lock();
            if *listed < wanted {
                *listed = wanted;
                index.add(world, wanted);
                index.completeness.set(knowledge == Knowledge::All);
            }
        }
        index
    }

    /// Adds the files that the world knows.
    fn add(&self, world: &dyn World, wanted: Added) {
        let mut files = world.known_files();
        // Other files declare nothing, but they may link to files that do.
        files.retain(|path| {
            client::may_be_read(path) || wanted == Added::All && crate::world::is_markdown(path)
        });
        if wanted == Added::All {
            let known = parallel::filter_map(&files, &|path| {
                let source = world.look(path).ok()?;
                let declaration = declared::of(world, path, &source);
                Some((path.clone(), declaration, said(client::place(world, path), &source)))
            });
            let mut state = self.state();
            for (path, declaration, said) in known {
                self.update(&mut state, &path, declaration, said);
            }
        } else {
            let known = parallel::filter_map(&files, &|path| declared::read(world, path));
            let mut state = self.state();
            for declaration in known {
                let path = declaration.path.clone();
                self.put(&mut state, &path, Some(declaration), Box::default());
            }
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock()
    }

    /// The state, updated with open documents, which take precedence over the disk.
    fn synchronised(&self, world: &dyn World) -> MutexGuard<'_, State> {
        let mut now = HashSet::new();
        let mut changed: Vec<(PathBuf, Option<Declaration>)> = Vec::new();
        world.unsaved(&mut |path, source| {
            if !crate::world::is_markdown(path) {
                return;
            }
            now.insert(path.to_owned());
            changed.push((path.to_owned(), declared::of(world, path, source)));
        });
        let mut state = self.state();
        let closed: Vec<PathBuf> = state.unsaved.difference(&now).cloned().collect();
        for (path, declaration) in changed {
            let known = state.files.get(&path).and_then(|file| file.declared.as_deref());
            if known != declaration.as_ref() {
                let said = state.files.get(&path).map(|file| file.said.clone()).unwrap_or_default();
                self.put(&mut state, &path, declaration, said);
            }
        }
        state.unsaved = now;
        if closed.is_empty() {
            return state;
        }
        drop(state);
        // The contents on disk count again, if the file belongs to the workspace.
        for path in closed {
            match world.saved(&path).ok().filter(|_| world.keeps(&path)) {
                Some(source) => self.learn(world, &path, &source),
                None => self.forget(&path),
            }
        }
        self.state()
    }

    /// Indexes the current content of a file.
    pub fn learn(&self, world: &dyn World, path: &Path, source: &Source) {
        if !crate::world::is_markdown(path) {
            return;
        }
        let declaration = declared::of(world, path, source);
        let said = said(client::place(world, path), source);
        self.update(&mut self.state(), path, declaration, said);
    }

    fn update(
        &self,
        state: &mut State,
        path: &Path,
        declaration: Option<Declaration>,
        said: Box<[Box<str>]>,
    ) {
        let known = state.files.get(path);
        let same = known.is_some_and(|file| {
            file.declared.as_deref() == declaration.as_ref() && file.said == said
        });
        if !same && (known.is_some() || declaration.is_some() || !said.is_empty()) {
            self.put(state, path, declaration, said);
        }
    }

    fn put(
        &self,
        state: &mut State,
        path: &Path,
        declaration: Option<Declaration>,
        said: Box<[Box<str>]>,
    ) {
        let before = state.remove(path);
        if before.as_deref() != declaration.as_ref() {
            state.begin_generation();
        }
        if declaration.is_none() && said.is_empty() {
            return;
        }
        let names = declaration.iter().flat_map(Declaration::names).map(str::len);
        let bytes: usize = names
            .chain(said.iter().map(|word| word.len()))
            .map(|length| 2 * length + path.as_os_str().len() + EACH)
            .sum();
        let Some(held) = self.share.hold((bytes + path.as_os_str().len() + EACH) as u64) else {
            return self.completeness.refuse();
        };
        for name in declaration.iter().flat_map(Declaration::names) {
            state.declarers.entry(name.to_lowercase()).or_default().insert(path.to_owned());
        }
        for word in &said {
            state.speakers.entry(word.to_string()).or_default().insert(path.to_owned());
        }
        let declared = declaration.map(Arc::new);
        state.files.insert(path.to_owned(), File { declared, said, _held: held });
    }

    pub fn forget(&self, path: &Path) {
        let mut state = self.state();
        if state.remove(path).is_some() {
            state.begin_generation();
        }
    }

    /// A number that changes whenever a declaration changes.
    pub fn generation(&self, world: &dyn World) -> u64 {
        self.synchronised(world).generation
    }

    /// The files that declare a name, ignoring case.
    pub fn declarers(&self, world: &dyn World, name: &str) -> Vec<Arc<Declaration>> {
        let state = self.synchronised(world);
        let paths = state.declarers.get(&name.to_lowercase()).into_iter().flatten();
        paths.filter_map(|path| state.files.get(path)?.declared.clone()).collect()
    }

    /// The declaration of a file.
    pub fn at(&self, world: &dyn World, path: &Path) -> Option<Arc<Declaration>> {
        self.synchronised(world).files.get(path)?.declared.clone()
    }

    /// Every declaration, sorted by path.
    pub fn all(&self, world: &dyn World) -> Arc<[Arc<Declaration>]> {
        let mut state = self.synchronised(world);
        if let Some(all) = &state.all {
            return Arc::clone(all);
        }
        let mut all: Vec<_> =
            state.files.values().filter_map(|file| file.declared.clone()).collect();
        all.sort_by(|a, b| a.path.cmp(&b.path));
        let all: Arc<[_]> = all.into();
        state.all = Some(Arc::clone(&all));
        all
    }

    /// The folders of plugins that have skills, commands or agents, sorted.
    pub fn plugin_bases(&self, world: &dyn World) -> Arc<[PathBuf]> {
        let mut state = self.synchronised(world);
        if let Some(bases) = &state.plugin_bases {
            return Arc::clone(bases);
        }
        let declared = state.files.values().filter_map(|file| file.declared.as_ref());
        let bases: BTreeSet<PathBuf> = declared
            .flat_map(|declared| {
                let roles = declared.roles.iter().filter(|role| role.plugin);
                roles.map(|role| declared.base(role).to_owned()).collect::<Vec<_>>()
            })
            .collect();
        let bases: Arc<[_]> = bases.into_iter().collect();
        state.plugin_bases = Some(Arc::clone(&bases));
        bases
    }

    /// Whether `wanted` accepts any declaration.
    pub fn any(&self, world: &dyn World, wanted: &mut dyn FnMut(&Declaration) -> bool) -> bool {
        let all = self.all(world);
        all.iter().any(|declared| wanted(declared))
    }

    /// The files of the workspace that mention one of some words, and every open document, sorted.
    pub fn speakers(world: &dyn World, words: &[String]) -> Vec<PathBuf> {
        let index = Self::with(world, Added::All);
        let state = index.synchronised(world);
        let mut paths: BTreeSet<PathBuf> = state.unsaved.iter().cloned().collect();
        for word in words {
            paths.extend(state.speakers.get(word).into_iter().flatten().cloned());
        }
        paths.into_iter().collect()
    }

    /// Every file that declares or mentions something, sorted.
    pub fn files(world: &dyn World) -> Vec<PathBuf> {
        let index = Self::with(world, Added::All);
        let mut paths: Vec<PathBuf> = index.synchronised(world).files.keys().cloned().collect();
        paths.sort();
        paths
    }

    /// The declared names similar to this one, cached until a declaration changes.
    pub fn near(&self, world: &dyn World, name: &str) -> Near {
        let generation = {
            let state = self.synchronised(world);
            if let Some(known) = state.near.get(name) {
                return Arc::clone(known);
            }
            state.generation
        };
        let all = self.all(world);
        let each = all.iter().flat_map(|declared| declared.names().map(move |own| (own, declared)));
        let (typo, mut buffer) = (Typo::new(name), String::new());
        let mut found: Vec<(usize, &str, &Arc<Declaration>)> = each
            .filter(|(own, _)| {
                let typo = typo.as_ref().filter(|_| is_similar(own, name));
                typo.is_some_and(|typo| typo.may_mean(own, &mut buffer))
            })
            .map(|(own, declared)| (strsim::damerau_levenshtein(name, own), own, declared))
            .collect();
        // Numbered names are all similar to each other, so the nearest ones are kept.
        found.sort_by_key(|(distance, ..)| *distance);
        found.truncate(MOST_EACH);
        let found: Near = found
            .into_iter()
            .map(|(_, own, declared)| (own.to_owned(), Arc::clone(declared)))
            .collect();
        let mut state = self.state();
        if state.generation == generation {
            if state.near.len() >= MOST_NEAR {
                state.near.clear();
            }
            state.near.insert(name.to_owned(), Arc::clone(&found));
        }
        found
    }

    /// Whether all files are known. A caller that is too early must ask again.
    pub fn is_complete(&self) -> bool {
        self.completeness.ask()
    }

    /// Whether all files are known, for a caller that doesn't ask again.
    pub fn has_all(&self) -> bool {
        self.completeness.has_all()
    }

    /// Records that all files are known; returns whether a request came before that.
    pub fn finish(&self) -> bool {
        self.completeness.finish()
    }

    /// Whether a file is known.
    pub fn knows(&self, path: &Path) -> bool {
        self.state().files.contains_key(path)
    }

    /// Folders that were read although the world doesn't list their files. While it's locked, other
    /// threads wait: an answer from half of the files would be wrong.
    pub fn places(&self) -> MutexGuard<'_, HashSet<PathBuf>> {
        self.places.lock()
    }

    /// Whether a file below a folder is known.
    pub fn knows_below(&self, folder: &Path) -> bool {
        self.state().files.keys().any(|path| path.starts_with(folder))
    }
}

impl State {
    fn begin_generation(&mut self) {
        self.generation += 1;
        self.near.clear();
        self.all = None;
        self.plugin_bases = None;
    }

    /// Removes a file, and returns what it declared.
    fn remove(&mut self, path: &Path) -> Option<Arc<Declaration>> {
        let file = self.files.remove(path)?;
        let names = file.declared.iter().flat_map(|declared| declared.names());
        for name in names.map(str::to_lowercase) {
            leave(&mut self.declarers, &name, path);
        }
        for word in &file.said {
            leave(&mut self.speakers, word, path);
        }
        file.declared
    }
}

/// A quick check whether two names may be similar.
fn is_similar(own: &str, name: &str) -> bool {
    let start = |name: &str| name.bytes().next().map(|byte| byte.to_ascii_lowercase());
    own.len().abs_diff(name.len()) <= 4 || start(own) == start(name) && own.len() > name.len()
}

fn leave(map: &mut FxHashMap<String, BTreeSet<PathBuf>>, name: &str, path: &Path) {
    if let Some(paths) = map.get_mut(name) {
        paths.remove(path);
        if paths.is_empty() {
            map.remove(name);
        }
    }
}

/// The words that a file mentions, sorted. For files that no client reads, only links to files that
/// one may read.
fn said(path: &Path, source: &Source) -> Box<[Box<str>]> {
    let mut words: BTreeSet<String> = BTreeSet::new();
    let roles = client::roles(path);
    if client::may_be_read(path) {
        for mention in mentions::of(source, &roles) {
            words.extend(mention.word.keys());
        }
    } else {
        let links = source.sections().flat_map(|placed| &source.blocks(placed).links);
        for link in links.filter(|link| link.kind != LinkKind::Autolink) {
            let path = Path::new(&link.destination);
            let folders = [".claude", ".github", ".agents", "skills", "agents", "commands"];
            let near = client::catalog::folders(path).any(|folder| folders.contains(&folder));
            if (near || client::may_be_read(path)) && !link.destination.contains("://") {
                words.extend(Word::File(link.destination.clone()).keys());
            }
        }
    }
    words.into_iter().map(String::into_boxed_str).collect()
}
