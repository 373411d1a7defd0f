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
    rustix::fs::openat(folder, name, FOLDER | OFlags::NOFOLLOW, Mode::empty()).map_err(|error| {
        match error {
            Errno::LOOP => io::ErrorKind::NotADirectory.into(),
            error => error.into(),
        }
    })
}

pub fn look(folder: &Handle, name: &str) -> io::Result<Content> {
    let kind = FileType::from_raw_mode(
        rustix::fs::statat(folder, name, AtFlags::SYMLINK_NOFOLLOW)?.st_mode,
    );
    match kind {
        FileType::Symlink => {
            Ok(Content::Link(rustix::fs::readlinkat(folder, name, Vec::new())?.into_bytes()))
        }
        FileType::RegularFile => {
            // Don't block if a pipe has replaced it.
            let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::NONBLOCK;
            read_whole(File::from(rustix::fs::openat(folder, name, flags, Mode::empty())?))
        }
        _ => Ok(Content::Other),
    }
}

pub fn open_log(folder: &Handle, name: &str) -> io::Result<File> {
    let flags = OFlags::RDWR
        | OFlags::CREATE
        | OFlags::APPEND
        | OFlags::NOFOLLOW
        | OFlags::CLOEXEC
        | OFlags::NONBLOCK;
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

/// A replacement must not be readable by others before it has the file's permissions.
pub fn create(folder: &Handle, name: &str, private: bool) -> io::Result<File> {
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let mode = if private { Mode::RUSR | Mode::WUSR } else { Mode::from_raw_mode(0o666) };
    Ok(File::from(rustix::fs::openat(folder, name, flags, mode)?))
}

/// A replacement gets everything except the content from the file: owner, access control list,
/// extended attributes and mode.
///
/// # Errors
/// If one of them can't be kept. The file is better left unchanged then.
pub fn keep_attributes(folder: &Handle, like: &str, file: &File) -> io::Result<()> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::NONBLOCK;
    let old = File::from(rustix::fs::openat(folder, like, flags, Mode::empty())?);
    let (found, own) = (old.metadata()?, file.metadata()?);
    if (own.uid(), own.gid()) != (found.uid(), found.gid()) {
        let (owner, group) =
            (rustix::fs::Uid::from_raw(found.uid()), rustix::fs::Gid::from_raw(found.gid()));
        // Only the owner may give files away: the file belongs to this user from now on.
        let _ = rustix::fs::fchown(file, Some(owner), Some(group))
            .or_else(|_| rustix::fs::fchown(file, None, Some(group)));
    }
    keep_extended(&old, file)?;
    // The mode comes last: with an access control list, its group bits are the list's mask.
    let own = file.metadata()?;
    let mut mode = found.mode() & 0o7777;
    if own.gid() != found.gid() {
        // A different group gets no more rights than everyone, and the set-ID bits are cleared.
        mode &= 0o5707 | (mode & 0o7) << 3;
    }
    if own.uid() != found.uid() {
        mode &= 0o3777;
    }
    file.set_permissions(Permissions::from_mode(mode))
}

/// Signatures of the content, which the kernel recomputes, and macOS's note of the file's creator.
#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
const NOT_KEPT: &[&[u8]] = &[b"security.ima", b"security.evm", b"com.apple.provenance"];

/// Copies the extended attributes of one file to another. On Linux they include access control
/// lists.
#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
fn keep_extended(old: &File, new: &File) -> io::Result<()> {
    use rustix::fs::{XattrFlags, fremovexattr, fsetxattr};

    let (wanted, inherited) = (names(old)?, names(new)?);
    let kept = |name: &Vec<u8>| !NOT_KEPT.contains(&name.as_slice());
    for name in inherited.iter().filter(|name| kept(name) && !wanted.contains(name)) {
        // A folder gives new files its default list, and systems with labels give each file one.
        fremovexattr(new, name.as_slice()).or_else(|error| {
            if name.starts_with(b"security.") { Ok(()) } else { Err(lost(name, error)) }
        })?;
    }
    for name in wanted.iter().filter(|name| kept(name)) {
        let value = value(old, name)?;
        match fsetxattr(new, name.as_slice(), &value, XattrFlags::empty()) {
            Ok(()) => {}
            // It can't be set and doesn't have to be.
            Err(_) if self::value(new, name).is_ok_and(|own| own == value) => {}
            Err(error) => return Err(lost(name, error)),
        }
    }
    Ok(())
}

