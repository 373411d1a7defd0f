//! All clients, and which of them read a path. The data is parsed on the first question about a
//! path that may be an agent file.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::path::{Component, Path};
use std::sync::OnceLock;

use serde::Deserialize;

use super::places::{self, What};
use super::{Client, Effect, Kind, Looks, Misplaced, Outcome, Reads, effect, glob, own};
use crate::world::World;

/// The data of every client, in the order in which pages and messages name them.
const DATA: &[(&str, &str)] = &[
    ("spec", include_str!("clients/spec.json")),
    ("claude-code", include_str!("clients/claude-code.json")),
    ("copilot", include_str!("clients/copilot.json")),
    ("codex", include_str!("clients/codex.json")),
    ("cursor", include_str!("clients/cursor.json")),
    ("gemini", include_str!("clients/gemini.json")),
    ("opencode", include_str!("clients/opencode.json")),
    ("windsurf", include_str!("clients/windsurf.json")),
    ("cline", include_str!("clients/cline.json")),
    ("roo", include_str!("clients/roo.json")),
    ("kilo", include_str!("clients/kilo.json")),
    ("kiro", include_str!("clients/kiro.json")),
    ("zed", include_str!("clients/zed.json")),
    ("continue", include_str!("clients/continue.json")),
    ("goose", include_str!("clients/goose.json")),
    ("amp", include_str!("clients/amp.json")),
    ("junie", include_str!("clients/junie.json")),
    ("factory", include_str!("clients/factory.json")),
    ("qwen", include_str!("clients/qwen.json")),
];

/// Every client.
#[derive(Debug)]
pub struct Catalog {
    pub clients: Vec<Client>,
}

/// A client that reads a file, and the kind that it reads it as.
#[derive(Debug, Clone, Copy)]
pub struct Role<'a> {
    pub client: &'a Client,
    pub reads: &'a Reads,
    /// How many parts of the path, from its end, match the client's glob.
    pub parts: usize,
    /// The glob begins with a folder, or is a file, that only this client has.
    pub own: bool,
    /// The place is inside a plugin, provided that the folder before it is one.
    pub plugin: bool,
}

impl<'a> Role<'a> {
    /// What happens to a file without front matter.
    pub fn without(&self) -> Option<&'a Effect> {
        let other = if self.plugin { self.reads.in_plugin.without.as_ref() } else { None };
        other.or(self.reads.without.as_ref())
    }

    /// What happens to front matter that the reading rejects.
    pub fn unreadable(&self) -> Option<&'a Effect> {
        let other = if self.plugin { self.reads.in_plugin.unreadable.as_ref() } else { None };
        other.or(self.reads.unreadable.as_ref())
    }

    /// What happens to a value of `key` that breaks `keyword` of its schema.
    pub fn effect(&self, key: &str, keyword: &str) -> Option<Effect> {
        let Some(found) = self.reads.effect(key, keyword) else {
            let own = self.reads.kind == Kind::Own && keyword != "mistaken";
            return own.then(own::broken);
        };
        let other = if self.plugin && found.outcome == Outcome::NotLoaded {
            self.reads.in_plugin.broken_key.clone()
        } else {
            None
        };
        Some(other.unwrap_or(found))
    }

    /// What happens if the client ignores a key that the schema has.
    pub fn ignored(&self, key: &str) -> Option<Effect> {
        let schema = self.reads.key(key)?;
        let in_plugin = if self.plugin { schema.get("x-ignored-in-plugin") } else { None };
        in_plugin.or_else(|| schema.get("x-ignored")).and_then(effect)
    }
}

/// The catalog. Parsing a client's file cannot fail: a test reads them all.
pub fn catalog() -> &'static Catalog {
    static CATALOG: OnceLock<Catalog> = OnceLock::new();
    CATALOG.get_or_init(|| Catalog {
        clients: DATA
            .iter()
            .filter_map(|(_, text)| {
                let mut client: Client = serde_json::from_str(text).ok()?;
                client.share_keys();
                Some(client)
            })
            .collect(),
    })
}

