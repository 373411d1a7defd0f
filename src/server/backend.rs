//! The methods of the protocol, a few lines each: accept the message, call the library, convert the
//! answer.

use std::future::Future;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use serde_json::Value;
use tower_lsp::gen_lsp_types::*;
use tower_lsp::jsonrpc::Result;
use tower_lsp::{Client, LanguageServer};

use super::capabilities;
use super::convert;
use super::duplicate_server::DuplicateServers;
use super::index::Index;
use super::lifecycle;
use super::outgoing::Outgoing;
use super::params::{Changed, Versioned};
use super::pool::{self, Cancellation};
use super::publish::{Happened, Publisher};
use super::reading::Reading;
use super::refresh::Refresher;
use super::session::{Session, Snapshot};
use super::tokens::Sent;
use super::uri::{self, Key};
use super::watch::Invalidator;
use super::whole;
use super::workspace_diagnostics::ClosedFiles;
use super::workspace_edit;
use crate::ide;
use crate::world::World;

/// Requests about the workspace are answered from an index that may be this old.
pub(super) const RECENT: Duration = Duration::from_secs(1);

pub(super) struct Backend {
    pub client: Client,
    pub session: Arc<Session>,
    pub publisher: Arc<Publisher>,
    pub refresher: Arc<Refresher>,
    pub index: Arc<Index>,
    pub closed_files: Arc<ClosedFiles>,
    /// The client's capabilities as sent, until `initialize` parses them.
    pub raw_capabilities: Mutex<Value>,
    pub tokens: Arc<Sent>,
    pub invalidator: Arc<Invalidator>,
}

impl Backend {
    pub(super) fn new(client: Client, outgoing: Outgoing) -> Self {
        let session = Arc::new(Session::new(outgoing));
        let closed_files = Arc::new(ClosedFiles::new(&World::limit(&*session.disk)));
        let invalidator = Arc::new(Invalidator::new(client.clone(), session, closed_files));
        Self {
            client,
            index: Arc::clone(&invalidator.index),
            closed_files: Arc::clone(&invalidator.closed_files),
            session: Arc::clone(&invalidator.session),
            publisher: Arc::clone(&invalidator.publisher),
            refresher: Arc::clone(&invalidator.refresher),
            raw_capabilities: Mutex::default(),
            tokens: Arc::default(),
            invalidator,
        }
    }

    pub(super) fn invalidator(&self) -> Arc<Invalidator> {
        Arc::clone(&self.invalidator)
    }

