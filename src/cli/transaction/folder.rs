//! A folder that is held open: what is done in it is done there, wherever links lead meanwhile.
//! Every part of a path is opened by itself, and none of them may be a link.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

#[cfg(test)]
use super::fault;
#[cfg(unix)]
use super::folder_by_handle as system;
#[cfg(windows)]
use super::folder_held_open as system;

/// A folder, and what can be done with the files in it. Names have no `/` in them.
#[derive(Debug)]
pub struct Folder(system::Handle);

/// What stands at a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    File(Vec<u8>),
    /// A link, and where it leads.
    Link(Vec<u8>),
    /// A folder, or something that has no text.
    Other,
}

impl Folder {
    /// A folder by its path; this path may have links in it.
    pub fn open(path: &Path) -> io::Result<Self> {
        system::open(path).map(Self)
    }

    /// The folder at these parts below this one. No part may be a link.
    pub fn below<'a>(&self, parts: impl Iterator<Item = &'a str>) -> io::Result<Self> {
        let mut at = system::again(&self.0)?;
        for part in parts {
            at = system::enter(&at, part)?;
        }
        Ok(Self(at))
    }

    /// What stands at a name; `None` when nothing does.
    pub fn look(&self, name: &str) -> io::Result<Option<Content>> {
        match system::look(&self.0, name) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            found => found.map(Some),
        }
    }

    /// Opens a file to which lines are added, and makes it where it is not there.
    pub fn open_log(&self, name: &str) -> io::Result<File> {
        step()?;
        system::open_log(&self.0, name)
    }

    /// Whether a name still means the file that was opened by it.
    pub fn is_still(&self, name: &str, file: &File) -> io::Result<bool> {
        system::is_still(&self.0, name, file)
    }

    /// Makes a file of this text, on the disk when this ends. It gets the owner, permissions and
    /// attributes of `like`; without it, it can be made a program.
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

    /// Makes a file that only its owner can read.
    pub fn create_private(&self, name: &str, text: &[u8]) -> io::Result<()> {
        system::create(&self.0, name, true)?.write_all(text)
    }

    /// Whether what stands at a name is executable.
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

    /// Two files get each other's names at one moment.
    ///
    /// # Errors
    /// `Unsupported` where the system has no such thing.
    pub fn exchange(&self, one: &str, other: &str) -> io::Result<()> {
        step()?;
        #[cfg(test)]
        if !fault::EXCHANGES.get() {
            return Err(io::ErrorKind::Unsupported.into());
        }
        system::exchange(&self.0, one, other)
    }

    /// Gives a file another name; what had that name is gone.
    pub fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        step()?;
        system::rename(&self.0, from, to)
    }

    /// Gives a file another name, which nothing has.
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

    /// The file under a second name, without its text being copied where the system can do so.
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

    /// Removes a file; there is nothing to do when it is not there.
    pub fn remove(&self, name: &str) -> io::Result<()> {
        step()?;
        match system::remove(&self.0, name) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            done => done,
        }
    }

    /// Removes a folder with nothing in it.
    pub fn remove_folder(&self, name: &str) -> io::Result<()> {
        step()?;
        system::remove_folder(&self.0, name)
    }

    /// Names that were given here outlast a loss of power.
    pub fn sync(&self) -> io::Result<()> {
        if cfg!(test) { Ok(()) } else { system::sync(&self.0) }
    }
}

/// A text outlasts a loss of power. Tests lose none, and have no time.
pub fn keep(file: &File) -> io::Result<()> {
    if cfg!(test) { Ok(()) } else { file.sync_all() }
}

/// Adds to a file. A process can end in the middle of it.
pub fn write(file: &mut File, bytes: &[u8]) -> io::Result<()> {
    let (head, tail) = bytes.split_at(bytes.len() / 2);
    step()?;
    file.write_all(head)?;
    step()?;
    file.write_all(tail)
}

/// All of a file, which may not be larger than what is ever read.
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
