//! Another agentmd on the same document: an editor that is told of the server in two places starts
//! two, and everything shows twice. Each server locks a file of its own making for the documents
//! that it has open, outside the workspace. One that finds a lock taken tells the author once and
//! goes on working: nobody knows which of the two is meant to stay.

use std::collections::HashMap;
use std::fs::{File, TryLockError};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use serde_json::json;

use super::pool;
use super::session::Session;
use super::uri::Key;
use crate::world;

/// A server that was told to end, or whose editor was, still has its locks for a moment.
const PATIENCE: Duration = Duration::from_secs(5);
/// Two servers of one editor open the same documents: a few say enough.
const MOST: usize = 16;
/// So many files that a server has left behind are looked at in a session.
const MOST_STALE: usize = 256;

/// The documents for which this server holds a lock.
#[derive(Debug, Default)]
pub(super) struct DuplicateServers {
    client: OnceLock<Client>,
    state: Mutex<State>,
}

/// Whom two servers have in common.
#[derive(Debug)]
struct Client {
    process: i32,
    folders: Vec<PathBuf>,
    /// Where locks are.
    place: PathBuf,
    /// It wants to warn of another server itself: this one takes no lock, so that the other one
    /// stays silent.
    warns: bool,
}

#[derive(Debug, Default)]
struct State {
    held: HashMap<Key, Lock>,
    swept: bool,
    told: bool,
    ended: bool,
}

#[derive(Debug)]
struct Lock {
    path: PathBuf,
    _file: File,
}

impl Drop for Lock {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.path);
    }
}

