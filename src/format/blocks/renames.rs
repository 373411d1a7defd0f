//! The names of files at each block of a reply: blocks may rename and delete files.

use std::collections::{HashMap, HashSet};

use crate::edit::{Operation, Reason};

/// The effect of earlier blocks on the names of files.
#[derive(Debug, Default)]
pub(super) struct Renames<'a> {
    /// The original name of a file that has been renamed.
    from: HashMap<&'a str, &'a str>,
    /// Names that no longer belong to any file.
    gone: HashSet<&'a str>,
    /// Names that now belong to another file.
    other: HashSet<&'a str>,
    /// Names of deleted files.
    deleted: HashSet<&'a str>,
}

/// `./a.py` is `a.py`.
fn plain(name: &str) -> &str {
    name.trim_start_matches("./")
}

impl<'a> Renames<'a> {
    /// The original name of the file that a block names; `None` if the file doesn't exist or is a
    /// different one by now.
    pub fn before(&self, name: &'a str, operation: &Operation) -> Option<&'a str> {
        // All hunks of a renamed file have its first name.
        if let Operation::Move(to) = operation
            && self.is_gone(name)
        {
            return self.from.get(plain(to)).copied();
        }
        if self.is_gone(name) || self.other.contains(plain(name)) {
            return None;
        }
        Some(self.from.get(plain(name)).copied().unwrap_or(name))
    }

    /// Why a block without a file isn't applied; `None` if it can be.
    pub fn refuses(&self, name: &str, operation: &Operation) -> Option<Reason> {
        let needs = matches!(
            operation,
            Operation::Edit
                | Operation::Move(_)
                | Operation::Replace
                | Operation::Lazy
                | Operation::Lines(_)
        );
        (self.is_gone(name) && needs).then_some(Reason::FileMissing)
    }

    /// Records that this name now belongs to another file.
    pub fn give(&mut self, name: &'a str) {
        self.gone.remove(plain(name));
        self.other.insert(plain(name));
    }

    /// Records that a block has deleted the file, or made it.
    pub fn set_deleted(&mut self, name: &'a str, deleted: bool) {
        if deleted {
            self.deleted.insert(plain(name));
        } else {
            self.deleted.remove(plain(name));
        }
    }

    /// Records that the file with this original name is renamed.
    pub fn take(&mut self, name: &'a str, to: &'a str, original: &'a str) {
        let (name, to) = (plain(name), plain(to));
        self.from.remove(name);
        self.gone.insert(name);
        self.gone.remove(to);
        self.other.remove(to);
        self.deleted.remove(to);
        self.from.insert(to, original);
    }

    pub fn is_gone(&self, name: &str) -> bool {
        self.gone.contains(plain(name))
    }

    /// Whether a block has renamed or deleted the file.
    pub fn is_free(&self, name: &str) -> bool {
        self.is_gone(name) || self.deleted.contains(plain(name))
    }
}
