//! The steps of a transaction, forward and back. Each looks at the current state, since it may be
//! repeated after a crash at any point within it.

use std::io;

use super::folder::{Content, Folder};
use super::journal::{Print, Record, Step};

/// Concurrent changes by others are left alone: this explains which, in a sentence.
pub type Left = Vec<String>;

/// The state of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// The file is unchanged, and everything is prepared.
    Ready,
    Done,
    /// It was changed by another process, or restored.
    Other,
}

/// A file before and after a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outlook {
    pub now: Option<Content>,
    pub then: Option<Content>,
    /// The replacement is executable.
    pub program: bool,
}

/// A step, its folder, and the name of its file there.
pub struct At<'a> {
    step: &'a Step,
    folder: Folder,
    name: &'a str,
}

impl<'a> At<'a> {
    pub fn new(root: &Folder, step: &'a Step) -> io::Result<Self> {
        let (folder, name) = enter(root, &step.path)?;
        Ok(Self { step, folder, name })
    }

    fn print(&self, name: &str) -> io::Result<Option<Print>> {
        Print::at(&self.folder, name)
    }

    /// Applies the step if the file has the expected content; otherwise changes nothing.
    pub fn forward(&self) -> io::Result<bool> {
        let Step { before, after, new, old, .. } = self.step;
        match (before, after) {
            (None, _) => match self.folder.rename_new(new, self.name) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
                done => done.map(|()| true),
            },
            (Some(_), None) => {
                match self.folder.rename_new(self.name, old) {
                    Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
                    done => done?,
                }
                let same = self.print(old)? == *before;
                if !same {
                    self.folder.rename_new(old, self.name)?;
                }
                Ok(same)
            }
            (Some(_), Some(_)) => match self.exchange() {
                Err(error) if error.kind() == io::ErrorKind::Unsupported => {
                    if self.print(self.name)? != *before {
                        return Ok(false);
                    }
                    self.folder.remove(old)?;
                    self.folder.link(self.name, old)?;
                    self.folder.rename(new, self.name).map(|()| true)
                }
                Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
                done => done,
            },
        }
    }

    /// Swaps old and new atomically; if the old content is unexpected, swaps back.
    fn exchange(&self) -> io::Result<bool> {
        let Step { before, new, old, .. } = self.step;
        self.folder.exchange(new, self.name)?;
        let same = self.print(new)? == *before;
        if same {
            self.folder.rename(new, old)?
        } else {
            self.folder.exchange(new, self.name)?
        }
        Ok(same)
    }

    /// The state of the step, after all new content was written.
    pub fn progress(&self) -> io::Result<Progress> {
        let Step { before, after, new, old, .. } = self.step;
        let here = self.print(self.name)?;
        Ok(match (self.print(new)?, after) {
            (None, Some(_)) if here == *before => Progress::Other,
            (None, Some(_)) => Progress::Done,
            (None, None) if self.print(old)?.is_some() || here.is_none() => Progress::Done,
            (ready, _) if ready == *after && here == *before => Progress::Ready,
            // The process crashed during a swap.
            (ready, _) if before.is_some() && ready == *before && here == *after => Progress::Done,
            _ => Progress::Other,
        })
    }

    /// Completes a swap during which a process crashed. If that brings up another process's
    /// content, swaps back.
    pub fn settle(&self) -> io::Result<()> {
        let Step { before, after, new, old, .. } = self.step;
        if before.is_none() || after.is_none() {
            return Ok(());
        }
        let ready = self.print(new)?;
        if ready.is_some() && ready != *after && self.print(self.name)? == *after {
            return if ready == *before {
                self.folder.rename(new, old)
            } else {
                self.folder.rename(new, self.name)
            };
        }
        Ok(())
    }

    /// Restores the file. `committed`: the new content was complete, and files may have it.
    pub fn backward(&self, committed: bool, left: &mut Left) -> io::Result<()> {
        let Step { path, before, after, new, old, .. } = self.step;
        if !committed {
            return self.folder.remove(new);
        }
        self.settle()?;
        let (here, ready) = (self.print(self.name)?, self.print(new)?);
        if before.is_none() && ready.is_none() && here.is_some() {
            if here == *after {
                return self.folder.remove(self.name);
            }
            left.push(format!(
                "{path} was created by this reply and has changed since; it is kept"
            ));
        }
        let aside = self.print(old)?;
        if aside.is_some_and(|aside| !self.is_own(aside)) {
            left.push(format!("{path} was a file, but its backup isn't; it is kept unchanged"));
        } else if aside.is_some() {
            let put_back = |done: io::Result<()>| match done {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
                done => done.map(|()| true),
            };
            let back = if here == *before {
                self.folder.remove(old).map(|()| true)?
            } else if here.is_some() && here == *after {
                self.folder.rename(old, self.name).map(|()| true)?
            } else {
                put_back(self.folder.rename_new(old, self.name))?
            };
            if !back {
                let aside = path
                    .rsplit_once('/')
                    .map_or_else(|| old.clone(), |(folder, _)| format!("{folder}/{old}"));
                left.push(format!(
                    "{path} has changed since; it is kept, and its previous content \
                    is in {aside}"
                ));
            }
        }
        self.folder.remove(new)
    }

    /// The result of [`forward`](Self::forward) or [`backward`](Self::backward), without changing
    /// anything.
    pub fn outlook(&self, forward: bool) -> io::Result<Outlook> {
        let Step { before, after, new, old, .. } = self.step;
        let now = self.folder.look(self.name)?;
        let stays = Outlook { now: now.clone(), then: now.clone(), program: false };
        let becomes = |name: &str| {
            let then = self.folder.look(name)?;
            Ok(Outlook { now: now.clone(), then, program: self.folder.is_program(name) })
        };
        let gone = Outlook { now: now.clone(), then: None, program: false };
        if forward {
            return match (self.progress()?, after) {
                (Progress::Ready, Some(_)) => becomes(new),
                (Progress::Ready, None) => Ok(gone),
                _ => Ok(stays),
            };
        }
        let (here, ready) = (self.print(self.name)?, self.print(new)?);
        // The state after `settle`.
        let out = before.is_some()
            && after.is_some()
            && ready.is_some()
            && ready != *after
            && here == *after;
        if out {
            return becomes(new);
        }
        if before.is_none() && ready.is_none() && here.is_some() && here == *after {
            return Ok(gone);
        }
        let aside = self.print(old)?;
        let returns = here.is_none() || here == *after && here != *before;
        if aside.is_some_and(|aside| self.is_own(aside)) && returns {
            becomes(old)
        } else {
            Ok(stays)
        }
    }

    /// Whether the backup may have been the file: not a link unless the file was one.
    fn is_own(&self, aside: Print) -> bool {
        !aside.link || self.step.before.is_some_and(|before| before.link)
    }

    /// Removes the backup.
    pub fn clear(&self) -> io::Result<()> {
        self.folder.remove(&self.step.old)
    }
}

