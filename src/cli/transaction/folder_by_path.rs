//! Folders where there are no handles of them: by their paths. Each part is looked at before it is used.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io;
use std::path::{Path, PathBuf};

use super::folder::{Content, read_whole};

pub type Handle = PathBuf;

pub fn open(path: &Path) -> io::Result<Handle> {
    fs::canonicalize(path)
}

pub fn again(folder: &Handle) -> io::Result<Handle> {
    Ok(folder.clone())
}

pub fn enter(folder: &Handle, name: &str) -> io::Result<Handle> {
    let path = folder.join(name);
    let found = fs::symlink_metadata(&path)?;
    // What Windows calls a junction leads elsewhere too, and is no link to `std`.
    let elsewhere = found.file_type().is_symlink() || fs::canonicalize(&path)? != path;
    if found.is_dir() && !elsewhere { Ok(path) } else { Err(io::ErrorKind::NotADirectory.into()) }
}

pub fn look(folder: &Handle, name: &str) -> io::Result<Content> {
    let path = folder.join(name);
    let found = fs::symlink_metadata(&path)?;
    if found.file_type().is_symlink() {
        return Ok(Content::Link(fs::read_link(&path)?.to_string_lossy().into_owned().into_bytes()));
    }
    if found.is_file() { read_whole(File::open(path)?) } else { Ok(Content::Other) }
}

pub fn open_log(folder: &Handle, name: &str) -> io::Result<File> {
    match look(folder, name) {
        Ok(Content::Link(_) | Content::Other) => return Err(io::Error::other("is not a file")),
        _ => {}
    }
    OpenOptions::new().read(true).append(true).create(true).open(folder.join(name))
}

pub fn is_still(folder: &Handle, name: &str, _file: &File) -> io::Result<bool> {
    Ok(fs::symlink_metadata(folder.join(name)).is_ok())
}

pub fn create(folder: &Handle, name: &str, _private: bool) -> io::Result<File> {
    File::create_new(folder.join(name))
}

pub fn keep_owner(_folder: &Handle, _like: &str, _file: &File) {}

#[allow(clippy::unnecessary_wraps)]
pub fn make_program(_file: &File) -> io::Result<()> {
    Ok(())
}

pub fn permissions(folder: &Handle, name: &str) -> io::Result<Permissions> {
    Ok(fs::symlink_metadata(folder.join(name))?.permissions())
}

pub fn create_folder(folder: &Handle, name: &str) -> io::Result<()> {
    fs::create_dir(folder.join(name))
}

pub fn exchange(_folder: &Handle, _one: &str, _other: &str) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

pub fn rename_new(_folder: &Handle, _from: &str, _to: &str) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

pub fn rename(folder: &Handle, from: &str, to: &str) -> io::Result<()> {
    fs::rename(folder.join(from), folder.join(to))
}

pub fn link(folder: &Handle, from: &str, to: &str) -> io::Result<()> {
    fs::hard_link(folder.join(from), folder.join(to))
}

pub fn remove(folder: &Handle, name: &str) -> io::Result<()> {
    fs::remove_file(folder.join(name))
}

pub fn remove_folder(folder: &Handle, name: &str) -> io::Result<()> {
    fs::remove_dir(folder.join(name))
}

pub fn sync(_folder: &Handle) -> io::Result<()> {
    Ok(())
}
