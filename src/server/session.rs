//! The state of one client's session. Everything here is a plain function: it runs when a message
//! is received, before anything is awaited, so messages take effect in their order.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock, mpsc};
use std::time::{Duration, Instant};

use parking_lot::{Mutex, MutexGuard};
use tower_lsp::gen_lsp_types::{Position, TextDocumentItem, Uri};

use super::capabilities::Client;
use super::convert;
use super::disk_events::DiskEvents;
use super::duplicate_server::DuplicateServers;
use super::index::Index;
use super::outgoing::Outgoing;
use super::overlay::Overlay;
use super::params::Change;
use super::pool::{self, Cancellation};
use super::recent::Recent;
use super::settings::Settings;
use super::shared::Shared;
use super::unsaved::Unsaved;
use super::unwatched::Unwatched;
use super::uri::{self, Key};
#[cfg(not(debug_assertions))]
use crate::cache::Limit;
use crate::config::Config;
use crate::document::Document;
use crate::format::Context;
use crate::source::Source;
use crate::text::{self, Edit, Encoding};
use crate::world::{Disk, World};

/// How long a document that is opened waits for its settings.
const PATIENCE: Duration = Duration::from_millis(500);

/// An open document at one version. Immutable: a change creates another.
pub(super) struct Open {
    pub key: Key,
    /// In the client's spelling.
    pub uri: Uri,
    pub version: i32,
    /// The number of documents opened before it.
    pub order: usize,
    pub document: Document,
    pub config: Arc<Config>,
    /// It's a file that no client has opened.
    pub closed: bool,
    pub recent: Arc<Recent>,
}

impl Open {
    /// A document that isn't open, for an answer about its file.
    pub(super) fn closed(key: &Key, path: &Path, document: Document, config: Arc<Config>) -> Self {
        let (key, uri) = (key.clone(), uri::from_path(path));
        let recent = Arc::default();
        Self { key, uri, version: 0, order: 0, document, config, closed: true, recent }
    }
}

pub(super) type Documents = Arc<HashMap<Key, Arc<Open>>>;

pub(super) struct Session {
    pub outgoing: Outgoing,
    pub disk: Arc<Disk>,
    pub index: Arc<Index>,
    pub unsaved: Arc<Unsaved>,
    pub unwatched: Unwatched,
    pub disk_events: DiskEvents,
    pub duplicate_servers: DuplicateServers,
    pub settings: Settings,
    pub shared: Shared,
    client: OnceLock<Client>,
    opened: AtomicUsize,
    /// Locked from reading the open documents to replacing one, so that no change is lost.
    writing: Mutex<()>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    documents: Documents,
    folders: Vec<PathBuf>,
    shutdown: bool,
}

/// The basis of a request: one document when the request arrived, and the world around it.
pub(super) struct Snapshot {
    pub open: Arc<Open>,
    pub world: Overlay,
    pub client: Client,
    /// The number of events on the disk before it.
    pub disk_events: usize,
}

impl Snapshot {
    /// Calls `answer` with the context of features; long work checks `cancelled`.
    pub(super) fn with<T>(
        &self,
        cancelled: &(dyn Fn() -> bool + Sync),
        answer: impl FnOnce(&Document, &Context) -> T,
    ) -> T {
        let document = &self.open.document;
        #[cfg(debug_assertions)]
        super::testing::before_analysis(document.source(), cancelled);
        let cx = Context {
            source: document.source(),
            path: self.open.key.path(),
            world: &self.world,
            config: &self.open.config,
            cancelled,
        };
        answer(document, &cx)
    }

    /// The same for a request with a position.
    pub(super) fn at<T>(
        &self,
        position: Position,
        cancellation: &Cancellation,
        answer: impl FnOnce(&Document, &Context, usize) -> T,
    ) -> T {
        let offset = self.offset(position);
        self.with(&|| cancellation.is_cancelled(), |document, cx| answer(document, cx, offset))
    }

    pub(super) fn source(&self) -> &Source {
        self.open.document.source()
    }

    pub(super) fn encoding(&self) -> Encoding {
        self.client.encoding
    }
}

impl Session {
    pub(super) fn new(outgoing: Outgoing) -> Self {
        #[cfg(debug_assertions)]
        let limit = super::testing::limit();
        #[cfg(not(debug_assertions))]
        let limit = Limit::default();
        Self {
            outgoing,
            index: Arc::new(Index::new(&limit)),
            unsaved: Arc::new(Unsaved::new(&limit)),
            disk: Arc::new(Disk::with_limit(limit)),
            unwatched: Unwatched::default(),
            disk_events: DiskEvents::default(),
            duplicate_servers: DuplicateServers::default(),
            settings: Settings::default(),
            shared: Shared::default(),
            client: OnceLock::new(),
            opened: AtomicUsize::default(),
            writing: Mutex::default(),
            state: Mutex::default(),
        }
    }

