//! MCP servers of plugins. The names of their tools contain the plugin: `mcp__plugin_tea_kettle__boil`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::json::Json;
use super::resolve;
use super::servers::{Server, as_in_tools, text};
use super::{json, paths, plugins};
use crate::format::Context;
use crate::text::Span;
use crate::world::World;
use crate::yaml::{Kind, Node};

/// The prefix of the names of such servers.
pub const PREFIX: &str = "plugin_";

/// The key of all tools of such servers in the index of names.
pub const KEY: &str = "mcp__plugin_";

/// A server of a plugin in the workspace, as written in the name of a tool.
#[derive(Debug)]
pub struct OfPlugin {
    pub plugin: String,
    /// The folder of the plugin, if it's in the workspace.
    pub folder: Option<PathBuf>,
    /// The spans of both names in the name of the server.
    pub plugin_at: Span,
    pub server_at: Span,
    /// The servers that it may refer to.
    pub declared: Vec<Server>,
    /// Whether all servers of the plugin are known.
    pub is_complete: bool,
}

/// The plugin and the server in the name of a server. Names of either may contain `_`.
pub fn split(cx: &Context, server: &str) -> Option<OfPlugin> {
    let rest = server.strip_prefix(PREFIX)?;
    let plugins = resolve::plugins_of(cx);
    let known = plugins.chunk_by(|(one, _), (other, _)| one == other).filter_map(|places| {
        let (plugin, _) = places.first()?;
        let name = rest.strip_prefix(&as_in_tools(plugin))?.strip_prefix('_')?;
        let server_at = server.len() - name.len()..server.len();
        let plugin_at = PREFIX.len()..server_at.start - 1;
        let mut folders = places.iter().filter_map(|(_, folder)| folder.as_deref()).peekable();
        let folder = folders.peek().map(|folder| (*folder).to_owned());
        let mut is_complete = !name.is_empty() && folder.is_some();
        let mut declared = Vec::new();
        for folder in folders {
            is_complete &= each(cx.world, folder, plugin, &mut |server| {
                if as_in_tools(&server.name) == name {
                    declared.push(server);
                }
            });
        }
        let plugin = plugin.clone();
        Some(OfPlugin { plugin, folder, plugin_at, server_at, declared, is_complete })
    });
    known.max_by_key(|one| (!one.declared.is_empty(), one.plugin_at.len()))
}

/// The names of all servers of the workspace's plugins, as written in the names of tools.
pub fn all(cx: &Context) -> Vec<String> {
    let mut found = Vec::new();
    let plugins = resolve::plugins_of(cx);
    let mut add = |plugin: &str, server: Server| {
        found.push(format!("{PREFIX}{}_{}", as_in_tools(plugin), as_in_tools(&server.name)));
    };
    for (plugin, folder) in &plugins {
        if let Some(folder) = folder {
            own(cx.world, folder, &mut |server| add(plugin, server));
        }
    }
    let Some((path, list)) = cx.root().and_then(|root| list(cx.world, &root)) else {
        return found;
    };
    for (name, servers) in listed(&list) {
        let from = plugins.partition_point(|(plugin, _)| plugin.as_str() < name);
        let same = plugins.iter().skip(from).take_while(|(plugin, _)| plugin == name);
        for folder in same.filter_map(|(_, folder)| folder.as_deref()) {
            value(cx.world, folder, &path, servers, &mut |server| add(name, server));
        }
    }
    found
}

/// The servers of the plugin in a folder.
pub fn in_folder(cx: &Context, folder: &Path) -> Vec<Server> {
    let name = plugins::name(cx.world, folder).map(|(name, ..)| name).unwrap_or_default();
    let mut found = Vec::new();
    each(cx.world, folder, &name, &mut |server| found.push(server));
    found
}

