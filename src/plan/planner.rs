//! Blocks become a plan: each sees the files as the blocks before it leave them.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use super::{Applied, FileChange, Plan, Reason, Refusal, Strategy, path};
use crate::world::{EntryKind, World};

/// What a block does to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation<'a> {
    Create(&'a str),
    /// The whole text becomes this one.
    Replace(&'a str),
    Delete,
}

/// Takes in blocks in order.
pub struct Planner<'a> {
    world: &'a dyn World,
    root: &'a Path,
    overwrites: bool,
    files: Vec<FileChange>,
    /// The files by path, and by where links lead.
    paths: HashMap<PathBuf, usize>,
    real: HashMap<PathBuf, usize>,
    /// The folders that they are in, at any depth.
    folders: HashSet<PathBuf>,
    plan: Plan,
}

/// A byte order mark is no part of a text: it stays where it is.
const MARK: char = '\u{feff}';

impl<'a> Planner<'a> {
    /// A plan for the files below `root`.
    pub fn new(world: &'a dyn World, root: &'a Path) -> Self {
        Self {
            world,
            root,
            overwrites: true,
            files: Vec::new(),
            paths: HashMap::new(),
            real: HashMap::new(),
            folders: HashSet::new(),
            plan: Plan::default(),
        }
    }

    /// The plan leaves files alone that a block wants to create, where they have another text.
    #[must_use]
    pub fn keeping_files(self, keeps: bool) -> Self {
        Self { overwrites: !keeps, ..self }
    }

    /// Takes in what block `block` does to the file that `written` means.
    pub fn take(&mut self, block: u64, written: &str, operation: Operation) {
        match self.apply(block, written, operation) {
            Ok(strategy) => self.plan.applied.push(Applied { block, file: written.to_owned(), strategy }),
            Err((reason, message)) => self.refuse(block, Some(written), reason, message),
        }
    }

    /// Says that a block is not applied.
    pub fn refuse(&mut self, block: u64, file: Option<&str>, reason: Reason, message: impl Into<String>) {
        let file = file.filter(|file| !file.is_empty()).map(str::to_owned);
        self.plan.refusals.push(Refusal { block, file, reason, message: message.into() });
    }

    pub fn finish(self) -> Plan {
        let changes = self.files.into_iter().filter(|file| file.before != file.after).collect();
        Plan { changes, ..self.plan }
    }

    fn apply(&mut self, block: u64, written: &str, operation: Operation) -> Result<Strategy, path::Refused> {
        let path = path::inside(self.world, self.root, written)?;
        let index = self.file(path, written)?;
        let Some(file) = self.files.get_mut(index) else { return Ok(Strategy::AlreadyApplied) };
        let missing = || (Reason::FileMissing, format!("`{written}` is not there."));
        let marked = file.before.as_ref().is_some_and(|text| text.starts_with(MARK));
        let text = |text: &str| if marked && !text.starts_with(MARK) { format!("{MARK}{text}") } else { text.to_owned() };
        let (strategy, after) = match operation {
            Operation::Create(new) => {
                let strategy = if file.after.is_some() { Strategy::Overwrite } else { Strategy::Create };
                if strategy == Strategy::Overwrite && !self.overwrites && file.before == file.after && file.after != Some(text(new)) {
                    return Err((Reason::FileExists, format!("`{written}` is there already, with another text.")));
                }
                // A file that came into being in this very plan is nobody's yet.
                file.risky |= strategy == Strategy::Overwrite && file.before.is_some() && file.before == file.after;
                (strategy, Some(text(new)))
            }
            Operation::Replace(new) => {
                file.after.as_ref().ok_or_else(missing)?;
                (Strategy::Replace, Some(text(new)))
            }
            Operation::Delete => {
                file.after.as_ref().ok_or_else(missing)?;
                file.risky |= file.before.is_some();
                (Strategy::Delete, None)
            }
        };
        file.blocks.push(block);
        if file.after == after {
            file.risky &= file.before != file.after;
            return Ok(Strategy::AlreadyApplied);
        }
        file.after = after;
        Ok(strategy)
    }

