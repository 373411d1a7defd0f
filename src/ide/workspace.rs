//! The files of a workspace: what formats learn from them, and what happens when they move.

use std::path::{Path, PathBuf};

use rustc_hash::FxHasher;

use crate::answer::Renaming;
use crate::format::workspaces;
use crate::source::Source;
use crate::world::World;

/// Records a file's contents.
pub fn learn(world: &dyn World, path: &Path, source: &Source) {
    workspaces().for_each(|known| known.learn(world, path, source));
}

/// Removes a file that is no longer part of the workspace.
pub fn forget(world: &dyn World, path: &Path) {
    workspaces().for_each(|known| known.forget(world, path));
}

/// Updates the information about a file after it changed.
pub fn refresh(world: &dyn World, path: &Path) {
    workspaces().for_each(|known| known.refresh(world, path));
}

/// Marks all files as known. Returns whether earlier answers may be different now.
pub fn complete(world: &dyn World) -> bool {
    workspaces().fold(false, |early, known| known.complete(world) | early)
}

/// Changes whenever the state of an aspect that spans files may have changed.
pub fn generation(world: &dyn World) -> u64 {
    use std::hash::{Hash, Hasher};
    let mut hasher = FxHasher::default();
    workspaces().for_each(|known| known.generation(world).hash(&mut hasher));
    hasher.finish()
}

/// The edits of all files with references to moved files, and of the moved files, each with its
/// path before the move. A folder moves with its contents. Waits until the whole workspace is
/// known.
pub fn moves(
    world: &dyn World,
    moves: &[(PathBuf, PathBuf)],
    cancelled: &(dyn Fn() -> bool + Sync),
) -> Renaming {
    let mut all = Renaming::default();
    workspaces().for_each(|known| all.extend(known.moves(world, moves, cancelled)));
    all.sorted()
}
