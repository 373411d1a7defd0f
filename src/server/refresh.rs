//! Lenses and hints that depend on other files: when one changes, the client is asked to refresh.
//! At most as often as a user could notice, and only if something visible depends on the file.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use parking_lot::{Mutex, MutexGuard};
use tower_lsp::Client;

use super::publish::is_overtaken;
use super::session::{Session, Snapshot};
use super::uri::Key;

/// How long to collect changes before telling the client.
const PAUSE: Duration = Duration::from_millis(120);

/// What a client shows of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Answer {
    Lenses,
    Hints,
    Review,
}

#[derive(Default)]
pub(super) struct Refresher {
    /// The dependencies of the answers that a client got for a document.
    rests: Mutex<HashMap<(Key, Answer), HashSet<PathBuf>>>,
    /// The number of refreshes since the last one was sent.
    waiting: AtomicUsize,
}

impl Refresher {
    fn rests(&self) -> MutexGuard<'_, HashMap<(Key, Answer), HashSet<PathBuf>>> {
        self.rests.lock()
    }

    /// Records the dependencies of an answer, unless the document has changed; `true` if some have
    /// changed since.
    pub(super) fn note(&self, session: &Session, snapshot: &Snapshot, answer: Answer) -> bool {
        let key = &snapshot.open.key;
        let asked = snapshot.world.take_asked();
        let paths: HashSet<PathBuf> = asked
            .iter()
            .map(|asked| &asked.path)
            .filter(|path| key.path() != Some(path))
            .cloned()
            .collect();
        session.unwatched.note(paths.iter().map(PathBuf::as_path));
        let mut rests = self.rests();
        if !session.is_current(&snapshot.open) {
            return false;
        }
        rests.insert((key.clone(), answer), paths);
        drop(rests);
        is_overtaken(session, snapshot, &asked)
    }

    /// Such an answer depends on nothing.
    pub(super) fn forget(&self, key: &Key, answer: Answer) {
        self.rests().remove(&(key.clone(), answer));
    }

    pub(super) fn close(&self, key: &Key) {
        self.rests().retain(|(other, _), _| other != key);
    }

    /// Whether something visible in the client depends on a path.
    pub(super) fn rests_on(&self, path: &Path) -> bool {
        self.rests().values().any(|paths| paths.contains(path))
    }

    /// Asks a client to refresh lenses and hints, soon, and once for all changes until then.
    pub(super) fn tell(self: &Arc<Self>, session: &Session, client: &Client) {
        let can = session.client();
        if !can.refreshes_lenses && !can.refreshes_inlays
            || self.waiting.fetch_add(1, Ordering::SeqCst) > 0
        {
            return;
        }
        let (refresher, client) = (Arc::clone(self), client.clone());
        tokio::spawn(async move {
            loop {
                tokio::time::sleep(PAUSE).await;
                let before = refresher.waiting.load(Ordering::SeqCst);
                if can.refreshes_lenses {
                    drop(client.code_lens_refresh().await);
                }
                if can.refreshes_inlays {
                    drop(client.inlay_hint_refresh().await);
                }
                if refresher
                    .waiting
                    .compare_exchange(before, 0, Ordering::SeqCst, Ordering::SeqCst)
                    .is_ok()
                {
                    return;
                }
            }
        });
    }

    /// Every path that something visible in the client depends on.
    pub(super) fn paths(&self) -> Vec<PathBuf> {
        self.rests().values().flatten().cloned().collect()
    }
}
