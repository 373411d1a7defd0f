//! Changes several files: all or none of them, even if the process crashes half-way.
//!
//! 1. A [journal](journal) records the plan; it is also the lock.
//! 2. New content is written next to its files, and flushed to disk.
//! 3. If every file still has the content that was read, the journal records the commit.
//! 4. Old and new content are swapped by renaming, file by file. Readers see the old content or the
//!    new one.
//! 5. The journal records the end; the backups are removed, and then the journal.
//!
//! Any failure before the end of step 4 restores everything. A crashed process leaves the journal;
//! `agentmd apply --recover` [shows](preview) the remaining work and [does](recover) it.

#[cfg(test)]
mod fault;
mod folder;
#[cfg(unix)]
mod folder_by_handle;
#[cfg(windows)]
mod folder_held_open;
mod hash;
mod journal;
pub mod signal;
mod steps;
#[cfg(test)]
mod tests;
pub mod undo;

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

pub use journal::Journal;

use folder::Content;
use journal::{Print, Record, State, Step};
use steps::{At, Progress, enter};

use crate::plan::{FileChange, Reason, gate, path};
use crate::world::canonicalize;

/// Why nothing was written.
#[derive(Debug)]
pub struct Failure {
    /// The failed change; `None` for all of them.
    pub change: Option<usize>,
    pub reason: Reason,
    pub message: String,
    /// Files that could not be restored, or were changed concurrently.
    pub left: Vec<String>,
}

/// How an earlier transaction was completed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recovery {
    /// The new state is valid; otherwise the old one.
    pub finished: bool,
    /// Nothing had been changed yet, or everything had.
    pub untouched: bool,
    pub files: Vec<String>,
    pub left: Vec<String>,
}

impl Failure {
    fn of(change: usize, reason: Reason, message: impl Into<String>) -> Self {
        Self { change: Some(change), reason, message: message.into(), left: Vec::new() }
    }

    fn io(change: usize, name: &str, error: &io::Error) -> Self {
        let reason = if error.kind() == io::ErrorKind::PermissionDenied {
            Reason::ReadOnly
        } else {
            Reason::NotWritten
        };
        Self::of(change, reason, format!("`{name}` cannot be written: {error}"))
    }

    /// A problem with all of the changes.
    pub fn whole(error: &dyn std::fmt::Display) -> Self {
        Self {
            change: None,
            reason: Reason::NotWritten,
            message: format!("nothing can be written: {error}"),
            left: Vec::new(),
        }
    }
}

/// Makes every change, or none. Closes the journal, unless work is left for the next process.
///
/// # Errors
/// If a change can't be made; all files are restored then.
pub fn change_files(
    mut journal: Journal,
    changes: &[FileChange],
    root: &Path,
) -> Result<(), Failure> {
    let mut record = Record::default();
    let planned = Stage { root, journal: &mut journal, record: &mut record }.prepare(changes);
    let committed = planned.is_ok();
    let failure = match planned.and_then(|()| commit(&mut journal, changes, &record)) {
        Ok(()) => {
            // The files are complete: leftovers are removed now or by the next process.
            if steps::clear(&journal.root, &record).is_ok() {
                let _ = journal.close();
            }
            return Ok(());
        }
        Err(failure) => failure,
    };
    if committed {
        // If this fails, the next process finds the same state.
        let _ = journal.note(State::Undo);
    }
    match steps::undo(&journal.root, &record, committed) {
        Ok(left) => {
            let _ = journal.close();
            Err(Failure { left, ..failure })
        }
        Err(error) => {
            let left = vec![format!(
                "what was done could not be undone ({error}); `agentmd apply --recover` tries again"
            )];
            Err(Failure { left, ..failure })
        }
    }
}

/// Renames the new files into place, in order.
fn commit(journal: &mut Journal, changes: &[FileChange], record: &Record) -> Result<(), Failure> {
    for (index, (step, change)) in record.steps.iter().zip(changes).enumerate() {
        let forward = At::new(&journal.root, step).and_then(|at| at.forward());
        match forward {
            Ok(true) => {}
            Ok(false) => return Err(stale(index, &change.name)),
            Err(error) => return Err(Failure::io(index, &change.name, &error)),
        }
    }
    steps::sync(&journal.root, record)
        .and_then(|()| journal.note(State::Done))
        .map_err(|error| Failure::whole(&error))
}

