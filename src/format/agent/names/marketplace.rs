//! The plugins that a marketplace lists, and the folders that the paths in its manifest are
//! relative to.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use super::json::{self, Json};
use super::paths;
use crate::text::Span;
use crate::world::{World, resolve};
use crate::yaml::{Mapping, Node};

/// A manifest. That of a single plugin lists no plugins, and its paths are relative to its folder.
#[derive(Debug, Default)]
pub struct Marketplace {
    folder: PathBuf,
    /// The folder that the sources of plugins are relative to.
    sources: PathBuf,
    /// In order of their spans.
    plugins: Vec<Plugin>,
    /// Indices into `plugins`.
    by_name: HashMap<String, Vec<usize>>,
}

/// A plugin in a marketplace.
#[derive(Debug)]
struct Plugin {
    name: Option<String>,
    /// Its folder, if it's in the same repository.
    folder: Option<PathBuf>,
    span: Span,
    /// The value with its location.
    source: Option<Span>,
}

impl Marketplace {
    /// The marketplace that Claude Code reads in a folder; one without plugins if it doesn't exist.
    /// It's parsed once for each version of its text.
    pub fn read(world: &dyn World, folder: &Path) -> Arc<Self> {
        let path = folder.join(".claude-plugin/marketplace.json");
        if world.kind(&path).is_none() {
            return Arc::default();
        }
        let Ok(source) = json::source(world, &path) else { return Arc::default() };
        let memo = source.memo().get::<OnceLock<Arc<Self>>>();
        let of = || Arc::new(Self::of(&json::of(&source), folder));
        let found = memo.get_or_init(of);
        // Two paths may have the same text.
        if found.folder == folder { Arc::clone(found) } else { of() }
    }

    /// The manifest of a plugin or marketplace in `folder`.
    pub fn of(json: &Json, folder: &Path) -> Self {
        let metadata = json.tree.get("metadata").and_then(|entry| entry.value.as_mapping());
        let root = metadata.and_then(|map| map.get("pluginRoot")?.value.as_str());
        let sources = root.map_or_else(|| folder.to_owned(), |root| below(folder, root));
        let list = json.tree.get("plugins").and_then(|entry| entry.value.as_sequence());
        let items = list.into_iter().flat_map(|list| &list.items);
        let plugin = |(item, map): (&Node, &Mapping)| {
            let source = map.get("source").map(|entry| &entry.value);
            let written = source.and_then(Node::as_str);
            Plugin {
                name: map.get("name").and_then(|entry| entry.value.as_str()).map(str::to_owned),
                folder: written.map(|written| below(&sources, written)),
                span: item.span.clone(),
                source: source.map(|source| source.span.clone()),
            }
        };
        let maps = items.filter_map(|item| Some((item, item.as_mapping()?)));
        let plugins: Vec<Plugin> = maps.map(plugin).collect();
        let mut by_name: HashMap<String, Vec<usize>> = HashMap::new();
        for (index, plugin) in plugins.iter().enumerate() {
            if let Some(name) = &plugin.name {
                by_name.entry(name.clone()).or_default().push(index);
            }
        }
        Self { folder: folder.to_owned(), sources, plugins, by_name }
    }

    /// The plugins with a name, and the folders of those that are in the same repository.
    pub fn plugins(&self) -> impl Iterator<Item = (&str, Option<&Path>)> {
        self.plugins
            .iter()
            .filter_map(|plugin| Some((plugin.name.as_deref()?, plugin.folder.as_deref())))
    }

    /// The folders of the plugins with this name.
    pub fn folders(&self, name: &str) -> impl Iterator<Item = &Path> {
        let places = self.by_name.get(name).into_iter().flatten();
        places.filter_map(|index| self.plugins.get(*index)?.folder.as_deref())
    }

    /// The target of the path at an offset of the manifest, and the folder that the path is
    /// relative to.
    pub fn target(&self, world: &dyn World, written: &str, at: usize) -> Option<(&Path, PathBuf)> {
        let path = paths::plain(written)?;
        let mut found = self.bases(at).map(|base| (base, below(base, path)));
        found.find(|(_, target)| world.kind(target).is_some())
    }

    /// The folders that the path at an offset of the manifest may be relative to, the likeliest
    /// first.
    fn bases(&self, at: usize) -> impl Iterator<Item = &Path> {
        let next = self.plugins.partition_point(|plugin| plugin.span.end < at);
        let plugin = self.plugins.get(next).filter(|plugin| plugin.span.start <= at);
        let is_source = plugin
            .and_then(|plugin| plugin.source.as_ref())
            .is_some_and(|source| source.start <= at && at <= source.end);
        let own = plugin.filter(|_| !is_source).and_then(|plugin| plugin.folder.as_deref());
        let sources = is_source.then_some(self.sources.as_path());
        // Files in another folder don't belong to the plugin.
        let rest = own.is_none().then_some(self.folder.as_path());
        own.or(sources).into_iter().chain(rest)
    }
}

fn below(folder: &Path, path: &str) -> PathBuf {
    resolve(&folder.join("_"), path)
}