/// Calls `each` with the servers of the plugin in a folder. Returns whether these are all of them.
fn each(world: &dyn World, folder: &Path, plugin: &str, each: &mut dyn FnMut(Server)) -> bool {
    let mut is_complete = own(world, folder, each);
    // The servers that the list of plugins declares for it.
    let root = world.root(Some(folder));
    if let Some((path, list)) = root.and_then(|root| list(world, &root)) {
        for (_, servers) in listed(&list).filter(|(name, _)| *name == plugin) {
            is_complete &= value(world, folder, &path, servers, each);
        }
    }
    is_complete
}

/// The same for the files of the plugin itself.
fn own(world: &dyn World, folder: &Path, each: &mut dyn FnMut(Server)) -> bool {
    let mut is_complete = file(world, &folder.join(".mcp.json"), each);
    let manifest = folder.join(".claude-plugin/plugin.json");
    if world.kind(&manifest).is_some() {
        let Ok(json) = json::read(world, &manifest) else { return false };
        is_complete &= json.error.is_none();
        if let Some(entry) = json.tree.get("mcpServers") {
            is_complete &= value(world, folder, &manifest, &entry.value, each);
        }
    }
    is_complete
}

/// The list of plugins in a folder.
fn list(world: &dyn World, root: &Path) -> Option<(PathBuf, Arc<Json>)> {
    let path = root.join(".claude-plugin/marketplace.json");
    world.kind(&path)?;
    let json = json::read(world, &path).ok()?;
    Some((path, json))
}

/// The servers of each plugin in a list, by the name of the plugin.
fn listed(list: &Json) -> impl Iterator<Item = (&str, &Node)> {
    let plugins = list.tree.get("plugins").and_then(|entry| entry.value.as_sequence());
    let items = plugins.into_iter().flat_map(|list| &list.items).filter_map(Node::as_mapping);
    items.filter_map(|item| {
        Some((item.get("name")?.value.as_str()?, &item.get("mcpServers")?.value))
    })
}

/// The servers in the value of `mcpServers`: a map, or paths of files from the folder of the plugin.
fn value(
    world: &dyn World,
    folder: &Path,
    at: &Path,
    node: &Node,
    each: &mut dyn FnMut(Server),
) -> bool {
    match &node.kind {
        Kind::Mapping(map) => {
            for (name, span) in map.entries.iter().filter_map(|entry| text(&entry.key)) {
                each(Server { name, path: at.to_owned(), span });
            }
            true
        }
        Kind::Sequence(list) => {
            let mut all = true;
            for item in list.items.iter().filter(|item| item.as_sequence().is_none()) {
                all &= value(world, folder, at, item, each);
            }
            all
        }
        Kind::Scalar(_) => {
            let path = node.as_str().and_then(paths::plain);
            let path = path.map(|path| crate::world::resolve(&folder.join("_"), path));
            path.is_some_and(|path| {
                path.extension().is_some_and(|ending| ending == "json")
                    && world.kind(&path).is_some()
                    && (path == folder.join(".mcp.json") || file(world, &path, each))
            })
        }
        Kind::Alias(_) => false,
    }
}

/// The servers in a file. In a plugin's file, they may be top-level keys.
fn file(world: &dyn World, path: &Path, each: &mut dyn FnMut(Server)) -> bool {
    if world.kind(path).is_none() {
        return true;
    }
    let Ok(json) = json::read(world, path) else { return false };
    let own = json.tree.get("mcpServers").map(|entry| &entry.value);
    let Some(map) = own.or(json.tree.root.as_ref()).and_then(Node::as_mapping) else {
        return false;
    };
    let entries = map.entries.iter().filter(|entry| entry.value.as_mapping().is_some());
    for (name, span) in entries.filter_map(|entry| text(&entry.key)) {
        each(Server { name, path: path.to_owned(), span });
    }
    json.error.is_none()
}

/// The folder of the plugin, if a file is at the top level of one.
pub fn folder_of(world: &dyn World, file: &Path) -> Option<PathBuf> {
    let levels = plugins::MANIFESTS.iter().find(|manifest| file.ends_with(manifest));
    let levels = levels.map_or(1, |manifest| manifest.split('/').count());
    let folder = file.ancestors().nth(levels)?;
    plugins::name(world, folder).is_some().then(|| folder.to_owned())
}