fn stale(change: usize, name: &str) -> Failure {
    Failure::of(
        change,
        Reason::StaleVersion,
        format!("`{name}` has changed since it was read; run the command again"),
    )
}

/// Completes an earlier transaction; `None` if there isn't one.
///
/// # Errors
/// If that is not possible; the journal stays.
pub fn recover(journal: &mut Journal) -> anyhow::Result<Option<Recovery>> {
    let Some((record, state)) = journal.interrupted()? else { return Ok(None) };
    check(&record)?;
    let files = record.steps.iter().map(|step| step.path.clone()).collect();
    let mut recovery = Recovery { finished: true, untouched: false, files, left: Vec::new() };
    if state == State::Prepare {
        recovery.left = steps::undo(&journal.root, &record, false)?;
        (recovery.finished, recovery.untouched) = (false, true);
    } else if state == State::Done {
        recovery.untouched = true;
        steps::clear(&journal.root, &record)?;
    } else if state == State::Commit && finish(journal, &record)? {
        journal.note(State::Done)?;
        steps::clear(&journal.root, &record)?;
    } else {
        journal.note(State::Undo)?;
        recovery.left = steps::undo(&journal.root, &record, true)?;
        recovery.finished = false;
    }
    journal.clear()?;
    Ok(Some(recovery))
}

/// Whether a step's folder is missing, or isn't a folder.
fn is_gone(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// The changes to files that [`recover`] would make; files that it leaves alone are not included.
/// `None` if there is nothing to recover.
///
/// # Errors
/// If the journal can't be followed.
pub fn preview(journal: &mut Journal, root: &Path) -> anyhow::Result<Option<Vec<FileChange>>> {
    let Some((record, state)) = journal.interrupted()? else { return Ok(None) };
    check(&record)?;
    if matches!(state, State::Prepare | State::Done) {
        return Ok(Some(Vec::new()));
    }
    let mut at = Vec::new();
    for step in &record.steps {
        match At::new(&journal.root, step) {
            Ok(found) => at.push((step, Some(found))),
            Err(error) if is_gone(&error) => at.push((step, None)),
            Err(error) => return Err(error.into()),
        }
    }
    let mut forward = state == State::Commit;
    for (_, at) in &at {
        forward = forward
            && at
                .as_ref()
                .map(At::progress)
                .transpose()?
                .is_some_and(|progress| progress != Progress::Other);
    }
    let shown = |content: Option<Content>| match content {
        None => None,
        Some(Content::File(text)) => Some(String::from_utf8_lossy(&text).into_owned()),
        Some(Content::Link(target)) => {
            Some(format!("a link to {}", String::from_utf8_lossy(&target)))
        }
        Some(Content::Other) => Some("not a file".to_owned()),
    };
    let mut changes = Vec::new();
    for (step, at) in at.into_iter().filter_map(|(step, at)| Some((step, at?))) {
        let outlook = at.outlook(forward)?;
        if outlook.now != outlook.then {
            let path = root.join(&step.path);
            let (before, after) = (shown(outlook.now), shown(outlook.then));
            // All of them are made together.
            let change = FileChange::new(path, &step.path, before.as_deref(), after.as_deref());
            changes.push(FileChange { executable: outlook.program, blocks: vec![0], ..change });
        }
    }
    Ok(Some(changes))
}

/// Takes the remaining steps, unless the files were changed concurrently.
fn finish(journal: &Journal, record: &Record) -> io::Result<bool> {
    let mut ready = Vec::new();
    for step in &record.steps {
        let at = match At::new(&journal.root, step) {
            Err(error) if is_gone(&error) => return Ok(false),
            at => at?,
        };
        match at.progress()? {
            Progress::Done => at.settle()?,
            Progress::Ready => ready.push(at),
            Progress::Other => return Ok(false),
        }
    }
    for at in ready {
        if !at.forward()? {
            return Ok(false);
        }
    }
    steps::sync(&journal.root, record)?;
    Ok(true)
}

/// A journal may come from anyone, so nothing outside the root is changed, and nothing in `.git`.
fn check(record: &Record) -> anyhow::Result<()> {
    let beside = |name: &str| name.starts_with(path::BESIDE) && !name.contains(['/', '\\']);
    // Steps are split at `/`: on Windows a part with `\` would be several.
    let good = |path: &str| {
        path::below(Path::new(""), path).is_ok() && !(cfg!(windows) && path.contains('\\'))
    };
    let steps = record.steps.iter().all(|step| {
        let replaces = step.after.is_none_or(|print| !print.link)
            && (step.after.is_none() || step.before.is_none_or(|print| !print.link));
        good(&step.path) && beside(&step.new) && beside(&step.old) && replaces
    });
    let paths: HashSet<&str> = record.steps.iter().map(|step| step.path.as_str()).collect();
    let names: HashSet<&str> =
        record.steps.iter().flat_map(|step| [step.new.as_str(), step.old.as_str()]).collect();
    let once = paths.len() == record.steps.len() && names.len() == 2 * record.steps.len();
    let allowed = steps && once && record.folders.iter().all(|path| good(path));
    anyhow::ensure!(
        allowed,
        "`{}` names files that no reply may change; look at it, and remove it",
        path::JOURNAL
    );
    Ok(())
}

/// Everything before the first file changes.
struct Stage<'a> {
    root: &'a Path,
    journal: &'a mut Journal,
    record: &'a mut Record,
}