    /// Takes a snapshot now, and answers from it on the pool. A document that isn't open has no
    /// answer.
    pub(super) fn ask<
        T: Send + 'static,
        W: FnOnce(&Snapshot, &Cancellation) -> Option<T> + Send + 'static,
    >(
        &self,
        document: &TextDocumentIdentifier,
        work: W,
    ) -> impl Future<Output = Result<Option<T>>> + use<T, W> + Send + 'static {
        let snapshot = self.session.snapshot(&document.uri);
        let outgoing = self.session.outgoing.clone();
        async move {
            let Some(snapshot) = snapshot else { return Ok(None) };
            let answer = pool::ask(move |cancellation| {
                if outgoing.is_choked() {
                    return Err(pool::unread());
                }
                Ok(work(&snapshot, cancellation))
            });
            answer.await?
        }
    }

    /// Waits until the index is no more than `age` out of date.
    pub(super) fn recent(&self, age: Duration) -> impl Future<Output = ()> + use<> {
        self.invalidator().look_if_unwatched(age);
        let index = Arc::clone(&self.index);
        async move { index.settle().await }
    }

    /// The same for answers that may depend on all files of the workspace.
    fn ask_workspace<
        T: Send + 'static,
        W: Fn(&Snapshot, &Cancellation) -> Option<T> + Send + Sync + 'static,
    >(
        &self,
        document: &TextDocumentIdentifier,
        age: Duration,
        work: W,
    ) -> impl Future<Output = Result<Option<T>>> + use<T, W> + Send + 'static {
        let snapshot = self.session.snapshot(&document.uri);
        let recent = self.recent(age);
        async move {
            let Some(snapshot) = snapshot else { return Ok(None) };
            recent.await;
            whole::ask(snapshot, work).await
        }
    }

    pub(super) fn open(&self, params: DidOpenTextDocumentParams) {
        let key = Key::new(&params.text_document.uri);
        let read = self.invalidator().read_settings(std::iter::once(key));
        let key = self.session.open(params.text_document, read.into_iter().next());
        if self.session.settings.have_findings() {
            self.invalidator().show_settings_findings();
        }
        DuplicateServers::open(&self.session, &key);
        self.publisher.schedule(&self.session, &key);
        if let Some(path) = key.path() {
            self.happened(path, Happened { elsewhere: true, ..Happened::default() });
        }
    }

    pub(super) fn change(&self, params: Changed) {
        let Changed { text_document: Versioned { uri, version }, content_changes } = params;
        let changed = self.session.change(&uri, version, content_changes);
        let Some((key, front)) = changed else { return };
        self.publisher.schedule(&self.session, &key);
        if let Some(path) = key.path() {
            self.happened(path, Happened { elsewhere: front, ..Happened::default() });
        }
    }

    fn close(&self, uri: &Uri) {
        let Some(open) = self.session.close(uri) else { return };
        self.session.duplicate_servers.close(&open.key);
        self.publisher.close(&self.session, &open.key, &open.uri);
        self.refresher.close(&open.key);
        self.tokens.forget(&open.key);
        if let Some(path) = open.key.path() {
            let (invalidator, path) = (self.invalidator(), path.to_owned());
            invalidator.changed(&path);
            invalidator.recheck(&self.publisher.content_readers(&path));
            pool::start(move || {
                invalidator.index.update(&invalidator.session, std::iter::once(&*path));
                let happened = Happened { elsewhere: true, ..Happened::default() };
                invalidator.compare(&[(path, happened)]);
                invalidator.show_settings_findings();
            });
        }
    }

    /// Reads folders in the background, and reports progress; `more` if the others have been read.
    fn start_index(&self, folders: Vec<PathBuf>, more: bool) -> impl Future<Output = ()> + use<> {
        let (client, session, index) =
            (self.client.clone(), Arc::clone(&self.session), Arc::clone(&self.index));
        let invalidator = self.invalidator();
        async move {
            let reading = Reading::new(Arc::clone(&session));
            tokio::spawn(Arc::clone(&reading).show(client));
            let runtime = tokio::runtime::Handle::current();
            // A separate thread: reading a workspace must not hold up the pool that answers
            // requests.
            let work = move || {
                let _runtime = runtime.enter();
                #[cfg(debug_assertions)]
                super::testing::before_reading();
                index.build(&session, &folders, &|count| reading.report(count));
                reading.end();
                invalidator.show_settings_findings();
                // Repeat answers that were given too early.
                let world = session.world_of(session.documents());
                let early = ide::workspace::complete(&world);
                index.finish();
                if early || more {
                    invalidator.recheck_all();
                }
            };
            if let Err(error) = std::thread::Builder::new().name("index".to_owned()).spawn(work) {
                tracing::error!("cannot read the workspace: {error}");
            }
        }
    }
}

impl LanguageServer for Backend {
    async fn initialize(&self, params: InitializeParams) -> Result<InitializeResult> {
        let raw = std::mem::take(&mut *self.raw_capabilities.lock());
        let mut client = capabilities::Client::read(&raw);
        let is_code = params
            .client_info
            .as_ref()
            .is_some_and(|info| info.name.starts_with("Visual Studio Code"));
        client.checks_prompts = is_code;
        client.ends_lines = params.client_info.as_ref().is_some_and(|info| info.name == "Neovim");
        client.suggest_command = is_code.then_some("editor.action.triggerSuggest");
        let folders: Vec<PathBuf> =
            match params.workspace_folders_initialize_params.workspace_folders {
                Some(WorkspaceFolders::WorkspaceFolderList(folders)) if !folders.is_empty() => {
                    folders.iter().filter_map(|folder| uri::to_path(&folder.uri.0)).collect()
                }
                #[allow(deprecated)]
                _ => {
                    let root = params.root_uri.as_ref().and_then(|root| uri::to_path(&root.0));
                    let path = match params.root_path {
                        Some(RootPath::String(path)) => Some(PathBuf::from(path)),
                        _ => None,
                    };
                    root.or(path.filter(|path| path.is_absolute())).into_iter().collect()
                }
            };
        let mut warns = false;
        if let Some(options) = params.initialization_options {
            warns = options.get("warnsOfTwins").and_then(Value::as_bool).unwrap_or_default();
            self.session.settings.set_options(options);
        }
        lifecycle::watch_client(params.process_id);
        self.session.duplicate_servers.initialize(
            params.process_id,
            client.shows_messages,
            &folders,
            warns,
        );
        let capabilities = capabilities::server(&client);
        self.session.initialize(client, folders);
        let server_info = ServerInfo {
            name: "agentmd".to_owned(),
            version: Some(env!("CARGO_PKG_VERSION").to_owned()),
        };
        Ok(InitializeResult { capabilities, server_info: Some(server_info) })
    }

