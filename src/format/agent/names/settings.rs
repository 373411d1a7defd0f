//! Names in the settings of Claude Code: of skills, commands and agents in permissions, overrides and
//! the agent of the main thread. They are resolved from the folder of the settings.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::declared::{self, Declaration};
use super::mentions::{Mention, Place, Word, scoped};
use super::resolve::{Plugins, Target, resolve_among};
use super::scan::{paths_in, quoted_paths_in};
use super::servers::text;
use super::{json, paths, plugins};
use crate::answer::Renaming;
use crate::client::{Kind, Role, catalog};
use crate::format::Context;
use crate::source::Source;
use crate::text::{Edit, Span};
use crate::world::World;
use crate::yaml::{self, Node};

/// The files, relative to the folder of a project.
const FILES: &[&str] = &[".claude/settings.json", ".claude/settings.local.json"];

/// Whether a path is that of a settings file.
pub fn is_settings(path: &Path) -> bool {
    FILES.iter().any(|file| path.ends_with(file))
}

/// The settings in the workspace folders of some files, sorted: those in and above folders with known
/// files.
pub fn files<'p>(cx: &Context, of: impl Iterator<Item = &'p Path>) -> Vec<PathBuf> {
    let roots: BTreeSet<PathBuf> = of.filter_map(|path| cx.world.root(Some(path))).collect();
    let roots = if roots.is_empty() { cx.root().into_iter().collect() } else { roots };
    let mut folders: BTreeSet<PathBuf> = roots.clone();
    for file in cx.world.files() {
        let Some(root) = roots.iter().find(|root| file.starts_with(root)) else { continue };
        let inside = file.ancestors().skip(1).take_while(|folder| folder.starts_with(root));
        for folder in inside {
            if !folders.insert(folder.to_owned()) {
                break;
            }
        }
    }
    folders.iter().flat_map(|folder| in_folder(cx.world, folder)).collect()
}

/// The settings of a project.
pub fn in_folder<'w>(world: &'w dyn World, folder: &Path) -> impl Iterator<Item = PathBuf> + 'w {
    let folder = folder.to_owned();
    let files = FILES.iter().map(move |file| folder.join(file));
    files.filter(|path| world.kind(path).is_some())
}

/// Calls `each` with every name in the settings around some files, with the context of the settings.
pub fn each<'p>(
    cx: &Context,
    of: impl Iterator<Item = &'p Path>,
    each: &mut dyn FnMut(&Context, &Mention),
) {
    for path in files(cx, of) {
        if (cx.cancelled)() {
            return;
        }
        let Ok(source) = json::source(cx.world, &path) else { continue };
        let own = Context { source: &source, path: Some(&path), ..*cx };
        for mention in mentions(&source) {
            each(&own, &mention);
        }
    }
}

/// The names of skills, commands and agents in settings. Those with a plugin include it.
pub fn mentions(source: &Source) -> Vec<Mention> {
    let json = json::of(source);
    let mut found = Vec::new();
    for entry in json.tree.entries() {
        let key = entry.key.as_str().unwrap_or_default();
        match key {
            "agent" => {
                let name = text(&entry.value).into_iter();
                found.extend(name.filter_map(|(name, span)| named(key, &name, &span, Word::Agent)));
            }
            "skillOverrides" => {
                let map = entry.value.as_mapping().into_iter().flat_map(|map| &map.entries);
                let names = map.filter_map(|entry| text(&entry.key));
                found
                    .extend(names.filter_map(|(name, span)| named(key, &name, &span, Word::Skill)));
            }
            _ => {
                let strings = plugins::strings_in(&entry.value).into_iter();
                found.extend(strings.filter_map(|(string, span)| permission(key, &string, &span)));
            }
        }
    }
    found
}

/// Rewrites paths to moved files in commands and permissions. They are relative to the folder of a
/// project.
pub fn path_edits(cx: &Context, moves: &[(PathBuf, PathBuf)], renaming: &mut Renaming) {
    for path in files(cx, moves.iter().map(|(from, _)| from.as_path())) {
        let Some(folder) = path.ancestors().nth(2) else { continue };
        let Ok(source) = json::source(cx.world, &path) else { continue };
        let from = folder.join("_");
        let own = Context { source: &source, path: Some(&from), ..*cx };
        let json = json::of(&source);
        let mut strings: Vec<Span> = Vec::new();
        for entry in json.tree.entries() {
            match entry.key.as_str() {
                Some("permissions") => spans_of_strings(&source, &entry.value, &mut strings),
                _ => {
                    let commands = paths::commands(&entry.value).into_iter();
                    commands.for_each(|command| spans_of_strings(&source, command, &mut strings));
                }
            }
        }
        for span in strings {
            // As written, because escapes would shift the offsets.
            let string = source.slice(span.clone());
            for (at, written) in paths_in(&string).chain(quoted_paths_in(&string)) {
                let span = span.start + at..span.start + at + written.len();
                if let Some(new) = paths::rewritten_in_command(&own, written, &span, moves) {
                    renaming.add(Some(path.clone()), Edit::replace(span, new), false);
                }
            }
        }
    }
}

