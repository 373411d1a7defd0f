//! The connections between programs: their imports.

use std::path::{Path, PathBuf};

use super::graph::Graph;
use super::moves;
use crate::answer::Renaming;
use crate::format::workspace::Workspace;
use crate::source::Source;
use crate::world::World;

pub struct Programs;

impl Workspace for Programs {
    fn learn(&self, world: &dyn World, path: &Path, source: &Source) {
        Graph::of(world).learn(world, path, source);
    }

    fn refresh(&self, world: &dyn World, path: &Path) {
        Graph::of(world).refresh(world, path);
    }

    fn complete(&self, world: &dyn World) -> bool {
        Graph::of(world).was_cut_short()
    }

    fn generation(&self, world: &dyn World) -> u64 {
        Graph::of(world).generation(world)
    }

    fn moves(
        &self,
        world: &dyn World,
        moves: &[(PathBuf, PathBuf)],
        cancelled: &(dyn Fn() -> bool + Sync),
    ) -> Renaming {
        moves::edits(world, moves, cancelled).into()
    }
}
