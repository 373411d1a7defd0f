//! Notifications from the client: changed files, settings, folders; and the registrations for them.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::json;
use tower_lsp::Client;
use tower_lsp::gen_lsp_types::{ConfigurationItem, FileChangeType, FileEvent, Registration};

use super::backend::Backend;
use super::index::Index;
use super::pool::Cancellation;
use super::publish::{Happened, Publisher};
use super::refresh::{Answer, Refresher};
use super::session::{Session, Snapshot};
use super::uri::{self, Key};
use super::workspace_diagnostics::ClosedFiles;
use crate::config::{self, Config};

impl Backend {
    /// Asks the client to report changes of files and settings.
    pub(super) async fn register(&self) {
        let client = self.session.client();
        let mut registrations = Vec::new();
        if client.watches_files {
            let watchers = json!({ "watchers": [
                { "globPattern": "**/*.{md,markdown,mdc,llmd}" },
                { "globPattern": "**/*.test.{yaml,yml}" },
                { "globPattern": "**/{.mcp,mcp,plugin,marketplace}.json" },
                { "globPattern": format!("**/{}", config::FILE_NAME) },
                { "globPattern": "**/{.gitignore,.ignore}" },
            ] });
            registrations.push(Registration {
                id: "agentmd-files".to_owned(),
                method: "workspace/didChangeWatchedFiles".to_owned(),
                register_options: Some(watchers),
            });
        }
        if client.registers_configuration {
            registrations.push(Registration {
                id: "agentmd-settings".to_owned(),
                method: "workspace/didChangeConfiguration".to_owned(),
                register_options: Some(json!({ "section": "agentmd" })),
            });
        }
        if !registrations.is_empty()
            && let Err(error) = self.client.register_capability(registrations).await
        {
            tracing::warn!("the client refused to report changes: {error}");
        }
    }

    /// Asks the client for its settings, and applies them.
    pub(super) async fn pull_settings(&self) {
        if !self.session.client().configuration {
            return;
        }
        let asked = self.session.settings.ask_editor();
        let item = ConfigurationItem { scope_uri: None, section: Some("agentmd".to_owned()) };
        match self.client.configuration(vec![item]).await {
            Ok(values) => {
                self.apply_settings(values.into_iter().next().unwrap_or_default(), asked);
            }
            Err(error) => tracing::warn!("the client did not send its settings: {error}"),
        }
    }

    pub(super) fn apply_settings(&self, value: serde_json::Value, asked: u64) {
        if self.session.settings.set_editor(value, asked) {
            self.recheck_all();
            self.invalidator().look_at_disk();
        }
    }

    /// Gives every open document the current settings, and checks it again.
    pub(super) fn recheck_all(&self) {
        self.invalidator().reconfigure();
    }

    /// Immediately checks everything that depends on the whole content at a path, and everything
    /// that depends on a part of it if that part has changed.
    pub(super) fn happened(&self, path: &Path, happened: Happened) {
        self.invalidator.changed(path);
        self.invalidator.recheck(&self.publisher.content_readers(path));
        if self.publisher.begin_to_compare(path, happened.elsewhere) {
            let (invalidator, path) = (self.invalidator(), path.to_owned());
            super::pool::start(move || invalidator.compare(&[(path, happened)]));
        }
    }

    pub(super) fn files_changed(&self, changes: &[FileEvent]) {
        let events: Vec<_> = changes
            .iter()
            .filter_map(|change| Some((uri::to_path(&change.uri.0)?, change.kind)))
            .collect();
        let invalidator = self.invalidator();
        let any = |names: &[&str]| {
            let mut paths = events.iter().filter_map(|(path, _)| path.file_name());
            paths.any(|name| names.iter().any(|other| name == *other))
        };
        if any(&[config::FILE_NAME]) {
            invalidator.read_settings_again();
        } else if any(&[".gitignore", ".ignore"]) {
            invalidator.look_at_disk();
        }
        for (path, _) in &events {
            self.session.disk_events.add(path);
            invalidator.changed(path);
            invalidator.recheck(&self.publisher.content_readers(path));
        }
        super::pool::start(move || {
            let events = invalidator.with_contents(events);
            let paths = events.iter().map(|(path, _)| path.as_path());
            invalidator.index.update(&invalidator.session, paths);
            // A check that began before the update may have used the outdated index.
            events.iter().for_each(|(path, _)| invalidator.session.disk_events.add(path));
            let happened =
                |kind| Happened { in_folder: kind != FileChangeType::Changed, elsewhere: true };
            let changes = events.into_iter().map(|(path, kind)| (path, happened(kind)));
            invalidator.compare(&changes.collect::<Vec<_>>());
            invalidator.show_settings_findings();
        });
    }
}

