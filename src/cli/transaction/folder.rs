//! An open folder: operations happen in it, even if links change in the meantime. Each part of a
//! path is opened separately, and none may be a link.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

#[cfg(test)]
use super::fault;
#[cfg(unix)]
use super::folder_by_handle as system;
#[cfg(windows)]
use super::folder_held_open as system;

/// A folder, and the operations on its files. Names contain no `/`.
#[derive(Debug)]
pub struct Folder(system::Handle);

/// The entry with a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    File(Vec<u8>),
    /// A link and its target.
    Link(Vec<u8>),
    /// A folder, or an entry without text.
    Other,
}

impl Folder {
    /// A folder by its path, which may contain links.
    pub fn open(path: &Path) -> io::Result<Self> {
        system::open(path).map(Self)
    }

    /// The subfolder at these parts. None of them may be a link.
    pub fn below<'a>(&self, parts: impl Iterator<Item = &'a str>) -> io::Result<Self> {
        let mut at = system::again(&self.0)?;
        for part in parts {
            at = system::enter(&at, part)?;
        }
        Ok(Self(at))
    }

    /// The entry with a name; `None` if it doesn't exist.
    pub fn look(&self, name: &str) -> io::Result<Option<Content>> {
        match system::look(&self.0, name) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            found => found.map(Some),
        }
    }

    /// Opens a file for appending, and creates it if it doesn't exist.
    pub fn open_log(&self, name: &str) -> io::Result<File> {
        step()?;
        system::open_log(&self.0, name)
    }

    /// Whether a name still refers to the opened file.
    pub fn is_still(&self, name: &str, file: &File) -> io::Result<bool> {
        system::is_still(&self.0, name, file)
    }

    /// Creates a file with this text, flushed to disk. It gets the owner, permissions and
    /// attributes of `like`, if given; otherwise it can be made executable.
    pub fn create(
        &self,
        name: &str,
        text: &[u8],
        like: Option<(&Self, &str)>,
        program: bool,
    ) -> io::Result<()> {
        step()?;
        let mut file = system::create(&self.0, name, like.is_some())?;
        write(&mut file, text)?;
        if let Some((folder, like)) = like {
            system::keep_attributes(&folder.0, like, &file)?;
        } else if program {
            system::make_program(&file)?;
        }
        keep(&file)
    }

    /// Creates a file that only its owner can read.
    pub fn create_private(&self, name: &str, text: &[u8]) -> io::Result<()> {
        system::create(&self.0, name, true)?.write_all(text)
    }

    /// Whether the entry with a name is executable.
    pub fn is_program(&self, name: &str) -> bool {
        system::is_program(&self.0, name)
    }

    /// Whether a file has other names.
    pub fn is_linked(&self, name: &str) -> bool {
        system::is_linked(&self.0, name)
    }

    pub fn create_folder(&self, name: &str) -> io::Result<()> {
        step()?;
        system::create_folder(&self.0, name)
    }

    /// Exchanges the names of two files atomically.
    ///
    /// # Errors
    /// `Unsupported` if the system can't do that.
    pub fn exchange(&self, one: &str, other: &str) -> io::Result<()> {
        step()?;
        #[cfg(test)]
        if !fault::EXCHANGES.get() {
            return Err(io::ErrorKind::Unsupported.into());
        }
        system::exchange(&self.0, one, other)
    }

    /// Renames a file, replacing any file with the new name.
    pub fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        step()?;
        system::rename(&self.0, from, to)
    }

    /// Renames a file to an unused name.
    pub fn rename_new(&self, from: &str, to: &str) -> io::Result<()> {
        step()?;
        match system::rename_new(&self.0, from, to) {
            Err(error) if error.kind() == io::ErrorKind::Unsupported => {
                if self.look(to)?.is_some() {
                    return Err(io::ErrorKind::AlreadyExists.into());
                }
                system::rename(&self.0, from, to)
            }
            done => done,
        }
    }

    /// Gives the file a second name, without copying its content if the system supports that.
    pub fn link(&self, from: &str, to: &str) -> io::Result<()> {
        step()?;
        if system::link(&self.0, from, to).is_ok() {
            return Ok(());
        }
        match self.look(from)? {
            Some(Content::File(text)) => self.create(to, &text, Some((self, from)), false),
            _ => Err(io::Error::other("is not a file")),
        }
    }

    /// Removes a file; does nothing if it doesn't exist.
    pub fn remove(&self, name: &str) -> io::Result<()> {
        step()?;
        match system::remove(&self.0, name) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            done => done,
        }
    }

    /// Removes an empty folder.
    pub fn remove_folder(&self, name: &str) -> io::Result<()> {
        step()?;
        system::remove_folder(&self.0, name)
    }

    /// Flushes names to disk, to survive a power loss.
    pub fn sync(&self) -> io::Result<()> {
        if cfg!(test) { Ok(()) } else { system::sync(&self.0) }
    }
}

/// Flushes content to disk, to survive a power loss. Tests skip this to save time.
pub fn keep(file: &File) -> io::Result<()> {
    if cfg!(test) { Ok(()) } else { file.sync_all() }
}

/// Appends to a file. The process may crash in the middle.
pub fn write(file: &mut File, bytes: &[u8]) -> io::Result<()> {
    let (head, tail) = bytes.split_at(bytes.len() / 2);
    step()?;
    file.write_all(head)?;
    step()?;
    file.write_all(tail)
}

/// The content of a file, up to the size limit for reading.
pub(super) fn read_whole(mut file: File) -> io::Result<Content> {
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        return Ok(Content::Other);
    }
    let mut text = Vec::with_capacity(
        usize::try_from(metadata.len().min(crate::world::LARGEST_FILE)).unwrap_or_default(),
    );
    Read::by_ref(&mut file).take(crate::world::LARGEST_FILE + 1).read_to_end(&mut text)?;
    Ok(Content::File(text))
}

#[cfg(test)]
fn step() -> io::Result<()> {
    fault::step()
}

#[cfg(not(test))]
#[allow(clippy::unnecessary_wraps)]
fn step() -> io::Result<()> {
    Ok(())
}