/// How to recognise files of some kinds in any place.
pub fn looks() -> impl Iterator<Item = (&'static Client, &'static Reads, &'static Looks)> {
    static LOOKS: OnceLock<Vec<(&Client, &Reads, &Looks)>> = OnceLock::new();
    let all = LOOKS.get_or_init(|| {
        let reads = |client: &'static Client| client.reads.iter().map(move |reads| (client, reads));
        let every = catalog().clients.iter().flat_map(reads);
        every.filter_map(|(client, reads)| Some((client, reads, reads.looks.as_ref()?))).collect()
    });
    all.iter().copied()
}

/// Names of agent files, in lower case. Any other name only counts below a folder that begins with
/// a dot, or that plugins have.
const NAMES: &[&str] = &[
    "skill.md",
    "agents.md",
    "agents.override.md",
    "agents.local.md",
    "agent.md",
    "claude.md",
    "claude.local.md",
    "gemini.md",
    "qwen.md",
    "power.md",
];
const ENDINGS: &[&str] = &[".mdc", ".instructions.md", ".prompt.md", ".agent.md", ".chatmode.md"];
const PLUGIN_FOLDERS: &[&str] = &["agents", "commands", "output-styles"];

/// The name of a file without the ending by which clients recognise its kind: `plan.review` for
/// `plan.review.prompt.md`.
pub fn stem(file: &str) -> &str {
    let ends = |ending: &&&str| {
        let at = file.len().checked_sub(ending.len());
        let found = at.and_then(|at| file.get(at..));
        found.is_some_and(|found| found.eq_ignore_ascii_case(ending))
    };
    match ENDINGS.iter().find(ends) {
        Some(ending) => file.get(..file.len() - ending.len()).unwrap_or(file),
        None => file.rsplit_once('.').map_or(file, |(stem, _)| stem),
    }
}

/// Whether a path may be an agent file, decided without the catalog.
pub fn may_be_read(path: &Path) -> bool {
    let Some(name) = path.file_name().and_then(|name| name.to_str()) else { return false };
    let folded = name.to_ascii_lowercase();
    NAMES.contains(&folded.as_str())
        || ENDINGS.iter().any(|ending| folded.ends_with(ending))
        || folders(path).any(|folder| {
            folder.starts_with('.') && folder.len() > 1 || PLUGIN_FOLDERS.contains(&folder)
        })
}

/// The folders of a path, outermost first.
pub fn folders(path: &Path) -> impl Iterator<Item = &str> {
    let names = path.parent().into_iter().flat_map(Path::components);
    names.filter_map(|part| match part {
        Component::Normal(name) => name.to_str(),
        _ => None,
    })
}

/// Names of folders and files with the same purpose in every client.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Folders {
    /// Folders whose files are made for tests.
    pub fixtures: Vec<String>,
    /// Folders with templates, from whose files other files are made.
    pub forms: Vec<String>,
    /// Folders with examples. Examples that a client reads are still checked.
    pub examples: Vec<String>,
    /// Folders with documents.
    pub documents: Vec<String>,
    /// Words in the names of folders for unused files.
    pub archives: Vec<String>,
    /// Folders of copied, generated or abandoned files, which authors don't edit.
    pub foreign: Vec<String>,
    /// Folders with files that a program generates when it runs, some with the folder that they are in.
    pub made: Vec<String>,
    /// Files that describe the folder that they are in.
    pub pages: Vec<String>,
    /// Files with the licence of a repository.
    pub licences: Vec<String>,
    /// The names of files that list skills installed from other repositories, such as that of
    /// `npx skills` (<https://github.com/vercel-labs/skills>).
    pub locks: Vec<String>,
    /// Files in which an installer lists the files that it wrote: `files` has the SHA-256 of each,
    /// by its path from there.
    pub manifests: Vec<String>,
    /// Files with the name and the description of the skill next to them: another program combines
    /// them. After `*`, the ends of their names.
    pub descriptions: Vec<String>,
}

/// The names. Parsing them cannot fail: a test reads them.
pub fn folder_names() -> &'static Folders {
    static FOLDERS: OnceLock<Folders> = OnceLock::new();
    FOLDERS.get_or_init(|| serde_json::from_str(include_str!("folders.json")).unwrap_or_default())
}

