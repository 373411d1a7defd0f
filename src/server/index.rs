//! The workspace's symbols: every file's outline, read in the background and updated by file
//! events.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use dashmap::DashMap;
use ignore::WalkState;
use parking_lot::{Mutex, MutexGuard};
use tower_lsp::gen_lsp_types::{
    BaseSymbolInformation, Location, Range, SymbolKind, Uri, WorkspaceSymbol,
    WorkspaceSymbolLocation,
};

use super::convert::{self, symbol_kind};
use super::session::{Documents, Session};
use super::unsaved::{Stamp, stamp};
use super::uri::{self, Key};
use crate::cache::{Held, Limit, Share};
use crate::config::{Config, FILE_NAME};
use crate::document::Document;
use crate::format::Context;
use crate::ide::{self, workspace_symbols};
use crate::source::Source;
use crate::text::{Encoding, Span};
use crate::world::{self, Memory, Reach, Unused};

/// The limit of symbols per query, best matches first.
const MOST_SYMBOLS: usize = 256;
/// A folder with more files than this isn't a project.
const MOST_FILES: usize = 100_000;
/// The limit of reported ignore files without effect.
const MOST_LINES: usize = 8;

/// How often a file that keeps changing is read again.
const MOST_READS: usize = 4;

/// How long after reading has begun answers still wait for it: a complete answer is worth a delay,
/// but only a short one.
const PATIENCE: Duration = Duration::from_secs(10);

/// The limit for waiting.
const LONGEST: Duration = Duration::from_secs(60);

pub(super) struct Index {
    files: Mutex<HashMap<PathBuf, File>>,
    /// Files of the workspace that aren't text, with their state.
    unreadable: Mutex<HashMap<PathBuf, Option<Stamp>>>,
    share: Share,
    /// Some symbols can't be found: with them, the index would be too large.
    refused: AtomicBool,
    /// The number of scans of the workspace that haven't finished.
    unread: tokio::sync::watch::Sender<usize>,
    /// When answers stop waiting for these.
    deadline: Mutex<Instant>,
    comparisons: Mutex<Comparisons>,
    /// How many of the requested comparisons are done.
    compared: tokio::sync::watch::Sender<u64>,
}

/// Comparisons of the index with the disk.
#[derive(Default)]
struct Comparisons {
    asked: u64,
    running: bool,
    /// When the last one began, and how long it took.
    last: Option<(Instant, Duration)>,
}

/// The next comparison waits for this many times the duration of the last one.
const REST: u32 = 10;

#[derive(Default)]
struct File {
    /// Its state when it was read.
    stamp: Option<Stamp>,
    /// Its symbols and their size, unless they exceed the limit.
    items: Option<(Box<[Item]>, Held)>,
}

impl File {
    fn items(&self) -> &[Item] {
        self.items.as_ref().map_or(&[], |(items, _)| items)
    }
}

/// The index may take this part of what the server remembers.
const PART: u64 = 4;

struct Item {
    name: Box<str>,
    container: Option<Box<str>>,
    kind: SymbolKind,
    range: Range,
}

impl Index {
    pub(super) fn new(limit: &Limit) -> Self {
        Self {
            files: Mutex::default(),
            unreadable: Mutex::default(),
            share: Share::new(limit, PART),
            refused: AtomicBool::default(),
            unread: tokio::sync::watch::Sender::new(1),
            deadline: Mutex::new(Instant::now() + PATIENCE),
            comparisons: Mutex::default(),
            compared: tokio::sync::watch::Sender::default(),
        }
    }

