//! Files that change together: all of them, or none.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::Context;

use super::write::{create_beside, write_atomically};
use crate::plan::{FileChange, path};
use crate::world::{Disk, ReadError, read_text};

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

/// Where a file is once every link is followed, and its new text beside it.
struct Staged {
    target: PathBuf,
    /// `None`: the file goes.
    temporary: Option<PathBuf>,
}

/// Makes every change. What was done is undone when one of them cannot be made. Nothing is written outside `root`, if
/// there is one, whatever became of the links in it since the changes were planned.
///
/// # Errors
/// When a file cannot be changed, or is not as it was when the changes were planned. All files are as before then.
pub fn change_files(changes: &[FileChange], root: Option<&Path>) -> anyhow::Result<()> {
    let mut journal = Journal::default();
    let result = journal.stage(changes, root).and_then(|staged| journal.commit(changes, &staged));
    match result {
        Ok(()) => journal.finish(),
        Err(error) => return Err(journal.undo(error)),
    }
    Ok(())
}

impl Journal {
    /// Writes every new text beside the file that it is for: what can fail fails here.
    fn stage(&mut self, changes: &[FileChange], root: Option<&Path>) -> anyhow::Result<Vec<Staged>> {
        let mut found = Vec::new();
        let refused = |(_, message): path::Refused| anyhow::anyhow!(message);
        for change in changes {
            let name = &change.name;
            if let Some(root) = root {
                path::inside(&Disk::default(), root, name).map_err(refused)?;
            }
            ensure_unchanged(change)?;
            if let Some(folder) = change.path.parent().filter(|_| change.after.is_some()) {
                self.folder(folder).with_context(|| format!("the folder of {name} cannot be made"))?;
            }
            let target = place(change)?;
            if let Some(root) = root {
                path::within(&fs::canonicalize(root)?, &target, name).map_err(refused)?;
            }
            let permissions = fs::metadata(&change.path).ok().map(|metadata| metadata.permissions());
            anyhow::ensure!(!permissions.as_ref().is_some_and(fs::Permissions::readonly), "{name} is read-only");
            let temporary = match &change.after {
                Some(text) => {
                    let (temporary, mut file) = create_beside(&target).with_context(|| name.clone())?;
                    self.staged.push(temporary.clone());
                    std::io::Write::write_all(&mut file, text.as_bytes())?;
                    if let Some(permissions) = permissions {
                        file.set_permissions(permissions)?;
                    }
                    file.sync_all()?;
                    Some(temporary)
                }
                None => None,
            };
            found.push(Staged { target, temporary });
        }
        Ok(found)
    }