    async fn initialized(&self, _: InitializedParams) {
        // Concurrently: none of these waits for another.
        tokio::spawn(super::unwatched::look(self.invalidator()));
        tokio::join!(
            self.start_index(self.session.folders(), false),
            self.register(),
            self.pull_settings()
        );
    }

    async fn shutdown(&self) -> Result<()> {
        self.session.shut_down();
        Ok(())
    }

    async fn did_close(&self, params: DidCloseTextDocumentParams) {
        self.close(&params.text_document.uri);
    }

    async fn did_save(&self, params: DidSaveTextDocumentParams) {
        // Clients without file watchers at least report files that they save.
        let uri = params.text_document.uri;
        if uri.0.ends_with(crate::config::FILE_NAME) {
            self.files_changed(&[FileEvent { uri, kind: FileChangeType::Changed }]);
        }
    }

    async fn did_change_configuration(&self, params: DidChangeConfigurationParams) {
        match params.settings {
            settings if settings.is_null() || self.session.client().configuration => {
                self.pull_settings().await
            }
            // The settings of all servers, with nothing for this one.
            Value::Object(all) if all.is_empty() => {
                self.apply_settings(Value::Null, self.session.settings.ask_editor());
            }
            settings => self.apply_settings(settings, self.session.settings.ask_editor()),
        }
    }

    async fn did_change_workspace_folders(&self, params: DidChangeWorkspaceFoldersParams) {
        let paths = |folders: Vec<WorkspaceFolder>| {
            folders.iter().filter_map(|folder| uri::to_path(&folder.uri.0)).collect::<Vec<_>>()
        };
        let (added, removed) = (paths(params.event.added), paths(params.event.removed));
        if added.is_empty() && removed.is_empty() {
            return;
        }
        self.session.change_folders(added.clone(), &removed);
        if !added.is_empty() {
            self.index.expect();
        }
        self.index.keep(&self.session);
        self.invalidator().show_settings_findings();
        self.recheck_all();
        if !added.is_empty() {
            self.start_index(added, true).await;
        }
    }

    async fn did_change_watched_files(&self, params: DidChangeWatchedFilesParams) {
        self.files_changed(&params.changes);
    }

    async fn references(&self, params: ReferenceParams) -> Result<Option<Vec<Location>>> {
        let (at, definitions) =
            (params.text_document_position_params, params.context.include_declaration);
        let answer =
            self.ask_workspace(&at.text_document, RECENT, move |snapshot, cancellation| {
                let found = snapshot.at(at.position, cancellation, |document, cx, offset| {
                    ide::references::references(document, cx, offset, definitions)
                });
                Some(convert::references(snapshot, &found))
            });
        answer.await
    }

    async fn prepare_call_hierarchy(
        &self,
        params: CallHierarchyPrepareParams,
    ) -> Result<Option<Vec<CallHierarchyItem>>> {
        let at = params.text_document_position_params;
        let answer = self.ask(&at.text_document, move |snapshot, cancellation| {
            let found = snapshot.at(at.position, cancellation, ide::call_hierarchy::prepare)?;
            convert::callables(snapshot, found)
        });
        answer.await
    }