fn has(names: &[String], name: &str) -> bool {
    names.iter().any(|other| other == name)
}

impl Catalog {
    /// The client with this name or alias.
    pub fn named(&self, name: &str) -> Option<&Client> {
        self.clients
            .iter()
            .find(|client| client.name == name || client.aliases.iter().any(|alias| alias == name))
    }

    /// All names and aliases of clients.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.clients
            .iter()
            .flat_map(|client| std::iter::once(&client.name).chain(&client.aliases))
            .map(String::as_str)
    }
}

/// Whether a path is that of a document or a fixture, rather than of something that a client loads:
/// `before` are the folders in front of the place.
fn explains(before: &[&str], name: &str, loose: bool, kind: Kind) -> bool {
    let names = folder_names();
    let any = |before: &[&str], names: &[String]| before.iter().any(|name| has(names, name));
    // The last folder of a skill has the skill's name, which may be `docs`.
    let outer = match before.split_last() {
        Some((_, outer)) if kind == Kind::Skill && is_below(outer, "skills") => outer,
        _ => before,
    };
    has(&names.pages, name)
        || any(before, &names.fixtures)
        || before.iter().any(|folder| is_fixture(folder))
        || loose
            && (any(before, &names.forms) || kind != Kind::Memory && any(outer, &names.documents))
}

/// Whether a folder has the word in its name: `__fixtures__`, `test-fixtures`.
fn is_fixture(folder: &str) -> bool {
    folder.split(['-', '_']).any(|word| word == "fixtures")
}

/// Whether one of the last two folders has this name.
fn is_below(folders: &[&str], name: &str) -> bool {
    folders.iter().rev().take(2).any(|folder| *folder == name)
}

/// Whether a path, from the root of a workspace, is in a folder of unused files, or of files that
/// authors change elsewhere.
pub fn is_archived(path: &Path) -> bool {
    let names = folder_names();
    outer(path).iter().any(|folder| {
        let folder = folder.to_ascii_lowercase();
        let mut words = folder.split(['-', '_', '.', ' ']);
        words.any(|word| has(&names.archives, word)) || has(&names.foreign, &folder)
    })
}

/// Whether authors don't change the file at a path, from the root of a workspace: it's archived, or
/// in a copy of another repository.
pub fn is_left_alone(world: &dyn World, root: Option<&Path>, path: &Path) -> bool {
    is_archived(path) || root.is_some_and(|root| is_in_copy(world, root, path))
}

/// Whether a path is in a copy of another repository in a folder of a client, such as
/// `.claude/skills/ext`: a folder with its own licence and its own `.github`, which has no effect
/// there. One with `.git` is a repository that its authors change.
fn is_in_copy(world: &dyn World, root: &Path, path: &Path) -> bool {
    let outside = |folder: &&Path| folders(folder).any(is_of_a_client);
    path.ancestors().skip(1).take_while(outside).any(|folder| {
        let folder = root.join(folder);
        let has = |name: &str| world.kind(&folder.join(name)).is_some();
        has(".github") && !has(".git") && folder_names().licences.iter().any(|name| has(name))
    })
}

/// Whether a hidden folder belongs to a client.
fn is_of_a_client(name: &str) -> bool {
    static OURS: OnceLock<HashSet<&str>> = OnceLock::new();
    let ours = OURS.get_or_init(|| {
        let clients = catalog().clients.iter();
        let paths = clients.flat_map(|client| {
            let places = client.reads.iter().flat_map(|reads| &reads.places);
            let memory = client.loading.memory.iter().flat_map(|group| &group.names);
            client.signs.iter().chain(places).chain(memory)
        });
        paths.flat_map(|path| path.split('/')).filter(|name| name.starts_with('.')).collect()
    });
    ours.contains(name)
}

/// Whether a path is in a folder with files that a program generates.
pub fn is_made(path: &Path) -> bool {
    let folders: Vec<&str> = folders(path).collect();
    folder_names().made.iter().any(|made| {
        let made: Vec<&str> = made.split('/').collect();
        folders.windows(made.len()).any(|some| some == made)
    })
}

