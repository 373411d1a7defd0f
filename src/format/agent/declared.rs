//! Names of skills and agents that the workspace declares, for completion.

use std::collections::BTreeSet;
use std::path::Path;

use super::subject::Subject;
use crate::client::{Kind, Reads, Role};
use crate::world::EntryKind;

/// At most this many folders and files are searched.
const MOST: usize = 2_000;

/// The names of a kind in the client's places, relative to the root of the workspace and, in a
/// plugin, to its folder.
pub fn names(subject: &Subject, role: &Role, kind: Kind) -> Vec<String> {
    let mut found = BTreeSet::new();
    let mut left = MOST;
    let root = subject.cx.root();
    for reads in role.client.reads.iter().filter(|reads| reads.kind == kind) {
        if let Some(root) = &root {
            for place in &reads.places {
                look(subject, root, place, reads, &mut found, &mut left);
            }
        }
        if let Some(plugin) = subject.file.path.ancestors().nth(role.parts).filter(|_| role.plugin)
        {
            for place in &reads.plugin_places {
                look(subject, plugin, place, reads, &mut found, &mut left);
            }
        }
    }
    found.into_iter().collect()
}

fn look(
    subject: &Subject,
    root: &Path,
    place: &str,
    reads: &Reads,
    found: &mut BTreeSet<String>,
    left: &mut usize,
) {
    let Some((fixed, _)) = place.split_once('*') else { return };
    let Some((folder, _)) = fixed.rsplit_once('/') else { return };
    let folder = root.join(folder);
    for entry in subject.cx.world.list(&folder).iter() {
        if *left == 0 {
            return;
        }
        *left -= 1;
        let path = folder.join(&entry.name);
        if reads.kind == Kind::Skill {
            let skill = entry.kind == EntryKind::Folder
                && subject.cx.world.kind(&path.join("SKILL.md")).is_some();
            found.extend(skill.then(|| entry.name.clone()));
        } else if entry.kind == EntryKind::File {
            let stem = entry
                .name
                .strip_suffix(".md")
                .map(|stem| stem.strip_suffix(".agent").unwrap_or(stem).to_owned());
            found.extend(stem.filter(|_| path != subject.file.path));
        }
    }
}
