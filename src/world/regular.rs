//! Reads files that an attacker may have planted. A clone can contain symlinks to devices and to
//! files outside of it, and an archive can contain FIFOs. Opening a FIFO blocks, and reading a
//! device may never end.

use std::fs::{File, Metadata};
use std::io::Read;
use std::path::{Path, PathBuf};

use super::{LARGEST_FILE, ReadError, io_error};

/// Ignore files and settings are never this large.
pub const LARGEST_RULES: u64 = 1 << 20;

/// Whether to follow a symlink in the last part of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Links {
    Followed,
    Refused,
}

/// Opens a regular file, which may be a symlink to one. Never blocks.
///
/// # Errors
/// If the file doesn't exist, isn't a regular file, or is larger than [`LARGEST_FILE`].
pub fn open_regular(path: &Path) -> Result<(File, Metadata), ReadError> {
    open(path, Links::Followed, LARGEST_FILE)
}

/// Reads a file that decides which other files are read: settings, ignore files. Symlinks are
/// refused, because they can lead out of the repository.
///
/// # Errors
/// If the file doesn't exist, isn't a regular file, or is larger than [`LARGEST_RULES`] or not
/// UTF-8.
pub fn read_rules(path: &Path) -> Result<String, ReadError> {
    read(&open(path, Links::Refused, LARGEST_RULES)?, LARGEST_RULES)
}

/// The path with these bytes; on other systems than Unix, only if they are UTF-8.
pub fn path_of_bytes(bytes: &[u8]) -> Option<PathBuf> {
    #[cfg(unix)]
    return Some(PathBuf::from(<std::ffi::OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(
        bytes,
    )));
    #[cfg(not(unix))]
    return std::str::from_utf8(bytes).ok().map(PathBuf::from);
}

/// Reads an open file to its end, but no further than `limit`: it may grow while it is read.
pub(super) fn read(opened: &(File, Metadata), limit: u64) -> Result<String, ReadError> {
    text(&read_bytes(opened, limit)?).map(str::to_owned)
}

/// The text of a file's bytes.
pub(super) fn text(bytes: &[u8]) -> Result<&str, ReadError> {
    simdutf8::compat::from_utf8(bytes)
        .map_err(|error| ReadError::NotUtf8 { offset: error.valid_up_to() })
}

/// The same for any bytes.
pub(super) fn read_bytes(opened: &(File, Metadata), limit: u64) -> Result<Vec<u8>, ReadError> {
    let bytes = up_to(opened, limit + 1)?;
    if bytes.len() as u64 > limit {
        return Err(ReadError::TooLarge { bytes: bytes.len() as u64, limit });
    }
    Ok(bytes)
}

/// The first bytes of an open file. Most files are read at once: the rest of the buffer is for the
/// read that finds their end.
fn up_to((file, metadata): &(File, Metadata), most: u64) -> Result<Vec<u8>, ReadError> {
    let length = usize::try_from(metadata.len().min(most)).unwrap_or(usize::MAX);
    let mut bytes = Vec::with_capacity(length.min(LARGEST_AT_ONCE) + REST);
    file.take(most).read_to_end(&mut bytes).map_err(|error| io_error(&error))?;
    Ok(bytes)
}

/// The most memory to reserve at once, since the reported length of a file isn't always true.
const LARGEST_AT_ONCE: usize = 16 << 20;
const REST: usize = 64;

/// The text of an open file up to about this many bytes.
pub(super) fn read_head(opened: &(File, Metadata), most: usize) -> Result<String, ReadError> {
    String::from_utf8(up_to(opened, most as u64)?).or_else(|error| {
        let (bytes, error) = (error.as_bytes(), error.utf8_error());
        let offset = error.valid_up_to();
        match (error.error_len(), bytes.get(..offset)) {
            // The last character is cut off.
            (None, Some(whole)) if bytes.len() == most => {
                Ok(String::from_utf8_lossy(whole).into_owned())
            }
            _ => Err(ReadError::NotUtf8 { offset }),
        }
    })
}

/// Creates a folder that belongs to this user alone, or checks that an existing one does.
///
/// # Errors
/// If it can't be created, isn't a folder, or others could change its contents.
pub fn own_folder(path: &Path) -> std::io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    for_the_user(&mut builder);
    builder.create(path)?;
    let metadata = std::fs::symlink_metadata(path)?;
    match metadata.is_dir() && is_own(&metadata) {
        true => Ok(()),
        false => Err(std::io::Error::new(
            std::io::ErrorKind::PermissionDenied,
            "others can write to the folder",
        )),
    }
}

