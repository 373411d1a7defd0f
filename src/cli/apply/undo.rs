//! `--reverse` with the record of a run: restores exactly the bytes that the run replaced.
//!
//! A record is only trusted if it's consistent with the reply: the files must be what the run made
//! of them, byte for byte, and applying the reply to the record's content must reproduce them.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::{Allow, Arguments};
use crate::cli::input::Input;
use crate::cli::transaction::undo::{Entry as File, Hash, Place, Record};
use crate::document::Document;
use crate::markdown::memo::Memo;
use crate::plan::doubt::{self, Kind};
use crate::plan::gate::Gate;
use crate::plan::{Applied, FileChange, Plan, Strategy, path};
use crate::source::Source;
use crate::world::{Disk, Entry, EntryKind, Listing, Protection, ReadError, World, slashed};

/// The path of this reply's record.
pub fn place(arguments: &Arguments, input: &Input, root: &Path) -> Option<Place> {
    let entry = arguments.entry.map(|entry| entry.to_string()).unwrap_or_default();
    Place::of(root, &[input.text.as_bytes(), entry.as_bytes()])
}

/// Records the content of files before they change. Files that may contain secrets are not copied.
pub fn remember(
    place: &Place,
    arguments: &Arguments,
    changes: &[FileChange],
    root: &Path,
) -> std::io::Result<()> {
    let world = Disk::default();
    let entry = |change: &FileChange| {
        let secret = doubt::of(&world, root, change).iter().any(|doubt| doubt.kind == Kind::Secret);
        (!secret).then(|| File {
            path: name(change, root),
            before: change.before.clone(),
            after: change.after.as_ref().map(|text| Hash::of(text.as_bytes())),
            program: change.executable,
        })
    };
    let Some(files) = changes.iter().map(entry).collect::<Option<Vec<File>>>() else {
        place.forget();
        return Ok(());
    };
    let allow = arguments.consent().kinds().iter().map(|kind| kind.name().to_owned()).collect();
    place.keep(arguments.overwrite, allow, files)
}

fn name(change: &FileChange, root: &Path) -> String {
    slashed(change.path.strip_prefix(root).unwrap_or(&change.path))
}

/// The changes that reverse a reply, from its record; `None` if the record doesn't exist or doesn't
/// match.
pub fn recall(
    place: &Place,
    arguments: &Arguments,
    input: &Input,
    document: &Document,
    root: &Path,
) -> Option<Plan> {
    let record = place.recall()?;
    let disk = Disk::default();
    let mut files = HashMap::new();
    for file in &record.files {
        let path = path::inside(&disk, root, &file.path).ok()?;
        let now = match disk.read(&path) {
            Ok(source) => Some(source.slice(0..source.len()).into_owned()),
            Err(ReadError::Missing) => None,
            Err(_) => return None,
        };
        if now.as_ref().map(|text| Hash::of(text.as_bytes())) != file.after {
            return None;
        }
        files.insert(path, (file, now));
    }
    let before = files
        .iter()
        .map(|(path, (file, _))| (path.clone(), file.before.as_deref().map(Source::new)))
        .collect();
    let world = Before { disk, files: before };
    let forward =
        super::read(&forwards(arguments, &record), input, document, &world, root, false).ok()?;
    let fits = |change: &FileChange| {
        files.get(&change.path).is_some_and(|(file, now)| {
            change.before == file.before && change.after == *now && change.before != change.after
        })
    };
    if forward.changes.len() != files.len() || !forward.changes.iter().all(fits) {
        return None;
    }
    // A moved file keeps its attributes when it's moved back.
    let moved: HashMap<PathBuf, PathBuf> = forward
        .changes
        .iter()
        .filter_map(|change| Some((change.like.clone()?, change.path.clone())))
        .collect();
    let back = |change: FileChange| {
        let executable =
            change.executable || files.get(&change.path).is_some_and(|(file, _)| file.program);
        let like = moved.get(&change.path).filter(|_| change.after.is_none()).cloned();
        FileChange {
            before: change.after,
            after: change.before,
            executable,
            like,
            risky: false,
            doubts: Vec::new(),
            ..change
        }
    };
    let changes = forward.changes.into_iter().map(back).collect();
    let mut plan = Plan {
        changes,
        applied: forward.applied.into_iter().map(reversed).collect(),
        ..Plan::default()
    };
    Gate { world: &world.disk, root, consent: &arguments.consent(), refuses_links: true }
        .keep(&mut plan);
    Some(plan)
}

/// The recorded run.
fn forwards(arguments: &Arguments, record: &Record) -> Arguments {
    let allow = record.allow.iter().filter_map(|name| Kind::named(name)).map(Allow::from).collect();
    Arguments {
        reverse: false,
        yes: false,
        partial: true,
        overwrite: record.overwrite,
        allow,
        ..arguments.clone()
    }
}

fn reversed(applied: Applied) -> Applied {
    let strategy = match applied.strategy {
        Strategy::Create => Strategy::Delete,
        Strategy::Delete => Strategy::Create,
        Strategy::Overwrite => Strategy::Replace,
        same => same,
    };
    Applied { strategy, ..applied }
}

/// The files as they were before a run.
struct Before {
    disk: Disk,
    files: HashMap<PathBuf, Option<Source>>,
}

impl World for Before {
    fn read(&self, path: &Path) -> Result<Source, ReadError> {
        match self.files.get(path) {
            Some(text) => text.clone().ok_or(ReadError::Missing),
            None => self.disk.read(path),
        }
    }

    fn kind(&self, path: &Path) -> Option<EntryKind> {
        match self.files.get(path) {
            Some(text) => text.as_ref().map(|_| EntryKind::File),
            None => self.disk.kind(path),
        }
    }

    fn list(&self, folder: &Path) -> Listing {
        let gone =
            |entry: &Entry| self.files.get(&folder.join(&entry.name)).is_some_and(Option::is_none);
        self.disk.list(folder).into_iter().filter(|entry| !gone(entry)).collect()
    }

    fn real(&self, path: &Path) -> Result<PathBuf, ReadError> {
        match (self.files.get(path), self.disk.real(path)) {
            (Some(None), _) => Err(ReadError::Missing),
            (Some(Some(_)), Err(ReadError::Missing)) => {
                let folder = path.parent().map(|folder| self.disk.real(folder));
                Ok(folder
                    .and_then(Result::ok)
                    .zip(path.file_name())
                    .map_or_else(|| path.to_owned(), |(folder, name)| folder.join(name)))
            }
            (_, real) => real,
        }
    }

    fn protection(&self, path: &Path) -> Protection {
        self.disk.protection(path)
    }

    fn python(&self) -> bool {
        self.disk.python()
    }

    fn memo(&self) -> &Memo {
        self.disk.memo()
    }
}
