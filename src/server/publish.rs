//! Schedules diagnostics: a check starts immediately, followed by one for the newest version; only
//! documents with slow checks are delayed, and nothing is published twice or late.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::{Mutex, MutexGuard};
use tower_lsp::gen_lsp_types::{Diagnostic, Uri};

use super::convert;
use super::overlay::{Asked, AskedSet, What};
use super::pool;
use super::session::{Session, Snapshot};
use super::uri::Key;
use super::written::{Written, written_item};
use crate::format::agent;
use crate::ide;
use crate::ide::diagnostics::Shown;

/// If a check takes longer than this, the next one waits for a pause in typing.
const SLOW: Duration = Duration::from_millis(20);
const PAUSE: Duration = Duration::from_millis(100);

#[derive(Default)]
pub(super) struct Publisher {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    checks: HashMap<Key, Check>,
    /// The ID of the newest check.
    last_id: u64,
    /// The documents whose last check read a path, and the aspect that it read.
    readers: HashMap<PathBuf, HashSet<(Key, What)>>,
    /// The documents that depend on an aspect that any file can change.
    on_any_file: HashSet<Key>,
    /// Paths being compared with the state that their readers saw.
    compared: HashSet<PathBuf>,
}

/// The kind of change at a path.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Happened {
    /// It was created or deleted.
    pub in_folder: bool,
    /// Aspects of other files may have changed.
    pub elsewhere: bool,
}

#[derive(Default)]
struct Check {
    /// Distinguishes the check of a reopened document from the one before it was closed.
    id: u64,
    running: bool,
    again: bool,
    slow: bool,
    /// The version and content of the last publication.
    sent: Option<(i32, u64)>,
    asked: AskedSet,
}

impl State {
    fn entry(&mut self, key: &Key) -> &mut Check {
        let last_id = &mut self.last_id;
        self.checks.entry(key.clone()).or_insert_with(|| {
            *last_id += 1;
            Check { id: *last_id, ..Check::default() }
        })
    }

    /// `None` if the document was closed, even if it is open again.
    fn check(&mut self, key: &Key, id: u64) -> Option<&mut Check> {
        self.checks.get_mut(key).filter(|check| check.id == id)
    }

    /// Adds the aspects that a change at a path may change, with the documents that depend on them.
    fn add_readers(
        &self,
        path: &Path,
        happened: Happened,
        asked: &mut HashMap<Asked, HashSet<Key>>,
    ) {
        let mut add = |path: &Path, matters: &dyn Fn(What) -> bool| {
            let readers = self.readers.get(path).into_iter().flatten();
            for (key, what) in readers.filter(|(_, what)| matters(*what)) {
                let one = Asked { path: path.to_owned(), what: *what };
                asked.entry(one).or_default().insert(key.clone());
            }
        };
        add(path, &|what| what != What::Listed || happened.in_folder);
        if let Some(folder) = path.parent().filter(|_| happened.in_folder) {
            add(folder, &|what| what == What::Listed);
        }
        // The first file in a missing folder creates the folder.
        path.ancestors().skip(1).for_each(|folder| add(folder, &|what| what == What::Kind(None)));
    }

    /// Whether a check has found no file or folder at a path.
    fn is_missing(&self, path: &Path) -> bool {
        let mut readers = self.readers.get(path).into_iter().flatten();
        readers.any(|(_, what)| *what == What::Kind(None))
    }
}

/// Findings of one document, converted, with an identity for comparison.
pub(super) struct Findings {
    pub items: Vec<Diagnostic>,
    pub id: u64,
}

impl Findings {
    pub(super) fn new(items: Vec<Diagnostic>) -> Self {
        let mut written = Written::default();
        items.iter().for_each(|item| written.add(&written_item(item)));
        Self { items, id: written.id }
    }
}

/// Checks the document of a snapshot.
pub(super) fn check(snapshot: &Snapshot, cancelled: &(dyn Fn() -> bool + Sync)) -> Findings {
    let shown = shown(snapshot, cancelled);
    let mut items = convert::diagnostics(snapshot, &shown.list());
    items.extend(shown.rest.map(|rest| convert::rest(snapshot, &rest)));
    Findings::new(items)
}

/// The same in the client's form.
pub(super) fn check_written(snapshot: &Snapshot, cancelled: &(dyn Fn() -> bool + Sync)) -> Written {
    Written::new(snapshot, &shown(snapshot, cancelled))
}

