//! Everything at once: all declarations of a workspace, and all mentions with their targets.

use std::path::PathBuf;
use std::sync::Arc;

use super::declared::Declaration;
use super::index::Index;
use super::mentions::{self, Mention};
use super::resolve::{Resolved, readers, resolve};
use crate::config::Config;
use crate::format::Context;
use crate::format::agent::file::File;
use crate::parallel;
use crate::world::World;

/// The names of a workspace.
#[derive(Debug)]
pub struct Graph {
    /// Sorted by path.
    pub declarations: Arc<[Arc<Declaration>]>,
    /// By file, in order.
    pub uses: Vec<Use>,
}

/// A mention in a file.
#[derive(Debug)]
pub struct Use {
    pub from: PathBuf,
    pub mention: Mention,
    pub resolved: Resolved,
}

/// The names that the files of a world declare and mention, as the clients of each file read them.
/// `config` gives the settings of a file.
pub fn graph(
    world: &dyn World,
    config: &(dyn Fn(&std::path::Path) -> Arc<Config> + Sync),
    cancelled: &(dyn Fn() -> bool + Sync),
) -> Graph {
    let uses = parallel::filter_map(&Index::files(world), &|from| {
        if cancelled() {
            return None;
        }
        let source = world.look(from).ok()?;
        let config = config(from);
        let cx = Context { cancelled, ..Context::new(&source, Some(from), world, &config) };
        let roles = readers(&File::of(&cx)?);
        let uses = mentions::of(&source, &roles).into_iter().map(|mention| {
            let resolved = resolve(&cx, &roles, &mention);
            Use { from: from.clone(), mention, resolved }
        });
        Some(uses.collect::<Vec<Use>>())
    });
    let uses = uses.into_iter().flatten().collect();
    Graph { declarations: Index::of(world).all(world), uses }
}
