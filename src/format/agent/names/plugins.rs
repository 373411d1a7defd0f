//! Plugins and marketplaces: their names, and the paths that their manifests list.

use std::path::{Path, PathBuf};

use super::json;
use super::servers::text;
use crate::text::Span;
use crate::world::World;
use crate::yaml::{Kind, Mapping, Node};

/// Manifests, relative to the folder of a plugin or marketplace.
pub const MANIFESTS: &[&str] = &[
    ".claude-plugin/plugin.json",
    ".claude-plugin/marketplace.json",
    ".codex-plugin/plugin.json",
    ".cursor-plugin/plugin.json",
    ".cursor-plugin/marketplace.json",
    ".github/plugin/plugin.json",
    ".github/plugin/marketplace.json",
    ".plugin/plugin.json",
    "plugin.json",
    "marketplace.json",
    "gemini-extension.json",
];

/// The name of the plugin in a folder, with its place in the manifest.
pub fn name(world: &dyn World, folder: &Path) -> Option<(String, PathBuf, Span)> {
    MANIFESTS.iter().filter(|file| file.ends_with("plugin.json")).find_map(|file| {
        let path = folder.join(file);
        world.kind(&path)?;
        let json = json::read(world, &path).ok()?;
        let (name, span) = text(&json.tree.get("name")?.value)?;
        Some((name, path, span))
    })
}

/// The names that manifests in a folder declare, and those of the plugins that marketplaces there
/// list, each with its place.
pub fn names(world: &dyn World, folder: &Path) -> Vec<(String, PathBuf, Span)> {
    let mut found = Vec::new();
    for file in MANIFESTS {
        let path = folder.join(file);
        if world.kind(&path).is_none() {
            continue;
        }
        let Ok(json) = json::read(world, &path) else { continue };
        let mut add = |map: Option<&Mapping>| {
            let name = map.and_then(|map| text(&map.get("name")?.value));
            found.extend(name.map(|(name, span)| (name, path.clone(), span)));
        };
        if file.ends_with("marketplace.json") {
            let list = json.tree.get("plugins").and_then(|entry| entry.value.as_sequence());
            let items = list.into_iter().flat_map(|list| &list.items);
            items.for_each(|item| add(item.as_mapping()));
        } else {
            add(json.tree.root.as_ref().and_then(Node::as_mapping));
        }
    }
    found
}

/// Whether the manifest of a plugin around a file lists the file.
pub fn is_listed(world: &dyn World, path: &Path, root: Option<&Path>) -> bool {
    let around = path.ancestors().skip(1).take(DEEPEST);
    let inside = around.take_while(|folder| root.is_none_or(|root| folder.starts_with(root)));
    let names = |folder: &Path| {
        let manifests = MANIFESTS.iter().filter(|file| file.ends_with("plugin.json"));
        manifests.flat_map(|file| strings(world, &folder.join(file))).any(|(text, _)| {
            text.ends_with(".md") && crate::world::resolve(&folder.join("_"), &text) == path
        })
    };
    inside.into_iter().any(names)
}

/// Every string in a manifest that may be a path, with its place, without quotes.
pub fn strings(world: &dyn World, path: &Path) -> Vec<(String, Span)> {
    let mut found = Vec::new();
    if world.kind(path).is_some()
        && let Ok(json) = json::read(world, path)
        && let Some(root) = &json.tree.root
    {
        collect(root, &mut found, DEEPEST);
    }
    found
}

/// The strings in a manifest that are paths. A word alone is a path only as the source of a plugin.
pub fn paths(world: &dyn World, path: &Path) -> Vec<(String, Span)> {
    let mut found = strings(world, path);
    let Ok(json) = json::read(world, path) else { return found };
    let list = json.tree.get("plugins").and_then(|entry| entry.value.as_sequence());
    let items = list.into_iter().flat_map(|list| &list.items).filter_map(Node::as_mapping);
    let sources: Vec<Span> =
        items.filter_map(|item| text(&item.get("source")?.value)).map(|(_, span)| span).collect();
    found.retain(|(string, span)| string.contains('/') || sources.contains(span));
    found
}

/// The strings in a manifest that may be paths of one plugin; in a marketplace, those in the
/// plugin's own entries.
pub fn strings_of(world: &dyn World, path: &Path, plugin: &str) -> Vec<(String, Span)> {
    if !path.ends_with("marketplace.json") {
        return strings(world, path);
    }
    let mut found = Vec::new();
    if world.kind(path).is_some()
        && let Ok(json) = json::read(world, path)
        && let Some(list) = json.tree.get("plugins").and_then(|entry| entry.value.as_sequence())
    {
        let is_own = |item: &&Node| {
            let map = item.as_mapping();
            map.and_then(|map| map.get("name")?.value.as_str()) == Some(plugin)
        };
        let own = list.items.iter().filter(is_own);
        own.for_each(|item| collect(item, &mut found, DEEPEST));
    }
    found
}

/// The same in a value.
pub fn strings_in(node: &Node) -> Vec<(String, Span)> {
    let mut found = Vec::new();
    collect(node, &mut found, DEEPEST);
    found
}

/// Deeper values aren't read.
const DEEPEST: usize = 12;

fn collect(node: &Node, found: &mut Vec<(String, Span)>, depth: usize) {
    let Some(depth) = depth.checked_sub(1) else { return };
    match &node.kind {
        Kind::Scalar(_) => found.extend(text(node)),
        Kind::Sequence(list) => list.items.iter().for_each(|item| collect(item, found, depth)),
        Kind::Mapping(map) => {
            map.entries.iter().for_each(|entry| collect(&entry.value, found, depth));
        }
        Kind::Alias(_) => {}
    }
}

/// The existing manifests in a folder and above it, up to the root.
pub fn above(world: &dyn World, folder: &Path, root: Option<&Path>) -> Vec<PathBuf> {
    let folders =
        folder.ancestors().take_while(|folder| root.is_none_or(|root| folder.starts_with(root)));
    let files = folders
        .take(MOST_FOLDERS)
        .flat_map(|folder| MANIFESTS.iter().map(|file| folder.join(file)));
    files.filter(|path| world.kind(path).is_some()).collect()
}

/// At most this many folders above a file are searched.
const MOST_FOLDERS: usize = 16;