fn shown(snapshot: &Snapshot, cancelled: &(dyn Fn() -> bool + Sync)) -> Shown {
    let most = snapshot.open.config.options().max_findings;
    snapshot.world.look_once_with(snapshot.open.recent.answers(snapshot.disk_events));
    snapshot.with(cancelled, |document, cx| {
        if !snapshot.client.checks_prompts {
            return ide::diagnostics::shown(document, cx, most);
        }
        let mut found = ide::diagnostics::diagnostics(document, cx);
        agent::editor::leave_out(cx, &mut found);
        let rest = if most == 0 { None } else { ide::diagnostics::limit(&mut found, most) };
        Shown { rest, ..Shown::of(found) }
    })
}

/// Whether a dependency of a check changed while it ran, before the need to repeat it could be
/// known.
pub(super) fn is_overtaken(session: &Session, snapshot: &Snapshot, asked: &AskedSet) -> bool {
    let (before, now) = (snapshot.world.documents(), session.documents());
    let touched = session.disk_events.since(snapshot.disk_events);
    if Arc::ptr_eq(before, &now) && touched.as_ref().is_some_and(Vec::is_empty) {
        return false;
    }
    // The client decides what an open document contains.
    let is_open = |key: &Key| before.contains_key(key) && now.contains_key(key);
    let is_touched = |asked: &Asked| match &touched {
        Some(touched) if touched.is_empty() => false,
        _ if is_open(&Key::File(asked.path.clone())) => false,
        Some(touched) => touched.iter().any(|path| asked.may_change_with(path)),
        None => true,
    };
    let same = |path: &Path| {
        let key = Key::File(path.to_owned());
        match (before.get(&key), now.get(&key)) {
            (Some(before), Some(now)) => Arc::ptr_eq(before, now),
            (None, None) => true,
            _ => false,
        }
    };
    let world = session.world_of(now.clone());
    // A new document may be in a folder that was missing.
    let is_more = now.keys().any(|key| !before.contains_key(key));
    let suspect = |asked: &&Asked| {
        asked.what.spans_files()
            || is_more && asked.what == What::Kind(None)
            || !same(&asked.path)
            || is_touched(asked)
    };
    asked.iter().filter(suspect).any(|asked| !world.holds(asked))
}

