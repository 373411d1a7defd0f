//! Rename: names that configuration files declare: those of MCP servers and plugins.

use std::path::{Path, PathBuf};

use super::mentions::{self, Mention, Place, Word};
use super::resolve::{self, Target};
use super::servers::{self, Server, text};
use super::{json, plugin_servers, plugins, references, settings};
use crate::answer::Renaming;
use crate::client::Role;
use crate::format::Context;
use crate::format::agent::file::File;
use crate::source::Source;
use crate::text::{Edit, Span};

/// A mention of a name that a configuration file declares.
#[derive(Debug)]
pub struct Configured {
    pub span: Span,
    pub name: String,
    what: What,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum What {
    /// With the folder of the plugin, if only a plugin has it.
    Server(Option<PathBuf>),
    Plugin,
}

impl Configured {
    pub fn server(span: Span, name: String, plugin: Option<PathBuf>) -> Self {
        Self { span, name, what: What::Server(plugin) }
    }

    pub fn plugin(span: Span, name: String) -> Self {
        Self { span, name, what: What::Plugin }
    }
}

/// The server or plugin that is mentioned at an offset, if the workspace has it.
pub fn at(cx: &Context, offset: usize) -> Option<Configured> {
    let roles = resolve::readers(&File::of(cx)?);
    let mention = mentions::at(cx.source, &roles, offset)?;
    let mut parts = parts(cx, &mention).into_iter();
    let (span, name, what) = parts.find(|(span, ..)| span.start <= offset && offset <= span.end)?;
    let known = match what {
        What::Server(_) => resolve::resolve(cx, &roles, &mention)
            .found
            .iter()
            .any(|target| matches!(target, Target::Server { .. })),
        What::Plugin => has_plugin(cx, &name),
    };
    known.then_some(Configured { span, name, what })
}

/// The parts of a mention that name a server or a plugin.
fn parts(cx: &Context, mention: &Mention) -> Vec<(Span, String, What)> {
    let start = mention.span.start;
    match &mention.word {
        Word::Server(name) => {
            vec![(mention.span.clone(), name.clone(), What::Server(None))]
        }
        Word::Tool(tool) => in_tool(cx, tool, start),
        Word::Scoped(plugin, _) => {
            vec![(start..start + plugin.len(), plugin.clone(), What::Plugin)]
        }
        _ => Vec::new(),
    }
}

/// The parts of the name of a tool, which begins at `start`.
fn in_tool(cx: &Context, tool: &str, start: usize) -> Vec<(Span, String, What)> {
    let Some((server, at)) = servers::in_tool(tool) else { return Vec::new() };
    let start = start + at;
    let place = |span: &Span| start + span.start..start + span.end;
    match plugin_servers::split(cx, server) {
        Some(of_plugin) => {
            let name = server.get(of_plugin.server_at.clone()).unwrap_or_default();
            let name = of_plugin.declared.first().map_or(name, |server| &server.name).to_owned();
            vec![
                (place(&of_plugin.plugin_at), of_plugin.plugin, What::Plugin),
                (place(&of_plugin.server_at), name, What::Server(of_plugin.folder)),
            ]
        }
        None => vec![(start..start + server.len(), server.to_owned(), What::Server(None))],
    }
}

/// The server or the plugin at an offset in the name of a tool in settings, which begins at
/// `start`.
pub fn in_permission(cx: &Context, tool: &str, start: usize, offset: usize) -> Option<Configured> {
    let mut parts = in_tool(cx, tool, start).into_iter();
    let (span, name, what) = parts.find(|(span, ..)| span.start <= offset && offset <= span.end)?;
    Some(Configured { span, name, what })
}

/// The edits that rename it.
///
/// # Errors
/// If the name is invalid or taken.
pub fn rename(cx: &Context, configured: &Configured, new: &str) -> Result<Renaming, String> {
    let allowed = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_');
    let plain = new.starts_with(|letter: char| letter.is_ascii_alphanumeric());
    if !plain || !new.chars().all(allowed) || new.contains("__") {
        return Err(format!("`{new}` can't be the name of a server or plugin"));
    }
    let renaming = match &configured.what {
        What::Server(None) => server(cx, &configured.name, new, None)?,
        What::Server(Some(folder)) => {
            // As seen from the folder of the plugin. Servers of a document aren't those of plugins.
            let (nothing, here) = (Source::new(""), folder.join("-"));
            let own = Context { source: &nothing, path: Some(&here), ..*cx };
            server(&own, &configured.name, new, Some(folder))?
        }
        What::Plugin => plugin(cx, &configured.name, new)?,
    };
    Ok(renaming.sorted())
}

fn server(cx: &Context, old: &str, new: &str, plugin: Option<&Path>) -> Result<Renaming, String> {
    let mut renaming = Renaming::default();
    let same = |name: &str| name == old || servers::as_in_tools(name) == old;
    let mut known = plugin.map(|folder| plugin_servers::in_folder(cx, folder)).unwrap_or_default();
    if plugin.is_none_or(|folder| cx.root().as_deref() == Some(folder)) {
        let listed = servers::listed(cx, &servers::clients()).all;
        known.extend(
            listed.into_iter().filter(|server| !known.contains(server)).collect::<Vec<_>>(),
        );
    }
    if known.iter().any(|server| server.name == new) {
        return Err(format!("there is already a server `{new}`"));
    }
    let own: Vec<Span> = servers::own(cx.source)
        .into_iter()
        .filter_map(|(name, span)| same(&name).then_some(span))
        .collect();
    let path = cx.path.map(Path::to_owned);
    for span in &own {
        renaming.add(path.clone(), Edit::replace(span.clone(), new), false);
    }
    let mut files: Vec<PathBuf> = Vec::new();
    // A server that the document itself declares exists only there.
    if own.is_empty() {
        for server in known.into_iter().filter(|server| same(&server.name)) {
            renaming.add(Some(server.path.clone()), Edit::replace(server.span, new), false);
            files.push(server.path);
        }
        settings(cx, &mut |own, key, string, span| {
            let name = match key {
                "enabledMcpjsonServers" | "disabledMcpjsonServers" => {
                    same(string).then_some((string, 0))
                }
                _ => servers::in_tool(string).filter(|_| string.starts_with("mcp__")),
            };
            if let Some((server, at)) = name
                && let Some(of_plugin) = plugin_servers::split(own, server)
            {
                let is_one = |server: &Server| files.contains(&server.path) && same(&server.name);
                if of_plugin.declared.iter().any(is_one) {
                    let (start, span) = (span.start + at, of_plugin.server_at);
                    let edit = Edit::replace(start + span.start..start + span.end, new);
                    renaming.add(own.path.map(Path::to_owned), edit, false);
                }
                return;
            }
            let Some((name, at)) = name.filter(|(name, _)| same(name)) else { return };
            let seen = servers::listed(own, &servers::clients()).all;
            if seen.iter().any(|server| same(&server.name) && files.contains(&server.path)) {
                let start = span.start + at;
                let edit = Edit::replace(start..start + name.len(), new);
                renaming.add(own.path.map(Path::to_owned), edit, false);
            }
        });
    }
    let mut words = vec![format!("mcp__{old}").to_lowercase(), old.to_lowercase()];
    words.push(plugin_servers::KEY.to_owned());
    references::each(cx, &words, &mut |own_cx: &Context, roles: &[Role], mention| {
        let parts = parts(own_cx, mention).into_iter();
        let mut servers = parts.filter(|(.., what)| matches!(what, What::Server(_)));
        let Some((span, name, _)) = servers.next() else { return };
        let is_here = own_cx.path == cx.path;
        if !same(&name) || !own.is_empty() && !is_here {
            return;
        }
        let found = resolve::resolve(own_cx, roles, mention).found;
        let meant = found.iter().any(|target| match target {
            Target::Server { path: Some(path), .. } => files.contains(path),
            Target::Server { path: None, .. } => is_here && !own.is_empty(),
            _ => false,
        });
        if meant {
            let path = own_cx.path.map(Path::to_owned);
            renaming.add(path, Edit::replace(span, new), false);
        }
    });
    Ok(renaming)
}

/// Whether the workspace folder declares a plugin.
pub fn has_plugin(cx: &Context, plugin: &str) -> bool {
    !plugin_places(cx, plugin).is_empty()
}

/// Where manifests and marketplaces declare a plugin.
fn plugin_places(cx: &Context, plugin: &str) -> Vec<(PathBuf, Span)> {
    let mut found = Vec::new();
    for folder in resolve::plugin_folders(cx, plugin) {
        let names = plugins::names(cx.world, &folder).into_iter();
        found.extend(names.filter(|(name, ..)| name == plugin).map(|(_, path, span)| (path, span)));
    }
    found.sort_by(|a, b| (&a.0, a.1.start).cmp(&(&b.0, b.1.start)));
    found.dedup();
    found
}

fn plugin(cx: &Context, old: &str, new: &str) -> Result<Renaming, String> {
    if resolve::plugin_names(cx).iter().any(|name| name == new) {
        return Err(format!("there is already a plugin `{new}`"));
    }
    let mut renaming = Renaming::default();
    for (path, span) in plugin_places(cx, old) {
        renaming.add(Some(path), Edit::replace(span, new), false);
    }
    settings(cx, &mut |own, _, string, span| {
        let parts = match string.starts_with(plugin_servers::KEY) {
            true => in_tool(own, string, span.start),
            false => Vec::new(),
        };
        for (span, ..) in parts.into_iter().filter(|part| part.1 == old && part.2 == What::Plugin) {
            renaming.add(own.path.map(Path::to_owned), Edit::replace(span, new), false);
        }
        if string.strip_prefix(old).is_some_and(|rest| rest.starts_with('@')) {
            let edit = Edit::replace(span.start..span.start + old.len(), new);
            renaming.add(own.path.map(Path::to_owned), edit, false);
        }
    });
    settings::each(cx, cx.path.into_iter(), &mut |own, mention| {
        let span = mention.span.start..mention.span.start + old.len();
        let is_plugin = match &mention.word {
            Word::Scoped(plugin, _) => plugin == old,
            // All skills of the plugin: `Skill(tea:*)`.
            word => {
                word.name() == Some(old)
                    && mention.doubtful
                    && settings::meant(own, mention, &super::resolve::Plugins::default()).is_empty()
            }
        };
        if is_plugin {
            renaming.add(own.path.map(Path::to_owned), Edit::replace(span, new), false);
        }
    });
    let root = cx.root();
    let words = [format!("{old}:").to_lowercase(), plugin_servers::KEY.to_owned()];
    references::each(cx, &words, &mut |own, _, mention| {
        let parts = parts(own, mention).into_iter();
        let mut plugins = parts.filter(|(_, name, what)| *what == What::Plugin && name == old);
        if let Some((span, ..)) = plugins.next() {
            let is_far = own.root() != root;
            if is_far && has_plugin(own, old) {
                return;
            }
            // `key:value` in running text can mean many things.
            let is_pair = matches!(mention.word, Word::Scoped(..));
            let doubtful =
                is_far || is_pair && matches!(mention.place, Place::Body { code: false });
            let path = own.path.map(Path::to_owned);
            renaming.add(path, Edit::replace(span, new), doubtful);
        }
    });
    Ok(renaming)
}

/// Calls `each` with the strings and the inner keys of the settings in the workspace folder, with the
/// outermost key of each.
fn settings(cx: &Context, each: &mut dyn FnMut(&Context, &str, &str, Span)) {
    for path in settings::files(cx, cx.path.into_iter()) {
        let Ok(source) = json::source(cx.world, &path) else { continue };
        let own = Context { source: &source, path: Some(&path), ..*cx };
        for entry in json::of(&source).tree.entries() {
            let key = entry.key.as_str().unwrap_or_default();
            let mut strings = plugins::strings_in(&entry.value);
            let map = entry.value.as_mapping();
            strings
                .extend(map.into_iter().flat_map(|map| &map.entries).filter_map(|e| text(&e.key)));
            for (string, span) in strings {
                each(&own, key, &string, span);
            }
        }
    }
}