/// Propagates a change to everything that depends on it; for background tasks.
pub(super) struct Invalidator {
    pub refresher: Arc<Refresher>,
    client: Client,
    pub session: Arc<Session>,
    pub publisher: Arc<Publisher>,
    pub index: Arc<Index>,
    /// How often the client was asked to pull again since its last pull.
    refreshes: Arc<AtomicUsize>,
    pub closed_files: Arc<ClosedFiles>,
}

impl Invalidator {
    pub(super) fn new(
        client: Client,
        session: Arc<Session>,
        closed_files: Arc<ClosedFiles>,
    ) -> Self {
        Self {
            refresher: Arc::default(),
            client,
            index: Arc::clone(&session.index),
            session,
            publisher: Arc::default(),
            refreshes: Arc::default(),
            closed_files,
        }
    }

    /// Gives every open document the current settings, and checks it again.
    pub(super) fn reconfigure(self: &Arc<Self>) {
        self.read_settings(self.session.documents().keys().cloned());
        self.session.reconfigure();
        self.closed_files.forget();
        for key in self.session.documents().keys() {
            self.publisher.schedule(&self.session, key);
        }
        self.refresh();
        self.retell();
    }

    /// The same after a settings file has changed.
    pub(super) fn read_settings_again(self: &Arc<Self>) {
        self.session.settings.forget_files();
        self.reconfigure();
        self.look_at_disk();
    }

    /// Decides in the background which findings in settings files to show.
    pub(super) fn show_settings_findings(&self) {
        let session = Arc::clone(&self.session);
        super::pool::start(move || session.show_settings_findings());
    }

    /// Compares the index with the disk, in the background, and propagates the differences: files
    /// may be part of the workspace that weren't before.
    pub(super) fn look_at_disk(self: &Arc<Self>) {
        if !self.index.ask_to_compare() {
            return;
        }
        let invalidator = Arc::clone(self);
        tokio::spawn(async move {
            let index = Arc::clone(&invalidator.index);
            index.wait().await;
            loop {
                let (asked, invalidator) = (index.asked_to_compare(), Arc::clone(&invalidator));
                let compared = super::pool::ask(move |_| {
                    let differing = invalidator.index.differing(&invalidator.session);
                    let happened = Happened { in_folder: true, elsewhere: true };
                    invalidator.took_place(&differing, happened);
                });
                drop(compared.await);
                if index.has_compared(asked) {
                    return;
                }
            }
        });
    }

    /// The same if the client doesn't report changes of files, unless the last comparison isn't
    /// older than `age`.
    pub(super) fn look_if_unwatched(self: &Arc<Self>, age: Duration) {
        if !self.session.client().watches_files && self.index.is_older(age) {
            self.look_at_disk();
        }
    }

    /// Reads the settings for documents. Those that can't be read in time take effect later.
    pub(super) fn read_settings(
        self: &Arc<Self>,
        keys: impl Iterator<Item = Key>,
    ) -> Vec<Arc<Config>> {
        let invalidator = Arc::clone(self);
        self.session.read_settings(keys, move || invalidator.reconfigure())
    }

    /// Checks these documents again; asks pulling clients to pull.
    pub(super) fn recheck(&self, keys: &[Key]) {
        for key in keys {
            self.publisher.schedule(&self.session, key);
        }
        if !keys.is_empty() {
            self.refresh();
        }
    }