impl Publisher {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock()
    }

    /// Checks a document soon, and publishes the findings. For clients that pull, does nothing.
    pub(super) fn schedule(self: &Arc<Self>, session: &Arc<Session>, key: &Key) {
        if session.client().pulls_diagnostics {
            return;
        }
        let mut state = self.state();
        let check = state.entry(key);
        if std::mem::replace(&mut check.running, true) {
            check.again = true;
            return;
        }
        let (slow, id) = (check.slow, check.id);
        drop(state);
        let (publisher, session, key) = (Arc::clone(self), Arc::clone(session), key.clone());
        let work = move || publisher.run(&session, &key, id);
        if slow {
            tokio::spawn(async move {
                tokio::time::sleep(PAUSE).await;
                pool::start(work);
            });
        } else {
            pool::hand_in(work);
        }
    }

    /// Checks until the newest version has been checked.
    fn run(self: &Arc<Self>, session: &Arc<Session>, key: &Key, id: u64) {
        loop {
            // If the check panics, the document must not count as being checked forever.
            let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                self.run_once(session, key, id)
            }));
            let mut state = self.state();
            let Some(check) = state.check(key, id) else { return };
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

    fn run_once(&self, session: &Session, key: &Key, id: u64) {
        // The snapshot contains all changes so far: they need no further check.
        match self.state().check(key, id) {
            Some(check) => check.again = false,
            None => return,
        }
        let Some(snapshot) = session.snapshot_of(key) else { return };
        let started = Instant::now();
        let findings = check_written(&snapshot, &|| false);
        let slow = started.elapsed() >= SLOW;
        let version = snapshot.open.version;
        let uri = snapshot.open.uri.clone();
        let asked = snapshot.world.take_asked();
        let mut state = self.state();
        if state.check(key, id).is_none() {
            return;
        }
        Self::note_readers(&mut state, key, &asked);
        drop(state);
        session.unwatched.note(asked.iter().map(|asked| asked.path.as_path()));
        let overtaken = is_overtaken(session, &snapshot, &asked);
        let mut state = self.state();
        let Some(check) = state.check(key, id) else { return };
        check.slow = slow;
        check.again |= overtaken;
        // Not by its version: a document that was closed and reopened may have the same one.
        let current = session.is_current(&snapshot.open);
        // Equal findings of a newer version are published too: they show that older ones are
        // obsolete.
        let news = check.sent != Some((version, findings.id));
        if current && news {
            check.sent = Some((version, findings.id));
            // Queued under the lock, so that two checks of a document can't overtake each other when
            // publishing.
            session.outgoing.queue(findings.publication(&uri, Some(version)));
            drop(state);
            session.outgoing.write();
        }
    }

    fn note_readers(state: &mut State, key: &Key, asked: &AskedSet) {
        let check = state.checks.get_mut(key).filter(|check| check.asked != *asked);
        let Some(check) = check else { return };
        let old = std::mem::replace(&mut check.asked, asked.clone());
        for Asked { path, what } in old {
            if let Some(readers) = state.readers.get_mut(&path) {
                readers.remove(&(key.clone(), what));
                if readers.is_empty() {
                    state.readers.remove(&path);
                }
            }
        }
        state.on_any_file.remove(key);
        for Asked { path, what } in asked {
            if what.spans_files() {
                state.on_any_file.insert(key.clone());
            }
            state.readers.entry(path.clone()).or_default().insert((key.clone(), *what));
        }
    }

    /// Records the dependencies of a pulled check, unless the document has changed; `true` if some
    /// have changed since.
    pub(super) fn note(&self, session: &Session, snapshot: &Snapshot) -> bool {
        let (key, asked) = (&snapshot.open.key, snapshot.world.take_asked());
        // Even of a former version: the next check shares the answers.
        session.unwatched.note(asked.iter().map(|asked| asked.path.as_path()));
        let mut state = self.state();
        if !session.is_current(&snapshot.open) {
            return false;
        }
        state.entry(key);
        Self::note_readers(&mut state, key, &asked);
        drop(state);
        is_overtaken(session, snapshot, &asked)
    }

    /// Every path that findings may depend on.
    pub(super) fn paths(&self) -> Vec<PathBuf> {
        self.state().readers.keys().cloned().collect()
    }

    /// The open documents whose findings may depend on the content at a path.
    pub(super) fn content_readers(&self, path: &Path) -> Vec<Key> {
        let state = self.state();
        state
            .readers
            .get(path)
            .into_iter()
            .flatten()
            .filter(|(_, what)| *what == What::Content)
            .map(|(key, _)| key.clone())
            .collect()
    }

    /// Whether findings of other documents may depend on only a part of the content at a path, so that it
    /// has to be compared. A comparison in progress isn't repeated.
    pub(super) fn begin_to_compare(&self, path: &Path, elsewhere: bool) -> bool {
        let mut state = self.state();
        // A change of a document causes a check of it anyway.
        let is_part_for_another =
            |(key, what): &(Key, What)| *what != What::Content && key.path() != Some(path);
        let parts =
            state.readers.get(path).is_some_and(|readers| readers.iter().any(is_part_for_another));
        let missing = || path.ancestors().skip(1).any(|folder| state.is_missing(folder));
        (parts || elsewhere && !state.on_any_file.is_empty() || missing())
            && state.compared.insert(path.to_owned())
    }

    /// The open documents with a changed dependency, after changes at some paths.
    pub(super) fn outdated(&self, session: &Session, changes: &[(PathBuf, Happened)]) -> Vec<Key> {
        // Many documents depend on the same.
        let mut asked: HashMap<Asked, HashSet<Key>> = HashMap::new();
        {
            let mut state = self.state();
            for (path, _) in changes {
                state.compared.remove(path);
            }
            for (path, happened) in changes {
                state.add_readers(path, *happened, &mut asked);
            }
            if changes.iter().any(|(_, happened)| happened.elsewhere) {
                for key in &state.on_any_file {
                    let own = state.checks.get(key).into_iter().flat_map(|check| &check.asked);
                    for own in own.filter(|asked| asked.what.spans_files()) {
                        asked.entry(own.clone()).or_default().insert(key.clone());
                    }
                }
            }
        }
        let world = session.world_of(session.documents());
        let changed = asked.into_iter().filter(|(asked, _)| !world.holds(asked));
        let mut keys: Vec<Key> = changed.flat_map(|(_, keys)| keys).collect();
        keys.sort();
        keys.dedup();
        keys
    }

    /// A closed document has no diagnostics.
    pub(super) fn close(&self, session: &Session, key: &Key, uri: &Uri) {
        let mut state = self.state();
        Self::note_readers(&mut state, key, &AskedSet::default());
        let shown = state.checks.remove(key).is_some_and(|check| check.sent.is_some());
        if shown && !session.client().pulls_diagnostics {
            session.outgoing.notify_written(Written::default().publication(uri, None));
        }
    }
}