/// Opens a file of this user, or creates an empty one. A symlink is an error.
///
/// # Errors
/// If it can't be opened, is a symlink, or isn't a regular file.
pub fn create_own(path: &Path) -> std::io::Result<File> {
    let mut options = File::options();
    options.create(true).write(true).truncate(false);
    harmless(&mut options, Links::Refused);
    let file = options.open(path)?;
    let metadata = file.metadata()?;
    match metadata.is_file() && is_own(&metadata) {
        true => Ok(file),
        false => Err(std::io::Error::new(
            std::io::ErrorKind::PermissionDenied,
            "others can write to the file",
        )),
    }
}

#[cfg(unix)]
fn for_the_user(builder: &mut std::fs::DirBuilder) {
    std::os::unix::fs::DirBuilderExt::mode(builder, 0o700);
}

/// On this system, a user's folders are private.
#[cfg(not(unix))]
fn for_the_user(_builder: &mut std::fs::DirBuilder) {}

#[cfg(unix)]
fn is_own(metadata: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    metadata.uid() == rustix::process::geteuid().as_raw() && metadata.mode() & 0o022 == 0
}

#[cfg(not(unix))]
fn is_own(_metadata: &Metadata) -> bool {
    true
}

fn open(path: &Path, links: Links, limit: u64) -> Result<(File, Metadata), ReadError> {
    // Checked before opening it, because opening some devices has an effect; and after, because it
    // may have been replaced.
    let before = match links {
        Links::Followed => std::fs::metadata(path),
        Links::Refused => std::fs::symlink_metadata(path),
    };
    check(&before.map_err(|error| io_error(&error))?, limit)?;
    let mut options = File::options();
    options.read(true);
    harmless(&mut options, links);
    let file = options.open(path).map_err(|error| io_error(&error))?;
    let metadata = file.metadata().map_err(|error| io_error(&error))?;
    check(&metadata, limit)?;
    Ok((file, metadata))
}

fn check(metadata: &Metadata, limit: u64) -> Result<(), ReadError> {
    if metadata.is_dir() {
        return Err(ReadError::Folder);
    }
    if metadata.is_symlink() {
        return Err(ReadError::Symlink);
    }
    if !metadata.is_file() {
        return Err(ReadError::Irregular);
    }
    if metadata.len() > limit {
        return Err(ReadError::TooLarge { bytes: metadata.len(), limit });
    }
    Ok(())
}

#[cfg(unix)]
fn harmless(options: &mut std::fs::OpenOptions, links: Links) {
    use rustix::fs::OFlags;
    use std::os::unix::fs::OpenOptionsExt;

    // Opening a FIFO that replaced the file doesn't block, and a terminal doesn't become ours.
    let mut flags = OFlags::NONBLOCK | OFlags::NOCTTY;
    if links == Links::Refused {
        flags |= OFlags::NOFOLLOW;
    }
    options.custom_flags(i32::try_from(flags.bits()).unwrap_or_default());
}

/// On other systems, devices have no path in folders, and the earlier result of [`check`] has to
/// do.
#[cfg(not(unix))]
fn harmless(_options: &mut std::fs::OpenOptions, _links: Links) {}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;
    use crate::world::read_text;

    #[test]
    fn only_regular_files_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("file"), "text").unwrap();
        symlink("file", at("link")).unwrap();
        symlink("/dev/zero", at("zero")).unwrap();
        rustix::fs::mkfifoat(rustix::fs::CWD, at("fifo"), rustix::fs::Mode::RUSR).unwrap();
        assert_eq!(read_rules(&at("file")), Ok("text".to_owned()));
        assert_eq!(read_text(&at("link")), Ok("text".to_owned()));
        assert_eq!(read_rules(&at("link")), Err(ReadError::Symlink));
        assert_eq!(read_rules(&at("zero")), Err(ReadError::Symlink));
        assert_eq!(read_text(&at("zero")), Err(ReadError::Irregular));
        for read in [read_rules, read_text] {
            assert_eq!(read(&at("fifo")), Err(ReadError::Irregular));
            assert_eq!(read(folder.path()), Err(ReadError::Folder));
            assert_eq!(read(&at("none")), Err(ReadError::Missing));
        }
        fs::write(at("large"), vec![b'x'; 1 << 20 | 1]).unwrap();
        assert_eq!(
            read_rules(&at("large")),
            Err(ReadError::TooLarge { bytes: (1 << 20) + 1, limit: LARGEST_RULES })
        );
        assert!(read_text(&at("large")).is_ok());
    }
}
