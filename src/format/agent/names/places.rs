//! Files in the places of clients that aren't checked: a file may mention files next to it,
//! although only the file itself is checked.

use std::path::{Path, PathBuf};

use super::declared;
use super::index::Index;
use crate::client::{Kind, Role};
use crate::format::Context;
use crate::world::{EntryKind, Knowledge};

/// At most this many files are read, at most this many levels deep.
const MOST: usize = 2_000;
const DEEPEST: usize = 4;

/// Indexes the places of the document's clients that haven't been read yet. Only for the command
/// line, where files don't change.
pub fn complete(cx: &Context, roles: &[Role]) {
    let Some(path) = cx.path.filter(|_| cx.world.knowledge() != Knowledge::Later) else { return };
    let index = Index::of(cx.world);
    let mut folders: Vec<(PathBuf, bool)> = Vec::new();
    for role in roles {
        let base = declared::base(path, role);
        for reads in &role.client.reads {
            let places = if role.plugin { &reads.plugin_places } else { &reads.places };
            let skill = match reads.kind {
                Kind::Skill => true,
                Kind::Agent | Kind::Command | Kind::Prompt | Kind::Workflow => false,
                _ => continue,
            };
            for place in places {
                let fixed = place.split('*').next().unwrap_or_default();
                if let Some((folder, _)) =
                    fixed.rsplit_once('/').filter(|(folder, _)| !folder.is_empty())
                {
                    folders.push((base.join(folder), skill));
                }
            }
        }
    }
    folders.sort();
    folders.dedup();
    let mut left = MOST;
    let mut known = index.places();
    for (folder, skill) in folders {
        if known.insert(folder.clone()) {
            read(cx, &index, &folder, skill, DEEPEST, &mut left);
        }
    }
}

fn read(cx: &Context, index: &Index, folder: &Path, skill: bool, depth: usize, left: &mut usize) {
    let Some(depth) = depth.checked_sub(1) else { return };
    for entry in cx.world.list(folder).iter() {
        if *left == 0 || (cx.cancelled)() {
            return;
        }
        let path = folder.join(&entry.name);
        if entry.kind == EntryKind::Folder {
            read(cx, index, &path, skill, depth, left);
            continue;
        }
        let wanted = if skill { entry.name == "SKILL.md" } else { entry.name.ends_with(".md") };
        if wanted && !index.knows(&path) {
            *left -= 1;
            if let Ok(source) = cx.world.look(&path) {
                index.learn(cx.world, &path, &source);
            }
        }
    }
}