    fn files(&self) -> MutexGuard<'_, HashMap<PathBuf, File>> {
        self.files.lock()
    }

    /// More folders will be read after the initial ones.
    pub(super) fn expect(&self) {
        *self.deadline.lock() = Instant::now() + PATIENCE;
        self.unread.send_modify(|unread| *unread += 1);
    }

    /// Reads every file below `folders`; `progress` receives the count so far, now and then.
    pub(super) fn build(
        &self,
        session: &Arc<Session>,
        folders: &[PathBuf],
        progress: &(dyn Fn(usize) + Sync),
    ) {
        let start = Instant::now();
        *self.deadline.lock() = start + PATIENCE;
        let count = AtomicUsize::new(0);
        let encoding = session.client().encoding;
        let read = |path: &Path, config: &Arc<Config>| {
            if !self.read(session, path, encoding, config) {
                self.update(session, std::iter::once(path));
            }
            let known = count.fetch_add(1, Ordering::Relaxed) + 1;
            if known.is_multiple_of(256) {
                progress(known);
            }
        };
        let (full, unused) = each(session, folders, &read);
        for line in unused.iter().flat_map(|unused| unused.lines().into_iter().take(MOST_LINES)) {
            session.outgoing.notify(
                "window/logMessage",
                serde_json::json!({ "type": 2, "message": format!("agentmd: {line}") }),
            );
        }
        if full {
            let message = format!(
                "agentmd: the workspace has more than {MOST_FILES} Markdown files; symbol search \
                    can't find the rest"
            );
            session
                .outgoing
                .notify("window/logMessage", serde_json::json!({ "type": 2, "message": message }));
        }
        if self.refused.load(Ordering::Relaxed) {
            let message = "agentmd: the workspace has more symbols than fit in memory; some of them can't be found by symbol search.";
            session
                .outgoing
                .notify("window/logMessage", serde_json::json!({ "type": 2, "message": message }));
        }
        // A folder may have been closed while it was read.
        self.keep(session);
        self.comparisons.lock().last = Some((start, start.elapsed()));
    }

    /// Marks a scan as finished: the files of its folders are in the index.
    pub(super) fn finish(&self) {
        self.unread.send_modify(|unread| *unread = unread.saturating_sub(1));
    }

    /// The files of the workspace that differ from the index: new, changed, deleted, or now
    /// excluded.
    pub(super) fn differing(&self, session: &Arc<Session>) -> Vec<PathBuf> {
        let start = Instant::now();
        let (seen, differing) = (Mutex::new(HashSet::new()), Mutex::new(Vec::new()));
        let compare = |path: &Path, _: &Arc<Config>| {
            let now = stamp(path);
            let known = self.files().get(path).map(|file| file.stamp);
            let known = known.or_else(|| self.unreadable.lock().get(path).copied());
            if known == Some(now) {
                seen.lock().insert(path.to_owned());
            } else {
                differing.lock().push(path.to_owned());
            }
        };
        let (full, _) = each(session, &session.folders(), &compare);
        let (seen, mut differing) = (seen.into_inner(), differing.into_inner());
        if !full {
            self.unreadable.lock().retain(|path, _| seen.contains(path));
            let files = self.files();
            differing.extend(files.keys().filter(|path| !seen.contains(*path)).cloned());
        }
        differing.sort();
        differing.dedup();
        self.comparisons.lock().last = Some((start, start.elapsed()));
        differing
    }

    /// Asks for a comparison with the disk. Returns true if the caller has to start it.
    pub(super) fn ask_to_compare(&self) -> bool {
        let mut comparisons = self.comparisons.lock();
        comparisons.asked += 1;
        !std::mem::replace(&mut comparisons.running, true)
    }

    /// The number of comparisons requested so far.
    pub(super) fn asked_to_compare(&self) -> u64 {
        self.comparisons.lock().asked
    }

    /// Marks these comparisons as done. Returns true if no other was requested in the meantime.
    pub(super) fn has_compared(&self, asked: u64) -> bool {
        let mut comparisons = self.comparisons.lock();
        self.compared.send_replace(asked);
        comparisons.running = comparisons.asked != asked;
        !comparisons.running
    }

    /// Whether the last comparison is older than `age`, and long enough ago for its cost.
    pub(super) fn is_older(&self, age: Duration) -> bool {
        let last = self.comparisons.lock().last;
        let rested = |(start, took): (Instant, Duration)| start.elapsed() >= age.max(took * REST);
        age.is_zero() || last.is_some_and(rested)
    }

    /// Waits until all comparisons that were asked for are done, with a time limit.
    pub(super) async fn settle(&self) {
        let asked = self.asked_to_compare();
        let mut compared = self.compared.subscribe();
        let _ = tokio::time::timeout(LONGEST, compared.wait_for(|done| *done >= asked)).await;
    }

    /// Waits until the workspace has been read, with a time limit.
    pub(super) async fn wait(&self) {
        let mut unread = self.unread.subscribe();
        let _ = tokio::time::timeout(LONGEST, unread.wait_for(|unread| *unread == 0)).await;
    }

    /// Waits until the workspace has been read, for a short time after the beginning.
    pub(super) async fn wait_briefly(&self) {
        let mut unread = self.unread.subscribe();
        let deadline = tokio::time::Instant::from_std(*self.deadline.lock());
        let _ = tokio::time::timeout_at(deadline, unread.wait_for(|unread| *unread == 0)).await;
    }

    /// Whether the workspace has been read.
    pub(super) fn is_ready(&self) -> bool {
        *self.unread.borrow() == 0
    }

    /// Returns false if the file has changed in the meantime: another thread may have indexed the
    /// newer text before this one indexed the older.
    fn read(
        &self,
        session: &Session,
        path: &Path,
        encoding: Encoding,
        config: &Arc<Config>,
    ) -> bool {
        let before = stamp(path);
        self.take_in(session, path, encoding, config, before);
        stamp(path) == before
    }

    fn take_in(
        &self,
        session: &Session,
        path: &Path,
        encoding: Encoding,
        config: &Arc<Config>,
        stamp: Option<Stamp>,
    ) {
        #[cfg(debug_assertions)]
        super::testing::before_file(path);
        let Ok(text) = world::read_text(path) else {
            self.remove(session, path);
            self.unreadable.lock().insert(path.to_owned(), stamp);
            return;
        };
        self.unreadable.lock().remove(path);
        let open = || {
            let documents = session.documents();
            let open = documents.get(&Key::File(path.to_owned()))?;
            Some((Arc::clone(&open.config), open.document.clone()))
        };
        let held = session.shared.parse(Some(path), &text, config, open);
        let document = &held.document;
        let items = items(
            document,
            &Context::new(document.source(), Some(path), &Memory::default(), config),
            encoding,
            convert::to_range_in_file,
        );
        self.insert(path, stamp, items);
        // The folders show which links lead to the file.
        let world = session.world_of(Documents::default());
        ide::workspace::learn(&world, path, document.source());
    }

    fn insert(&self, path: &Path, stamp: Option<Stamp>, items: Box<[Item]>) {
        let old = self.files().insert(path.to_owned(), File { stamp, items: None });
        // Release the file's share of the limit before taking a new one.
        drop(old);
        let each = (size_of::<PathBuf>() + path.as_os_str().len()) as u64;
        let held = self.share.hold(each + items.iter().map(Item::cost).sum::<u64>());
        match held {
            Some(held) => {
                self.files().insert(path.to_owned(), File { stamp, items: Some((items, held)) });
            }
            None => self.refused.store(true, Ordering::Relaxed),
        }
    }

    /// Reads files again, or removes those that are deleted or don't belong to the workspace.
    pub(super) fn update<'p>(&self, session: &Session, paths: impl Iterator<Item = &'p Path>) {
        let mut workspace = None;
        for path in paths.filter(|path| world::is_markdown(path)) {
            let workspace = workspace.get_or_insert_with(|| Workspace::of(session));
            for _ in 0..MOST_READS {
                if self.update_one(session, path, workspace) {
                    break;
                }
            }
            ide::workspace::refresh(&session.world_of(session.documents()), path);
        }
    }

    /// Returns false if the file has changed in the meantime.
    fn update_one(&self, session: &Session, path: &Path, workspace: &Workspace) -> bool {
        let config = session.settings.config_for(Some(path), &session.outgoing);
        let encoding = session.client().encoding;
        if workspace.contains(session, path) {
            return self.read(session, path, encoding, &config);
        }
        self.remove(session, path);
        // A new link gives its target another role.
        let real = path.canonicalize().ok().filter(|real| *real != path);
        if let Some(real) = real.filter(|real| self.contains(real)) {
            return self.read(session, &real, encoding, &config);
        }
        !workspace.contains(session, path)
    }

    fn remove(&self, session: &Session, path: &Path) {
        self.files().remove(path);
        self.unreadable.lock().remove(path);
        ide::workspace::forget(&*session.disk, path);
    }

    /// Removes files outside of all open folders.
    pub(super) fn keep(&self, session: &Session) {
        let folders = session.folders();
        let outside = |path: &&PathBuf| !folders.iter().any(|folder| path.starts_with(folder));
        let gone: Vec<PathBuf> = self.files().keys().filter(outside).cloned().collect();
        gone.iter().for_each(|path| self.remove(session, path));
    }

    /// Whether a file belongs to the workspace.
    pub(super) fn contains(&self, path: &Path) -> bool {
        self.files().contains_key(path)
    }

    /// The folders of the files of the workspace.
    pub(super) fn folders(&self) -> HashSet<PathBuf> {
        self.files().keys().filter_map(|path| path.parent()).map(Path::to_owned).collect()
    }

    /// The known files for which `find` finds something, with that.
    pub(super) fn paths_where<T>(&self, find: impl Fn(&Path) -> Option<T>) -> Vec<(PathBuf, T)> {
        let files = self.files();
        files.keys().filter_map(|path| Some((path.clone(), find(path)?))).collect()
    }

    /// The current files below a folder, as far as they may belong to the workspace.
    pub(super) fn found_below(&self, session: &Session, folder: &Path) -> Vec<PathBuf> {
        let inside = session.folders().iter().any(|open| folder.starts_with(open));
        if !inside || !folder.is_dir() {
            return Vec::new();
        }
        let walk = world::walk(folder, |_| true).0.build();
        let files = walk.flatten().filter(|entry| {
            entry.file_type().is_some_and(|kind| kind.is_file()) && world::is_markdown(entry.path())
        });
        files.take(MOST_FILES).map(ignore::DirEntry::into_path).collect()
    }

    /// The files of the workspace, sorted.
    pub(super) fn paths(&self) -> Vec<PathBuf> {
        let mut paths: Vec<PathBuf> = self.files().keys().cloned().collect();
        paths.sort();
        paths
    }

    /// The symbols that best match `query`; open documents are searched in their current state.
    pub(super) fn search(
        &self,
        documents: &Documents,
        encoding: Encoding,
        query: &str,
    ) -> Vec<WorkspaceSymbol> {
        let open: Vec<(Uri, Box<[Item]>)> = documents
            .values()
            .map(|open| {
                let world = Memory::default();
                let cx =
                    Context::new(open.document.source(), open.key.path(), &world, &open.config);
                (open.uri.clone(), items(&open.document, &cx, encoding, convert::to_range))
            })
            .collect();
        let files = self.files();
        let mut found: Vec<Found> = Vec::new();
        for (uri, items) in &open {
            collect(items, query, &mut found, Place::Open(&uri.0));
        }
        for (path, items) in
            files.iter().filter(|(path, _)| !documents.contains_key(&Key::File((*path).clone())))
        {
            collect(items.items(), query, &mut found, Place::Closed(path));
        }
        if found.len() > MOST_SYMBOLS {
            found.select_nth_unstable_by(MOST_SYMBOLS, |a, b| a.rank().cmp(&b.rank()));
            found.truncate(MOST_SYMBOLS);
        }
        found.sort_unstable_by(|a, b| a.rank().cmp(&b.rank()));
        found.iter().map(Found::symbol).collect()
    }
}

