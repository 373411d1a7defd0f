//! Folders on Windows: by their paths. Each part is held open so that it can't be renamed, removed
//! or replaced, and none may be a link.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::windows::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::folder::{Content, read_whole};
use crate::world::canonicalize;

/// A folder's path, and the handles that keep its meaning.
#[derive(Debug)]
pub struct Handle {
    path: PathBuf,
    held: Vec<Arc<File>>,
}

// Names of the Windows API for numeric arguments of `OpenOptions`.
const FILE_SHARE_READ: u32 = 1;
const FILE_SHARE_WRITE: u32 = 2;
const FILE_FLAG_BACKUP_SEMANTICS: u32 = 0x0200_0000;
const FILE_FLAG_OPEN_REPARSE_POINT: u32 = 0x0020_0000;
const ERROR_SHARING_VIOLATION: i32 = 32;
const ERROR_LOCK_VIOLATION: i32 = 33;

/// The number of retries for a file that another program has open for a moment: indexers and virus
/// scanners do that.
const TRIES: u32 = 50;
const PAUSE: Duration = Duration::from_millis(20);

fn hold(path: &Path, flags: u32) -> io::Result<Arc<File>> {
    let share = FILE_SHARE_READ | FILE_SHARE_WRITE;
    OpenOptions::new()
        .read(true)
        .share_mode(share)
        .custom_flags(FILE_FLAG_BACKUP_SEMANTICS | flags)
        .open(path)
        .map(Arc::new)
}

pub fn open(path: &Path) -> io::Result<Handle> {
    let path = canonicalize(path)?;
    let file = hold(&path, 0)?;
    if file.metadata()?.is_dir() {
        Ok(Handle { path, held: vec![file] })
    } else {
        Err(io::ErrorKind::NotADirectory.into())
    }
}

#[allow(clippy::unnecessary_wraps)]
pub fn again(folder: &Handle) -> io::Result<Handle> {
    Ok(Handle { path: folder.path.clone(), held: folder.held.clone() })
}

pub fn enter(folder: &Handle, name: &str) -> io::Result<Handle> {
    let path = folder.path.join(name);
    let file = hold(&path, FILE_FLAG_OPEN_REPARSE_POINT)?;
    // Junctions count as links here, too.
    if !file.metadata()?.is_dir() {
        return Err(io::ErrorKind::NotADirectory.into());
    }
    let held = folder.held.iter().cloned().chain([file]).collect();
    Ok(Handle { path, held: held })
}

pub fn look(folder: &Handle, name: &str) -> io::Result<Content> {
    let path = folder.path.join(name);
    let found = fs::symlink_metadata(&path)?.file_type();
    if found.is_symlink() {
        return Ok(Content::Link(
            fs::read_link(&path)?.to_string_lossy().into_owned().into_bytes(),
        ));
    }
    if !found.is_file() {
        return Ok(Content::Other);
    }
    // If a link has replaced it, the link itself is opened, and it isn't a file.
    patiently(|| {
        OpenOptions::new().read(true).custom_flags(FILE_FLAG_OPEN_REPARSE_POINT).open(&path)
    })
    .and_then(read_whole)
}

pub fn open_log(folder: &Handle, name: &str) -> io::Result<File> {
    let mut options = OpenOptions::new();
    // With `append`, Windows wouldn't allow truncation.
    options
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .custom_flags(FILE_FLAG_OPEN_REPARSE_POINT);
    let file = options.open(folder.path.join(name))?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(io::Error::other("is not a file")) }
}

pub fn is_still(folder: &Handle, name: &str, file: &File) -> io::Result<bool> {
    let own = same_file::Handle::from_file(file.try_clone()?)?;
    match same_file::Handle::from_path(folder.path.join(name)) {
        Ok(found) => Ok(found == own),
        // The second case: it was removed, and disappears once all handles are closed.
        Err(error)
            if matches!(
                error.kind(),
                io::ErrorKind::NotFound | io::ErrorKind::PermissionDenied
            ) =>
        {
            Ok(false)
        }
        Err(error) => Err(error),
    }
}

pub fn create(folder: &Handle, name: &str, _private: bool) -> io::Result<File> {
    File::create_new(folder.path.join(name))
}

/// A new file belongs to its creator, and its folder determines who may read it. Only the read-only
/// flag is left.
pub fn keep_attributes(folder: &Handle, like: &str, file: &File) -> io::Result<()> {
    file.set_permissions(fs::symlink_metadata(folder.path.join(like))?.permissions())
}

pub fn is_program(_folder: &Handle, _name: &str) -> bool {
    false
}

/// The standard library doesn't expose it.
pub fn is_linked(_folder: &Handle, _name: &str) -> bool {
    false
}

/// The name tells whether a file is executable.
#[allow(clippy::unnecessary_wraps)]
pub fn make_program(_file: &File) -> io::Result<()> {
    Ok(())
}

pub fn create_folder(folder: &Handle, name: &str) -> io::Result<()> {
    fs::create_dir(folder.path.join(name))
}

pub fn exchange(_folder: &Handle, _one: &str, _other: &str) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// `std` replaces an existing file: the caller checks first.
pub fn rename_new(_folder: &Handle, _from: &str, _to: &str) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

pub fn rename(folder: &Handle, from: &str, to: &str) -> io::Result<()> {
    let (from, to) = (folder.path.join(from), folder.path.join(to));
    patiently(|| fs::rename(&from, &to))
}

pub fn link(folder: &Handle, from: &str, to: &str) -> io::Result<()> {
    fs::hard_link(folder.path.join(from), folder.path.join(to))
}

pub fn remove(folder: &Handle, name: &str) -> io::Result<()> {
    let path = folder.path.join(name);
    patiently(|| fs::remove_file(&path))
}

pub fn remove_folder(folder: &Handle, name: &str) -> io::Result<()> {
    fs::remove_dir(folder.path.join(name))
}

/// Folders can't be flushed here; the file system has its own journal of names.
#[allow(clippy::unnecessary_wraps)]
pub fn sync(_folder: &Handle) -> io::Result<()> {
    Ok(())
}

fn patiently<T>(act: impl Fn() -> io::Result<T>) -> io::Result<T> {
    for _ in 1..TRIES {
        match act() {
            Err(error)
                if matches!(
                    error.raw_os_error(),
                    Some(ERROR_SHARING_VIOLATION | ERROR_LOCK_VIOLATION)
                ) =>
            {
                std::thread::sleep(PAUSE)
            }
            done => return done,
        }
    }
    act()
}
