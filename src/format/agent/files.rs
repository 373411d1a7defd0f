//! Files that an agent file mentions: whether they exist, and which file a wrong path may mean.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use percent_encoding::percent_decode_str;

use super::body;
use super::names::{Index, relative as relative_to};
use super::shown;
use super::subject::Subject;
use crate::client::{Ignores, Kind};
use crate::format::Context;
use crate::markdown::{BlockKind, Link, LinkKind};
use crate::source::{Placed, Source};
use crate::suggestion::closest;
use crate::text::Span;
use crate::world::{EntryKind, resolve};

/// Words in paths that are only examples.
const SHOWN: &[&str] = &[
    "url", "link", "example", "your", "xxx", "xxxx", "nnn", "nnnn", "yyyy", "yyyymmdd", "foo",
    "relative",
];

/// A written destination as a relative path; `None` for URLs, anchors, placeholders and examples.
pub fn relative(destination: &str) -> Option<String> {
    let path = destination.split(['#', '?']).next().unwrap_or_default();
    let path = without_line(&percent_decode_str(path).decode_utf8().ok()?).to_owned();
    let scheme = path.split_once(':').is_some_and(|(scheme, _)| {
        scheme
            .chars()
            .all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '+' | '-' | '.'))
    });
    let placeholder = path
        .contains(['<', '>', '{', '}', '$', '*', '|', '…', '[', ']', '`', '"', '\\', ' '])
        || path.contains("...");
    let lower = path.to_ascii_lowercase();
    let example = lower.contains("path/to")
        || lower.split(|letter: char| !letter.is_alphanumeric()).any(|word| SHOWN.contains(&word));
    let shaped = path.contains('/') || path.contains('.');
    (!path.is_empty()
        && !scheme
        && !placeholder
        && !example
        && shaped
        && !path.starts_with('/')
        && !path.starts_with('~'))
    .then_some(path)
}

/// A path without the line and the column after it: `src/a.rs:12:3`.
fn without_line(path: &str) -> &str {
    let mut path = path;
    while let Some((before, number)) = path.rsplit_once(':') {
        let number = number.strip_prefix('L').unwrap_or(number);
        let is_line = !number.is_empty()
            && number
                .split('-')
                .all(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit()));
        if !is_line || !before.contains(['.', '/']) {
            break;
        }
        path = before;
    }
    path
}

/// The paths that a file mentions, looked up once each.
#[derive(Debug, Default)]
pub struct Lookups {
    presence: HashMap<String, Presence>,
    nearest: HashMap<String, Option<String>>,
    /// The skills that the text mentions.
    named: Option<Vec<PathBuf>>,
    /// The parts of the document that are only shown as examples.
    shown: Option<Vec<Span>>,
}

/// Facts about a mentioned path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Presence {
    /// It exists, or is outside of the workspace and isn't checked.
    Here,
    /// It may exist in another clone or after installation, or wasn't looked up.
    Elsewhere,
    Missing,
}

/// A file that mentions more paths isn't written by hand, and the rest aren't checked.
const MOST_LOOKUPS: usize = 4096;

/// Whether a mentioned path exists, relative to the file or to the root of the workspace. Paths
/// outside of the workspace aren't checked, unless fewer `../` lead into the workspace.
pub fn exists(subject: &Subject, path: &str) -> bool {
    presence(subject, path) == Presence::Here
}

/// The path from this file to one that exists only relative to the root of the workspace. Clients
/// that resolve the mention relative to this file don't find it.
pub fn only_from_root(subject: &Subject, path: &str) -> Option<String> {
    let root = subject.cx.root()?;
    let here = subject.file.path.parent()?;
    let near = resolve(subject.file.path, path);
    let from_root = resolve(&root.join("_"), path);
    let exists = |path: &Path| subject.cx.world.kind(path).is_some();
    let only = here != root
        && !path.starts_with("../")
        && near.starts_with(&root)
        && exists(&from_root)
        && !exists(&near)
        && !is_elsewhere(subject.cx, &near);
    only.then(|| relative_to(here, &from_root))?
}

