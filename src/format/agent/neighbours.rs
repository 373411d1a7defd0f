//! What the files next to one have: skills in the folders next to a skill's, other files in the same folder.

use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};

use rustc_hash::FxHasher;

use super::subject::Subject;
use crate::client::{self, Kind};
use crate::source::Source;
use crate::world::{Aspect, EntryKind, World};

/// Whether the neighbours of a file lack what it lacks: a key, or all front matter. If there are several,
/// and none has it, their author leaves it out on purpose, or for a program of the project.
pub fn lack(subject: &Subject, key: Option<&str>) -> bool {
    let others = of(subject);
    let lacks = |other: &Source| match key {
        Some(key) => !has(other, key),
        None => other.front_matter().is_none(),
    };
    others.len() >= LEAST && others.iter().all(lacks)
}

/// Whether most neighbours of a file have a key, too.
pub fn have(subject: &Subject, key: &str) -> bool {
    let others = of(subject);
    let with = others.iter().filter(|other| has(other, key)).count();
    with >= LEAST && 2 * with >= others.len()
}

fn has(source: &Source, key: &str) -> bool {
    source.front_matter().is_some_and(|front| front.tree.get(key).is_some())
}

/// The files next to one that are of its kind by their name. They are read once, for all of its findings.
fn of<'s>(subject: &'s Subject<'_>) -> &'s [Source] {
    subject.neighbours.get_or_init(|| read(subject))
}

fn read(subject: &Subject) -> Vec<Source> {
    let (path, world) = (subject.file.path, subject.cx.world);
    let skill = subject.file.kind == Kind::Skill;
    let own = if skill { path.parent().unwrap_or(path) } else { path };
    let name = path.file_name().unwrap_or_default();
    // `.agent.md` of `cook.agent.md`.
    let text = name.to_string_lossy();
    let ending = text.strip_prefix(client::stem(&text)).unwrap_or_default().to_owned();
    let folder = own.parent().map(PathBuf::from).unwrap_or_default();
    let wanted = if skill { EntryKind::Folder } else { EntryKind::File };
    let entries = world.list(&folder);
    let paths = entries
        .iter()
        .filter(|entry| entry.kind == wanted && (skill || entry.name.ends_with(&ending)))
        .map(|entry| folder.join(&entry.name))
        .filter(|other| other != own)
        .take(MOST)
        .map(|other| if skill { other.join(name) } else { other });
    paths.filter_map(|other| look(world, &other)).collect()
}

/// How a file begins, and the keys of its front matter: what its neighbours are judged by.
static BEGINNING: Aspect = Aspect { name: "beginning", state: beginning, spans_files: false };

/// Reads a neighbour for its beginning: other changes to it don't concern the answer.
pub fn look(world: &dyn World, path: &Path) -> Option<Source> {
    let source = world.look(path).ok();
    world.note(path, &BEGINNING, source.as_ref().map_or(0, fingerprint));
    source
}

fn beginning(world: &dyn World, path: &Path) -> u64 {
    world.look(path).ok().as_ref().map_or(0, fingerprint)
}

/// Whether a text begins as one with front matter does.
pub fn begins_with_front_matter(source: &Source) -> bool {
    let start = source.slice(0..source.len().min("\u{feff}---".len()));
    start.trim_start_matches('\u{feff}').starts_with("---")
}

/// Not zero, which stands for no file.
fn fingerprint(source: &Source) -> u64 {
    let mut hasher = FxHasher::default();
    begins_with_front_matter(source).hash(&mut hasher);
    let front = source.front_matter();
    front.is_some().hash(&mut hasher);
    for entry in front.iter().flat_map(|front| front.tree.entries()) {
        entry.key.as_str().hash(&mut hasher);
    }
    hasher.finish() | 1
}

/// So many neighbours are looked at.
const MOST: usize = 24;

/// Fewer may all be mistakes.
const LEAST: usize = 2;
