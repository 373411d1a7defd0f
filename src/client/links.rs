//! Files that clients find through links: skills for several clients are often in one folder, to
//! which each client's own folder has a link.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use super::places::{self, Place, What};
use super::{Kind, Role, catalog, place, roles};
use crate::world::{EntryKind, World};

/// Every client that reads the file at `path`, directly or through a link in one of its places, and
/// the kind that it reads it as.
pub fn roles_at(world: &dyn World, path: &Path) -> Vec<Role<'static>> {
    let mut found = roles(place(world, path));
    add(world, world.root(Some(path)).as_deref(), path, &mut found);
    found
}

/// The other paths at which clients find the file at `path`, through links in their places.
pub fn aliases(world: &dyn World, root: Option<&Path>, path: &Path) -> Vec<PathBuf> {
    let mut found = candidates(world, root, path, &own_places(path));
    let mut real = None;
    found.retain(|candidate| {
        candidate != path
            && world.kind(candidate) == Some(EntryKind::File)
            && world.identity(candidate) == *real.get_or_insert_with(|| world.identity(path))
    });
    found
}

/// Adds the roles of clients that only reach a file through a link. A link is found if it has the name of its target, or
/// of a file that a client reads, such as `CLAUDE.md`, and is in a place of the workspace, or of the folder that the
/// file's own place is relative to.
pub fn add<'a>(world: &dyn World, root: Option<&Path>, path: &Path, roles: &mut Vec<Role<'a>>) {
    if roles.is_empty() {
        return;
    }
    for candidate in aliases(world, root, path) {
        for role in super::roles(place(world, &candidate)) {
            // The place is also relative to a folder above the file.
            let base = candidate.ancestors().nth(role.parts);
            let parts = base.and_then(|base| path.strip_prefix(base).ok());
            let Some(parts) = parts.filter(|_| !role.plugin) else { continue };
            let role = Role { parts: parts.components().count(), ..role };
            match roles.iter_mut().find(|other| std::ptr::eq(other.client, role.client)) {
                // A client's own place is more specific than one in a plugin, whose folder may not
                // be a plugin.
                Some(other) if other.plugin => *other = role,
                Some(_) => {}
                None => roles.push(role),
            }
        }
    }
}

/// The kinds of a path by its places, each with the outermost folder that a place is relative to,
/// and the path after the names that the place begins with.
fn own_places(path: &Path) -> Vec<(Kind, &Path, &Path)> {
    let parts = catalog::parts(path);
    let mut found = Vec::new();
    for (place, count) in places::matching(&parts) {
        if matches!(place.what, What::Misplaced(_)) {
            continue;
        }
        let Some(base) = path.ancestors().nth(count) else { continue };
        let begins = names_before_pattern(place);
        let named = path.ancestors().nth(count.saturating_sub(begins.len()));
        let Some(tail) = named.and_then(|named| path.strip_prefix(named).ok()) else { continue };
        let one = (place.reads.kind, base, tail);
        if !found.contains(&one) {
            found.push(one);
        }
    }
    // Projects are not inside the folders of clients. For each folder, every key press looks at all
    // places.
    let outermost = found.iter().map(|(_, base, _)| base.components().count()).min();
    found.retain(|(_, base, _)| Some(base.components().count()) == outermost);
    found
}

fn candidates(
    world: &dyn World,
    root: Option<&Path>,
    path: &Path,
    own: &[(Kind, &Path, &Path)],
) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = Vec::new();
    let mut exists: FxHashMap<PathBuf, bool> = FxHashMap::default();
    for (kind, base, tail) in own {
        let beside = path.parent();
        let bases = [Some(*base), root, beside.filter(|_| *kind == Kind::Memory)];
        for (at, base) in bases.iter().enumerate() {
            let Some(base) = base.filter(|_| !bases.iter().take(at).any(|other| other == base))
            else {
                continue;
            };
            for door in doors().iter().filter(|door| door.kind == *kind) {
                let head = base.join(door.head);
                let is_there = |path: &PathBuf| world.kind(path).is_some();
                if !*exists.entry(head).or_insert_with_key(is_there) {
                    continue;
                }
                let folder = base.join(&door.path);
                let candidate = if door.is_file { folder } else { folder.join(tail) };
                if !found.contains(&candidate) {
                    found.push(candidate);
                }
            }
        }
    }
    found
}

/// A place that a link can lead to.
struct Door {
    kind: Kind,
    /// The names that a place begins with.
    path: String,
    head: &'static str,
    /// The names are the whole place.
    is_file: bool,
}

fn doors() -> &'static [Door] {
    static DOORS: OnceLock<Vec<Door>> = OnceLock::new();
    DOORS.get_or_init(|| {
        let mut doors: Vec<Door> = Vec::new();
        for place in places::all().filter(|place| matches!(place.what, What::Place)) {
            let names = names_before_pattern(place);
            let (path, kind) = (names.join("/"), place.reads.kind);
            let is_file = path == place.glob();
            if let Some(head) = names.first()
                && !doors.iter().any(|door| (&door.path, door.kind) == (&path, kind))
            {
                doors.push(Door { kind, path, head, is_file });
            }
        }
        doors
    })
}

fn names_before_pattern(place: &Place) -> Vec<&'static str> {
    place.glob().split('/').take_while(|part| !part.contains('*')).collect()
}

#[cfg(test)]
mod tests;
