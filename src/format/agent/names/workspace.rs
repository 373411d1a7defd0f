//! Keeps the index of names up to date as files are read, change and move.

use std::path::{Path, PathBuf};

use super::index::Index;
use super::moves;
use crate::answer::Renaming;
use crate::format::workspace::Workspace;
use crate::source::Source;
use crate::world::World;

/// The names of agent files.
pub struct Names;

impl Workspace for Names {
    fn learn(&self, world: &dyn World, path: &Path, source: &Source) {
        Index::of(world).learn(world, path, source);
    }

    fn forget(&self, world: &dyn World, path: &Path) {
        Index::of(world).forget(path);
    }

    fn complete(&self, world: &dyn World) -> bool {
        Index::of(world).finish()
    }

    fn generation(&self, world: &dyn World) -> u64 {
        Index::of(world).generation(world)
    }

    fn moves(
        &self,
        world: &dyn World,
        moves: &[(PathBuf, PathBuf)],
        cancelled: &(dyn Fn() -> bool + Sync),
    ) -> Renaming {
        moves::edits(world, moves, cancelled)
    }
}