/// Whether a path, from the root of a workspace, is that of a hidden file, or in a hidden folder
/// that no client has: another program writes and reads it in its own way.
pub fn is_another_programs(path: &Path) -> bool {
    let is_hidden = |name: &OsStr| name.as_encoded_bytes().starts_with(b".");
    let hidden = folders(path).find(|name| name.starts_with('.'));
    path.file_name().is_some_and(is_hidden) || hidden.is_some_and(|name| !is_of_a_client(name))
}

/// Whether a path, from the root of a workspace, is in a folder of forms or examples: the file
/// becomes part of another project, together with others.
pub fn is_moved(path: &Path) -> bool {
    let names = folder_names();
    outer(path).iter().any(|folder| {
        let mut words = folder.split(['-', '_', '.', ' ']);
        has(&names.forms, folder) || words.any(|word| has(&names.examples, word))
    })
}

/// Whether a path, from the root of a workspace, is in a folder of forms: other files are made from this one.
pub fn is_among_forms(path: &Path) -> bool {
    outer(path).iter().any(|folder| has(&folder_names().forms, folder))
}

/// The folders of a path, except for that of a skill, which has the skill's name.
fn outer(path: &Path) -> Vec<&str> {
    let mut folders: Vec<&str> = folders(path).collect();
    if path.file_name().is_some_and(|name| name == "SKILL.md") {
        folders.pop();
    }
    folders
}

/// A path without the folders above a workspace, if one of those has the name of a folder for
/// documents, forms, fixtures or plugins, which would say nothing about the workspace's own files.
/// Places are recognised in the rest of the path.
pub fn below<'p>(root: &Path, path: &'p Path) -> &'p Path {
    if root.as_os_str().is_empty() || !path.starts_with(root) {
        return path;
    }
    let named = |part: &Component| {
        let name = part.as_os_str().to_str().unwrap_or_default();
        let all = folder_names();
        let lists = [&all.fixtures, &all.forms, &all.examples, &all.documents];
        lists.iter().any(|names| has(names, name)) || is_fixture(name)
    };
    let components: Vec<Component> = root.components().collect();
    let text = |part: &Component| part.as_os_str().to_str().map(str::to_owned).unwrap_or_default();
    // `agents` in a hidden folder belongs to a client, and may itself be the workspace.
    let hidden = components.iter().position(|part| text(part).starts_with('.'));
    let visible = components.get(..hidden.unwrap_or(components.len())).unwrap_or_default();
    let of_plugin = |part: &Component| PLUGIN_FOLDERS.iter().any(|folder| text(part) == *folder);
    let last = components.iter().rposition(named).max(visible.iter().rposition(of_plugin));
    let Some(last) = last else { return path };
    let mut parts = path.components();
    parts.by_ref().take(last + 1).for_each(drop);
    parts.as_path()
}

/// The part of a path in which places are recognised: see [`below`].
pub fn place<'p>(world: &dyn World, path: &'p Path) -> &'p Path {
    world.root(Some(path)).map_or(path, |root| below(&root, path))
}

/// The parts of a path that globs are compared with.
pub(super) fn parts(path: &Path) -> Vec<&str> {
    path.components()
        .filter_map(|part| match part {
            Component::Normal(name) => name.to_str(),
            _ => None,
        })
        .collect()
}

/// The role of the file at `path` for one client of the catalog.
pub fn role_of(client: &Client, path: &Path) -> Option<Role<'static>> {
    roles(path).into_iter().find(|role| role.client.name == client.name)
}