    /// The index of the file at a path, as it is now.
    fn file(&mut self, path: PathBuf, written: &str) -> Result<usize, path::Refused> {
        if let Some(known) = self.paths.get(&path) {
            return Ok(*known);
        }
        let above = path.ancestors().skip(1).take_while(|above| above.starts_with(self.root)).any(|above| self.paths.contains_key(above));
        if above || self.folders.contains(&path) {
            return Err((Reason::NotAFile, format!("`{written}` would have to be a file and a folder at once.")));
        }
        let before = match self.world.kind(&path) {
            None => None,
            Some(EntryKind::Folder) => return Err((Reason::NotAFile, format!("`{written}` is a folder, not a file."))),
            Some(EntryKind::File) => match self.world.read(&path) {
                Ok(source) => Some(source.slice(0..source.len()).into_owned()),
                Err(error) => return Err((Reason::Unreadable, format!("`{written}` cannot be changed: the file {error}."))),
            },
        };
        let index = self.files.len();
        if let Ok(real) = self.world.real(&path)
            && let Some(other) = self.real.insert(real, index).and_then(|other| self.files.get(other))
        {
            return Err((Reason::Ambiguous, format!("`{written}` and `{}` are the same file.", other.name)));
        }
        self.folders.extend(path.ancestors().skip(1).take_while(|above| above.starts_with(self.root)).map(Path::to_owned));
        self.paths.insert(path.clone(), index);
        self.files.push(FileChange { path, name: written.to_owned(), after: before.clone(), before, risky: false, blocks: Vec::new() });
        Ok(index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::Memory;

    fn plan(blocks: &[(&str, Operation)]) -> Plan {
        let world = Memory::default().with("/w/a", "old\n").with("/w/dir/b", "\u{feff}b");
        let mut planner = Planner::new(&world, Path::new("/w"));
        for (number, (written, operation)) in blocks.iter().enumerate() {
            planner.take(number as u64, written, *operation);
        }
        planner.finish()
    }

    fn changes(plan: &Plan) -> Vec<(&str, Option<&str>, Option<&str>, bool)> {
        plan.changes.iter().map(|file| (file.name.as_str(), file.before.as_deref(), file.after.as_deref(), file.risky)).collect()
    }

    #[test]
    fn each_block_sees_what_those_before_it_did() {
        let found =
            plan(&[("new", Operation::Create("1")), ("./new", Operation::Replace("2")), ("a", Operation::Delete), ("a", Operation::Replace("x"))]);
        assert_eq!(changes(&found), [("new", None, Some("2"), false), ("a", Some("old\n"), None, true)]);
        let refused: Vec<_> = found.refusals.iter().map(|refusal| (refusal.block, refusal.reason)).collect();
        assert_eq!(refused, [(3, Reason::FileMissing)]);
        let gone = plan(&[("new", Operation::Create("1")), ("new", Operation::Delete)]);
        assert_eq!((changes(&gone), gone.applied.len()), (vec![], 2));
    }

    #[test]
    fn what_is_lost_is_risky() {
        assert_eq!(changes(&plan(&[("a", Operation::Create("new"))])), [("a", Some("old\n"), Some("new"), true)]);
        assert_eq!(changes(&plan(&[("a", Operation::Replace("new"))])), [("a", Some("old\n"), Some("new"), false)]);
        let same = plan(&[("a", Operation::Create("old\n"))]);
        assert_eq!((changes(&same), same.applied[0].strategy), (vec![], Strategy::AlreadyApplied));
    }

    #[test]
    fn a_byte_order_mark_stays() {
        assert_eq!(changes(&plan(&[("dir/b", Operation::Replace("c"))])), [("dir/b", Some("\u{feff}b"), Some("\u{feff}c"), false)]);
    }

    #[test]
    fn a_file_is_no_folder() {
        let found = plan(&[
            ("dir", Operation::Create("")),
            ("x", Operation::Create("")),
            ("x/y", Operation::Create("")),
            ("a/b/c", Operation::Create("")),
            ("a/b", Operation::Create("")),
        ]);
        let refused: Vec<_> = found.refusals.iter().map(|refusal| (refusal.block, refusal.reason)).collect();
        assert_eq!(refused, [(0, Reason::NotAFile), (2, Reason::NotAFile), (4, Reason::NotAFile)]);
    }
}
