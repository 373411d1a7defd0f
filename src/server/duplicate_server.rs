//! Detects another agentmd on the same document: if two plugins or settings start the server, the
//! editor runs two, and everything appears twice. Each server locks a file for each of its open
//! documents, outside the workspace. A server that finds a lock taken warns the user once and
//! continues: it can't know which of the two should stay.

use std::collections::HashMap;
use std::fs::{File, TryLockError};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use parking_lot::{Mutex, MutexGuard};
use serde_json::json;

use super::pool;
use super::session::Session;
use super::uri::Key;
use crate::world;

/// A server that is being shut down keeps its locks for a moment.
const PATIENCE: Duration = Duration::from_secs(5);
/// Two servers of one editor open the same documents, so a few locks are enough.
const MOST: usize = 16;
/// The limit of stale lock files to check per session.
const MOST_STALE: usize = 256;

/// The locks of this server's documents.
#[derive(Debug, Default)]
pub(super) struct DuplicateServers {
    client: OnceLock<Client>,
    state: Mutex<State>,
}

/// The identity that duplicate servers share.
#[derive(Debug)]
struct Client {
    process: i32,
    folders: Vec<PathBuf>,
    /// The folder of the locks.
    place: PathBuf,
    /// It warns about duplicates itself: take no lock, so that the other server stays silent.
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
    /// Identifies the client. Without a process ID, clients can't be distinguished; without
    /// messages, the user wouldn't see the warning, and agents start a server for every task.
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
        self.state.lock()
    }

    /// A document was opened: checks in the background whether another server has it.
    pub(super) fn open(session: &Arc<Session>, key: &Key) {
        let servers = &session.duplicate_servers;
        let Some(client) = servers.client.get().filter(|_| servers.wants(key)) else { return };
        // A server that takes no locks gives the other one time to take its own.
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
                    // It may have been closed before the lock was taken.
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

    /// Takes the lock of a document, unless another server has it; true also if that can't be
    /// determined.
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
            "Two agentmd servers are running for {name} in this editor, so everything appears \
                twice. Two plugins or settings start `agentmd server`: turn one of them off and \
                restart the editor."
        );
        session.outgoing.notify("window/showMessage", json!({ "type": 2, "message": message }));
    }

    pub(super) fn close(&self, key: &Key) {
        let lock = self.state().held.remove(key);
        drop(lock);
    }

    /// Removes all locks, so that the next server doesn't find them.
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

/// A temporary folder of this user.
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

/// A lock, or an error if another server has it; `None` if files can't be locked or created.
fn lock(path: &Path) -> Option<Result<Lock, ()>> {
    let folder = path.parent()?;
    // In a shared folder, another user may have created a folder or a link with this name.
    world::own_folder(folder).ok()?;
    // The previous owner may remove the file between opening and locking it.
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

/// Removes locks of servers that crashed, and nothing else.
fn sweep(place: &Path) {
    let found = std::fs::read_dir(place).into_iter().flatten().flatten().take(MOST_STALE);
    for entry in found.filter(is_lock) {
        if let Some(Ok(stale)) = lock(&entry.path()) {
            drop(stale);
        }
    }
}

/// Whether a file is one named by [`Client::path`]: empty, and not a link.
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
    fn a_lock_is_exclusive_and_leaves_no_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("agentmd/0000000000000000.lock");
        let first = lock(&path).unwrap().unwrap();
        assert!(lock(&path).unwrap().is_err());
        drop(first);
        assert!(!path.exists());
        drop(lock(&path).unwrap().unwrap());
        // A stale one is free, and is removed.
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