#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
fn lost(name: &[u8], error: Errno) -> io::Error {
    let name = String::from_utf8_lossy(name);
    io::Error::other(format!("cannot keep its attribute `{name}` ({error})"))
}

/// The names of a file's extended attributes; none if the file system doesn't support them.
#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
fn names(file: &File) -> io::Result<Vec<Vec<u8>>> {
    let list = match grown(|buffer| rustix::fs::flistxattr(file, buffer)) {
        Err(Errno::NOTSUP | Errno::NOSYS) => return Ok(Vec::new()),
        list => list?,
    };
    Ok(list.split(|byte| *byte == 0).filter(|name| !name.is_empty()).map(<[u8]>::to_vec).collect())
}

#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
fn value(file: &File, name: &[u8]) -> io::Result<Vec<u8>> {
    grown(|buffer| rustix::fs::fgetxattr(file, name, buffer)).map_err(|error| lost(name, error))
}

/// Reads a value of unknown, possibly changing length.
#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
fn grown(read: impl Fn(&mut [u8]) -> rustix::io::Result<usize>) -> rustix::io::Result<Vec<u8>> {
    let mut buffer = vec![0; 1 << 10];
    loop {
        match read(&mut buffer) {
            Ok(length) => {
                buffer.truncate(length);
                return Ok(buffer);
            }
            Err(Errno::RANGE) if buffer.len() < 1 << 26 => buffer.resize(buffer.len() * 8, 0),
            Err(error) => return Err(error),
        }
    }
}

#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
fn keep_extended(_old: &File, _new: &File) -> io::Result<()> {
    Ok(())
}

#[allow(clippy::useless_conversion)]
pub fn is_program(folder: &Handle, name: &str) -> bool {
    let found = rustix::fs::statat(folder, name, AtFlags::SYMLINK_NOFOLLOW);
    found.is_ok_and(|found| {
        FileType::from_raw_mode(found.st_mode) == FileType::RegularFile
            && u32::from(found.st_mode) & 0o111 != 0
    })
}

#[allow(clippy::useless_conversion)]
pub fn is_linked(folder: &Handle, name: &str) -> bool {
    let found = rustix::fs::statat(folder, name, AtFlags::SYMLINK_NOFOLLOW);
    found.is_ok_and(|found| {
        FileType::from_raw_mode(found.st_mode) == FileType::RegularFile
            && u64::from(found.st_nlink) > 1
    })
}

/// The executable bits follow the read bits.
pub fn make_program(file: &File) -> io::Result<()> {
    let mode = file.metadata()?.permissions().mode();
    file.set_permissions(Permissions::from_mode(mode | (mode & 0o444) >> 2))
}

pub fn create_folder(folder: &Handle, name: &str) -> io::Result<()> {
    Ok(rustix::fs::mkdirat(folder, name, Mode::from_raw_mode(0o777))?)
}

#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
fn rename_with(
    folder: &Handle,
    from: &str,
    to: &str,
    flags: rustix::fs::RenameFlags,
) -> io::Result<()> {
    rustix::fs::renameat_with(folder, from, folder, to, flags).map_err(|error| match error {
        Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP | Errno::XDEV => {
            io::ErrorKind::Unsupported.into()
        }
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
        // Some file systems have nothing to flush for folders.
        Err(Errno::INVAL | Errno::NOTSUP) => Ok(()),
        done => Ok(done?),
    }
}
