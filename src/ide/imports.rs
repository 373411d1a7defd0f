//! Imports: the dependencies of a file's check on other files.

use std::path::Path;

use crate::format::markdownlang::{graph::Graph, interface};
use crate::source::Source;
use crate::world::{Aspect, World};

/// Whether an answer about import cycles was given before all of its dependencies were known.
pub fn was_cut_short(world: &dyn World) -> bool {
    Graph::of(world).was_cut_short()
}

/// Updates a file's imports after a change to it.
pub fn refresh(world: &dyn World, path: &Path) {
    Graph::of(world).refresh(world, path);
}

/// Reads a file's imports, unless they are known.
pub fn learn(world: &dyn World, path: &Path, source: &Source) {
    Graph::of(world).learn(world, path, source);
}

/// Changes whenever an answer about import cycles may change.
pub fn generation(world: &dyn World) -> u64 {
    Graph::of(world).generation(world)
}

/// A number for the current state of a file's aspect, as passed to [`World::note`] by a check.
pub fn aspect(world: &dyn World, path: &Path, aspect: Aspect) -> u64 {
    match aspect {
        Aspect::Interface => interface::id(world, path),
        Aspect::Rings => {
            let source = world.look(path).ok();
            source
                .and_then(|source| Graph::of(world).rings(world, path, &source, &|| false))
                .map_or(0, |rings| rings.id)
        }
    }
}
