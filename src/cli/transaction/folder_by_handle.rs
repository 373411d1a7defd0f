//! Folders on Unix: by their handles.

use std::fs::{File, Permissions};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;

use rustix::fs::{AtFlags, FileType, Mode, OFlags};
use rustix::io::Errno;

use super::folder::{Content, read_whole};

pub type Handle = OwnedFd;

const FOLDER: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);

pub fn open(path: &Path) -> io::Result<Handle> {
    Ok(rustix::fs::open(path, FOLDER, Mode::empty())?)
}

pub fn again(folder: &Handle) -> io::Result<Handle> {
    folder.try_clone()
}

pub fn enter(folder: &Handle, name: &str) -> io::Result<Handle> {
    rustix::fs::openat(folder, name, FOLDER | OFlags::NOFOLLOW, Mode::empty()).map_err(|error| match error {
        Errno::LOOP => io::ErrorKind::NotADirectory.into(),
        error => error.into(),
    })
}

pub fn look(folder: &Handle, name: &str) -> io::Result<Content> {
    let kind = FileType::from_raw_mode(rustix::fs::statat(folder, name, AtFlags::SYMLINK_NOFOLLOW)?.st_mode);
    match kind {
        FileType::Symlink => Ok(Content::Link(rustix::fs::readlinkat(folder, name, Vec::new())?.into_bytes())),
        FileType::RegularFile => {
            // Should a pipe have taken its place, nobody waits for it.
            let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::NONBLOCK;
            read_whole(File::from(rustix::fs::openat(folder, name, flags, Mode::empty())?))
        }
        _ => Ok(Content::Other),
    }
}

pub fn open_log(folder: &Handle, name: &str) -> io::Result<File> {
    let flags = OFlags::RDWR | OFlags::CREATE | OFlags::APPEND | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::NONBLOCK;
    let file = File::from(rustix::fs::openat(folder, name, flags, Mode::RUSR | Mode::WUSR)?);
    if file.metadata()?.is_file() { Ok(file) } else { Err(io::Error::other("is not a file")) }
}

pub fn is_still(folder: &Handle, name: &str, file: &File) -> io::Result<bool> {
    let own = file.metadata()?;
    match rustix::fs::statat(folder, name, AtFlags::SYMLINK_NOFOLLOW) {
        #[allow(clippy::unnecessary_cast, clippy::cast_sign_loss)]
        Ok(found) => Ok((found.st_dev as u64, found.st_ino as u64) == (own.dev(), own.ino())),
        Err(Errno::NOENT) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// What replaces a file is nobody else's to read before it has that file's permissions.
pub fn create(folder: &Handle, name: &str, private: bool) -> io::Result<File> {
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let mode = if private { Mode::RUSR | Mode::WUSR } else { Mode::from_raw_mode(0o666) };
    Ok(File::from(rustix::fs::openat(folder, name, flags, mode)?))
}

/// The owner and the group stay, where this process may give them.
pub fn keep_owner(folder: &Handle, like: &str, file: &File) {
    let Ok(found) = rustix::fs::statat(folder, like, AtFlags::SYMLINK_NOFOLLOW) else { return };
    let same = file.metadata().is_ok_and(|own| (own.uid(), own.gid()) == (found.st_uid, found.st_gid));
    if !same {
        let (owner, group) = (rustix::fs::Uid::from_raw(found.st_uid), rustix::fs::Gid::from_raw(found.st_gid));
        // Others may not give files away: the file is theirs from now on.
        let _ = rustix::fs::fchown(file, Some(owner), Some(group)).or_else(|_| rustix::fs::fchown(file, None, Some(group)));
    }
}

/// Whoever may read the file may run it.
pub fn make_program(file: &File) -> io::Result<()> {
    let mode = file.metadata()?.permissions().mode();
    file.set_permissions(Permissions::from_mode(mode | (mode & 0o444) >> 2))
}

pub fn permissions(folder: &Handle, name: &str) -> io::Result<Permissions> {
    let found = rustix::fs::statat(folder, name, AtFlags::SYMLINK_NOFOLLOW)?;
    #[allow(clippy::useless_conversion)]
    Ok(Permissions::from_mode(u32::from(found.st_mode) & 0o7777))
}

pub fn create_folder(folder: &Handle, name: &str) -> io::Result<()> {
    Ok(rustix::fs::mkdirat(folder, name, Mode::from_raw_mode(0o777))?)
}

#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
fn rename_with(folder: &Handle, from: &str, to: &str, flags: rustix::fs::RenameFlags) -> io::Result<()> {
    rustix::fs::renameat_with(folder, from, folder, to, flags).map_err(|error| match error {
        Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP | Errno::XDEV => io::ErrorKind::Unsupported.into(),
        error => error.into(),
    })
}

#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
pub fn exchange(folder: &Handle, one: &str, other: &str) -> io::Result<()> {
    rename_with(folder, one, other, rustix::fs::RenameFlags::EXCHANGE)
}

#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
pub fn rename_new(folder: &Handle, from: &str, to: &str) -> io::Result<()> {
    rename_with(folder, from, to, rustix::fs::RenameFlags::NOREPLACE)
}

#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
pub fn exchange(_folder: &Handle, _one: &str, _other: &str) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
pub fn rename_new(_folder: &Handle, _from: &str, _to: &str) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

pub fn rename(folder: &Handle, from: &str, to: &str) -> io::Result<()> {
    Ok(rustix::fs::renameat(folder, from, folder, to)?)
}

pub fn link(folder: &Handle, from: &str, to: &str) -> io::Result<()> {
    Ok(rustix::fs::linkat(folder, from, folder, to, AtFlags::empty())?)
}

pub fn remove(folder: &Handle, name: &str) -> io::Result<()> {
    Ok(rustix::fs::unlinkat(folder, name, AtFlags::empty())?)
}

pub fn remove_folder(folder: &Handle, name: &str) -> io::Result<()> {
    Ok(rustix::fs::unlinkat(folder, name, AtFlags::REMOVEDIR)?)
}

pub fn sync(folder: &Handle) -> io::Result<()> {
    match rustix::fs::fsync(folder) {
        // Some file systems keep nothing of folders that could be lost.
        Err(Errno::INVAL | Errno::NOTSUP) => Ok(()),
        done => Ok(done?),
    }
}