    fn write(&self) -> MutexGuard<'_, ()> {
        self.writing.lock()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock()
    }

    /// The client's capabilities; none before it has sent them.
    pub(super) fn client(&self) -> Client {
        self.client.get().cloned().unwrap_or_default()
    }

    pub(super) fn is_initialized(&self) -> bool {
        self.client.get().is_some()
    }

    pub(super) fn initialize(&self, client: Client, folders: Vec<PathBuf>) {
        self.settings.set_encoding(client.encoding);
        self.settings.set_folders(&folders);
        self.state().folders = folders;
        let _ = self.client.set(client);
    }

    pub(super) fn shut_down(&self) {
        self.state().shutdown = true;
        self.outgoing.hush();
        self.duplicate_servers.end();
    }

    pub(super) fn is_shut_down(&self) -> bool {
        self.state().shutdown
    }

    /// Sends a request from the server, unless the client has sent `shutdown`: it wouldn't answer.
    pub(super) fn request(&self, request: &impl serde::Serialize) {
        let state = self.state();
        if !state.shutdown {
            self.outgoing.send(request);
        }
    }

    pub(super) fn folders(&self) -> Vec<PathBuf> {
        self.state().folders.clone()
    }

    pub(super) fn change_folders(&self, added: Vec<PathBuf>, removed: &[PathBuf]) {
        let folders = {
            let mut state = self.state();
            state.folders.retain(|folder| !removed.contains(folder));
            for folder in added {
                if !state.folders.contains(&folder) {
                    state.folders.push(folder);
                }
            }
            state.folders.clone()
        };
        self.settings.set_folders(&folders);
    }

    pub(super) fn documents(&self) -> Documents {
        Arc::clone(&self.state().documents)
    }

    /// Reads the settings for documents. Returns those that are read within a moment; calls `late`
    /// once others are.
    pub(super) fn read_settings(
        self: &Arc<Self>,
        keys: impl Iterator<Item = Key>,
        late: impl Fn() + Clone + Send + 'static,
    ) -> Vec<Arc<Config>> {
        let mut read = Vec::new();
        let (sender, receiver) = mpsc::channel();
        for key in keys {
            read.extend(self.settings.known(key.path()));
            if !self.settings.begin_to_read(key.path()) {
                continue;
            }
            let (session, sender, late) = (Arc::clone(self), sender.clone(), late.clone());
            pool::start(move || {
                let config = catch_unwind(AssertUnwindSafe(|| {
                    session.settings.config_for(key.path(), &session.outgoing)
                }));
                let again = session.settings.end_reading(key.path());
                let Ok(config) = config else { return };
                if sender.send(config).is_err() || again {
                    late();
                }
            });
        }
        drop(sender);
        let end = Instant::now() + PATIENCE;
        while let Ok(config) = receiver.recv_timeout(end.saturating_duration_since(Instant::now()))
        {
            read.push(config);
        }
        read
    }

    /// Shows the findings in the settings files that are used, and clears all others, after the
    /// files of the workspace or the open documents have changed. Reads files.
    pub(super) fn show_settings_findings(&self) {
        let inside = || {
            let folder = |key: &Key| Some(key.path()?.parent()?.to_owned());
            let open = self.documents();
            open.keys().filter_map(folder).chain(self.index.folders()).collect()
        };
        self.settings.show_findings(&|| self.folders(), &inside, &self.outgoing);
    }

    /// Adds an opened document; replaces one that is already open. `read` are its settings, if they
    /// could be read in time.
    pub(super) fn open(&self, item: TextDocumentItem, read: Option<Arc<Config>>) -> Key {
        let key = Key::new(&item.uri);
        let _writing = self.write();
        let config = self.settings.known(key.path()).or(read).unwrap_or_default();
        let held = self.shared.parse(key.path(), &item.text, &config, || None);
        let document = held.document.clone();
        let order = self.opened.fetch_add(1, Ordering::Relaxed);
        let open = Open {
            key: key.clone(),
            uri: item.uri,
            version: item.version,
            order,
            document,
            config,
            closed: false,
            recent: Arc::default(),
        };
        Arc::make_mut(&mut self.state().documents).insert(key.clone(), Arc::new(open));
        drop(held);
        key
    }

    /// Applies changes in order, and returns whether they touch the top of the document, where
    /// front matter is. A document that isn't open is ignored.
    pub(super) fn change(
        &self,
        uri: &Uri,
        version: i32,
        changes: Vec<Change>,
    ) -> Option<(Key, bool)> {
        let encoding = self.client().encoding;
        let key = Key::new(uri);
        let _writing = self.write();
        let old = self.documents().get(&key).cloned()?;
        let mut source = old.document.source().clone();
        for change in changes {
            source = source.edit(&edit(&source, change, encoding));
        }
        let top =
            |source: &Source| source.sections().next().map(|placed| Arc::clone(placed.section));
        let same = matches!((top(&source), top(old.document.source())), (Some(new), Some(old)) if Arc::ptr_eq(&new, &old));
        let document = old.document.with_source(source, key.path(), &old.config);
        let open = Open {
            key: key.clone(),
            uri: old.uri.clone(),
            version,
            order: old.order,
            document,
            config: Arc::clone(&old.config),
            closed: false,
            recent: Arc::clone(&old.recent),
        };
        drop(old);
        let previous =
            Arc::make_mut(&mut self.state().documents).insert(key.clone(), Arc::new(open));
        drop(previous);
        Some((key, !same))
    }

    pub(super) fn close(&self, uri: &Uri) -> Option<Arc<Open>> {
        let _writing = self.write();
        Arc::make_mut(&mut self.state().documents).remove(&Key::new(uri))
    }

    /// Gives every open document the current settings, or leaves it with the old ones until those
    /// are read.
    pub(super) fn reconfigure(&self) {
        let _writing = self.write();
        let documents = self.documents();
        let updated = documents.iter().map(|(key, open)| {
            let known = self.settings.known(key.path());
            let config = known.unwrap_or_else(|| Arc::clone(&open.config));
            let document =
                Document::from_source(open.document.source().clone(), key.path(), &config);
            (
                key.clone(),
                Arc::new(Open {
                    key: key.clone(),
                    uri: open.uri.clone(),
                    version: open.version,
                    order: open.order,
                    document,
                    config,
                    closed: false,
                    recent: Arc::clone(&open.recent),
                }),
            )
        });
        let updated = updated.collect();
        self.state().documents = Arc::new(updated);
    }

    /// Whether a document is still open at this version.
    pub(super) fn is_current(&self, open: &Arc<Open>) -> bool {
        self.documents().get(&open.key).is_some_and(|now| Arc::ptr_eq(now, open))
    }

    pub(super) fn snapshot(&self, uri: &Uri) -> Option<Snapshot> {
        self.snapshot_of(&Key::new(uri))
    }

    pub(super) fn snapshot_of(&self, key: &Key) -> Option<Snapshot> {
        let disk_events = self.disk_events.count();
        let documents = self.documents();
        let open = documents.get(key).cloned()?;
        let world = self.world_of(documents);
        Some(Snapshot { open, world, client: self.client(), disk_events })
    }

    /// The same for a file that need not be open.
    pub(super) fn snapshot_of_file(&self, key: &Key) -> Option<Snapshot> {
        if let Some(snapshot) = self.snapshot_of(key) {
            return Some(snapshot);
        }
        let path = key.path()?;
        let disk_events = self.disk_events.count();
        #[cfg(debug_assertions)]
        super::testing::before_file(path);
        let source = self.disk.read(path).ok()?;
        let config = self.settings.config_for(Some(path), &self.outgoing);
        let document = Document::from_source(source, Some(path), &config);
        Some(Snapshot {
            open: Arc::new(Open::closed(key, path, document, config)),
            world: self.world_of(self.documents()),
            client: self.client(),
            disk_events,
        })
    }

    /// The world with these documents open.
    pub(super) fn world_of(&self, documents: Documents) -> Overlay {
        Overlay::new(
            documents,
            Arc::clone(&self.disk),
            Arc::clone(&self.index),
            Arc::clone(&self.unsaved),
            self.folders(),
        )
    }
}

/// The edit for a change. Positions are clamped to the text, and swapped if reversed. A change
/// without a range replaces the text, except for its common prefix and suffix.
fn edit(source: &Source, change: Change, encoding: Encoding) -> Edit {
    let Some(range) = change.range else {
        let old = source.slice(0..source.len());
        return text::difference(&old, &change.text).unwrap_or_else(|| Edit::insert(0, ""));
    };
    let (a, b) = (
        source.offset(convert::from_position(range.start), encoding),
        source.offset(convert::from_position(range.end), encoding),
    );
    Edit::replace(a.min(b)..a.max(b), change.text)
}