/// Whether a mentioned path certainly doesn't exist.
pub fn is_missing(subject: &Subject, path: &str) -> bool {
    presence(subject, path) == Presence::Missing
}

/// Whether Git ignores a path, relative to the file or to the root of the workspace: the file
/// exists only after something has generated it.
pub fn is_ignored(subject: &Subject, path: &str) -> bool {
    let Some(root) = subject.cx.root() else { return false };
    let near = resolve(subject.file.path, path);
    let from_root = resolve(&root.join("_"), path);
    is_ignored_by_git(subject, &near) || near != from_root && is_ignored_by_git(subject, &from_root)
}

/// Whether the `.gitignore` of the workspace ignores a path.
pub fn is_ignored_by_git(subject: &Subject, path: &Path) -> bool {
    let cx = subject.cx;
    let Some(root) = cx.root() else { return false };
    let read = || {
        let lines = cx.world.read(&root.join(".gitignore")).ok()?;
        Some(Ignores::read(&lines.slice(0..lines.len())))
    };
    let Some(ignores) = subject.ignores.get_or_init(read) else { return false };
    let below = path.strip_prefix(&root).ok().map(crate::world::slashed);
    below.is_some_and(|below| ignores.ignore(&below))
}

/// Whether the text at an offset is struck out, and so no longer valid.
pub fn is_struck(source: &Source, at: usize) -> bool {
    let Some(placed) = source.section_at(at) else { return false };
    let inside = at.checked_sub(placed.start);
    inside.is_some_and(|at| body::holder(&source.blocks(placed).struck, at).is_some())
}

fn presence(subject: &Subject, path: &str) -> Presence {
    if let Some(known) = subject.lookups.borrow().presence.get(path) {
        return *known;
    }
    if subject.lookups.borrow().presence.len() >= MOST_LOOKUPS {
        return Presence::Elsewhere;
    }
    let found = look_up(subject, path);
    subject.lookups.borrow_mut().presence.insert(path.to_owned(), found);
    found
}

fn look_up(subject: &Subject, path: &str) -> Presence {
    let root = subject.cx.root();
    let near = resolve(subject.file.path, path);
    if root.as_ref().is_some_and(|root| !near.starts_with(root)) {
        let missing = lowered(subject, path).is_some() || leads_astray(subject, path);
        return if missing { Presence::Missing } else { Presence::Here };
    }
    if subject.cx.world.kind(&near).is_some() {
        return Presence::Here;
    }
    let from_root = root
        .as_ref()
        .filter(|_| !path.starts_with("../"))
        .map(|root| resolve(&root.join("_"), path))
        .filter(|from_root| *from_root != near);
    if from_root.as_ref().is_some_and(|path| subject.cx.world.kind(path).is_some()) {
        return Presence::Here;
    }
    let elsewhere = is_in_group(subject, &near)
        || is_in_category(subject, path)
        || [Some(near), from_root].iter().flatten().any(|path| is_elsewhere(subject.cx, path));
    if elsewhere { Presence::Elsewhere } else { Presence::Missing }
}

/// The path of an existing file or folder that a path out of the workspace means, if it has too
/// many `../`.
fn lowered(subject: &Subject, path: &str) -> Option<String> {
    let root = subject.cx.root()?;
    let mut shorter = path;
    while let Some(rest) = shorter.strip_prefix("../") {
        shorter = rest;
        let file = resolve(subject.file.path, shorter);
        if file.starts_with(&root) {
            let deep = shorter.trim_start_matches("../").contains('/');
            let there = deep && subject.cx.world.kind(&file).is_some();
            return there.then(|| shorter.to_owned());
        }
    }
    None
}

