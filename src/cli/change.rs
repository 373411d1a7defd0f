//! Files that change together: all of them, or none.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::Context;

use super::write::{create_beside, write_atomically};
use crate::plan::FileChange;
use crate::world::{ReadError, read_text};

/// What has been done, so that it can be undone.
#[derive(Default)]
struct Journal {
    /// New texts, beside the files that they are for.
    staged: Vec<PathBuf>,
    /// Folders that were not there, outermost first.
    folders: Vec<PathBuf>,
    done: Vec<Done>,
}

enum Done {
    Created(PathBuf),
    /// The file, and the text that it had.
    Replaced(PathBuf, String),
    /// The file, and where it was put.
    Removed(PathBuf, PathBuf),
}

/// Makes every change. What was done is undone when one of them cannot be made.
///
/// # Errors
/// When a file cannot be changed, or is not as it was when the changes were planned. All files are as before then.
pub fn change_files(changes: &[FileChange]) -> anyhow::Result<()> {
    let mut journal = Journal::default();
    let result = journal.stage(changes).and_then(|staged| journal.commit(changes, &staged));
    match result {
        Ok(()) => journal.finish(),
        Err(error) => return Err(journal.undo(error)),
    }
    Ok(())
}

impl Journal {
    /// Writes every new text beside the file that it is for: what can fail fails here.
    fn stage(&mut self, changes: &[FileChange]) -> anyhow::Result<Vec<Option<PathBuf>>> {
        let mut found = Vec::new();
        for change in changes {
            let name = &change.name;
            let now = match read_text(&change.path) {
                Ok(text) => Some(text),
                Err(ReadError::Missing) => None,
                Err(error) => anyhow::bail!("{name} {error}"),
            };
            anyhow::ensure!(now == change.before, "{name} has changed since it was read");
            let Some(text) = &change.after else {
                found.push(None);
                continue;
            };
            if let Some(folder) = change.path.parent() {
                self.folder(folder).with_context(|| format!("the folder of {name} cannot be made"))?;
            }
            let target = real(&change.path)?;
            let permissions = fs::metadata(&target).ok().map(|metadata| metadata.permissions());
            anyhow::ensure!(!permissions.as_ref().is_some_and(fs::Permissions::readonly), "{name} is read-only");
            let (temporary, mut file) = create_beside(&target).with_context(|| name.clone())?;
            self.staged.push(temporary.clone());
            std::io::Write::write_all(&mut file, text.as_bytes())?;
            if let Some(permissions) = permissions {
                file.set_permissions(permissions)?;
            }
            file.sync_all()?;
            found.push(Some(temporary));
        }
        Ok(found)
    }

    fn commit(&mut self, changes: &[FileChange], staged: &[Option<PathBuf>]) -> anyhow::Result<()> {
        for (change, temporary) in changes.iter().zip(staged) {
            let cannot = || format!("{} cannot be changed", change.name);
            match temporary {
                Some(temporary) => {
                    let target = real(&change.path)?;
                    fs::rename(temporary, &target).with_context(cannot)?;
                    self.done.push(match &change.before {
                        Some(before) => Done::Replaced(target, before.clone()),
                        None => Done::Created(target),
                    });
                }
                None => {
                    let (aside, _) = create_beside(&change.path).with_context(cannot)?;
                    self.staged.push(aside.clone());
                    fs::rename(&change.path, &aside).with_context(cannot)?;
                    self.done.push(Done::Removed(change.path.clone(), aside));
                }
            }
        }
        Ok(())
    }

    /// Makes a folder and those that it is in.
    fn folder(&mut self, folder: &Path) -> anyhow::Result<()> {
        let missing: Vec<&Path> = folder.ancestors().take_while(|folder| !folder.exists()).collect();
        for folder in missing.into_iter().rev() {
            fs::create_dir(folder)?;
            self.folders.push(folder.to_owned());
        }
        Ok(())
    }

    fn finish(&self) {
        for path in &self.staged {
            // What was renamed is not there any more.
            let _ = fs::remove_file(path);
        }
    }

    /// Puts everything back. What cannot be put back is said.
    fn undo(&self, error: anyhow::Error) -> anyhow::Error {
        let mut lost = Vec::new();
        for done in self.done.iter().rev() {
            let (path, undone) = match done {
                Done::Created(path) => (path, fs::remove_file(path).map_err(anyhow::Error::from)),
                Done::Replaced(path, before) => (path, write_atomically(path, before)),
                Done::Removed(path, aside) => (path, fs::rename(aside, path).map_err(anyhow::Error::from)),
            };
            if undone.is_err() {
                lost.push(path.display().to_string());
            }
        }
        self.finish();
        for folder in self.folders.iter().rev() {
            let _ = fs::remove_dir(folder);
        }
        if lost.is_empty() { error } else { error.context(format!("what was done could not be undone in {}", lost.join(", "))) }
    }
}

/// What a path leads to; itself where nothing is there.
fn real(path: &Path) -> anyhow::Result<PathBuf> {
    match fs::canonicalize(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(path.to_owned()),
        real => Ok(real?),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(folder: &Path, name: &str, before: Option<&str>, after: Option<&str>) -> FileChange {
        let text = |text: Option<&str>| text.map(str::to_owned);
        FileChange { path: folder.join(name), name: name.to_owned(), before: text(before), after: text(after), risky: false, blocks: vec![0] }
    }

    fn all(folder: &Path) -> Vec<(String, Option<String>)> {
        let mut found: Vec<_> = fs::read_dir(folder)
            .unwrap()
            .flatten()
            .map(|entry| (entry.file_name().into_string().unwrap(), fs::read_to_string(entry.path()).ok()))
            .collect();
        found.sort();
        found
    }

    #[test]
    fn all_changes_are_made() {
        let folder = tempfile::tempdir().unwrap();
        let at = folder.path();
        fs::write(at.join("a"), "1").unwrap();
        fs::write(at.join("b"), "2").unwrap();
        change_files(&[change(at, "a", Some("1"), Some("one")), change(at, "b", Some("2"), None), change(at, "c/d/e", None, Some("new"))]).unwrap();
        assert_eq!(all(at), [("a".to_owned(), Some("one".to_owned())), ("c".to_owned(), None)]);
        assert_eq!(fs::read_to_string(at.join("c/d/e")).unwrap(), "new");
    }

    #[test]
    fn one_that_fails_undoes_all() {
        let folder = tempfile::tempdir().unwrap();
        let at = folder.path();
        fs::write(at.join("a"), "1").unwrap();
        fs::write(at.join("b"), "2").unwrap();
        let before = all(at);
        let good = [change(at, "a", Some("1"), Some("one")), change(at, "n/n", None, Some("new")), change(at, "b", Some("2"), None)];
        for bad in [change(at, "x", Some("was"), Some("is")), change(at, "b/x", None, Some("")), change(at, "d", Some("gone"), None)] {
            let mut changes = good.to_vec();
            changes.push(bad);
            change_files(&changes).unwrap_err();
            assert_eq!(all(at), before);
        }
        // One that fails only when the others are made: two changes of one file.
        let mut changes = good.to_vec();
        changes.push(change(at, "b", Some("2"), None));
        change_files(&changes).unwrap_err();
        assert_eq!(all(at), before);
    }
}