/// The spans of all strings in a value, without quotes.
fn spans_of_strings(source: &Source, node: &Node, found: &mut Vec<Span>) {
    let mut open = vec![node];
    while let Some(node) = open.pop() {
        match &node.kind {
            yaml::Kind::Scalar(_) => {
                let span = node.span.clone();
                let quoted = span.len() > 1 && source.slice(span.clone()).starts_with('"');
                found.extend(quoted.then(|| span.start + 1..span.end - 1));
            }
            yaml::Kind::Sequence(list) => open.extend(&list.items),
            yaml::Kind::Mapping(map) => open.extend(map.entries.iter().map(|entry| &entry.value)),
            yaml::Kind::Alias(_) => {}
        }
    }
}

/// The name in a permission: `Skill(name)`, `Skill(name *)`, `Skill(plugin:name)`, `Agent(name)`.
fn permission(key: &str, string: &str, span: &Span) -> Option<Mention> {
    let (tool, rest) = string.split_once('(')?;
    let word: fn(String) -> Word = match tool {
        "Skill" => Word::Skill,
        "Agent" | "Task" => Word::Agent,
        _ => return None,
    };
    let written = rest.split([')', ' ', ',']).next()?;
    let name = written.strip_suffix(":*").unwrap_or(written);
    let start = span.start + tool.len() + 1;
    let mention = named(key, name, &(start..start + name.len()), word)?;
    // `name:*` is everything in the plugin `name`, or `name` with any arguments.
    Some(Mention { doubtful: name != written, ..mention })
}

fn named(key: &str, name: &str, span: &Span, word: fn(String) -> Word) -> Option<Mention> {
    if name.is_empty() || name == "*" {
        return None;
    }
    let word = scoped(name).unwrap_or_else(|| word(name.to_owned()));
    let place = Place::Front(key.to_owned());
    Some(Mention { span: span.clone(), word, place, doubtful: false })
}

/// The client of a settings file, in a role that finds names from there.
fn role(path: &Path) -> Option<Role<'static>> {
    let file = FILES.iter().find(|file| path.ends_with(file))?;
    let parts: Vec<&str> = file.split('/').collect();
    let mut clients = catalog().clients.iter();
    let client = clients.find(|client| client.signs.iter().any(|sign| parts.contains(&&**sign)))?;
    let reads = client.reads.iter().find(|reads| reads.kind == Kind::Skill)?;
    Some(Role { client, reads, parts: parts.len(), own: true, plugin: false })
}

/// The files that a name in settings means: those that the client prefers over others with that
/// name. If there are several, it's unknown which one it uses.
pub fn meant(cx: &Context, mention: &Mention, plugins: &Plugins) -> Vec<Arc<Declaration>> {
    let Some((path, role)) = cx.path.and_then(|path| Some((path, role(path)?))) else {
        return Vec::new();
    };
    let own = declared::base(path, &role);
    let found = resolve_among(cx, &[role], mention, plugins).found.into_iter();
    let mut found: Vec<Arc<Declaration>> = found
        .filter_map(|target| match target {
            Target::Declared(declared) => Some(declared),
            _ => None,
        })
        .collect();
    let root = cx.world.root(Some(path));
    found.retain(|declared| cx.world.root(Some(&declared.path)) == root);
    let is_scoped = matches!(mention.word, Word::Scoped(..));
    let ranked =
        found.into_iter().filter_map(|one| Some((rank(own, &role, &one, is_scoped)?, one)));
    let ranked: Vec<_> = ranked.collect();
    let first = ranked.iter().map(|(rank, _)| *rank).min();
    ranked.into_iter().filter(|(rank, _)| Some(*rank) == first).map(|(_, one)| one).collect()
}

fn is_of(role: &Role, reader: &Role) -> bool {
    std::ptr::eq(role.client, reader.client)
}

/// Where a file is, relative to the folder of the settings. The client prefers the lowest rank.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    /// In this project or one above it, at a distance in folders.
    Above {
        is_late: bool,
        distance: usize,
    },
    Below {
        is_late: bool,
    },
    Plugin {
        is_late: bool,
    },
}

fn rank(own: &Path, reader: &Role, declared: &Declaration, is_scoped: bool) -> Option<Rank> {
    let is_late = declared.kind == Kind::Command && reader.client.skills_before_commands;
    let roles = declared.roles.iter().filter(|role| is_of(role, reader) && !role.plugin);
    let ranks = roles.filter_map(|role| {
        let base = declared.base(role);
        if let Ok(between) = own.strip_prefix(base) {
            return Some(Rank::Above { is_late, distance: between.components().count() });
        }
        base.starts_with(own).then_some(Rank::Below { is_late })
    });
    // Names in a plugin need the plugin's name.
    ranks.min().or(is_scoped.then_some(Rank::Plugin { is_late }))
}
