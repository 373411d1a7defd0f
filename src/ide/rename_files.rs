//! Renaming or moving files: the edits that keep references to them working.

use std::path::PathBuf;

use crate::answer::FileEdit;
use crate::format::markdownlang::moves;
use crate::world::World;

/// The edits of all files that import moved files, and of the moved files, each with its path
/// before the move. A folder moves with its contents. Waits until the workspace is known.
pub fn edits(
    world: &dyn World,
    moves: &[(PathBuf, PathBuf)],
    cancelled: &(dyn Fn() -> bool + Sync),
) -> Vec<FileEdit> {
    moves::edits(world, moves, cancelled)
}
