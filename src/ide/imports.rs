//! Imports: what a check of one file rests on in others.

use std::path::Path;

use crate::format::markdownlang::{graph::Graph, interface};
use crate::source::Source;
use crate::world::{Aspect, World};

/// Whether an answer about rings of imports was given before all that it rests on was known.
pub fn was_cut_short(world: &dyn World) -> bool {
    Graph::of(world).was_cut_short()
}

/// Takes in what a file imports after something happened to it.
pub fn refresh(world: &dyn World, path: &Path) {
    Graph::of(world).refresh(world, path);
}

/// Takes in what a file imports, unless that is known.
pub fn learn(world: &dyn World, path: &Path, source: &Source) {
    Graph::of(world).learn(world, path, source);
}

/// Changes whenever an answer about rings of imports may.
pub fn generation(world: &dyn World) -> u64 {
    Graph::of(world).generation(world)
}

/// What this aspect of a file is now, in a number: what [`World::note`] is told when a check looks
/// at it.
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