/// Whether a path out of a repository is certainly wrong: it continues with a folder at the root of
/// the repository, so it has too many `../`. Other paths may lead to a neighbouring clone.
fn leads_astray(subject: &Subject, path: &str) -> bool {
    let world = subject.cx.world;
    let Some(root) = subject.cx.root().filter(|root| world.kind(&root.join(".git")).is_some())
    else {
        return false;
    };
    let rest = path.trim_start_matches("./").trim_start_matches("../");
    let Some((folder, _)) = rest.split_once('/') else { return false };
    !folder.is_empty() && world.kind(&root.join(folder)) == Some(EntryKind::Folder)
}

/// Whether a file exists in another group of a catalog, where groups are folders such as
/// `(quality)`: installing a skill removes them.
fn is_in_group(subject: &Subject, path: &Path) -> bool {
    let is_group = |folder: &Path| {
        let name = folder.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        name.starts_with('(') && name.ends_with(')')
    };
    let Some(group) = path.ancestors().find(|folder| is_group(folder)) else { return false };
    let (Some(parent), Ok(rest)) = (group.parent(), path.strip_prefix(group)) else {
        return false;
    };
    let groups = subject.cx.world.list(parent).into_iter().take(MOST_SIBLINGS);
    groups
        .map(|entry| parent.join(entry.name))
        .filter(|folder| is_group(folder))
        .any(|folder| subject.cx.world.kind(&folder.join(rest)).is_some())
}

/// Whether a file exists after skills are installed: installation removes the categories in a
/// folder of skills, so that all skills are next to each other.
fn is_in_category(subject: &Subject, path: &str) -> bool {
    let Some(rest) = path.strip_prefix("../").filter(|_| subject.file.kind == Kind::Skill) else {
        return false;
    };
    let is_skills = |folder: &&Path| folder.file_name().is_some_and(|name| name == "skills");
    let Some(skills) = subject.file.path.ancestors().skip(3).find(is_skills) else { return false };
    let world = subject.cx.world;
    let installed = resolve(&skills.join("_").join("_"), path);
    let inside = subject.cx.root().is_none_or(|root| installed.starts_with(root));
    if inside && world.kind(&installed).is_some() {
        return true;
    }
    let categories = world.list(skills).into_iter().take(MOST_SIBLINGS);
    !rest.starts_with("../")
        && categories
            .filter(|entry| entry.kind == EntryKind::Folder)
            .any(|entry| world.kind(&skills.join(entry.name).join(rest)).is_some())
}

/// Whether a missing file may exist in another clone: Git ignores it, or it belongs to a submodule
/// that isn't checked out.
pub fn is_elsewhere(cx: &Context, path: &Path) -> bool {
    let world = cx.world;
    if world.protection(path).ignored {
        return true;
    }
    let Some(root) = cx.root() else { return false };
    let Ok(modules) = world.read(&root.join(".gitmodules")) else { return false };
    let text = modules.slice(0..modules.len());
    let entries = text.lines().filter_map(|line| line.split_once('='));
    let folders = entries.filter(|(key, _)| key.trim() == "path").map(|(_, folder)| folder.trim());
    folders
        .map(|folder| root.join(folder))
        .any(|folder| path.starts_with(&folder) && world.list(&folder).is_empty())
}

/// Whether a path exists, relative to the file.
pub fn is_beside(subject: &Subject, path: &str) -> bool {
    subject.cx.world.kind(&resolve(subject.file.path, path)).is_some()
}

/// Whether the folder of the file has a folder of this name.
pub fn has(subject: &Subject, folder: &str) -> bool {
    subject.cx.world.kind(&resolve(subject.file.path, folder)) == Some(EntryKind::Folder)
}

/// The path of the only file with the same path in another skill, as in `../brew/scripts/boil.py`:
/// the mentioned skill may have been renamed.
pub fn in_renamed(subject: &Subject, path: &str) -> Option<String> {
    let (_, inside) =
        path.strip_prefix("../")?.split_once('/').filter(|(name, _)| *name != "..")?;
    let skills = subject.file.path.ancestors().nth(2)?;
    let world = subject.cx.world;
    let siblings = world.list(skills).into_iter().take(MOST_SIBLINGS);
    let mut found = siblings.filter(|entry| {
        entry.kind == EntryKind::Folder
            && world.kind(&skills.join(&entry.name).join(inside)).is_some()
    });
    let only = found.next().filter(|_| found.next().is_none())?;
    Some(format!("../{}/{inside}", only.name))
}

