//! The folders in which the paths of a manifest begin.

use std::path::{Path, PathBuf};

use super::json::Json;
use super::{paths, plugins};
use crate::text::Span;
use crate::world::{World, resolve};
use crate::yaml::Node;

/// The folders for each path in the manifest of a plugin or marketplace.
#[derive(Debug)]
pub struct Bases {
    /// That of the plugin or marketplace.
    folder: PathBuf,
    /// The folder in which the sources of plugins begin.
    sources: PathBuf,
    /// In order of their spans.
    plugins: Vec<Plugin>,
}

/// A plugin in a marketplace.
#[derive(Debug)]
struct Plugin {
    span: Span,
    source: Option<Span>,
    /// Its folder, if it's in the same repository.
    folder: Option<PathBuf>,
}

impl Bases {
    /// Those of the manifest of a plugin or marketplace in `folder`.
    pub fn of(json: &Json, folder: &Path) -> Self {
        let sources = plugins::root(json, folder).unwrap_or_else(|| folder.to_owned());
        let list = json.tree.get("plugins").and_then(|entry| entry.value.as_sequence());
        let items = list.into_iter().flat_map(|list| &list.items);
        let plugin = |item: &Node| {
            let source = item.as_mapping()?.get("source").map(|entry| &entry.value);
            let written = source.and_then(Node::as_str);
            Some(Plugin {
                span: item.span.clone(),
                source: source.map(|source| source.span.clone()),
                folder: written.map(|written| resolve(&sources.join("_"), written)),
            })
        };
        let plugins = items.filter_map(plugin).collect();
        Self { folder: folder.to_owned(), sources, plugins }
    }

    /// The folders for the path at a byte of the manifest, the likeliest first.
    fn at(&self, at: usize) -> impl Iterator<Item = &Path> {
        let next = self.plugins.partition_point(|plugin| plugin.span.end < at);
        let plugin = self.plugins.get(next).filter(|plugin| plugin.span.start <= at);
        let is_source = plugin
            .and_then(|plugin| plugin.source.as_ref())
            .is_some_and(|source| source.start <= at && at <= source.end);
        let own = plugin.filter(|_| !is_source).and_then(|plugin| plugin.folder.as_deref());
        let sources = is_source.then_some(self.sources.as_path());
        // What another folder has is not the plugin's.
        let rest = own.is_none().then_some(self.folder.as_path());
        own.or(sources).into_iter().chain(rest)
    }

    /// The folder in which the path at a byte of the manifest begins, and what it leads to.
    pub fn target(&self, world: &dyn World, written: &str, at: usize) -> Option<(&Path, PathBuf)> {
        let path = paths::plain(written)?;
        self.at(at)
            .map(|base| (base, resolve(&base.join("_"), path)))
            .find(|(_, target)| world.kind(target).is_some())
    }
}
