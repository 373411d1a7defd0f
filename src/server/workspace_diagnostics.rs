//! `workspace/diagnostic`: the findings of every file of the workspace, open or not. A file is only
//! checked again if it, or a file that its findings depend on, has changed.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

use serde_json::json;
use tower_lsp::gen_lsp_types::{
    FullDocumentDiagnosticReport, UnchangedDocumentDiagnosticReport, Uri,
    WorkspaceDiagnosticParams, WorkspaceDiagnosticReport, WorkspaceDocumentDiagnosticReport,
    WorkspaceFullDocumentDiagnosticReport, WorkspaceUnchangedDocumentDiagnosticReport,
};
use tower_lsp::jsonrpc::Result;

use super::backend::{Backend, RECENT};
use super::overlay::{Asked, What};
use super::pool;
use super::publish::{self, Findings};
use super::session::{Open, Session, Snapshot};
use super::uri::{self, Key};
use crate::cache::{Cache, Limit};
use crate::document::Document;
use crate::ide;
use crate::world;

/// The number of files to check before sending partial results.
const BATCH: usize = 64;

pub(super) struct ClosedFiles {
    known: Cache<PathBuf, Known>,
    /// Incremented whenever everything known becomes outdated.
    generation: AtomicU64,
}

/// The findings in a file that isn't open, and the state of every file that they depend on.
#[derive(Debug, Clone)]
struct Known {
    /// The generation of all closed files when the settings were read.
    settings: u64,
    stamps: Vec<(PathBuf, Stamp)>,
    /// Its dependencies, each with the file's state when it was read; an open file has none.
    parts: Vec<(Asked, Option<Stamp>)>,
    /// The state of what spans files.
    generation: u64,
    id: u64,
    clean: bool,
}

impl Known {
    fn cost(&self) -> u64 {
        let each = size_of::<(Asked, Option<Stamp>)>() as u64;
        let paths = self.stamps.iter().map(|(path, _)| path);
        let paths = paths.chain(self.parts.iter().map(|(asked, _)| &asked.path));
        paths.map(|path| each + path.as_os_str().len() as u64).sum()
    }
}

type Stamp = Option<(Option<SystemTime>, u64)>;

fn stamp(path: &Path) -> Stamp {
    std::fs::metadata(path).ok().map(|metadata| (metadata.modified().ok(), metadata.len()))
}

impl Backend {
    pub(super) async fn workspace_reports(
        &self,
        params: WorkspaceDiagnosticParams,
    ) -> Result<WorkspaceDiagnosticReport> {
        let recent = self.recent(RECENT);
        self.index.wait().await;
        recent.await;
        let mut previous: HashMap<Key, String> = params
            .previous_result_ids
            .into_iter()
            .map(|item| (Key::new(&item.uri), item.value))
            .collect();
        let mut keys: Vec<Key> = self.index.paths().into_iter().map(Key::File).collect();
        let known: std::collections::HashSet<Key> = keys.iter().cloned().collect();
        keys.extend(self.session.documents().keys().filter(|key| !known.contains(key)).cloned());
        let open = self.session.documents();
        let is_gone = move |key: &Key| !known.contains(key) && !open.contains_key(key);
        // Clears the diagnostics of files that are deleted, or don't belong to the workspace any more.
        keys.extend(previous.keys().filter(|key| is_gone(key)).cloned());
        let is_gone = Arc::new(is_gone);
        let token = params.partial_result_params.partial_result_token;
        let mut items = Vec::new();
        for batch in keys.chunks(BATCH) {
            let wanted: Vec<(Key, Option<String>)> =
                batch.iter().map(|key| (key.clone(), previous.remove(key))).collect();
            let (session, closed) = (Arc::clone(&self.session), Arc::clone(&self.closed_files));
            let is_gone = Arc::clone(&is_gone);
            let reports = pool::ask(move |cancellation| {
                let live = |_: &&(Key, Option<String>)| !cancellation.is_cancelled();
                wanted
                    .iter()
                    .take_while(live)
                    .filter_map(|(key, previous)| {
                        if is_gone(key) {
                            let uri = uri::from_path(key.path()?);
                            let nothing = Findings::new(Vec::new());
                            return Some(answer(uri, None, previous.as_deref(), nothing));
                        }
                        report(&session, &closed, key, previous.as_deref(), &|| {
                            cancellation.is_cancelled()
                        })
                    })
                    .collect::<Vec<_>>()
            });
            let reports = reports.await?;
            match &token {
                Some(token) if !reports.is_empty() => {
                    self.session.outgoing.notify(
                        "$/progress",
                        json!({ "token": token, "value": { "items": reports } }),
                    );
                }
                _ => items.extend(reports),
            }
        }
        Ok(WorkspaceDiagnosticReport { items })
    }
}

/// The report of one file; `None` if it has no findings and had none before.
fn report(
    session: &Session,
    closed: &ClosedFiles,
    key: &Key,
    previous: Option<&str>,
    cancelled: &(dyn Fn() -> bool + Sync),
) -> Option<WorkspaceDocumentDiagnosticReport> {
    if let Some(snapshot) = session.snapshot_of(key) {
        let (uri, version) = (snapshot.open.uri.clone(), Some(snapshot.open.version));
        return Some(answer(uri, version, previous, publish::check(&snapshot, cancelled)));
    }
    let path = key.path()?;
    let uri = uri::from_path(path);
    if let Some(known) = closed.get(path, session) {
        let same = previous == Some(&result_id(known.id));
        if same {
            return Some(unchanged(uri, None, result_id(known.id)));
        }
        if known.clean && previous.is_none() {
            return None;
        }
    }
    let findings = closed.check(session, key, path, cancelled);
    if findings.items.is_empty() && previous.is_none() {
        return None;
    }
    Some(answer(uri, None, previous, findings))
}