/// The path of an existing file similar to the one written: in the same folder with another name,
/// or with the same name in another folder next to the file.
pub fn nearest(subject: &Subject, path: &str) -> Option<String> {
    if let Some(known) = subject.lookups.borrow().nearest.get(path) {
        return known.clone();
    }
    let found = look_near(subject, path);
    subject.lookups.borrow_mut().nearest.insert(path.to_owned(), found.clone());
    found
}

/// A file with a similar name in the same folder, by a path from the root of the workspace.
pub fn nearest_from_root(subject: &Subject, path: &str) -> Option<String> {
    let root = subject.cx.root()?;
    let (folder, name) = path.rsplit_once('/').map_or(("", path), |(folder, name)| (folder, name));
    let entries = subject.cx.world.list(&resolve(&root.join("_"), folder));
    let files = entries.iter().filter(|entry| entry.kind == EntryKind::File);
    let best = closest(name, files.map(|entry| entry.name.as_str()))?;
    let before = path.len() - name.len();
    Some(format!("{}{best}", path.get(..before)?))
}

fn look_near(subject: &Subject, path: &str) -> Option<String> {
    let outside = |root: &Path| !resolve(subject.file.path, path).starts_with(root);
    if subject.cx.root().is_some_and(|root| outside(&root)) {
        return lowered(subject, path);
    }
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let here = subject.file.path.parent().unwrap_or(Path::new(""));
    let list = |folder: &str| {
        subject.cx.world.list(&if folder.is_empty() {
            here.to_owned()
        } else {
            resolve(subject.file.path, folder)
        })
    };
    let join = |folder: &str, name: &str| {
        if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
    };
    let entries = list(folder);
    let files = entries.iter().filter(|entry| entry.kind == EntryKind::File);
    if let Some(best) = closest(name, files.map(|entry| entry.name.as_str())) {
        return Some(join(folder, best));
    }
    let folders = list("").into_iter().filter(|entry| entry.kind == EntryKind::Folder);
    folders
        .take(20)
        .map(|entry| entry.name)
        .find(|other| list(other).iter().any(|entry| entry.name == name))
        .map(|other| join(&other, name))
}

/// At most this many folders next to the file's folder are searched.
const MOST_SIBLINGS: usize = 400;

/// Whether a folder next to the file's folder has a file at this path: another skill may be meant.
pub fn in_sibling(subject: &Subject, path: &str) -> bool {
    let Some(parent) = subject.file.path.parent().and_then(Path::parent) else { return false };
    let folders = subject
        .cx
        .world
        .list(parent)
        .into_iter()
        .filter(|entry| entry.kind == EntryKind::Folder)
        .take(MOST_SIBLINGS);
    folders
        .map(|entry| parent.join(entry.name).join(path))
        .any(|full| subject.cx.world.kind(&full).is_some())
}

/// Whether the folder of the file's plugin, or the folder around `skills`, has a file at this path.
pub fn in_plugin(subject: &Subject, path: &str) -> bool {
    let plugins = subject.file.readers.iter().filter(|role| role.plugin);
    let folders = plugins.filter_map(|role| subject.file.path.ancestors().nth(role.parts));
    let skills = subject.file.path.ancestors().nth(2);
    let around = skills.filter(|folder| folder.ends_with("skills")).and_then(Path::parent);
    folders
        .chain(around)
        .map(|folder| resolve(&folder.join("_"), path))
        .any(|full| subject.cx.world.kind(&full).is_some())
}