impl Stage<'_> {
    fn prepare(&mut self, changes: &[FileChange]) -> Result<(), Failure> {
        let whole = |error: io::Error| Failure::whole(&error);
        let real = canonicalize(self.root).map_err(whole)?;
        let id = self.id();
        for (index, change) in changes.iter().enumerate() {
            let path = self.place(&real, index, change)?;
            let print =
                |text: &Option<String>| text.as_ref().map(|text| Print::of(text.as_bytes()));
            let mut step = Step {
                before: print(&change.before),
                after: print(&change.after),
                new: format!("{}{id}-{index}.new", path::BESIDE),
                old: format!("{}{id}-{index}.old", path::BESIDE),
                path,
            };
            if change.after.is_none() {
                // To delete a link, delete the link itself.
                let link = enter(&self.journal.root, &step.path)
                    .and_then(|(folder, name)| Print::at(&folder, name));
                step.before = link.ok().flatten().filter(|print| print.link).or(step.before);
            }
            self.record.steps.push(step);
        }
        let twins: HashSet<&str> =
            self.record.steps.iter().map(|step| step.path.as_str()).collect();
        if twins.len() < changes.len() {
            self.record.steps.clear();
            return Err(Failure::whole(&"two of the changes are about one file"));
        }
        if check(self.record).is_err() {
            let message = "a link leads to a place that replies may not change".to_owned();
            return Err(Failure {
                change: None,
                reason: Reason::PathForbidden,
                message,
                left: Vec::new(),
            });
        }
        self.journal.begin(self.record).map_err(whole)?;
        for path in &self.record.folders {
            let made = enter(&self.journal.root, path)
                .and_then(|(folder, name)| folder.create_folder(name));
            made.map_err(|error| Failure { change: None, ..Failure::io(0, path, &error) })?;
        }
        for (index, (step, change)) in self.record.steps.iter().zip(changes).enumerate() {
            if step.before.is_some()
                && step.after.is_some()
                && enter(&self.journal.root, &step.path)
                    .is_ok_and(|(folder, name)| folder.is_linked(name))
            {
                return Err(Failure::of(index, Reason::HardLink, gate::hard_link(&change.name)));
            }
            self.write(step, change, changes).map_err(|error| match error.kind() {
                io::ErrorKind::NotFound => stale(index, &change.name),
                _ => Failure::io(index, &change.name, &error),
            })?;
        }
        steps::sync(&self.journal.root, self.record).map_err(whole)?;
        for (index, change) in changes.iter().enumerate() {
            self.look_again(&real, index, change)?;
        }
        if signal::came() {
            return Err(Failure::whole(&"interrupted"));
        }
        self.journal.note(State::Commit).map_err(whole)
    }

    /// Unused names.
    fn id(&self) -> String {
        let time = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        format!("{:x}-{:x}", std::process::id(), time.as_nanos())
    }

    fn write(&self, step: &Step, change: &FileChange, changes: &[FileChange]) -> io::Result<()> {
        if signal::came() {
            return Err(io::Error::new(io::ErrorKind::Interrupted, "interrupted"));
        }
        let Some(text) = &change.after else { return Ok(()) };
        let (folder, name) = enter(&self.journal.root, &step.path)?;
        if step.before.is_some() {
            return folder.create(
                &step.new,
                text.as_bytes(),
                Some((&folder, name)),
                change.executable,
            );
        }
        let source = change
            .like
            .as_ref()
            .and_then(|like| changes.iter().position(|other| other.path == *like));
        let source = source
            .and_then(|index| self.record.steps.get(index))
            .filter(|step| step.before.is_some_and(|print| !print.link));
        let source = source.map(|step| enter(&self.journal.root, &step.path)).transpose()?;
        folder.create(
            &step.new,
            text.as_bytes(),
            source.as_ref().map(|(folder, name)| (folder, *name)),
            change.executable,
        )
    }

    /// The path of a file, existing or not, with all links resolved; relative to the root. Collects
    /// the missing folders.
    fn place(&mut self, root: &Path, index: usize, change: &FileChange) -> Result<String, Failure> {
        let name = &change.name;
        let refused = |(reason, message): path::Refused| Failure::of(index, reason, message);
        let (real, missing) = real(change).map_err(|error| Failure::io(index, name, &error))?;
        path::within(root, &real, name).map_err(refused)?;
        let below = |path: &Path| {
            let parts: Option<Vec<&str>> =
                path.strip_prefix(root).ok()?.iter().map(|part| part.to_str()).collect();
            parts.map(|parts| parts.join("/"))
        };
        let foreign = || {
            Failure::of(
                index,
                Reason::PathForbidden,
                format!("`{name}` is in a folder whose name is not UTF-8"),
            )
        };
        for folder in missing.iter().rev() {
            let folder = below(folder).ok_or_else(foreign)?;
            if !self.record.folders.contains(&folder) {
                self.record.folders.push(folder);
            }
        }
        below(&real).ok_or_else(foreign)
    }

    /// Other processes may write during preparation.
    fn look_again(&self, root: &Path, index: usize, change: &FileChange) -> Result<(), Failure> {
        let Some(step) = self.record.steps.get(index) else { return Ok(()) };
        let now = enter(&self.journal.root, &step.path)
            .and_then(|(folder, name)| Print::at(&folder, name));
        let place = real(change).ok().and_then(|(real, _)| {
            real.strip_prefix(root).ok().map(|path| path == Path::new(&step.path))
        });
        match now {
            Ok(now) if now == step.before && place == Some(true) => Ok(()),
            Ok(_) => Err(stale(index, &change.name)),
            Err(error) => Err(Failure::io(index, &change.name, &error)),
        }
    }
}

