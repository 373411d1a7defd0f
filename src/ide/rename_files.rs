//! Files that are about to be renamed or moved: what has to change so that what leads to them still
//! does.

use std::path::PathBuf;

use crate::answer::FileEdit;
use crate::format::markdownlang::moves;
use crate::world::World;

/// The edits of all files that import what moves, and of what moves itself, each for the path that
/// the file still has. A folder moves with everything below it. Waits until the workspace is known.
pub fn edits(
    world: &dyn World,
    moves: &[(PathBuf, PathBuf)],
    cancelled: &(dyn Fn() -> bool + Sync),
) -> Vec<FileEdit> {
    moves::edits(world, moves, cancelled)
}
