//! What the client tells of the world: files that changed, settings, folders. And what it is asked to tell.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use serde_json::json;
use tower_lsp::gen_lsp_types::{ConfigurationItem, FileEvent, Registration};

use super::backend::Backend;
use super::uri::{self, Key};
use crate::config;

impl Backend {
    /// Asks the client to report changes of files and settings.
    pub(super) async fn register(&self) {
        let client = self.session.client();
        let mut registrations = Vec::new();
        if client.watches_files {
            let watchers = json!({ "watchers": [
                { "globPattern": "**/*.{md,markdown,mdc,llmd}" },
                { "globPattern": format!("**/{}", config::FILE_NAME) },
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
        let item = ConfigurationItem { scope_uri: None, section: Some("agentmd".to_owned()) };
        match self.client.configuration(vec![item]).await {
            Ok(values) => self.apply_settings(values.into_iter().next().unwrap_or_default()),
            Err(error) => tracing::warn!("the client has no settings: {error}"),
        }
    }

    pub(super) fn apply_settings(&self, value: serde_json::Value) {
        if self.session.settings.set_editor(value) {
            self.recheck_all();
        }
    }

    /// Gives every open document the settings that hold now, and checks it again.
    pub(super) fn recheck_all(&self) {
        self.session.reconfigure();
        self.closed_files.forget();
        for key in self.session.documents().keys() {
            self.publisher.schedule(&self.session, key);
        }
        self.refresh();
        if self.session.client().refreshes_inlays {
            let client = self.client.clone();
            tokio::spawn(async move { drop(client.inlay_hint_refresh().await) });
        }
    }

    /// Asks a client that pulls to pull again. While it has not answered, one more request at most is kept for it.
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

    /// Checks these documents again; clients that pull are asked to.
    pub(super) fn recheck(&self, keys: &[Key]) {
        for key in keys {
            self.publisher.schedule(&self.session, key);
        }
        if !keys.is_empty() {
            self.refresh();
        }
    }

    pub(super) fn files_changed(&self, changes: &[FileEvent]) {
        let paths: Vec<_> = changes.iter().filter_map(|change| uri::to_path(&change.uri.0)).collect();
        if paths.iter().any(|path| path.file_name().is_some_and(|name| name == config::FILE_NAME)) {
            self.session.settings.forget_files();
            self.recheck_all();
        }
        let stale: Vec<Key> = paths.iter().flat_map(|path| self.publisher.readers(path)).collect();
        self.recheck(&stale);
        let (session, index) = (Arc::clone(&self.session), Arc::clone(&self.index));
        super::pool::start(move || {
            for path in paths.iter().filter(|path| crate::world::is_markdown(path)) {
                index.update(&session, path);
            }
        });
    }
}
