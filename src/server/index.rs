//! The workspace's symbols: every file's outline, read in the background and updated by file
//! events.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use ignore::WalkState;
use parking_lot::{Mutex, MutexGuard};
use tower_lsp::gen_lsp_types::{
    BaseSymbolInformation, Location, Range, SymbolKind, Uri, WorkspaceSymbol,
    WorkspaceSymbolLocation,
};

use super::convert;
use super::session::{Documents, Session};
use super::uri::{self, Key};
use crate::cache::{Held, Limit, Share};
use crate::config::Config;
use crate::document::Document;
use crate::format::Context;
use crate::ide::{self, workspace_symbols};
use crate::text::Encoding;
use crate::world::{self, Memory};

/// The limit of symbols per query, best matches first.
const MOST_SYMBOLS: usize = 256;
/// A folder with more files than this isn't a project.
const MOST_FILES: usize = 100_000;
/// The limit of reported ignore files without effect.
const MOST_LINES: usize = 8;

pub(super) struct Index {
    files: Mutex<HashMap<PathBuf, File>>,
    share: Share,
    /// Some symbols can't be found, because the index would be too large with them.
    refused: AtomicBool,
    ready: tokio::sync::watch::Sender<bool>,
}

/// A file's symbols and their size, unless they exceed the limit.
#[derive(Default)]
struct File(Option<(Box<[Item]>, Held)>);

impl File {
    fn items(&self) -> &[Item] {
        self.0.as_ref().map_or(&[], |(items, _)| items)
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
            share: Share::new(limit, PART),
            refused: AtomicBool::default(),
            ready: tokio::sync::watch::Sender::default(),
        }
    }

    fn files(&self) -> MutexGuard<'_, HashMap<PathBuf, File>> {
        self.files.lock()
    }

    /// Reads every file below `folders`; `progress` receives the count so far, now and then.
    pub(super) fn build(
        &self,
        session: &Session,
        folders: &[PathBuf],
        progress: &(dyn Fn(usize) + Sync),
    ) {
        let count = AtomicUsize::new(0);
        let full = AtomicBool::new(false);
        let encoding = session.client().encoding;
        for folder in folders.iter().filter(|folder| !is_too_wide(folder)) {
            let threads = std::thread::available_parallelism()
                .map_or(1, |cores| cores.get().div_ceil(2))
                .min(4);
            let (mut walk, unused) = world::walk(folder, |_| true);
            let walk = walk.threads(threads).build_parallel();
            walk.run(|| {
                Box::new(|entry| {
                    let Ok(entry) = entry else { return WalkState::Continue };
                    let path = entry.path();
                    let is_file = entry.file_type().is_some_and(|kind| kind.is_file());
                    if !is_file {
                        return WalkState::Continue;
                    }
                    if !world::is_markdown(path) {
                        return WalkState::Continue;
                    }
                    let config = session.settings.config_for(Some(path), &session.outgoing);
                    if config.excludes(path) {
                        return WalkState::Continue;
                    }
                    self.read(session, path, encoding, &config);
                    let known = count.fetch_add(1, Ordering::Relaxed) + 1;
                    if known.is_multiple_of(256) {
                        progress(known);
                    }
                    if known >= MOST_FILES {
                        full.store(true, Ordering::Relaxed);
                        return WalkState::Quit;
                    }
                    WalkState::Continue
                })
            });
            for line in unused.lines().into_iter().take(MOST_LINES) {
                session.outgoing.notify(
                    "window/logMessage",
                    serde_json::json!({ "type": 2, "message": format!("agentmd: {line}") }),
                );
            }
        }
        if full.into_inner() {
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
        self.keep(&session.folders());
        self.ready.send_replace(true);
    }

    /// Waits until the workspace has been read once, with a time limit.
    pub(super) async fn wait(&self) {
        const LONGEST: Duration = Duration::from_secs(60);
        let mut ready = self.ready.subscribe();
        let _ = tokio::time::timeout(LONGEST, ready.wait_for(|ready| *ready)).await;
    }

    /// Whether the workspace has been read once.
    pub(super) fn is_ready(&self) -> bool {
        *self.ready.borrow()
    }

    fn read(&self, session: &Session, path: &Path, encoding: Encoding, config: &Arc<Config>) {
        #[cfg(debug_assertions)]
        super::testing::before_file(path);
        let Ok(text) = world::read_text(path) else { return };
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
        );
        self.insert(path, items);
        // The folders tell which links lead to the file.
        let world = session.world_of(Documents::default());
        ide::workspace::learn(&world, path, document.source());
    }

    fn insert(&self, path: &Path, items: Box<[Item]>) {
        let old = self.files().insert(path.to_owned(), File::default());
        // What the file takes is given back before it takes more.
        drop(old);
        let each = (size_of::<PathBuf>() + path.as_os_str().len()) as u64;
        let held = self.share.hold(each + items.iter().map(Item::cost).sum::<u64>());
        match held {
            Some(held) => {
                self.files().insert(path.to_owned(), File(Some((items, held))));
            }
            None => self.refused.store(true, Ordering::Relaxed),
        }
    }

    /// Reads one file again, or removes a deleted one.
    pub(super) fn update(&self, session: &Session, path: &Path) {
        let config = session.settings.config_for(Some(path), &session.outgoing);
        let inside = session.folders().iter().any(|folder| path.starts_with(folder));
        if inside && path.is_file() && !config.excludes(path) {
            self.read(session, path, session.client().encoding, &config);
        } else {
            self.files().remove(path);
            ide::workspace::forget(&*session.disk, path);
        }
        ide::workspace::refresh(&session.world_of(session.documents()), path);
    }

    /// Removes files outside of all open folders.
    pub(super) fn keep(&self, folders: &[PathBuf]) {
        self.files().retain(|path, _| folders.iter().any(|folder| path.starts_with(folder)));
    }

    /// The known files below a folder, sorted.
    pub(super) fn below(&self, folder: &Path) -> Vec<PathBuf> {
        let mut paths: Vec<PathBuf> =
            self.files().keys().filter(|path| path.starts_with(folder)).cloned().collect();
        paths.sort();
        paths
    }

    /// The current files below a folder, as far as they belong to the workspace.
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
                (open.uri.clone(), items(&open.document, &cx, encoding))
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

/// What a piece of memory costs in addition to its contents.
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

fn items(document: &Document, cx: &Context, encoding: Encoding) -> Box<[Item]> {
    let mut symbols = ide::symbols::symbols(document, cx);
    symbols.extend(workspace_symbols::own(cx));
    let items = workspace_symbols::flatten(&symbols).into_iter().map(|named| Item {
        name: named.symbol.name.as_str().into(),
        container: named.container.map(Into::into),
        kind: convert::symbol_kind(named.symbol.kind),
        range: convert::to_range(cx.source, &named.symbol.selection, encoding),
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
            index.insert(&PathBuf::from(format!("/w/{number}.md")), items(100));
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
        index.insert(Path::new("/w/0.md"), items(100));
        assert_eq!(index.share.held(), held);
        index.keep(&[]);
        assert_eq!((index.share.held(), index.paths().len()), (0, 0));
    }
}