/// Every client that reads the file at `path`, and the kind that it reads it as. Includes files of
/// plugins, although the path alone doesn't tell whether their folder is a plugin.
pub fn roles(path: &Path) -> Vec<Role<'static>> {
    if !may_be_read(path) {
        return Vec::new();
    }
    let parts = parts(path);
    let Some((name, _)) = parts.split_last() else { return Vec::new() };
    let mut found = Vec::new();
    // Clients that recognise the file by the end of its name, in any folder.
    let mut anywhere = Vec::new();
    for (place, count) in places::matching(&parts) {
        let (client, reads) = (place.client, place.reads);
        let plugin = match place.what {
            What::Place => false,
            What::Plugin => true,
            What::Misplaced(_) => continue,
        };
        let before = parts.get(..parts.len() - count).unwrap_or_default();
        let loose = plugin || reads.anywhere || !place.glob().starts_with('.');
        let inside = parts.get(before.len()..).unwrap_or_default();
        // In a plugin, documents and examples may be next to agents; elsewhere, such a file is an
        // agent itself.
        let aside = |folder: &&str| {
            let names = folder_names();
            has(&names.forms, folder)
                || plugin && (has(&names.examples, folder) || has(&names.documents, folder))
        };
        let bundled = reads.kind == Kind::Agent && inside.iter().any(aside);
        let except = || {
            let mut globs = reads.in_plugin.except.iter();
            globs.any(|glob| glob::matches(glob, &parts).is_some())
        };
        if bundled || plugin && except() || explains(before, name, loose, reads.kind) {
            continue;
        }
        let head = place.glob().split('/').next().unwrap_or_default();
        let shared = matches!(head, ".github" | ".config");
        let own = client.signs.iter().any(|sign| {
            if shared { place.glob().starts_with(sign.as_str()) } else { sign == head }
        });
        if place.glob().starts_with('*') && !place.glob().contains('/') {
            anywhere.push(client.name.as_str());
        }
        found.push(Role { client, reads, parts: count, own, plugin });
    }
    // For one client, a file has only one kind, that of the most specific place.
    let mut kept: Vec<Role<'static>> = Vec::new();
    for role in found {
        match kept.iter_mut().find(|other| std::ptr::eq(other.client, role.client)) {
            Some(other) if (!role.plugin, role.parts) > (!other.plugin, other.parts) => {
                *other = role
            }
            Some(_) => {}
            None => kept.push(role),
        }
    }
    // In another client's folder for this kind, the name tells the kind of the file, not its
    // client.
    let taken: Vec<Kind> =
        kept.iter().filter(|role| role.own && role.parts > 1).map(|role| role.reads.kind).collect();
    kept.retain(|role| {
        role.parts > 1
            || !taken.contains(&role.reads.kind)
            || !anywhere.contains(&role.client.name.as_str())
    });
    kept
}

/// Clients that would read the file if it had another name.
pub fn misplaced(path: &Path) -> Vec<(&'static Client, &'static Reads, &'static Misplaced)> {
    if !may_be_read(path) {
        return Vec::new();
    }
    let parts = parts(path);
    let Some((name, before)) = parts.split_last() else { return Vec::new() };
    let folded = name.to_ascii_lowercase();
    let memory = folded != "skill.md" && NAMES.contains(&folded.as_str());
    if memory || explains(before, name, false, Kind::Rule) {
        return Vec::new();
    }
    // A template or an example below the place has another purpose. A hidden folder around it
    // belongs to a program that may read the file.
    let aside = |glob: &str, count: usize| {
        let at = parts.len().saturating_sub(count);
        let (outside, inside) = before.split_at_checked(at).unwrap_or_default();
        let names = folder_names();
        inside.iter().any(|folder| has(&names.forms, folder) || has(&names.examples, folder))
            || !glob.starts_with('.') && outside.iter().any(|folder| folder.starts_with('.'))
    };
    let found = places::matching(&parts).into_iter();
    found
        .filter_map(|(place, count)| match place.what {
            What::Misplaced(misplaced) if !aside(place.glob(), count) => {
                Some((place.client, place.reads, misplaced))
            }
            _ => None,
        })
        .collect()
}

/// Whether a path is in a folder of documents, forms or fixtures.
pub fn is_aside(path: &Path) -> bool {
    let parts = parts(path);
    let examples = &folder_names().examples;
    let shows = |before: &[&str]| before.iter().any(|folder| has(examples, folder));
    // `skill-template.md`
    let form = |name: &str| name.split(['-', '_', '.']).any(|word| word == "template");
    parts.split_last().is_some_and(|(name, before)| {
        explains(before, name, true, Kind::Rule) || shows(before) || form(name)
    })
}