impl DuplicateServers {
    /// Names the client. One that named no process cannot be told from others, and one that shows
    /// no messages has nobody who could be told: agents start a server for every task.
    pub(super) fn initialize(
        &self,
        process: Option<i32>,
        shows_messages: bool,
        folders: &[PathBuf],
        warns: bool,
    ) {
        let Some(process) = process.filter(|_| shows_messages) else { return };
        let mut folders = folders.to_vec();
        folders.sort();
        let _ = self.client.set(Client { process, folders, place: place(), warns });
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A document was opened: looks behind the back of the client whether another server has it.
    pub(super) fn open(session: &Arc<Session>, key: &Key) {
        let servers = &session.duplicate_servers;
        let Some(client) = servers.client.get().filter(|_| servers.wants(key)) else { return };
        // Without a lock of its own it waits until the other one has had the time to take it.
        let pauses: &[Duration] =
            if client.warns { &[PATIENCE] } else { &[Duration::ZERO, PATIENCE] };
        let (session, key) = (Arc::clone(session), key.clone());
        tokio::spawn(async move {
            for pause in pauses {
                tokio::time::sleep(*pause).await;
                let (session, key) = (Arc::clone(&session), key.clone());
                let taken = pool::ask(move |_| {
                    let is_open = || session.documents().contains_key(&key);
                    let taken = !is_open() || session.duplicate_servers.take(&key);
                    // It may have been closed before the lock was held.
                    if !is_open() {
                        session.duplicate_servers.close(&key);
                    }
                    taken
                });
                if taken.await.unwrap_or(true) {
                    return;
                }
            }
            session.duplicate_servers.tell(&session, &key);
        });
    }

    fn wants(&self, key: &Key) -> bool {
        let state = self.state();
        !state.told && !state.ended && state.held.len() < MOST && !state.held.contains_key(key)
    }

    /// Takes the lock of a document, unless another server has it; true also where nobody can say.
    fn take(&self, key: &Key) -> bool {
        let Some(client) = self.client.get().filter(|_| self.wants(key)) else { return true };
        if !std::mem::replace(&mut self.state().swept, true) {
            sweep(&client.place);
        }
        match lock(&client.path(key)) {
            Some(Ok(lock)) => {
                let mut state = self.state();
                if !state.ended && !client.warns {
                    state.held.insert(key.clone(), lock);
                }
                true
            }
            Some(Err(())) => false,
            None => true,
        }
    }

    fn tell(&self, session: &Session, key: &Key) {
        if !session.documents().contains_key(key)
            || session.is_shut_down()
            || std::mem::replace(&mut self.state().told, true)
        {
            return;
        }
        let name = key.path().and_then(Path::file_name).map_or_else(
            || "a document".to_owned(),
            |name| format!("`{}`", name.to_string_lossy()),
        );
        let message = format!(
            "Two agentmd servers work on {name} in this editor, so everything shows twice. Two plugins or two places in the settings start \
             `agentmd server`: switch one of them off and restart the editor."
        );
        session.outgoing.notify("window/showMessage", json!({ "type": 2, "message": message }));
    }

    pub(super) fn close(&self, key: &Key) {
        let lock = self.state().held.remove(key);
        drop(lock);
    }

    /// The server ends: the one that comes after it is to find nothing.
    pub(super) fn end(&self) {
        let mut state = self.state();
        state.ended = true;
        state.held.clear();
    }
}

impl Client {
    fn path(&self, key: &Key) -> PathBuf {
        let mut hasher = DefaultHasher::new();
        (self.process, &self.folders, key).hash(&mut hasher);
        self.place.join(format!("{:016x}.lock", hasher.finish()))
    }
}

/// A folder of this user that is not kept for ever.
fn place() -> PathBuf {
    match std::env::var_os("XDG_RUNTIME_DIR")
        .map(PathBuf::from)
        .filter(|folder| folder.is_absolute() && folder.is_dir())
    {
        Some(folder) => folder.join("agentmd"),
        None => {
            let user = ["USER", "USERNAME"]
                .into_iter()
                .find_map(|name| std::env::var(name).ok())
                .unwrap_or_default();
            let user: String =
                user.chars().filter(|character| character.is_alphanumeric()).collect();
            std::env::temp_dir().join(format!("agentmd-{user}"))
        }
    }
}

/// A lock, or that somebody else has it; `None` where files cannot be locked or made.
fn lock(path: &Path) -> Option<Result<Lock, ()>> {
    let folder = path.parent()?;
    // In a folder for all users, another one may have made a folder or a link of this name.
    world::own_folder(folder).ok()?;
    // Whoever had it may remove the file between the opening and the locking of it.
    for _ in 0..8 {
        let file = world::create_own(path).ok()?;
        match file.try_lock() {
            Ok(()) if path.exists() => {
                return Some(Ok(Lock { path: path.to_owned(), _file: file }));
            }
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Some(Err(())),
            Err(TryLockError::Error(_)) => return None,
        }
    }
    None
}

/// Removes what servers have left that did not end as they should, and nothing else.
fn sweep(place: &Path) {
    let found = std::fs::read_dir(place).into_iter().flatten().flatten().take(MOST_STALE);
    for entry in found.filter(is_lock) {
        if let Some(Ok(stale)) = lock(&entry.path()) {
            drop(stale);
        }
    }
}

/// Whether a file is one that [`Client::path`] names: an empty one, and no link.
fn is_lock(entry: &std::fs::DirEntry) -> bool {
    let name = entry.file_name();
    let digits = name.to_str().and_then(|name| name.strip_suffix(".lock")).unwrap_or_default();
    let named = digits.len() == 16 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    named && entry.metadata().is_ok_and(|found| found.is_file() && found.len() == 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_is_had_by_one_and_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("agentmd/0000000000000000.lock");
        let first = lock(&path).unwrap().unwrap();
        assert!(lock(&path).unwrap().is_err());
        drop(first);
        assert!(!path.exists());
        drop(lock(&path).unwrap().unwrap());
        // One that was left behind is free, and goes.
        std::fs::write(&path, "").unwrap();
        let held = lock(&path.with_file_name("1111111111111111.lock")).unwrap().unwrap();
        let others = [("Cargo.lock", ""), ("2222222222222222.lock", "text"), ("other", "")];
        for (name, text) in others {
            std::fs::write(path.with_file_name(name), text).unwrap();
        }
        sweep(&folder.path().join("agentmd"));
        assert!(!path.exists() && held.path.exists());
        assert!(others.iter().all(|(name, _)| path.with_file_name(name).exists()));
        assert!(lock(Path::new("/dev/null/x")).is_none());
    }

    #[cfg(unix)]
    #[test]
    fn a_folder_that_is_a_link_is_not_used() {
        let folder = tempfile::tempdir().unwrap();
        let link = folder.path().join("link");
        std::fs::create_dir(folder.path().join("project")).unwrap();
        std::os::unix::fs::symlink(folder.path().join("project"), &link).unwrap();
        assert!(lock(&link.join("0000000000000000.lock")).is_none());
        assert_eq!(std::fs::read_dir(folder.path().join("project")).unwrap().count(), 0);
    }

    #[cfg(unix)]
    #[test]
    fn a_folder_that_others_can_write_to_is_not_used() {
        use std::os::unix::fs::PermissionsExt;

        let folder = tempfile::tempdir().unwrap();
        let shared = folder.path().join("shared");
        std::fs::create_dir(&shared).unwrap();
        std::fs::set_permissions(&shared, std::fs::Permissions::from_mode(0o1777)).unwrap();
        assert!(lock(&shared.join("0000000000000000.lock")).is_none());
        assert_eq!(std::fs::read_dir(&shared).unwrap().count(), 0);
        let own = folder.path().join("own");
        drop(lock(&own.join("0000000000000000.lock")).unwrap().unwrap());
        assert_eq!(std::fs::metadata(&own).unwrap().permissions().mode() & 0o777, 0o700);
    }

    #[cfg(unix)]
    #[test]
    fn a_lock_that_is_a_link_is_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let (target, path) =
            (folder.path().join("target"), folder.path().join("own/0000000000000000.lock"));
        world::own_folder(path.parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(&target, &path).unwrap();
        assert!(lock(&path).is_none());
        assert!(!target.exists());
    }
}