impl Item {
    fn cost(&self) -> u64 {
        let container = self.container.as_ref().map_or(0, |container| container.len() + ALLOCATED);
        (size_of::<Self>() + self.name.len() + ALLOCATED + container) as u64
    }
}

/// The overhead of an allocation, in bytes.
const ALLOCATED: usize = 16;

/// A symbol that matches a query.
struct Found<'a> {
    score: u32,
    item: &'a Item,
    place: Place<'a>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Place<'a> {
    Open(&'a str),
    Closed(&'a Path),
}

impl<'a> Found<'a> {
    /// The best match first, then the shortest; the other criteria only make the order
    /// deterministic.
    fn rank(&self) -> (u32, usize, Place<'a>, u32, u32, &'a str) {
        let start = self.item.range.start;
        (self.score, self.item.name.len(), self.place, start.line, start.character, &self.item.name)
    }

    fn symbol(&self) -> WorkspaceSymbol {
        let uri = match self.place {
            Place::Open(uri) => Uri(uri.to_owned()),
            Place::Closed(path) => uri::from_path(path),
        };
        WorkspaceSymbol {
            location: WorkspaceSymbolLocation::Location(Location { uri, range: self.item.range }),
            data: None,
            base_symbol_information: BaseSymbolInformation {
                name: self.item.name.to_string(),
                kind: self.item.kind,
                tags: None,
                container_name: self.item.container.as_ref().map(ToString::to_string),
            },
        }
    }
}

fn collect<'a>(items: &'a [Item], query: &str, found: &mut Vec<Found<'a>>, place: Place<'a>) {
    let scored = items.iter().filter_map(|item| {
        Some(Found { score: workspace_symbols::score(query, &item.name)?, item, place })
    });
    found.extend(scored);
}

/// The files of the workspace: exactly those that a walk visits.
struct Workspace(Vec<(PathBuf, Reach)>);

impl Workspace {
    fn of(session: &Session) -> Self {
        let folders = session.folders().into_iter().filter(|folder| !is_too_wide(folder));
        let reach = |folder: PathBuf| {
            let reach = Reach::new(&folder);
            (folder, reach)
        };
        Self(folders.map(reach).collect())
    }

    fn contains(&self, session: &Session, path: &Path) -> bool {
        let comes_to = |(folder, reach): &(PathBuf, Reach)| {
            let mut above = path.ancestors().take_while(|above| above != folder);
            path.starts_with(folder)
                && reach.includes(path)
                && !reach.is_linked(path)
                && !above.any(|above| {
                    let of = |inside: &Path| {
                        session.settings.config_for(Some(inside), &session.outgoing)
                    };
                    Config::skips(above, |folder| Some(of(&folder.join(FILE_NAME))))
                })
        };
        path.is_file() && self.0.iter().any(comes_to)
    }
}

/// The settings of the folders that a walk visits. Most inherit those of their parent.
struct Folders {
    session: Arc<Session>,
    roots: Vec<PathBuf>,
    known: DashMap<PathBuf, Arc<Config>>,
}

impl Folders {
    fn new(session: &Arc<Session>, folder: &Path) -> Self {
        let mut roots = session.folders();
        roots.push(folder.to_owned());
        Self { session: Arc::clone(session), roots, known: DashMap::default() }
    }

    fn of(&self, folder: &Path) -> Arc<Config> {
        if let Some(known) = self.known.get(folder) {
            return Arc::clone(&known);
        }
        let own = folder.join(FILE_NAME);
        let above = folder.parent().filter(|_| !self.roots.iter().any(|root| root == folder));
        let config = match above.filter(|_| !own.is_file()) {
            Some(above) => self.of(above),
            None => self.session.settings.config_for(Some(&own), &self.session.outgoing),
        };
        self.known.insert(folder.to_owned(), Arc::clone(&config));
        config
    }
}

/// Calls `with` for each Markdown file below `folders` that belongs to the workspace, with its
/// settings; from several threads. Returns whether there are too many, and the ignore files without
/// effect in each folder.
fn each(
    session: &Arc<Session>,
    folders: &[PathBuf],
    with: &(dyn Fn(&Path, &Arc<Config>) + Sync),
) -> (bool, Vec<Unused>) {
    let (count, full) = (AtomicUsize::new(0), AtomicBool::new(false));
    let mut unused = Vec::new();
    for folder in folders.iter().filter(|folder| !is_too_wide(folder)) {
        let threads =
            std::thread::available_parallelism().map_or(1, |cores| cores.get().div_ceil(2)).min(4);
        let excluder = Folders::new(session, folder);
        let (mut walk, without_effect) = world::walk(folder, move |entry| {
            let is_folder = entry.file_type().is_some_and(|kind| kind.is_dir());
            !is_folder || !Config::skips(entry.path(), |above| Some(excluder.of(above)))
        });
        walk.threads(threads).build_parallel().run(|| {
            Box::new(|entry| {
                let Ok(entry) = entry else { return WalkState::Continue };
                let path = entry.path();
                let is_file = entry.file_type().is_some_and(|kind| kind.is_file());
                if !is_file || !world::is_markdown(path) {
                    return WalkState::Continue;
                }
                let config = session.settings.config_for(Some(path), &session.outgoing);
                if config.excludes(path) {
                    return WalkState::Continue;
                }
                with(path, &config);
                if count.fetch_add(1, Ordering::Relaxed) + 1 >= MOST_FILES {
                    full.store(true, Ordering::Relaxed);
                    return WalkState::Quit;
                }
                WalkState::Continue
            })
        });
        unused.push(without_effect);
    }
    (full.into_inner(), unused)
}

/// Converts a span to a range.
type Convert = fn(&Source, &Span, Encoding) -> Range;

fn items(document: &Document, cx: &Context, encoding: Encoding, convert: Convert) -> Box<[Item]> {
    let mut symbols = ide::symbols::symbols(document, cx);
    symbols.extend(workspace_symbols::own(cx));
    let items = workspace_symbols::flatten(&symbols).into_iter().map(|named| Item {
        name: named.symbol.name.as_str().into(),
        container: named.container.map(Into::into),
        kind: symbol_kind(named.symbol.kind),
        range: convert(cx.source, &named.symbol.selection, encoding),
    });
    items.collect()
}

/// A file system's root or a home folder: opened by accident, and too large to read.
fn is_too_wide(folder: &Path) -> bool {
    let home = std::env::home_dir();
    folder.parent().is_none()
        || home.is_some_and(|home| home == folder || home.parent() == Some(folder))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn items(count: usize) -> Box<[Item]> {
        let kind = SymbolKind::String;
        let item = |number| Item {
            name: format!("name {number}").into(),
            container: Some("container".into()),
            kind,
            range: Range::default(),
        };
        (0..count).map(item).collect()
    }

    #[test]
    fn symbols_stay_within_their_share_and_paths_are_kept() {
        let index = Index::new(&Limit::new(400_000));
        for number in 0..100 {
            index.insert(&PathBuf::from(format!("/w/{number}.md")), None, items(100));
            assert!(index.share.held() <= 100_000, "{} after {number}", index.share.held());
        }
        let found = index.search(&Documents::default(), Encoding::Utf8, "name 7");
        assert!(
            index.refused.load(Ordering::Relaxed) && found.len() == MOST_SYMBOLS.min(found.len())
        );
        assert!(!found.is_empty() && found.len() < 100 * 12, "{}", found.len());
        assert_eq!(index.paths().len(), 100);
        // A file that is read again counts once.
        let held = index.share.held();
        index.insert(Path::new("/w/0.md"), None, items(100));
        assert_eq!(index.share.held(), held);
        index.files().clear();
        assert_eq!((index.share.held(), index.paths().len()), (0, 0));
    }
}
