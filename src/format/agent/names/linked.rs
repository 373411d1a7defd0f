//! Moves through links: clients often find a skill through a link in their own place, and mentions
//! use that path.

use std::path::{Path, PathBuf};

use super::declared::Declaration;
use super::index::Index;
use crate::client;
use crate::world::World;

/// A file or folder with its path before and after.
type Move = (PathBuf, PathBuf);

/// Moves, and what moves with them: the target of a path through a link, and links that lead to a
/// moved file or folder.
pub fn all(world: &dyn World, moves: &[Move]) -> Vec<Move> {
    let mut found = moves.to_vec();
    for (old, new) in moves {
        if let Some(target) = target(world, old, new).filter(|one| !found.contains(one)) {
            found.push(target);
        }
    }
    let declared = Index::of(world).all(world);
    for (old, new) in found.clone() {
        for declared in declared.iter().filter(|declared| declared.path.starts_with(&old)) {
            for alias in aliases(world, declared, &old) {
                if !is_itself(world, &alias) || found.iter().any(|(known, _)| *known == alias) {
                    continue;
                }
                let to = match (old.parent() == new.parent(), new.file_name()) {
                    (true, Some(name)) => alias.with_file_name(name),
                    _ => new.clone(),
                };
                found.push((alias, to));
            }
        }
    }
    found
}

/// The link that would be broken after a file or folder has moved.
pub fn broken(world: &dyn World, declared: &Declaration, moved: &Path) -> Option<PathBuf> {
    aliases(world, declared, moved).into_iter().find(|alias| !is_itself(world, alias))
}

/// Where a move through a link takes place.
fn target(world: &dyn World, old: &Path, new: &Path) -> Option<Move> {
    let real = world.identity(old);
    if real == old || !is_itself(world, old) {
        return None;
    }
    Some((real, world.identity(new.parent()?).join(new.file_name()?)))
}

/// The other paths at which clients find a moved file or folder, through links to it or to a folder
/// above it.
fn aliases(world: &dyn World, declared: &Declaration, moved: &Path) -> Vec<PathBuf> {
    let Ok(inner) = declared.path.strip_prefix(moved) else { return Vec::new() };
    let (root, levels) = (world.root(Some(moved)), inner.components().count());
    let paths = client::aliases(world, root.as_deref(), &declared.path).into_iter();
    let found = paths.filter(|path| path.ends_with(inner));
    found.filter_map(|path| Some(path.ancestors().nth(levels)?.to_owned())).collect()
}

/// Whether a path isn't a link itself. There may be one in the path to its folder.
fn is_itself(world: &dyn World, path: &Path) -> bool {
    let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else { return false };
    world.identity(folder).join(name) == world.identity(path)
}