    async fn incoming_calls(
        &self,
        params: CallHierarchyIncomingCallsParams,
    ) -> Result<Option<Vec<CallHierarchyIncomingCall>>> {
        self.callers(params.item).await
    }

    async fn outgoing_calls(
        &self,
        params: CallHierarchyOutgoingCallsParams,
    ) -> Result<Option<Vec<CallHierarchyOutgoingCall>>> {
        self.calls(params.item).await
    }

    async fn will_rename_files(&self, params: RenameFilesParams) -> Result<Option<WorkspaceEdit>> {
        self.files_to_be_renamed(params).await
    }

    async fn did_rename_files(&self, params: RenameFilesParams) {
        self.files_renamed(&params);
    }

    async fn prepare_rename(
        &self,
        at: TextDocumentPositionParams,
    ) -> Result<Option<PrepareRenameResult>> {
        let answer = self.ask(&at.text_document, move |snapshot, cancellation| {
            let found = snapshot.at(at.position, cancellation, ide::rename::prepare)?;
            Some(convert::renamable(snapshot, found))
        });
        self.recent(RECENT).await;
        answer.await
    }

    async fn rename(&self, params: RenameParams) -> Result<Option<WorkspaceEdit>> {
        let at = params.text_document_position_params;
        let now = Duration::ZERO;
        let answer = self.ask_workspace(&at.text_document, now, move |snapshot, cancellation| {
            let name = &params.new_name;
            let renamed = snapshot.at(at.position, cancellation, |document, cx, offset| {
                ide::rename::rename(document, cx, offset, name)
            });
            Some(match renamed {
                Ok(found) if !found.moves.is_empty() && !snapshot.client.renames_files => {
                    Err("this editor can't rename files in one step; rename the folder or the file"
                        .to_owned())
                }
                Ok(found) => {
                    let own = Some(snapshot);
                    workspace_edit::renaming(&snapshot.world, &snapshot.client, own, &found)
                        .ok_or_else(|| "files with this name can't be read".to_owned())
                }
                Err(message) => Err(message),
            })
        });
        match answer.await? {
            Some(Ok(edit)) => Ok(Some(edit)),
            Some(Err(message)) => Err(pool::refusal(message)),
            None => Ok(None),
        }
    }

    async fn linked_editing_range(
        &self,
        params: LinkedEditingRangeParams,
    ) -> Result<Option<LinkedEditingRanges>> {
        let at = params.text_document_position_params;
        let answer = self.ask(&at.text_document, move |snapshot, cancellation| {
            let found = snapshot.at(at.position, cancellation, ide::linked_editing::linked);
            convert::linked(snapshot, &found)
        });
        answer.await
    }

    async fn symbol(
        &self,
        params: WorkspaceSymbolParams,
    ) -> Result<Option<WorkspaceSymbolResponse>> {
        let (encoding, index) = (self.session.client().encoding, Arc::clone(&self.index));
        let recent = self.recent(RECENT);
        // A partial answer would look complete.
        index.wait().await;
        recent.await;
        let documents = self.session.documents();
        let found = pool::ask(move |_| index.search(&documents, encoding, &params.query));
        Ok(Some(WorkspaceSymbolResponse::WorkspaceSymbolList(found.await?)))
    }

    async fn selection_range(
        &self,
        params: SelectionRangeParams,
    ) -> Result<Option<Vec<SelectionRange>>> {
        let answer = self.ask(&params.text_document, move |snapshot, cancellation| {
            let at = |position: &Position| {
                let offset = snapshot.offset(*position);
                let spans = snapshot.with(&|| cancellation.is_cancelled(), |document, cx| {
                    ide::selection::selections(document, cx, offset)
                });
                convert::selection(snapshot, &spans)
            };
            Some(params.positions.iter().map(at).collect())
        });
        answer.await
    }

    async fn code_action_resolve(&self, action: CodeAction) -> Result<CodeAction> {
        self.resolve(action).await
    }

    async fn workspace_diagnostic(
        &self,
        params: WorkspaceDiagnosticParams,
    ) -> Result<WorkspaceDiagnosticReport> {
        self.workspace_reports(params).await
    }

    async fn execute_command(&self, params: ExecuteCommandParams) -> Result<Option<LspAny>> {
        self.command(params).await
    }
}
