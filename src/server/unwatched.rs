//! Files that answers depend on and that no client may report: clients are asked to watch Markdown,
//! and some watch nothing; none watches the folders above its workspace, where settings may be.
//! These files are polled.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use parking_lot::{Mutex, MutexGuard};
use rustc_hash::{FxHashMap, FxHashSet};

use super::pool;
use super::publish::Happened;
use super::unsaved::{Stamp, stamp};
use super::uri::Key;
use super::watch::Invalidator;

/// The polling interval.
const PAUSE: Duration = Duration::from_secs(1);
/// The limit of files per poll; more files take turns.
const MOST: usize = 512;

/// The state of files at the last poll.
#[derive(Debug, Default)]
pub(super) struct Unwatched(Mutex<Seen>);

#[derive(Debug, Default)]
struct Seen {
    stamps: FxHashMap<PathBuf, Option<Stamp>>,
    /// The files recorded since then.
    new: FxHashSet<PathBuf>,
    /// Where the next poll continues.
    next: Option<PathBuf>,
}

impl Unwatched {
    /// Records a file's state when an answer starts to depend on it.
    pub(super) fn note<'a>(&self, paths: impl Iterator<Item = &'a Path>) {
        let seen = self.seen();
        let new: Vec<&Path> = paths.filter(|path| !seen.stamps.contains_key(*path)).collect();
        drop(seen);
        for path in new {
            // Not under the lock: the file system may take its time.
            let now = stamp(path);
            let mut seen = self.seen();
            seen.stamps.entry(path.to_owned()).or_insert(now);
            seen.new.insert(path.to_owned());
        }
    }

    /// Forgets all states; they count from the next record.
    pub(super) fn forget(&self) {
        *self.seen() = Seen::default();
    }

    /// The files of these that have changed since the last poll; all others are forgotten, unless they
    /// are new: an answer may have begun to depend on them after `paths` were collected.
    pub(super) fn changed(&self, paths: &BTreeSet<PathBuf>) -> Vec<PathBuf> {
        let mut seen = self.seen();
        let new = std::mem::take(&mut seen.new);
        seen.stamps.retain(|path, _| paths.contains(path) || new.contains(path));
        let next = seen.next.take().unwrap_or_default();
        let mut turns = paths.range(next.clone()..).chain(paths.range(..next));
        let turn: Vec<&PathBuf> = turns.by_ref().take(MOST).collect();
        seen.next = turns.next().cloned();
        drop(seen);
        let now: Vec<_> = turn.into_iter().map(|path| (path, stamp(path))).collect();
        let mut seen = self.seen();
        let changed = now.into_iter().filter(|(path, now)| {
            seen.stamps.insert((*path).clone(), *now).is_some_and(|before| before != *now)
        });
        changed.map(|(path, _)| path.clone()).collect()
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.0.lock()
    }
}

/// Polls the dependencies of answers until the server is shut down.
pub(super) async fn look(invalidator: Arc<Invalidator>) {
    loop {
        tokio::time::sleep(PAUSE).await;
        if invalidator.session.is_shut_down() {
            return;
        }
        let mut paths = invalidator.rests();
        let open = invalidator.session.documents();
        paths.retain(|path| !open.contains_key(&Key::File(path.clone())));
        let folders: BTreeSet<PathBuf> =
            open.keys().filter_map(|key| Some(key.path()?.parent()?.to_owned())).collect();
        let invalidator = Arc::clone(&invalidator);
        // If files are slow, polls don't overlap.
        let looked = pool::ask(move |_| {
            if invalidator.session.settings.have_changed(&folders) {
                invalidator.read_settings_again();
            }
            let changed = invalidator.session.unwatched.changed(&paths);
            if !changed.is_empty() {
                let elsewhere = changed.iter().any(|path| crate::world::is_markdown(path));
                invalidator.took_place(&changed, Happened { in_folder: true, elsewhere });
            }
        });
        drop(looked.await);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_recorded_during_a_poll_is_not_forgotten_by_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        let (none, paths) = (BTreeSet::new(), BTreeSet::from([path.clone()]));
        let unwatched = Unwatched::default();
        unwatched.note(std::iter::once(path.as_path()));
        assert!(unwatched.changed(&none).is_empty());
        std::fs::write(&path, "").unwrap();
        assert_eq!(unwatched.changed(&paths), [path]);
        // One that nothing depends on is forgotten.
        unwatched.changed(&none);
        assert!(unwatched.seen().stamps.is_empty());
    }

    #[test]
    fn many_files_take_turns() {
        let folder = tempfile::tempdir().unwrap();
        let paths: BTreeSet<PathBuf> =
            (0..MOST * 2 + 100).map(|i| folder.path().join(i.to_string())).collect();
        let unwatched = Unwatched::default();
        unwatched.note(paths.iter().map(PathBuf::as_path));
        assert!(unwatched.changed(&paths).is_empty());
        for path in &paths {
            std::fs::write(path, "").unwrap();
        }
        let mut found: Vec<PathBuf> = (0..3).flat_map(|_| unwatched.changed(&paths)).collect();
        found.sort();
        assert_eq!(found, paths.iter().cloned().collect::<Vec<_>>());
        assert_eq!((0..3).flat_map(|_| unwatched.changed(&paths)).count(), 0);
        assert!(unwatched.changed(&BTreeSet::new()).is_empty());
        assert!(unwatched.0.lock().stamps.is_empty());
    }
}
