//! A client of the real program over real pipes. Every wait has a deadline, the server's requests
//! are answered at once, every message is checked, and a test ends with a clean shutdown or fails.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::io::{BufRead, BufReader, Read, Write};
use std::ops::Range as Span;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tower_lsp::gen_lsp_types::*;

use crate::fixture::{self, File};
use crate::profile;
use crate::text::{self, Encoding};

/// The limit for every wait. Only a hang takes this long, even on a busy machine.
pub const DEADLINE: Duration = Duration::from_secs(120);

/// The setup of a client.
pub struct Setup {
    pub files: Vec<File>,
    pub capabilities: Value,
    /// Names of workspace folders inside the temporary one; `None` if no folder is open.
    pub folders: Option<Vec<String>>,
    pub options: Value,
    pub settings: Value,
    pub process: Value,
    /// The client's name.
    pub name: Option<String>,
    pub environment: Vec<(String, String)>,
    /// The program that starts the server. If empty, the server is started directly.
    pub wrapper: Vec<String>,
    /// An existing folder to use; otherwise a new one is created.
    pub folder: Option<tempfile::TempDir>,
}

impl Setup {
    /// A client that uses push diagnostics, in a folder with the files of a fixture.
    pub fn new(files: &str) -> Self {
        Self {
            files: fixture::parse(files),
            capabilities: profile::push(),
            folders: Some(vec![String::new()]),
            options: Value::Null,
            settings: Value::Null,
            process: Value::Null,
            name: None,
            environment: Vec::new(),
            wrapper: Vec::new(),
            folder: None,
        }
    }

    pub fn capabilities(mut self, capabilities: Value) -> Self {
        self.capabilities = capabilities;
        self
    }

    pub fn pull(self) -> Self {
        self.capabilities(profile::pull())
    }

    pub fn folders(mut self, folders: &[&str]) -> Self {
        self.folders = Some(folders.iter().map(|name| (*name).to_owned()).collect());
        self
    }

    pub fn no_folder(mut self) -> Self {
        self.folders = None;
        self
    }

    pub fn settings(mut self, settings: Value) -> Self {
        self.settings = settings;
        self
    }

    pub fn options(mut self, options: Value) -> Self {
        self.options = options;
        self
    }

    pub fn environment(mut self, name: &str, value: impl Into<String>) -> Self {
        self.environment.push((name.to_owned(), value.into()));
        self
    }

    /// Starts the program without sending anything.
    pub fn spawn(self) -> Client {
        Client::spawn(self)
    }

    /// Starts a session: `initialize`, `initialized`.
    pub fn start(self) -> Client {
        let mut client = self.spawn();
        client.initialize();
        client
    }
}

#[derive(Debug, Clone, PartialEq, serde::Deserialize)]
pub struct RpcError {
    pub code: i64,
    pub message: String,
}

/// A request that was sent.
pub struct Pending<R> {
    pub id: i64,
    request: std::marker::PhantomData<R>,
}

#[derive(Debug, Clone)]
pub struct Heard {
    pub method: String,
    pub params: Value,
}

#[derive(Default)]
struct Document {
    version: i32,
    text: String,
    /// The text of every version, to check what the server sends about an older one.
    history: BTreeMap<i32, String>,
}

enum Event {
    Message(Value),
    Broken(String),
    /// Output of the server on standard error.
    Error(String),
}

pub struct Client {
    child: Child,
    input: Option<ChildStdin>,
    events: Receiver<Event>,
    stderr: String,
    held: Option<Vec<u8>>,
    next: i64,
    waiting: HashMap<i64, String>,
    answers: HashMap<i64, Result<Value, RpcError>>,
    /// Errors that answer none of our requests.
    pub refusals: Vec<RpcError>,
    /// Notifications that the test hasn't taken yet.
    pub heard: Vec<Heard>,
    /// Requests from the server.
    pub asked: Vec<Heard>,
    /// Answers to the server's requests, if they are kept back.
    unsaid: Option<Vec<Value>>,
    progress: HashMap<String, &'static str>,
    tokens: HashSet<String>,
    documents: HashMap<String, Document>,
    published: HashMap<String, PublishDiagnosticsParams>,
    setup: Setup,
    encoding: Encoding,
    pub server: ServerCapabilities,
    folder: tempfile::TempDir,
    ended: bool,
    /// The answer to `workspace/applyEdit`: whether the edit was applied.
    pub applies: bool,
    /// Whether the test makes analyses panic.
    pub panics_are_expected: bool,
}