/// The path of a file relative to the root, as in git: without links. `None` if it isn't below the
/// root.
pub fn name_below(root: &Path, change: &FileChange) -> Option<String> {
    let (real, _) = real(change).ok()?;
    let below = real.strip_prefix(canonicalize(root).ok()?).ok()?;
    let parts: Option<Vec<&str>> = below.iter().map(|part| part.to_str()).collect();
    Some(parts?.join("/"))
}

/// A file's path without links, and its missing folders, innermost first.
fn real(change: &FileChange) -> io::Result<(PathBuf, Vec<PathBuf>)> {
    let exists = |path: &Path| fs::symlink_metadata(path).is_ok();
    if change.after.is_some() && exists(&change.path) {
        return Ok((canonicalize(&change.path)?, Vec::new()));
    }
    let no_file = || io::Error::from(io::ErrorKind::InvalidInput);
    let mut missing = vec![change.path.file_name().ok_or_else(no_file)?];
    let mut folder = change.path.parent().ok_or_else(no_file)?;
    while !folder.as_os_str().is_empty() && !exists(folder) {
        missing.push(folder.file_name().ok_or_else(no_file)?);
        folder = folder.parent().ok_or_else(no_file)?;
    }
    let mut path =
        canonicalize(if folder.as_os_str().is_empty() { Path::new(".") } else { folder })?;
    let mut folders = Vec::new();
    while let Some(name) = missing.pop() {
        path.push(name);
        if !missing.is_empty() {
            folders.insert(0, path.clone());
        }
    }
    Ok((path, folders))
}
