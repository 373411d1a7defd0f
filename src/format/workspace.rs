//! The knowledge of formats about the files of a workspace, beyond the document of a request.

use std::path::{Path, PathBuf};

use crate::answer::Renaming;
use crate::source::Source;
use crate::world::World;

/// A format's knowledge of files, stored in the world. Every method is optional.
pub trait Workspace: Sync {
    /// Records the text of a file.
    fn learn(&self, _: &dyn World, _path: &Path, _: &Source) {}
    /// A file was deleted or removed from the workspace.
    fn forget(&self, _: &dyn World, _path: &Path) {}
    /// A file was changed, created or deleted. Unlike in [`Workspace::learn`], open buffers take
    /// precedence over the disk.
    fn refresh(&self, _: &dyn World, _path: &Path) {}
    /// All files are known. Returns whether an answer was given before that, and may be different
    /// now.
    fn complete(&self, _: &dyn World) -> bool {
        false
    }
    /// Changes whenever the state of an aspect that spans files may have changed.
    fn generation(&self, _: &dyn World) -> u64 {
        0
    }
    /// The edits that keep references working when files move, each move with its path before and
    /// after. A folder moves with its contents. The edits are in terms of the old paths.
    fn moves(
        &self,
        _: &dyn World,
        _moves: &[(PathBuf, PathBuf)],
        _cancelled: &(dyn Fn() -> bool + Sync),
    ) -> Renaming {
        Renaming::default()
    }
}

/// For formats whose documents don't depend on other files.
impl Workspace for () {}