impl Client {
    fn spawn(mut setup: Setup) -> Self {
        let folder =
            setup.folder.take().unwrap_or_else(|| tempfile::tempdir().expect("a temporary folder"));
        for file in &setup.files {
            let path = folder.path().join(&file.name);
            std::fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
            std::fs::write(path, &file.text).expect("a file");
        }
        let program = env!("CARGO_BIN_EXE_agentmd");
        let mut words = setup.wrapper.clone();
        words.extend([program.to_owned(), "server".to_owned()]);
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]).envs(setup.environment.iter().map(|(name, value)| {
            (name.as_str(), value.replace("{folder}", &folder.path().to_string_lossy()))
        }));
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let (stdout, mut errors) =
            (child.stdout.take().expect("stdout"), child.stderr.take().expect("stderr"));
        let (sender, events) = channel();
        let error_sender = sender.clone();
        std::thread::spawn(move || {
            let mut input = BufReader::new(stdout);
            loop {
                let event = match read_message(&mut input) {
                    Ok(Some(message)) => Event::Message(message),
                    Ok(None) => return,
                    Err(error) => Event::Broken(error),
                };
                if sender.send(event).is_err() {
                    return;
                }
            }
        });
        std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(count @ 1..) = errors.read(&mut buffer) {
                let text = String::from_utf8_lossy(&buffer[..count]).into_owned();
                if error_sender.send(Event::Error(text)).is_err() {
                    return;
                }
            }
        });
        let input = child.stdin.take();
        Self {
            child,
            input,
            events,
            stderr: String::new(),
            held: None,
            next: 0,
            waiting: HashMap::new(),
            answers: HashMap::new(),
            refusals: Vec::new(),
            heard: Vec::new(),
            asked: Vec::new(),
            unsaid: None,
            progress: HashMap::new(),
            tokens: HashSet::new(),
            documents: HashMap::new(),
            published: HashMap::new(),
            setup,
            encoding: Encoding::Utf16,
            server: ServerCapabilities::default(),
            folder,
            ended: false,
            applies: true,
            panics_are_expected: false,
        }
    }

    // ---- life

    pub fn initialize_params(&self) -> Value {
        let folders: Option<Vec<Value>> = self.setup.folders.as_ref().map(|names| {
            names.iter().map(|name| json!({ "uri": self.uri(name), "name": name })).collect()
        });
        let root = folders
            .as_ref()
            .and_then(|folders| folders.first())
            .map_or(Value::Null, |folder| folder["uri"].clone());
        let mut params = json!({ "processId": self.setup.process, "rootUri": root, "capabilities": self.setup.capabilities, "workspaceFolders": folders });
        if !self.setup.options.is_null() {
            params["initializationOptions"] = self.setup.options.clone();
        }
        if let Some(name) = &self.setup.name {
            params["clientInfo"] = json!({ "name": name });
        }
        params
    }

    pub fn initialize(&mut self) {
        let params = self.initialize_params();
        // Sent untyped: captured capabilities contain keys that the types don't know.
        let id = self.send_request("initialize", params);
        let answer: InitializeResult =
            serde_json::from_value(self.wait_for_answer(id).expect("initialize succeeds"))
                .expect("the result of initialize");
        let encoding = answer
            .capabilities
            .position_encoding
            .as_ref()
            .map(|kind| serde_json::to_value(kind).unwrap());
        self.encoding =
            Encoding::named(encoding.as_ref().and_then(Value::as_str).unwrap_or("utf-16"));
        self.server = answer.capabilities;
        self.notify::<InitializedNotification>(json!({}));
    }

    /// Sends `shutdown` and `exit`, and checks that the program ends as it should.
    pub fn shut_down(&mut self) {
        let unanswered: Vec<_> = self.waiting.values().cloned().collect();
        assert!(unanswered.is_empty(), "requests that the test did not wait for: {unanswered:?}");
        self.request::<ShutdownRequest>(Value::Null);
        self.notify::<ExitNotification>(Value::Null);
        assert_eq!(self.exit_code(), Some(0), "the exit code after shutdown");
    }

    /// Waits until the program has ended by itself.
    pub fn exit_code(&mut self) -> Option<i32> {
        self.ended = true;
        let end = Instant::now() + DEADLINE;
        while self.pump(end) {}
        // The stream has ended, so the process is about to, and this needs no deadline.
        let status = self.child.wait().expect("the program ends");
        status.code()
    }

    /// Closes the server's standard input.
    pub fn close_input(&mut self) {
        self.input = None;
    }

    pub fn kill_child(&mut self) {
        let _ = self.child.kill();
    }

    pub fn process(&self) -> u32 {
        self.child.id()
    }

    /// Everything the server has written to standard error so far.
    pub fn stderr(&self) -> &str {
        &self.stderr
    }

    /// How many analyses have reached the gate, according to the output read so far.
    pub fn begun(&self) -> usize {
        self.stderr.matches("agentmd-test-wait: waiting").count()
    }

    /// Waits until `count` analyses have reached the gate.
    pub fn wait_for_waiting(&mut self, count: usize) {
        self.wait_until("analyses that wait", |client| (client.begun() >= count).then_some(()));
    }

    fn check_the_end(&mut self) {
        if !self.ended {
            self.shut_down();
        }
        let stderr = self.stderr();
        assert!(
            self.panics_are_expected || !stderr.contains("panicked"),
            "the server panicked:\n{stderr}"
        );
        assert!(self.refusals.is_empty(), "messages were refused: {:?}", self.refusals);
        let unread: Vec<_> = self
            .heard
            .iter()
            .filter(|heard| {
                !matches!(heard.method.as_str(), "textDocument/publishDiagnostics" | "$/progress")
            })
            .collect();
        assert!(unread.is_empty(), "unexpected messages from the server: {unread:?}");
    }

    // ---- files and documents

    pub fn path(&self, name: &str) -> PathBuf {
        if name.is_empty() { self.folder.path().to_owned() } else { self.folder.path().join(name) }
    }

    /// The URI of a file in the folder. A complete URI is returned unchanged.
    pub fn uri(&self, name: &str) -> String {
        match name {
            name if name.contains(':') => name.to_owned(),
            "" if cfg!(windows) => agentmd::world::uri(self.folder.path()),
            name if cfg!(windows) => format!("{}/{name}", agentmd::world::uri(self.folder.path())),
            name => format!("file://{}", self.path(name).display()),
        }
    }

    /// The identifier of a document in parameters.
    pub fn document(&self, name: &str) -> Value {
        json!({ "uri": self.uri(name) })
    }

    pub fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    }

    pub fn file(&self, name: &str) -> &File {
        self.setup
            .files
            .iter()
            .find(|file| file.name == name)
            .unwrap_or_else(|| panic!("the fixture has no file {name}"))
    }

    /// Opens a file from the fixture.
    pub fn open(&mut self, name: &str) {
        let text = self.file(name).text.clone();
        self.open_with(name, &text);
    }

    pub fn open_with(&mut self, name: &str, text: &str) {
        let uri = self.uri(name);
        let version = self.documents.get(&uri).map_or(1, |document| document.version + 1);
        self.published.remove(&uri);
        let history = BTreeMap::from([(version, text.to_owned())]);
        self.documents.insert(uri.clone(), Document { version, text: text.to_owned(), history });
        self.notify::<DidOpenTextDocumentNotification>(
            json!({ "textDocument": { "uri": uri, "languageId": "markdown", "version": version, "text": text } }),
        );
    }

    pub fn close(&mut self, name: &str) {
        let uri = self.uri(name);
        self.documents.remove(&uri);
        self.published.remove(&uri);
        self.notify::<DidCloseTextDocumentNotification>(json!({ "textDocument": { "uri": uri } }));
    }

    pub fn text(&self, name: &str) -> &str {
        &self.documents[&self.uri(name)].text
    }

    pub fn version(&self, name: &str) -> i32 {
        self.documents[&self.uri(name)].version
    }

    /// Replaces bytes of an open document.
    pub fn edit(&mut self, name: &str, span: Span<usize>, new: &str) {
        let range = self.range(name, span.clone());
        let text = text::apply(self.text(name), vec![(span, new.to_owned())]);
        self.change(name, json!([{ "range": range, "text": new }]), text);
    }

    /// Replaces the whole text of an open document.
    pub fn replace(&mut self, name: &str, new: &str) {
        self.change(name, json!([{ "text": new }]), new.to_owned());
    }

    /// Sends changes that make the document `text`.
    pub fn change(&mut self, name: &str, changes: Value, text: String) {
        let uri = self.uri(name);
        let document = self.documents.get_mut(&uri).expect("an open document");
        document.version += 1;
        document.history.insert(document.version, text.clone());
        document.text = text;
        let version = document.version;
        self.notify::<DidChangeTextDocumentNotification>(json!({ "textDocument": { "uri": uri, "version": version }, "contentChanges": changes }));
    }

    /// Records that versions up to this one were sent without the client's own model.
    pub fn skip_to_version(&mut self, name: &str, version: i32) {
        let uri = self.uri(name);
        self.documents.get_mut(&uri).expect("an open document").version = version;
    }

    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    pub fn position(&self, name: &str, offset: usize) -> Position {
        text::position(self.text(name), offset, self.encoding)
    }

    pub fn range(&self, name: &str, span: Span<usize>) -> Range {
        text::range(self.text(name), span, self.encoding)
    }

    /// The characters of a range that the server sent.
    pub fn text_at(&self, name: &str, range: Range) -> &str {
        let text = self.text(name);
        &text[text::span(text, range, self.encoding)
            .unwrap_or_else(|error| panic!("{name}: {error}"))]
    }

    /// `textDocument` and `position` of the fixture's cursor.
    pub fn cursor(&self, name: &str) -> Value {
        self.at(name, self.file(name).cursors[0])
    }

    pub fn at(&self, name: &str, offset: usize) -> Value {
        json!({ "textDocument": self.document(name), "position": self.position(name, offset) })
    }

    /// The text of each document after a workspace edit, which must be for the open version.
    pub fn edited(&self, edit: &WorkspaceEdit) -> HashMap<String, String> {
        let mut all: Vec<(String, Vec<TextEdit>)> = Vec::new();
        for (uri, edits) in edit.changes.iter().flatten() {
            all.push((uri.0.clone(), edits.clone()));
        }
        for change in edit.document_changes.iter().flatten() {
            let DocumentChange::TextDocumentEdit(change) = change else {
                panic!("no edit of text: {change:?}")
            };
            let uri = change.text_document.text_document_identifier.uri.0.clone();
            assert_eq!(
                change.text_document.version,
                Some(self.documents[&uri].version),
                "the version that an edit is for"
            );
            let plain = change.edits.iter().map(|edit| match edit {
                Edit::TextEdit(edit) => edit.clone(),
                other => panic!("no plain edit: {other:?}"),
            });
            all.push((uri, plain.collect()));
        }
        let apply = |(uri, edits): (String, Vec<TextEdit>)| {
            let text = &self.documents[&uri].text;
            let edits = edits.into_iter().map(|edit| {
                (
                    text::span(text, edit.range, self.encoding).expect("a place in the text"),
                    edit.new_text,
                )
            });
            let after = text::apply(text, edits.collect());
            (uri, after)
        };
        all.into_iter().map(apply).collect()
    }

    // ---- sending

    pub fn raw(&mut self, bytes: &[u8]) {
        if let Some(held) = &mut self.held {
            return held.extend_from_slice(bytes);
        }
        let input = self.input.as_mut().expect("the input is open");
        // If the server is gone, the next wait notices.
        let _ = input.write_all(bytes).and_then(|()| input.flush());
    }

    pub fn send(&mut self, message: &Value) {
        self.raw(&frame(message));
    }

    /// Keeps back all messages from now on, until [`Client::release`] writes them in one piece.
    pub fn hold(&mut self) {
        self.held = Some(Vec::new());
    }

    pub fn release(&mut self) {
        let held = self.held.take().expect("messages were held");
        self.raw(&held);
    }

    /// Keeps back all answers to the server's requests, until [`Client::speak`] sends them.
    pub fn keep_silent(&mut self) {
        self.unsaid = Some(Vec::new());
    }

    pub fn speak(&mut self) {
        for answer in self.unsaid.take().expect("answers were kept back") {
            self.send(&answer);
        }
    }

    pub fn notify<N: Notification>(&mut self, params: Value) {
        if !params.is_null() {
            let typed = serde_json::from_value::<N::Params>(params.clone());
            typed.unwrap_or_else(|error| panic!("parameters of {}: {error}", N::METHOD));
        }
        let mut message = json!({ "jsonrpc": "2.0", "method": N::METHOD.to_string() });
        if !params.is_null() {
            message["params"] = params;
        }
        self.send(&message);
    }

    pub fn send_request(&mut self, method: &str, params: Value) -> i64 {
        self.next += 1;
        self.waiting.insert(self.next, method.to_owned());
        let mut message = json!({ "jsonrpc": "2.0", "id": self.next, "method": method });
        if !params.is_null() {
            message["params"] = params;
        }
        self.send(&message);
        self.next
    }

    /// Sends a request; its parameters are checked by their type.
    pub fn begin<R: Request>(&mut self, params: Value) -> Pending<R> {
        if !params.is_null() {
            let typed = serde_json::from_value::<R::Params>(params.clone());
            typed.unwrap_or_else(|error| panic!("parameters of {}: {error}", R::METHOD));
        }
        if let Some(token) = params.get("partialResultToken") {
            self.tokens.insert(token.to_string());
        }
        Pending {
            id: self.send_request(&R::METHOD.to_string(), params),
            request: std::marker::PhantomData,
        }
    }

    pub fn finish<R: Request>(&mut self, pending: Pending<R>) -> Result<R::Result, RpcError> {
        let answer = self.wait_for_answer(pending.id)?;
        Ok(serde_json::from_value(answer.clone())
            .unwrap_or_else(|error| panic!("the result of {}: {error}\n{answer}", R::METHOD)))
    }

    pub fn request<R: Request>(&mut self, params: Value) -> R::Result {
        let pending = self.begin::<R>(params);
        self.finish(pending).unwrap_or_else(|error| panic!("{}: {error:?}", R::METHOD))
    }

    /// Sends any request and returns the untyped answer.
    pub fn ask(&mut self, method: &str, params: Value) -> Result<Value, RpcError> {
        let id = self.send_request(method, params);
        self.wait_for_answer(id)
    }

    /// Waits until the server has read everything sent so far.
    pub fn sync(&mut self) {
        let answer = self.ask("agentmd/nothing", Value::Null);
        assert_eq!(answer.map_err(|error| error.code), Err(-32601));
    }

    pub fn cancel(&mut self, id: i64) {
        self.notify::<CancelNotification>(json!({ "id": id }));
    }

    /// Records that an answered ID was used again.
    pub fn expect_again(&mut self, id: i64) {
        self.waiting.insert(id, "a reused ID".to_owned());
    }

    // ---- waiting

    pub fn wait_for_answer(&mut self, id: i64) -> Result<Value, RpcError> {
        let end = Instant::now() + DEADLINE;
        loop {
            if let Some(answer) = self.answers.remove(&id) {
                return answer;
            }
            assert!(
                self.pump(end),
                "the server ended before it answered {}\n{}",
                self.waiting[&id],
                self.stderr()
            );
        }
    }

    /// Waits until `found` returns something.
    pub fn wait_until<T>(
        &mut self,
        what: &str,
        mut found: impl FnMut(&mut Self) -> Option<T>,
    ) -> T {
        let end = Instant::now() + DEADLINE;
        loop {
            if let Some(found) = found(self) {
                return found;
            }
            assert!(Instant::now() < end, "waited too long for {what}");
            assert!(self.pump(end), "the server ended before {what}\n{}", self.stderr());
        }
    }

    /// Waits for the first matching notification of this method, and takes it.
    pub fn take<N: Notification>(&mut self, fits: impl Fn(&N::Params) -> bool) -> N::Params {
        let method = N::METHOD.to_string();
        let read = |heard: &Heard| {
            (heard.method == method).then(|| {
                serde_json::from_value::<N::Params>(heard.params.clone()).expect("parameters")
            })
        };
        // Don't look at the same notification twice.
        let mut seen = 0;
        self.wait_until(&method, |client| {
            let new = client.heard.get(seen..).unwrap_or_default();
            let found =
                new.iter().position(|heard| read(heard).is_some_and(|params| fits(&params)));
            let Some(at) = found else {
                seen = client.heard.len();
                return None;
            };
            read(&client.heard.remove(seen + at))
        })
    }

    /// Waits for a request from the server.
    pub fn wait_for_question(&mut self, method: &str) -> Value {
        self.wait_until(method, |client| {
            let at = client.asked.iter().position(|asked| asked.method == method)?;
            Some(client.asked.remove(at).params)
        })
    }

    /// Waits until the workspace has been read.
    pub fn wait_for_index(&mut self) {
        // A search of the workspace waits for the index.
        let _ = self.ask("workspace/symbol", json!({ "query": "" }));
    }

    /// The progress of reading the workspace that was shown so far.
    pub fn shown_reading(&self) -> Vec<&'static str> {
        self.progress.values().copied().collect()
    }

    /// The findings for the current version of an open document, pushed or pulled.
    pub fn diagnostics(&mut self, name: &str) -> Vec<Diagnostic> {
        if self.server.diagnostic_provider.is_some() {
            let params = json!({ "textDocument": self.document(name) });
            return match self.request::<DocumentDiagnosticRequest>(params) {
                DocumentDiagnosticReport::RelatedFullDocumentDiagnosticReport(report) => {
                    report.full_document_diagnostic_report.items
                }
                other => panic!("no full report: {other:?}"),
            };
        }
        let (uri, version) = (self.uri(name), self.version(name));
        self.wait_until("diagnostics", |client| {
            client.published.get(&uri).filter(|last| last.version == Some(version)).cloned()
        })
        .diagnostics
    }

    /// The code and the marked text of each finding.
    pub fn findings(&mut self, name: &str) -> Vec<(String, String)> {
        let found = self.diagnostics(name);
        found
            .into_iter()
            .map(|diagnostic| (code(&diagnostic), self.text_at(name, diagnostic.range).to_owned()))
            .collect()
    }

    /// The codes of the findings.
    pub fn codes(&mut self, name: &str) -> Vec<String> {
        self.diagnostics(name).iter().map(code).collect()
    }

    /// Waits until the findings that are shown for a document satisfy `fits`.
    pub fn wait_for_findings(
        &mut self,
        name: &str,
        fits: impl Fn(&[Diagnostic]) -> bool,
    ) -> PublishDiagnosticsParams {
        let uri = self.uri(name);
        self.wait_until("findings", |client| {
            client.published.get(&uri).filter(|last| fits(&last.diagnostics)).cloned()
        })
    }

    /// Processes one message; false when the stream has ended.
    fn pump(&mut self, end: Instant) -> bool {
        match self.events.recv_timeout(end.saturating_duration_since(Instant::now())) {
            Ok(Event::Message(message)) => self.take_in(message),
            Ok(Event::Error(text)) => self.stderr.push_str(&text),
            Ok(Event::Broken(error)) => panic!("invalid message from the server: {error}"),
            Err(RecvTimeoutError::Timeout) => {
                panic!("waited too long; unanswered: {:?}\n{}", self.waiting, self.stderr())
            }
            Err(RecvTimeoutError::Disconnected) => return false,
        }
        true
    }

    fn take_in(&mut self, message: Value) {
        assert_eq!(message["jsonrpc"], "2.0", "{message}");
        match (message.get("method").and_then(Value::as_str), message.get("id")) {
            (Some(method), id) => {
                let heard = Heard {
                    method: method.to_owned(),
                    params: message.get("params").cloned().unwrap_or_default(),
                };
                match id {
                    Some(id) => self.answer(id, heard),
                    None => self.hear(heard),
                }
            }
            (None, Some(id)) => {
                assert!(
                    message.get("result").is_some() != message.get("error").is_some(),
                    "neither result nor error, or both: {message}"
                );
                let answer =
                    match message.get("error") {
                        Some(error) => Err(serde_json::from_value::<RpcError>(error.clone())
                            .expect("an error object")),
                        None => Ok(message["result"].clone()),
                    };
                match id.as_i64() {
                    Some(id) => {
                        assert!(
                            self.waiting.remove(&id).is_some(),
                            "unknown or already answered ID: {message}"
                        );
                        self.answers.insert(id, answer);
                    }
                    None => self.refusals.push(answer.expect_err("an error without a request")),
                }
            }
            (None, None) => panic!("neither a request nor an answer: {message}"),
        }
    }

    /// Answers a request from the server, which must not ask for what the client cannot do.
    fn answer(&mut self, id: &Value, asked: Heard) {
        let able = |pointer: &str| {
            self.setup.capabilities.pointer(pointer).is_some_and(|value| *value != json!(false))
        };
        let (allowed, result) = match asked.method.as_str() {
            "workspace/configuration" => {
                let items = asked.params["items"].as_array().expect("items");
                let values = items.iter().map(|item| {
                    if item["section"] == "agentmd" {
                        self.setup.settings.clone()
                    } else {
                        Value::Null
                    }
                });
                (able("/workspace/configuration"), Value::Array(values.collect()))
            }
            "client/registerCapability" => {
                let methods =
                    asked.params["registrations"].as_array().expect("registrations").iter();
                let able = methods
                    .map(|item| item["method"].as_str().expect("a method"))
                    .all(|method| able(&format!("/{method}/dynamicRegistration")));
                (able, Value::Null)
            }
            "window/workDoneProgress/create" => {
                self.progress.insert(asked.params["token"].to_string(), "created");
                (able("/window/workDoneProgress"), Value::Null)
            }
            "workspace/diagnostic/refresh" => {
                let either = able("/workspace/diagnostics/refreshSupport")
                    || able("/workspace/diagnostic/refreshSupport");
                (either, Value::Null)
            }
            "workspace/applyEdit" => {
                (able("/workspace/applyEdit"), json!({ "applied": self.applies }))
            }
            "workspace/codeLens/refresh" => {
                (able("/workspace/codeLens/refreshSupport"), Value::Null)
            }
            "workspace/inlayHint/refresh" => {
                (able("/workspace/inlayHint/refreshSupport"), Value::Null)
            }
            "window/showDocument" => {
                (able("/window/showDocument/support"), json!({ "success": true }))
            }
            other => panic!("the server asks for {other}"),
        };
        assert!(allowed, "the client cannot do this: {asked:?}");
        self.asked.push(asked);
        if self.input.is_none() {
            // The server asked before it noticed that its input was closed.
            return;
        }
        let answer = json!({ "jsonrpc": "2.0", "id": id, "result": result });
        if let Some(unsaid) = &mut self.unsaid {
            return unsaid.push(answer);
        }
        let held = self.held.take();
        self.send(&answer);
        self.held = held;
    }

    fn hear(&mut self, heard: Heard) {
        match heard.method.as_str() {
            "textDocument/publishDiagnostics" => self.check_publication(&heard),
            "$/progress" => self.check_progress(&heard.params),
            "window/showMessage" | "window/logMessage" => {}
            other => panic!("unknown notification: {other}"),
        }
        self.heard.push(heard);
    }

    fn check_publication(&mut self, heard: &Heard) {
        let said: PublishDiagnosticsParams =
            serde_json::from_value(heard.params.clone()).expect("a publication");
        assert!(
            self.server.diagnostic_provider.is_none(),
            "published to a client that pulls: {said:?}"
        );
        let Some(document) = self.documents.get(&said.uri.0) else {
            // The document was closed while this was on its way, or this clears its findings.
            return;
        };
        let Some(version) = said.version else {
            assert!(said.diagnostics.is_empty(), "findings without a version: {said:?}");
            return;
        };
        let Some(text) = document.history.get(&version) else {
            assert!(version <= document.version, "version {version} was never sent");
            return;
        };
        if let Some(before) = self.published.get(&said.uri.0).and_then(|before| before.version) {
            assert!(before <= version, "version {version} was published after {before}");
        }
        let lined = text::Lined::new(text, self.encoding);
        for diagnostic in &said.diagnostics {
            if let Err(error) = lined.span(diagnostic.range) {
                panic!("{}: {error} at version {version}: {diagnostic:?}", said.uri.0);
            }
        }
        self.published.insert(said.uri.0.clone(), said);
    }

    fn check_progress(&mut self, params: &Value) {
        let token = params["token"].to_string();
        if self.tokens.contains(&token) {
            return;
        }
        let kind = params["value"]["kind"].as_str().expect("a kind of progress");
        let state = self
            .progress
            .get_mut(&token)
            .unwrap_or_else(|| panic!("progress for an unknown token: {params}"));
        let next = match (*state, kind) {
            ("created", "begin") => "begun",
            ("begun", "report") => "begun",
            ("begun", "end") => "end",
            other => panic!("progress out of order: {other:?}"),
        };
        *state = next;
    }

    /// Sets the answer to `workspace/configuration` from now on.
    pub fn set_settings(&mut self, settings: Value) {
        self.setup.settings = settings;
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("--- the server's stderr:\n{}", self.stderr());
            let _ = self.child.kill();
            let _ = self.child.wait();
            return;
        }
        self.check_the_end();
    }
}