impl ClosedFiles {
    pub(super) fn new(limit: &Limit) -> Self {
        Self { known: Cache::new(limit), generation: AtomicU64::default() }
    }

    /// The known findings of a file, if nothing that they depend on has changed. Open buffers have
    /// no stamp: findings that depend on a whole buffer are found again each time, those that
    /// depend on a part of one if that part has changed.
    fn get(&self, path: &Path, session: &Session) -> Option<Known> {
        let known = self.known.get(path)?;
        if known.settings != self.generation.load(Ordering::SeqCst) {
            return None;
        }
        let open = session.documents();
        let same = |path: &PathBuf, old: &Stamp| {
            !open.contains_key(&Key::File(path.clone())) && stamp(path) == *old
        };
        if !known.stamps.iter().all(|(path, old)| same(path, old)) {
            return None;
        }
        let world = session.world_of(Arc::clone(&open));
        let steady = ide::workspace::generation(&world) == known.generation;
        let holds = |(asked, old): &(Asked, Option<Stamp>)| match asked.what {
            What::Part(aspect, _) if aspect.spans_files => steady || world.holds(asked),
            _ => old.as_ref().is_some_and(|old| same(&asked.path, old)) || world.holds(asked),
        };
        known.parts.iter().all(holds).then_some(known)
    }

    fn check(
        &self,
        session: &Session,
        key: &Key,
        path: &Path,
        cancelled: &(dyn Fn() -> bool + Sync),
    ) -> Findings {
        let disk_events = session.disk_events.count();
        let settings = self.generation.load(Ordering::SeqCst);
        let before = stamp(path);
        #[cfg(debug_assertions)]
        super::testing::before_file(path);
        let Ok(text) = world::read_text(path) else { return Findings::new(Vec::new()) };
        let config = session.settings.config_for(Some(path), &session.outgoing);
        let document = Document::new(&text, Some(path), &config);
        let open = Open::closed(key, path, document, config);
        let documents = session.documents();
        let world = session.world_of(Arc::clone(&documents));
        let client = session.client();
        let snapshot = Snapshot { open: Arc::new(open), world, client, disk_events };
        let generation = ide::workspace::generation(&snapshot.world);
        let findings = publish::check(&snapshot, cancelled);
        let asked = snapshot.world.take_asked();
        let overtaken = publish::is_overtaken(session, &snapshot, &asked);
        let (parts, whole): (Vec<Asked>, Vec<Asked>) = asked
            .into_iter()
            .partition(|asked| matches!(asked.what, What::Part(..) | What::Kind(_)));
        let steady =
            !whole.iter().any(|asked| documents.contains_key(&Key::File(asked.path.clone())));
        // A cancelled check may have seen only half of the file.
        if steady && !overtaken && !cancelled() {
            let mut stamps: Vec<(PathBuf, Stamp)> =
                whole.into_iter().map(|asked| (asked.path.clone(), stamp(&asked.path))).collect();
            stamps.push((path.to_owned(), before));
            let closed = |asked: &Asked| {
                (!documents.contains_key(&Key::File(asked.path.clone())))
                    .then(|| stamp(&asked.path))
            };
            let parts = parts
                .into_iter()
                .map(|asked| (closed(&asked), asked))
                .map(|(stamp, asked)| (asked, stamp))
                .collect();
            let known = Known {
                settings,
                stamps,
                parts,
                generation,
                id: findings.id,
                clean: findings.items.is_empty(),
            };
            let cost = known.cost();
            self.known.insert(path.to_owned(), known, cost);
        }
        findings
    }

    /// Settings changed: forget everything.
    pub(super) fn forget(&self) {
        // A check that is running still has the old ones.
        self.generation.fetch_add(1, Ordering::SeqCst);
        self.known.clear();
    }
}

pub(super) fn result_id(id: u64) -> String {
    format!("{id:016x}")
}

fn answer(
    uri: Uri,
    version: Option<i32>,
    previous: Option<&str>,
    findings: Findings,
) -> WorkspaceDocumentDiagnosticReport {
    let id = result_id(findings.id);
    if previous == Some(&id) {
        return unchanged(uri, version, id);
    }
    let report = FullDocumentDiagnosticReport { result_id: Some(id), items: findings.items };
    WorkspaceDocumentDiagnosticReport::WorkspaceFullDocumentDiagnosticReport(
        WorkspaceFullDocumentDiagnosticReport {
            uri,
            version,
            full_document_diagnostic_report: report,
        },
    )
}

fn unchanged(uri: Uri, version: Option<i32>, id: String) -> WorkspaceDocumentDiagnosticReport {
    let report = UnchangedDocumentDiagnosticReport { result_id: id };
    WorkspaceDocumentDiagnosticReport::WorkspaceUnchangedDocumentDiagnosticReport(
        WorkspaceUnchangedDocumentDiagnosticReport {
            uri,
            version,
            unchanged_document_diagnostic_report: report,
        },
    )
}
