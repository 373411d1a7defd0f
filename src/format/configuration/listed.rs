//! The paths that a manifest lists, and their faults.

use std::path::{Path, PathBuf};

use crate::client::{Client, Effect, Manifest, Prefix, catalog, is_aside, is_left_alone};
use crate::format::Context;
use crate::format::agent::is_elsewhere;
use crate::format::agent::names::in_json;
use crate::text::Span;
use crate::world::{EntryKind, resolve};
use crate::yaml::{Mapping, Node};

/// A path that a client can't use.
pub struct Fault {
    pub client: &'static Client,
    pub span: Span,
    pub path: String,
    pub cause: Cause,
    pub effect: &'static Effect,
    /// Whether the client takes a file or a folder there; `None` for both.
    pub takes: Option<EntryKind>,
    /// The folder that the path is relative to.
    pub base: PathBuf,
    /// The manifest is in an archive or another unused place.
    pub archived: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// It doesn't begin with this prefix.
    Prefix(&'static str),
    Outside,
    Missing,
}

/// The faults of the paths in a document, for the clients that it is checked for.
pub fn faults(cx: &Context) -> Vec<Fault> {
    let Some(path) = cx.path else { return Vec::new() };
    let below = below(cx);
    if is_aside(&below) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for client in clients(cx) {
        for manifest in client.manifests.iter().filter(|manifest| path.ends_with(&manifest.file)) {
            let Some(base) = path.ancestors().nth(manifest.file.split('/').count()) else {
                continue;
            };
            let archived = is_left_alone(cx.world, cx.root().as_deref(), &below);
            let reader = Reader { cx, client, manifest, archived };
            in_json::with_root(cx.source, &mut |root| reader.file(root, base, &mut found));
        }
    }
    found
}

/// The clients that a document is checked for.
pub fn clients<'a>(cx: &'a Context) -> impl Iterator<Item = &'static Client> + use<'a> {
    let named = &cx.config.options().clients;
    let judged = |client: &&Client| {
        named.is_empty()
            || named.iter().any(|name| *name == client.name || client.aliases.contains(name))
    };
    catalog().clients.iter().filter(judged)
}

/// The path of a document from the root of its workspace.
pub fn below(cx: &Context) -> PathBuf {
    let below = cx.path.zip(cx.root()).and_then(|(path, root)| path.strip_prefix(root).ok());
    below.map(Path::to_owned).unwrap_or_default()
}

struct Reader<'a> {
    cx: &'a Context<'a>,
    client: &'static Client,
    manifest: &'static Manifest,
    archived: bool,
}

impl Reader<'_> {
    fn file(&self, root: &Mapping, base: &Path, found: &mut Vec<Fault>) {
        let Some(list) = &self.manifest.list else { return self.plugin(root, base, found) };
        let above = list.root.as_ref().and_then(|key| in_json::value(root, key)?.as_str());
        let from = above.map_or_else(|| base.to_owned(), |above| resolve(&base.join("_"), above));
        let plugins = root.get(&list.key).and_then(|entry| entry.value.as_sequence());
        let plugins = plugins.into_iter().flat_map(|list| &list.items).filter_map(Node::as_mapping);
        for plugin in plugins {
            let folder = plugin.get(&list.folder).and_then(|entry| in_json::text(&entry.value));
            let Some((folder, span)) = folder else { continue };
            let prefix = self.manifest.prefix.as_ref().filter(|_| above.is_none());
            let takes = Some(EntryKind::Folder);
            self.path(&folder, span, &from, base, prefix, (&list.missing, takes), found);
            let folder = resolve(&from.join("_"), &folder);
            if folder.starts_with(base) && self.cx.world.kind(&folder).is_some() {
                self.plugin(plugin, &folder, found);
            }
        }
    }

    fn plugin(&self, map: &Mapping, base: &Path, found: &mut Vec<Fault>) {
        let prefix = self.manifest.prefix.as_ref();
        for key in &self.manifest.paths {
            let Some(node) = in_json::value(map, key) else { continue };
            let items = node.as_sequence().map_or(std::slice::from_ref(node), |list| &list.items);
            let takes = self.takes(key);
            for (path, span) in items.iter().filter_map(in_json::text) {
                let missing = (&self.manifest.missing, takes);
                self.path(&path, span, base, base, prefix, missing, found);
            }
        }
    }

    /// Whether the client takes files or folders at the paths of a key; `None` for both.
    fn takes(&self, key: &String) -> Option<EntryKind> {
        let folder = self.manifest.folders.contains(key).then_some(EntryKind::Folder);
        folder.or_else(|| self.manifest.files.contains(key).then_some(EntryKind::File))
    }

    /// Checks a path that is relative to `from` and must stay in `within`.
    #[expect(clippy::too_many_arguments, reason = "what a manifest says of a path")]
    fn path(
        &self,
        path: &str,
        span: Span,
        from: &Path,
        within: &Path,
        prefix: Option<&'static Prefix>,
        (missing, takes): (&'static Effect, Option<EntryKind>),
        found: &mut Vec<Fault>,
    ) {
        // URLs, variables and patterns.
        if path.is_empty() || path.contains([':', '$', '*', '{', '<', '\\']) {
            return;
        }
        let target = resolve(&from.join("_"), path);
        let wanted = prefix.filter(|prefix| {
            !path.starts_with(&prefix.text) && !prefix.except.iter().any(|other| other == path)
        });
        let fault = if !target.starts_with(within) {
            self.manifest.outside.as_ref().map(|effect| (Cause::Outside, effect))
        } else if let Some(prefix) = wanted {
            Some((Cause::Prefix(&prefix.text), &prefix.effect))
        } else {
            self.is_missing(path, &target).then_some((Cause::Missing, missing))
        };
        if let Some((cause, effect)) = fault {
            let (client, path, base) = (self.client, path.to_owned(), from.to_owned());
            let archived = self.archived;
            found.push(Fault { client, span, path, cause, effect, takes, base, archived });
        }
    }

    /// Whether a path is missing for good: files that git ignores are built later, and files at the
    /// same path from the root are copied when the plugin is published.
    fn is_missing(&self, path: &str, target: &Path) -> bool {
        let cx = self.cx;
        let from_root = || cx.root().map(|root| resolve(&root.join("_"), path));
        cx.world.kind(target).is_none()
            && !is_elsewhere(cx, target)
            && from_root().is_none_or(|other| cx.world.kind(&other).is_none())
    }
}