/// The folder of a path relative to the root, and its last part.
pub fn enter<'a>(root: &Folder, path: &'a str) -> io::Result<(Folder, &'a str)> {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    Ok((root.below(folder.split('/').filter(|part| !part.is_empty()))?, name))
}

/// Restores everything, in reverse order.
pub fn undo(root: &Folder, record: &Record, committed: bool) -> io::Result<Left> {
    let mut left = Left::new();
    for step in record.steps.iter().rev() {
        match At::new(root, step) {
            Ok(at) => at.backward(committed, &mut left)?,
            // Its folder was not created yet, or was removed with its contents.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
                left.push(format!("{} was moved: its folder is now a link or a file", step.path))
            }
            Err(error) => return Err(error),
        }
    }
    for path in record.folders.iter().rev() {
        match enter(root, path).and_then(|(folder, name)| folder.remove_folder(name)) {
            // It contains files of another process.
            Err(error)
                if matches!(
                    error.kind(),
                    io::ErrorKind::NotFound
                        | io::ErrorKind::DirectoryNotEmpty
                        | io::ErrorKind::NotADirectory
                ) => {}
            done => done?,
        }
    }
    Ok(left)
}

/// Removes the backups, and flushes the new names.
pub fn clear(root: &Folder, record: &Record) -> io::Result<()> {
    for step in &record.steps {
        match At::new(root, step) {
            Ok(at) => at.clear()?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Flushes the folders of changed files, to survive a power loss.
pub fn sync(root: &Folder, record: &Record) -> io::Result<()> {
    let mut folders: Vec<&str> = record
        .steps
        .iter()
        .map(|step| step.path.rsplit_once('/').map_or("", |(folder, _)| folder))
        .collect();
    folders.extend(
        record.folders.iter().map(|path| path.rsplit_once('/').map_or("", |(folder, _)| folder)),
    );
    folders.sort_unstable();
    folders.dedup();
    for folder in folders {
        root.below(folder.split('/').filter(|part| !part.is_empty()))?.sync()?;
    }
    Ok(())
}