pub fn code(diagnostic: &Diagnostic) -> String {
    match &diagnostic.code {
        Some(Code::String(code)) => code.clone(),
        other => panic!("no code: {other:?}"),
    }
}

pub fn frame(message: &Value) -> Vec<u8> {
    let body = message.to_string();
    format!("Content-Length: {}\r\n\r\n{body}", body.len()).into_bytes()
}

/// Reads one message, exactly as the protocol specifies.
pub fn read_message(input: &mut impl BufRead) -> Result<Option<Value>, String> {
    let mut line = String::new();
    if input.read_line(&mut line).map_err(|error| error.to_string())? == 0 {
        return Ok(None);
    }
    let length = line
        .strip_prefix("Content-Length: ")
        .and_then(|rest| rest.strip_suffix("\r\n"))
        .and_then(|length| length.parse().ok());
    let length: usize = length.ok_or_else(|| format!("header {line:?}"))?;
    line.clear();
    input.read_line(&mut line).map_err(|error| error.to_string())?;
    if line != "\r\n" {
        return Err(format!("header {line:?}"));
    }
    let mut body = vec![0; length];
    input.read_exact(&mut body).map_err(|error| error.to_string())?;
    serde_json::from_slice(&body)
        .map(Some)
        .map_err(|error| format!("{error} in {}", String::from_utf8_lossy(&body)))
}

/// Whether a process is running.
pub fn is_alive(process: u32) -> bool {
    let stat = std::fs::read_to_string(Path::new("/proc").join(process.to_string()).join("stat"))
        .unwrap_or_default();
    stat.rsplit(')')
        .next()
        .is_some_and(|rest| !rest.trim().is_empty() && !rest.trim_start().starts_with('Z'))
}

/// The peak memory of a process in bytes; `None` on systems that don't report it.
pub fn peak_memory(process: u32) -> Option<u64> {
    memory_of(process, "VmHWM:")
}

/// A memory figure of a process in bytes, as the system reports it.
pub fn memory_of(process: u32, field: &str) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(field))?;
    Some(line.trim().trim_end_matches("kB").trim().parse::<u64>().ok()? * 1024)
}
