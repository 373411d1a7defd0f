//! The files of a workspace that a question knows, by the client that reads them.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use crate::client::{self, Client, Role};
use crate::parallel;
use crate::world::World;

/// Files known without reading folders.
#[derive(Debug)]
pub struct Files<'a> {
    paths: &'a [PathBuf],
    /// The files of each client in order, by the client's name.
    roles: OnceLock<FxHashMap<&'static str, Vec<(&'a Path, Role<'static>)>>>,
}

impl<'a> Files<'a> {
    pub fn new(paths: &'a [PathBuf]) -> Self {
        Self { paths, roles: OnceLock::new() }
    }

    pub fn paths(&self) -> &'a [PathBuf] {
        self.paths
    }

    /// The files that a client reads, with their roles; includes files in places of plugins.
    pub fn of(&self, world: &dyn World, client: &Client) -> &[(&'a Path, Role<'static>)] {
        let roles = self.roles.get_or_init(|| {
            let mut found: FxHashMap<_, Vec<_>> = FxHashMap::default();
            let all = parallel::filter_map(self.paths, &|path| Some(client::roles_at(world, path)));
            for (path, roles) in self.paths.iter().zip(all) {
                for role in roles {
                    found
                        .entry(role.client.name.as_str())
                        .or_default()
                        .push((path.as_path(), role));
                }
            }
            found
        });
        roles.get(client.name.as_str()).map_or(&[], Vec::as_slice)
    }
}