/// Whether any skill that the text mentions has a file at this path.
pub fn in_named(subject: &Subject, path: &str) -> bool {
    let mut lookups = subject.lookups.borrow_mut();
    let skills = lookups.named.get_or_insert_with(|| named_skills(subject));
    skills.iter().any(|skill| subject.cx.world.kind(&resolve(skill, path)).is_some())
}

/// Whether a place is in a document that the file only shows as an example.
pub fn is_shown(subject: &Subject, span: &Span) -> bool {
    let mut lookups = subject.lookups.borrow_mut();
    let shown = lookups.shown.get_or_insert_with(|| shown::spans(subject.cx.source));
    shown.iter().any(|part| part.start <= span.start && span.end <= part.end)
}

/// At most this many skills are searched for each path.
const MOST_NAMED: usize = 64;

/// The other skills whose names are words of the text.
fn named_skills(subject: &Subject) -> Vec<PathBuf> {
    let cx = subject.cx;
    let text = cx.source.slice(0..cx.source.len());
    let in_name = |letter: char| letter.is_alphanumeric() || matches!(letter, '-' | '_');
    let words: HashSet<&str> = text.split(|letter| !in_name(letter)).collect();
    let mut found = Vec::new();
    Index::of(cx.world).any(cx.world, &mut |declared| {
        let other = declared.kind == Kind::Skill && declared.path != subject.file.path;
        if other && declared.names().any(|name| words.contains(name)) {
            found.push(declared.path.clone());
        }
        found.len() >= MOST_NAMED
    });
    found
}

/// Links between tags such as `<resources>`: Markdown reads them as HTML, but models see links.
fn links_in_html<'s>(
    source: &'s Source,
    placed: Placed<'s>,
) -> impl Iterator<Item = (Span, String)> + 's {
    let blocks = source.blocks(placed).blocks.iter();
    let html = blocks.filter(|block| block.kind == BlockKind::Html);
    html.flat_map(move |block| {
        let start = placed.start + block.span.start;
        let text = source.slice(start..placed.start + block.span.end);
        let name: String = text.chars().skip(1).take_while(char::is_ascii_alphanumeric).collect();
        let shows = name.is_empty() || NO_LINKS.contains(&name.to_ascii_lowercase().as_str());
        let mut found = Vec::new();
        for (at, _) in text.match_indices("](").filter(|_| !shows) {
            let before =
                text.get(..at).and_then(|before| before.lines().last()).unwrap_or_default();
            let after =
                text.get(at + 2..).and_then(|after| after.lines().next()).unwrap_or_default();
            let Some(end) = after.find(')') else { continue };
            let code = before.matches('`').count() % 2 == 1;
            let destination = after.get(..end).filter(|_| !code && is_open(before));
            if let Some(path) = destination.and_then(relative) {
                found.push((start + at + 2..start + at + 2 + end, path));
            }
        }
        found
    })
}

/// Whether the last opening bracket in a line is unclosed.
fn is_open(line: &str) -> bool {
    line.rsplit_once('[').is_some_and(|(_, after)| !after.contains(']'))
}

/// Tags around examples, code and the like.
const NO_LINKS: &[&str] =
    &["example", "examples", "output", "pre", "script", "style", "template", "textarea"];

/// The links of a file to relative paths that aren't struck out, with the spans of their destinations.
pub fn links<'s>(subject: &'s Subject) -> impl Iterator<Item = (Span, String)> + 's {
    let source = subject.cx.source;
    source.sections().flat_map(move |placed| {
        let blocks = source.blocks(placed);
        let is_read = |link: &&Link| {
            let struck = body::holder(&blocks.struck, link.span.start).is_some();
            link.kind != LinkKind::Autolink && !struck
        };
        let found = blocks.links.iter().filter(is_read).filter_map(|link| {
            let span = link.destination_span.clone()?;
            Some((placed.start + span.start..placed.start + span.end, relative(&link.destination)?))
        });
        found.chain(links_in_html(source, placed)).collect::<Vec<_>>()
    })
}
