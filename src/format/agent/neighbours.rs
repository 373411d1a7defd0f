//! Neighbours of a file: for a skill, those in neighbouring folders; otherwise, files in the same
//! folder. Mistakes are exceptions among neighbours; what most have in common is intended.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};

use rustc_hash::FxHasher;

use super::subject::Subject;
use crate::client::catalog::folder_names;
use crate::client::{self, Kind};
use crate::source::Source;
use crate::world::{Aspect, EntryKind, World};

/// Whether nearly all neighbours of a file also lack a key, or front matter. If there are several,
/// their author leaves it out on purpose, or because of a program of the project.
pub fn lack(subject: &Subject, key: Option<&str>) -> bool {
    let others = of(subject);
    let lacks = |other: &Source| match key {
        Some(key) => !has(other, key),
        None => other.front_matter().is_none(),
    };
    let lacking = others.iter().filter(|(_, other)| lacks(other)).count();
    lacking >= LEAST && lacking >= MOST_PER_OTHER * (others.len() - lacking)
}

/// Whether most neighbours of a file have a key.
pub fn have(subject: &Subject, key: &str) -> bool {
    let others = of(subject);
    let with = others.iter().filter(|(_, other)| has(other, key)).count();
    with >= LEAST && 2 * with >= others.len()
}

/// Whether the name of a skill differs from its folder's name in the same way as in several
/// neighbours: with or without the same prefix, such as `tea-`, or with a sign between words, such
/// as `:`. For other characters, such as `_`, it takes half of the neighbours. With the same
/// prefix, one neighbour is enough if it's the only one.
pub fn are_named_alike(subject: &Subject, name: &str) -> bool {
    let Some(own) = subject.file.folder().and_then(|folder| making(name, folder)) else {
        return false;
    };
    let others = of(subject);
    let alike = others.iter().filter(|(path, other)| {
        let folder = path.parent().and_then(Path::file_name).and_then(OsStr::to_str);
        let name = name_of(other);
        let made = name.as_deref().zip(folder).and_then(|(name, folder)| making(name, folder));
        made.is_some_and(|made| made == own)
    });
    let alike = alike.count();
    let all = alike > 0 && alike == others.len() && own.words.ends_with('-');
    all || alike >= LEAST && (!own.words.is_empty() || 2 * alike >= others.len())
}

/// How a name differs from that of its folder.
#[derive(PartialEq, Eq)]
struct Making {
    /// The prefix that only one of them has, or the sign between words.
    words: String,
    /// Whether the folder's name has the prefix.
    left_out: bool,
    /// All unusual characters of the name.
    signs: BTreeSet<char>,
}

/// How a name differs from that of its folder; `None` if they are unrelated, or equal and valid.
fn making(name: &str, folder: &str) -> Option<Making> {
    let signs: BTreeSet<char> = name
        .chars()
        .filter(|letter| !matches!(letter, 'a'..='z' | '0'..='9' | '-'))
        .map(|letter| if letter.is_alphabetic() { 'A' } else { letter })
        .collect();
    let group = folder.strip_suffix(name).filter(|group| group.ends_with('-'));
    if let Some(group) = group {
        return Some(Making { words: group.to_owned(), left_out: true, signs });
    }
    let hyphens = |letter: char| if letter.is_alphanumeric() { letter } else { '-' };
    let before = match name.strip_suffix(folder) {
        Some(before) => before,
        None if name.chars().map(hyphens).eq(folder.chars()) => "",
        None => return None,
    };
    let words = match before {
        "" => name.find([':', '.', '/']).and_then(|at| name.get(at..=at)).unwrap_or_default(),
        before => before,
    };
    (!words.ends_with(char::is_alphanumeric) && (!words.is_empty() || !signs.is_empty()))
        .then(|| Making { words: words.to_owned(), left_out: false, signs })
}

/// Whether a file next to a skill contains its name and description: another program combines the
/// two.
pub fn is_described(subject: &Subject) -> bool {
    let (path, world) = (subject.file.path, subject.cx.world);
    let has = |name: &String| match name.strip_prefix('*') {
        None => world.kind(&path.with_file_name(name)).is_some(),
        Some(ending) => {
            let entries = path.parent().map(|folder| world.list(folder));
            entries.is_some_and(|entries| entries.iter().any(|entry| entry.name.ends_with(ending)))
        }
    };
    folder_names().descriptions.iter().any(has)
}

fn name_of(source: &Source) -> Option<String> {
    Some(source.front_matter()?.tree.get("name")?.value.as_str()?.to_owned())
}

fn has(source: &Source, key: &str) -> bool {
    source.front_matter().is_some_and(|front| front.tree.get(key).is_some())
}

/// The neighbours of the same kind, judged by their names. They are read once for all findings.
fn of<'s>(subject: &'s Subject<'_>) -> &'s [(PathBuf, Source)] {
    subject.neighbours.get_or_init(|| read(subject))
}

fn read(subject: &Subject) -> Vec<(PathBuf, Source)> {
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
    let all: Vec<PathBuf> = entries
        .iter()
        .filter(|entry| entry.kind == wanted && (skill || entry.name.ends_with(&ending)))
        .map(|entry| folder.join(&entry.name))
        .collect();
    // If there are many, the nearest ones in the list.
    let at = all.iter().position(|other| other == own).unwrap_or(0);
    let first = at.saturating_sub(MOST / 2).min(all.len().saturating_sub(MOST + 1));
    let near = all.into_iter().skip(first).take(MOST + 1).filter(|other| other != own);
    let paths = near.map(|other| if skill { other.join(name) } else { other });
    paths.filter_map(|other| Some((other.clone(), look(world, &other)?))).collect()
}

/// The parts of a file that matter to its neighbours: whether it begins with front matter, the
/// keys, and the name.
static BEGINNING: Aspect = Aspect { name: "beginning", state: beginning, spans_files: false };

/// Reads a neighbour. The answer depends only on its `BEGINNING`, not on other changes.
pub fn look(world: &dyn World, path: &Path) -> Option<Source> {
    let source = world.look(path).ok();
    world.note(path, &BEGINNING, source.as_ref().map_or(0, fingerprint));
    source
}

fn beginning(world: &dyn World, path: &Path) -> u64 {
    world.look(path).ok().as_ref().map_or(0, fingerprint)
}

/// Whether the text begins like front matter.
pub fn begins_with_front_matter(source: &Source) -> bool {
    let start = source.slice(0..source.len().min("\u{feff}---".len()));
    start.trim_start_matches('\u{feff}').starts_with("---")
}

/// Never zero, which means that there's no file.
fn fingerprint(source: &Source) -> u64 {
    let mut hasher = FxHasher::default();
    begins_with_front_matter(source).hash(&mut hasher);
    let front = source.front_matter();
    front.is_some().hash(&mut hasher);
    for entry in front.iter().flat_map(|front| front.tree.entries()) {
        entry.key.as_str().hash(&mut hasher);
    }
    name_of(source).hash(&mut hasher);
    hasher.finish() | 1
}

/// At most this many neighbours are read.
const MOST: usize = 24;

/// Fewer neighbours may all be mistakes.
const LEAST: usize = 2;

/// For each neighbour that has something, at least this many must lack it.
const MOST_PER_OTHER: usize = 4;