    /// Checks all open documents again.
    pub(super) fn recheck_all(&self) {
        let keys: Vec<Key> = self.session.documents().keys().cloned().collect();
        self.recheck(&keys);
    }

    /// Events, and one for each file of a folder that was created or deleted: clients may report only the
    /// folder.
    fn with_contents(
        &self,
        events: Vec<(PathBuf, FileChangeType)>,
    ) -> Vec<(PathBuf, FileChangeType)> {
        let known: HashSet<PathBuf> = events.iter().map(|(path, _)| path.clone()).collect();
        let is_folder = |(path, kind): &&(PathBuf, FileChangeType)| {
            *kind != FileChangeType::Changed && !crate::world::is_markdown(path)
        };
        let folders: HashMap<&Path, FileChangeType> =
            events.iter().filter(is_folder).map(|(path, kind)| (path.as_path(), *kind)).collect();
        let mut inside: BTreeMap<PathBuf, FileChangeType> = self
            .index
            .paths_where(|path| path.ancestors().find_map(|above| folders.get(above).copied()))
            .into_iter()
            .collect();
        for (folder, kind) in folders {
            let found = self.index.found_below(&self.session, folder);
            inside.extend(found.into_iter().map(|file| (file, kind)));
        }
        inside.retain(|file, _| !known.contains(file));
        events.into_iter().chain(inside).collect()
    }

    /// Reads changed files from disk again, and propagates the change.
    pub(super) fn took_place(&self, paths: &[PathBuf], happened: Happened) {
        self.index.update(&self.session, paths.iter().map(PathBuf::as_path));
        for path in paths {
            self.session.disk_events.add(path);
            self.changed(path);
            self.recheck(&self.publisher.content_readers(path));
        }
        let changes: Vec<_> = paths.iter().map(|path| (path.clone(), happened)).collect();
        self.compare(&changes);
        self.show_settings_findings();
    }

    /// Checks everything again that depends on a part of the content at these paths, if that part has
    /// changed.
    pub(super) fn compare(&self, changes: &[(PathBuf, Happened)]) {
        self.recheck(&self.publisher.outdated(&self.session, changes));
    }

    /// Every path that an answer about an open document depends on.
    pub(super) fn rests(&self) -> BTreeSet<PathBuf> {
        self.refresher.paths().into_iter().chain(self.publisher.paths()).collect()
    }

    /// A client's view of other documents may depend on this path.
    pub(super) fn changed(&self, path: &Path) {
        if self.refresher.rests_on(path) {
            self.retell();
        }
    }

    /// Records what an answer depends on; the client is asked to refresh if that has changed since.
    pub(super) fn note(&self, answer: Answer, snapshot: &Snapshot, cancellation: &Cancellation) {
        if !cancellation.is_cancelled() && self.refresher.note(&self.session, snapshot, answer) {
            self.retell();
        }
    }

    /// Such an answer depends on nothing.
    pub(super) fn forget(&self, answer: Answer, snapshot: &Snapshot) {
        self.refresher.forget(&snapshot.open.key, answer);
    }

    /// Asks the client to refresh lenses and hints.
    pub(super) fn retell(&self) {
        self.refresher.tell(&self.session, &self.client);
    }

    /// Asks a pulling client to pull again. Until it answers, at most one more request is queued
    /// for it.
    pub(super) fn refresh(&self) {
        let client = self.session.client();
        if !client.pulls_diagnostics || !client.refreshes_diagnostics {
            return;
        }
        let asked = Arc::clone(&self.refreshes);
        if asked.fetch_add(1, Ordering::SeqCst) > 0 {
            return;
        }
        let client = self.client.clone();
        tokio::spawn(async move {
            loop {
                let before = asked.load(Ordering::SeqCst);
                drop(client.workspace_diagnostic_refresh().await);
                if asked.compare_exchange(before, 0, Ordering::SeqCst, Ordering::SeqCst).is_ok() {
                    return;
                }
            }
        });
    }
}
