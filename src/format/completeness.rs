//! Whether an index knows all files of a workspace.

use std::sync::atomic::{AtomicBool, Ordering};

/// An index is complete once all files have been added, and none had to be left out.
#[derive(Debug, Default)]
pub struct Completeness {
    all: AtomicBool,
    /// A file was left out because of the limit.
    refused: AtomicBool,
    /// An answer was given before all files were known.
    early: AtomicBool,
}

impl Completeness {
    /// Something was left out.
    pub fn refuse(&self) {
        self.refused.store(true, Ordering::SeqCst);
    }

    /// Whether all files are known. A caller that is too early must ask again.
    pub fn ask(&self) -> bool {
        if self.refused.load(Ordering::SeqCst) {
            return false;
        }
        let all = self.has_all();
        if !all {
            self.early.store(true, Ordering::SeqCst);
        }
        all
    }

    /// Whether all files have been added, for a caller that does not ask again.
    pub fn has_all(&self) -> bool {
        self.all.load(Ordering::SeqCst)
    }

    /// Sets whether all files have been added.
    pub fn set(&self, all: bool) {
        self.all.store(all, Ordering::SeqCst);
    }

    /// All files have been added; returns whether an answer was given before that.
    pub fn finish(&self) -> bool {
        self.set(true);
        self.early.swap(false, Ordering::SeqCst)
    }
}
