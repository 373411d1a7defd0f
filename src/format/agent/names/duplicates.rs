//! Files that one client merges under one name.

use std::path::PathBuf;
use std::sync::Arc;

use super::declared::{self, Declaration};
use super::index::Index;
use crate::client::{Kind, Role};
use crate::format::Context;
use crate::world::Knowledge;

/// Another file that a client of the document finds by the document's name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Duplicate {
    pub path: PathBuf,
    pub kind: Kind,
    /// The title of the client.
    pub client: String,
    /// The names differ only in case.
    pub case: bool,
    /// It is in another place of the client, where it may be meant for another client.
    pub apart: bool,
}

/// The first file that has the name of the document for one of these clients.
pub fn duplicate(cx: &Context, roles: &[Role]) -> Option<Duplicate> {
    let path = cx.path?;
    let own = declared::of(cx.world, path, cx.source)?;
    let index = Index::of(cx.world);
    let placed = roles.iter().filter(|role| !role.reads.anywhere);
    for (role, apart) in
        placed.clone().map(|role| (role, false)).chain(placed.map(|role| (role, true)))
    {
        let name = key(&own, role);
        watch(cx, &own, role);
        for other in index.declarers(cx.world, name) {
            if other.path == path || !merges(&own, &other, role, apart) {
                continue;
            }
            let theirs = key(&other, role);
            let same = theirs == name;
            if !same && !theirs.eq_ignore_ascii_case(name) {
                continue;
            }
            // Copies of the file, and links to it.
            let is_copy = || {
                cx.world.identity(&other.path) == cx.world.identity(path)
                    || cx.world.read(&other.path).is_ok_and(|text| text.text() == cx.source.text())
            };
            if !is_copy() {
                let client = role.client.title.clone();
                return Some(Duplicate {
                    path: other.path.clone(),
                    kind: other.kind,
                    client,
                    case: !same,
                    apart,
                });
            }
        }
    }
    None
}

/// Looks up files that would have the name of the document, so that the answer is repeated when one
/// appears: editors report new Markdown files, but not a folder that moves with such a file in it.
fn watch(cx: &Context, own: &Declaration, role: &Role) {
    let client = role.client;
    let merges = match own.kind {
        Kind::Command => client.skills_before_commands,
        Kind::Skill => client.merges_skills,
        _ => false,
    };
    if !merges || role.plugin || cx.world.knowledge() != Knowledge::Later {
        return;
    }
    let base = declared::base(&own.path, role);
    let skills = client.reads.iter().filter(|reads| reads.kind == Kind::Skill);
    for place in skills.flat_map(|reads| &reads.places) {
        let file = place.replace("**/", "").replacen('*', &own.stem, 1);
        if !file.contains('*') {
            cx.world.kind(&base.join(file));
        }
    }
}

/// The name by which a client identifies files of a kind.
fn key<'d>(declared: &'d Declaration, role: &Role) -> &'d str {
    match declared.kind {
        Kind::Agent if role.client.agents_by_name => declared.shown(),
        _ => &declared.stem,
    }
}

/// Whether a client keeps two files in one list: agents of one folder, skills of one folder, and
/// skills with commands; or, `apart`, skills of all of its places.
fn merges(own: &Declaration, other: &Arc<Declaration>, reader: &Role, apart: bool) -> bool {
    let roles = || other.roles.iter().filter(|role| std::ptr::eq(role.client, reader.client));
    let one_base = roles().any(|role| {
        role.plugin == reader.plugin && other.base(role) == declared::base(&own.path, reader)
    });
    let kinds = match (own.kind, other.kind) {
        (Kind::Skill, Kind::Skill) if apart => reader.client.merges_skills && !reader.plugin,
        _ if apart => false,
        // An agent without the name that the client requires isn't loaded at all.
        (Kind::Agent, Kind::Agent) => {
            // A file in the place of another client is often a copy for that client.
            roles().any(|role| std::ptr::eq(role.reads, reader.reads))
                && (!reader.client.agents_by_name || own.name.is_some() && other.name.is_some())
        }
        // In the same folder, so that only the case of the names differs.
        (Kind::Skill, Kind::Skill) => {
            own.folder().and_then(|folder| folder.parent())
                == other.folder().and_then(|folder| folder.parent())
        }
        (Kind::Command, Kind::Skill) => reader.client.skills_before_commands,
        _ => false,
    };
    one_base && kinds
}