    fn commit(&mut self, changes: &[FileChange], staged: &[Staged]) -> anyhow::Result<()> {
        for (change, Staged { target, temporary }) in changes.iter().zip(staged) {
            let cannot = || format!("{} cannot be changed", change.name);
            // Others write too, while all is made ready.
            ensure_unchanged(change)?;
            anyhow::ensure!(place(change)? == *target, "{} has been moved since it was read", change.name);
            match temporary {
                Some(temporary) => {
                    fs::rename(temporary, target).with_context(cannot)?;
                    self.done.push(match &change.before {
                        Some(before) => Done::Replaced(target.clone(), before.clone()),
                        None => Done::Created(target.clone()),
                    });
                }
                None => {
                    let (aside, _) = create_beside(target).with_context(cannot)?;
                    self.staged.push(aside.clone());
                    fs::rename(target, &aside).with_context(cannot)?;
                    self.done.push(Done::Removed(target.clone(), aside));
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

fn ensure_unchanged(change: &FileChange) -> anyhow::Result<()> {
    let now = match read_text(&change.path) {
        Ok(text) => Some(text),
        Err(ReadError::Missing) => None,
        Err(error) => anyhow::bail!("{} {error}", change.name),
    };
    anyhow::ensure!(now == change.before, "{} has changed since it was read", change.name);
    Ok(())
}

/// Where a file is, or will be, once every link is followed. A link that is to go is meant itself.
fn place(change: &FileChange) -> anyhow::Result<PathBuf> {
    let here = || {
        let folder = change.path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let name = change.path.file_name().with_context(|| format!("{} is no file", change.name))?;
        anyhow::Ok(fs::canonicalize(folder)?.join(name))
    };
    if change.after.is_none() {
        return here();
    }
    match fs::canonicalize(&change.path) {
        Err(error) if error.kind() == ErrorKind::NotFound => here(),
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
        change_files(&[change(at, "a", Some("1"), Some("one")), change(at, "b", Some("2"), None), change(at, "c/d/e", None, Some("new"))], Some(at))
            .unwrap();
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
            change_files(&changes, Some(at)).unwrap_err();
            assert_eq!(all(at), before);
        }
        // One that fails only when the others are made: two changes of one file.
        let mut changes = good.to_vec();
        changes.push(change(at, "b", Some("2"), None));
        change_files(&changes, Some(at)).unwrap_err();
        assert_eq!(all(at), before);
    }

    #[cfg(unix)]
    #[test]
    fn llmd_20_links_that_appear_after_the_plan_lead_nowhere() {
        use std::os::unix::fs::symlink;

        let folder = tempfile::tempdir().unwrap();
        let (root, away) = (folder.path().join("root"), folder.path().join("away"));
        fs::create_dir_all(root.join(".git")).unwrap();
        fs::create_dir_all(&away).unwrap();
        fs::write(away.join("f"), "1").unwrap();
        fs::write(root.join(".git/f"), "1").unwrap();
        symlink(&away, root.join("out")).unwrap();
        symlink(away.join("f"), root.join("f")).unwrap();
        symlink(root.join(".git"), root.join("repository")).unwrap();
        let (before, git) = (all(&away), all(&root.join(".git")));
        for (name, old, new) in [
            ("out/f", Some("1"), Some("2")),
            ("out/f", Some("1"), None),
            ("out/new", None, Some("2")),
            ("out/new/deep/f", None, Some("2")),
            ("f", Some("1"), Some("2")),
            ("repository/f", Some("1"), Some("2")),
            ("repository/new", None, Some("2")),
        ] {
            change_files(&[change(&root, name, old, new)], Some(&root)).unwrap_err();
            assert_eq!((all(&away), all(&root.join(".git"))), (before.clone(), git.clone()), "{name}");
        }
    }

    #[test]
    fn files_that_are_read_only_stay() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        fs::write(&path, "1").unwrap();
        let writable = fs::metadata(&path).unwrap().permissions();
        let mut permissions = writable.clone();
        permissions.set_readonly(true);
        fs::set_permissions(&path, permissions).unwrap();
        for after in [Some("2"), None] {
            change_files(&[change(folder.path(), "a", Some("1"), after)], Some(folder.path())).unwrap_err();
            assert_eq!(all(folder.path()), [("a".to_owned(), Some("1".to_owned()))]);
        }
        fs::set_permissions(&path, writable).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn a_file_that_moved_while_others_were_made_ready_is_left_alone() {
        use std::os::unix::fs::symlink;

        let folder = tempfile::tempdir().unwrap();
        let (root, away) = (folder.path().join("root"), folder.path().join("away"));
        fs::create_dir_all(root.join("src")).unwrap();
        fs::create_dir_all(&away).unwrap();
        for file in [root.join("src/f"), away.join("f")] {
            fs::write(file, "1").unwrap();
        }
        for after in [Some("2"), None] {
            let changes = [change(&root, "src/f", Some("1"), after)];
            let mut journal = Journal::default();
            let staged = journal.stage(&changes, Some(&root)).unwrap();
            fs::rename(root.join("src"), root.join("old")).unwrap();
            symlink(&away, root.join("src")).unwrap();
            assert!(journal.commit(&changes, &staged).is_err());
            assert_eq!(all(&away), [("f".to_owned(), Some("1".to_owned()))]);
            fs::remove_file(root.join("src")).unwrap();
            fs::rename(root.join("old"), root.join("src")).unwrap();
            // The same for one that is written meanwhile.
            let staged = Journal::default().stage(&changes, Some(&root)).unwrap();
            fs::write(root.join("src/f"), "other").unwrap();
            assert!(Journal::default().commit(&changes, &staged).is_err());
            assert_eq!(fs::read_to_string(root.join("src/f")).unwrap(), "other");
            fs::write(root.join("src/f"), "1").unwrap();
        }
    }
}
