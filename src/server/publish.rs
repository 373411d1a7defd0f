//! When diagnostics appear: a check starts at once and the newest version is checked next; nothing waits but documents
//! whose checks are slow, and nothing is published twice or late.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde::Serialize;
use tower_lsp::gen_lsp_types::{Diagnostic, Uri};

use super::convert;
use super::overlay::Asked;
use super::pool;
use super::session::{Session, Snapshot};
use super::uri::Key;
use crate::ide;

/// A check that takes longer than this makes the next one wait for a pause in typing.
const SLOW: Duration = Duration::from_millis(20);
const PAUSE: Duration = Duration::from_millis(100);

#[derive(Default)]
pub(super) struct Publisher {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    checks: HashMap<Key, Check>,
    /// Which documents looked at a path when they were checked last, and whether any of them at what is written there.
    readers: HashMap<PathBuf, HashMap<Key, bool>>,
}

#[derive(Default)]
struct Check {
    running: bool,
    again: bool,
    slow: bool,
    /// Version and content of what was published last.
    sent: Option<(i32, u64)>,
    asked: HashSet<Asked>,
}

/// Findings of one document, converted, with an identity that is equal when they are.
pub(super) struct Findings {
    pub items: Vec<Diagnostic>,
    pub id: u64,
}

#[derive(Serialize)]
struct Publication<'a> {
    uri: &'a Uri,
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<i32>,
    diagnostics: &'a [Diagnostic],
}

/// Checks the document of a snapshot.
pub(super) fn check(snapshot: &Snapshot, cancelled: &(dyn Fn() -> bool + Sync)) -> Findings {
    let found = snapshot.with(cancelled, ide::diagnostics::diagnostics);
    let items = convert::diagnostics(snapshot, &found);
    let mut hasher = DefaultHasher::new();
    // The written form is what the client sees: what is equal there is equal to it.
    serde_json::to_string(&items).unwrap_or_default().hash(&mut hasher);
    Findings { items, id: hasher.finish() }
}

impl Publisher {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Checks a document soon, and publishes what is found. For clients that pull, nothing happens.
    pub(super) fn schedule(self: &Arc<Self>, session: &Arc<Session>, key: &Key) {
        if session.client().pulls_diagnostics {
            return;
        }
        let mut state = self.state();
        let check = state.checks.entry(key.clone()).or_default();
        if std::mem::replace(&mut check.running, true) {
            check.again = true;
            return;
        }
        let slow = check.slow;
        drop(state);
        let (publisher, session, key) = (Arc::clone(self), Arc::clone(session), key.clone());
        let work = move || publisher.run(&session, &key);
        if slow {
            tokio::spawn(async move {
                tokio::time::sleep(PAUSE).await;
                pool::start(work);
            });
        } else {
            pool::start(work);
        }
    }

    /// Checks until there is no newer version.
    fn run(self: &Arc<Self>, session: &Arc<Session>, key: &Key) {
        loop {
            // Should the check panic, the document must not count as being checked for ever.
            let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| self.run_once(session, key)));
            let mut state = self.state();
            let Some(check) = state.checks.get_mut(key) else { return };
            if !std::mem::take(&mut check.again) {
                check.running = false;
                return;
            }
            if done.is_ok() && check.slow {
                check.running = false;
                drop(state);
                return self.schedule(session, key);
            }
        }
    }

    fn run_once(&self, session: &Session, key: &Key) {
        // Whatever came until now is in the snapshot: it needs no check of its own.
        if let Some(check) = self.state().checks.get_mut(key) {
            check.again = false;
        }
        let Some(snapshot) = session.snapshot_of(key) else { return };
        let started = Instant::now();
        let findings = check(&snapshot, &|| false);
        let slow = started.elapsed() >= SLOW;
        let version = snapshot.open.version;
        let uri = snapshot.open.uri.clone();
        let asked = snapshot.world.asked();
        let mut state = self.state();
        if !state.checks.contains_key(key) {
            return;
        }
        Self::note_readers(&mut state, key, asked);
        let Some(check) = state.checks.get_mut(key) else { return };
        check.slow = slow;
        // Not by its version: a document that was closed and opened again may have the same one.
        let current = session.documents().get(key).is_some_and(|open| Arc::ptr_eq(open, &snapshot.open));
        // Equal findings of a newer version are news: they say that nothing older holds any more.
        let news = check.sent != Some((version, findings.id));
        if current && news {
            check.sent = Some((version, findings.id));
            // Under the lock, so that two checks of one document cannot overtake each other on the way out.
            let publication = Publication { uri: &uri, version: Some(version), diagnostics: &findings.items };
            session.outgoing.notify("textDocument/publishDiagnostics", publication);
        }
    }

    fn note_readers(state: &mut State, key: &Key, asked: HashSet<Asked>) {
        let old = state.checks.get_mut(key).map(|check| std::mem::replace(&mut check.asked, asked.clone())).unwrap_or_default();
        if old == asked {
            return;
        }
        for Asked { path, .. } in old {
            if let Some(readers) = state.readers.get_mut(&path) {
                readers.remove(key);
                if readers.is_empty() {
                    state.readers.remove(&path);
                }
            }
        }
        for Asked { path, content } in asked {
            *state.readers.entry(path).or_default().entry(key.clone()).or_default() |= content;
        }
    }

    /// Remembers what a pulled check looked at, if the document is still open.
    pub(super) fn note(&self, session: &Session, key: &Key, asked: HashSet<Asked>) {
        let mut state = self.state();
        if session.documents().contains_key(key) {
            state.checks.entry(key.clone()).or_default();
            Self::note_readers(&mut state, key, asked);
        }
    }

    /// The open documents whose findings may depend on what is written at a path.
    pub(super) fn content_readers(&self, path: &Path) -> Vec<Key> {
        let state = self.state();
        state.readers.get(path).into_iter().flatten().filter(|(_, content)| **content).map(|(key, _)| key.clone()).collect()
    }

    /// The open documents whose findings may depend on a path in any way: on what is there, or on whether anything is.
    pub(super) fn readers(&self, path: &Path) -> Vec<Key> {
        let state = self.state();
        let folder = path.parent().and_then(|folder| state.readers.get(folder));
        state.readers.get(path).into_iter().chain(folder).flatten().map(|(key, _)| key.clone()).collect()
    }

    /// A closed document shows nothing any more.
    pub(super) fn close(&self, session: &Session, key: &Key, uri: &Uri) {
        let mut state = self.state();
        Self::note_readers(&mut state, key, HashSet::new());
        let shown = state.checks.remove(key).is_some_and(|check| check.sent.is_some());
        if shown && !session.client().pulls_diagnostics {
            session.outgoing.notify("textDocument/publishDiagnostics", Publication { uri, version: None, diagnostics: &[] });
        }
    }
}
