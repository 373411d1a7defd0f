//! Names and paths in the JSON around agent files: manifests and lists of plugins, settings, and
//! files of MCP servers. A rename there applies everywhere.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::configured::{self, Configured};
use super::declared::{self, Declaration};
use super::index::Index;
use super::marketplace::Marketplace;
use super::mentions::Word;
use super::references::{own_name, references as mentions};
use super::rename::declared as rename_files;
use super::servers;
pub use super::servers::text;
use super::{json, plugin_servers, plugins, settings};
use crate::answer::{Link, LinkTarget, Occurrence, Renamable, Renaming, Target};
use crate::format::Context;
use crate::source::Source;
use crate::text::Span;
use crate::world::EntryKind;
use crate::yaml::{self, Mapping, Node};

/// A name at an offset, without quotes.
struct Named {
    span: Span,
    name: String,
    what: What,
}

enum What {
    Declared(Vec<Arc<Declaration>>),
    Configured(Configured),
}

/// A string with the keys that lead to it.
struct Placed {
    keys: Vec<String>,
    text: String,
    span: Span,
    is_key: bool,
}

/// Deeper values aren't read.
const DEEPEST: usize = 12;

/// Whether a file at a path has such names. Other programs have a `plugin.json`, too.
pub fn is_named(path: &Path) -> bool {
    manifest(path).is_some() || settings::is_settings(path) || server_key(path).is_some()
}

/// The manifest at a path, relative to the folder of the plugin or the list.
fn manifest(path: &Path) -> Option<&'static str> {
    let own = |file: &&&str| file.contains('/') || **file == "gemini-extension.json";
    plugins::MANIFESTS.iter().filter(own).find(|file| path.ends_with(file)).copied()
}

/// The key of the servers in a file of servers.
fn server_key(path: &Path) -> Option<&'static str> {
    let mut files = servers::clients().into_iter().flat_map(|client| &client.servers);
    files.find(|file| path.ends_with(&file.file)).map(|file| file.key.as_str())
}

/// The name at an offset, if it can be renamed.
pub fn renamable(cx: &Context, offset: usize) -> Option<Renamable> {
    let Named { span, name, .. } = named(cx, offset)?;
    Some(Renamable { span, name })
}

/// The edits that rename the name at an offset.
///
/// # Errors
/// If the name is invalid or taken, or there's no name at the offset.
pub fn rename(cx: &Context, offset: usize, new: &str) -> Result<Renaming, String> {
    let named = named(cx, offset).ok_or_else(|| {
        "only names of skills, agents, commands, servers and plugins can be renamed here".to_owned()
    })?;
    let new = new.trim();
    if new == named.name {
        return Ok(Renaming::default());
    }
    // The document itself contains no mentions.
    let nothing = Source::new("");
    let here = cx.path.map(|path| path.with_file_name("-"));
    let own = Context { source: &nothing, path: here.as_deref(), ..*cx };
    match named.what {
        What::Declared(declared) => rename_files(&own, &declared, &named.name, new),
        What::Configured(configured) => configured::rename(&own, &configured, new),
    }
}

/// The definitions of the name or path at an offset.
pub fn definition(cx: &Context, offset: usize) -> Vec<Target> {
    if let Some(Named { span, what: What::Declared(declared), .. }) = named(cx, offset) {
        let found = declared.iter().filter_map(|declared| {
            let source = cx.world.look(&declared.path).ok()?;
            let (whole, selection) = declared::place(&source);
            let path = Some(declared.path.clone());
            Some(Target { path, span: whole, selection, origin: span.clone() })
        });
        return found.collect();
    }
    let Some((placed, target)) = placed(cx, offset).and_then(|placed| {
        let target = file(cx, &listed(cx)?, &placed.text, placed.span.start)?;
        Some((placed, target))
    }) else {
        return Vec::new();
    };
    vec![Target { path: Some(target), span: 0..0, selection: 0..0, origin: placed.span }]
}

/// Every mention of the skill, agent or command at an offset.
pub fn references(cx: &Context, offset: usize) -> Vec<Occurrence> {
    let Some(Named { what: What::Declared(declared), .. }) = named(cx, offset) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for declared in &declared {
        let Ok(source) = cx.world.look(&declared.path) else { continue };
        let own = Context { source: &source, path: Some(&declared.path), ..*cx };
        let Some((_, span)) = declared::name(&source) else { continue };
        for mut occurrence in mentions(&own, span.start) {
            occurrence.path.get_or_insert_with(|| declared.path.clone());
            found.push(occurrence);
        }
    }
    found
}

/// Links for the files that a manifest lists.
pub fn links(cx: &Context) -> Vec<Link> {
    let Some(listed) = listed(cx) else { return Vec::new() };
    let json = json::of(cx.source);
    let strings = json.tree.root.as_ref().map(plugins::strings_in).unwrap_or_default();
    let found = strings.into_iter().filter_map(|(written, span)| {
        let path = file(cx, &listed, &written, span.start)?;
        let target = LinkTarget::File { path, fragment: None };
        Some(Link { span, target, tooltip: None })
    });
    found.collect()
}

fn placed(cx: &Context, offset: usize) -> Option<Placed> {
    find(json::of(cx.source).tree.root.as_ref()?, offset, &mut Vec::new(), DEEPEST)
}

fn find(node: &Node, offset: usize, keys: &mut Vec<String>, depth: usize) -> Option<Placed> {
    let depth = depth.checked_sub(1)?;
    let at = |node: &Node, keys: &[String], is_key| {
        let (text, span) = text(node)?;
        let touches = span.start <= offset && offset <= span.end;
        touches.then(|| Placed { keys: keys.to_vec(), text, span, is_key })
    };
    match &node.kind {
        yaml::Kind::Scalar(_) => at(node, keys, false),
        yaml::Kind::Sequence(list) => {
            list.items.iter().find_map(|item| find(item, offset, keys, depth))
        }
        yaml::Kind::Mapping(map) => map.entries.iter().find_map(|entry| {
            if let Some(placed) = at(&entry.key, keys, true) {
                return Some(placed);
            }
            keys.push(entry.key.as_str().unwrap_or_default().to_owned());
            let found = find(&entry.value, offset, keys, depth);
            keys.pop();
            found
        }),
        yaml::Kind::Alias(_) => None,
    }
}

fn named(cx: &Context, offset: usize) -> Option<Named> {
    let path = cx.path?;
    let placed = placed(cx, offset)?;
    let found = if settings::is_settings(path) {
        in_settings(cx, &placed, offset)
    } else if let Some(file) = manifest(path) {
        in_manifest(cx, file, &placed)
    } else {
        let own = placed.is_key && placed.keys == [server_key(path)?];
        own.then(|| server(cx, &placed))
    };
    found.filter(|named| named.span.start <= offset && offset <= named.span.end)
}

fn is(configured: Configured) -> Named {
    let (span, name) = (configured.span.clone(), configured.name.clone());
    Named { span, name, what: What::Configured(configured) }
}

/// A server, which may belong to a plugin.
fn server(cx: &Context, placed: &Placed) -> Named {
    let folder = cx.path.and_then(|path| plugin_servers::folder_of(cx.world, path));
    is(Configured::server(placed.span.clone(), placed.text.clone(), folder))
}

fn plugin(placed: &Placed, from: usize, name: &str) -> Named {
    let start = placed.span.start + from;
    is(Configured::plugin(start..start + name.len(), name.to_owned()))
}

fn in_manifest(cx: &Context, file: &str, placed: &Placed) -> Option<Named> {
    let keys: Vec<&str> = placed.keys.iter().map(String::as_str).collect();
    let is_list = file.ends_with("marketplace.json");
    let own = if is_list { &["plugins", "name"][..] } else { &["name"] };
    if placed.is_key {
        return (keys.last() == Some(&"mcpServers")).then(|| server(cx, placed));
    }
    if keys == own {
        return Some(plugin(placed, 0, &placed.text));
    }
    let path = target(cx, &listed(cx)?, &placed.text, placed.span.start)?;
    let path = match cx.world.kind(&path)? {
        EntryKind::Folder => path.join("SKILL.md"),
        _ => path,
    };
    let declared = declaration(cx, &path)?;
    let written = placed.text.trim_end_matches('/');
    let at = written.rfind(&declared.stem)?;
    let (start, name) = (placed.span.start + at, declared.stem.clone());
    let span = start..start + name.len();
    Some(Named { span, name, what: What::Declared(vec![declared]) })
}

fn in_settings(cx: &Context, placed: &Placed, offset: usize) -> Option<Named> {
    let mut mentions = settings::mentions(cx.source).into_iter();
    let is_here = |span: &Span| span.start <= offset && offset <= span.end;
    if let Some(mention) = mentions.find(|mention| is_here(&mention.span)) {
        let (span, name) = own_name(cx, &mention);
        if let (Word::Scoped(name, _), false) = (&mention.word, is_here(&span)) {
            let at = mention.span.start - placed.span.start;
            let known = configured::has_plugin(cx, name);
            return known.then(|| plugin(placed, at, name));
        }
        let declared = settings::meant(cx, &mention, &super::resolve::Plugins::default());
        return (!declared.is_empty()).then_some(Named {
            span,
            name,
            what: What::Declared(declared),
        });
    }
    let last = placed.keys.last().map(String::as_str);
    if placed.is_key {
        let (name, _) = placed.text.split_once('@').filter(|_| last == Some("enabledPlugins"))?;
        return Some(plugin(placed, 0, name));
    }
    if matches!(last, Some("enabledMcpjsonServers" | "disabledMcpjsonServers")) {
        return Some(is(Configured::server(placed.span.clone(), placed.text.clone(), None)));
    }
    let tool = Some(&placed.text).filter(|text| text.starts_with("mcp__"))?;
    configured::in_permission(cx, tool, placed.span.start, offset).map(is)
}

fn declaration(cx: &Context, path: &Path) -> Option<Arc<Declaration>> {
    let known = Index::of(cx.world).at(cx.world, path);
    known.or_else(|| declared::of(cx.world, path, &cx.world.look(path).ok()?).map(Arc::new))
}

/// The document as a manifest, if it's one.
fn listed(cx: &Context) -> Option<Marketplace> {
    let path = cx.path?;
    let folder = path.ancestors().nth(manifest(path)?.split('/').count())?;
    Some(Marketplace::of(&json::of(cx.source), folder))
}

/// The file or folder that the path at an offset of the document leads to.
fn target(cx: &Context, listed: &Marketplace, written: &str, at: usize) -> Option<PathBuf> {
    let (_, target) = listed.target(cx.world, written, at)?;
    cx.root().is_none_or(|root| target.starts_with(root)).then_some(target)
}

/// The file that a path leads to; for a skill, its `SKILL.md`.
fn file(cx: &Context, listed: &Marketplace, written: &str, at: usize) -> Option<PathBuf> {
    let is_file = |path: &PathBuf| cx.world.kind(path) == Some(EntryKind::File);
    // A word alone is unlikely to be a path.
    let found = target(cx, listed, written, at).filter(|_| written.contains('/'))?;
    if is_file(&found) { Some(found) } else { Some(found.join("SKILL.md")).filter(is_file) }
}

/// Calls `each` with the root of a document, if it's an object.
pub fn with_root(source: &Source, each: &mut dyn FnMut(&Mapping)) {
    let json = json::of(source);
    if let Some(root) = json.tree.root.as_ref().and_then(Node::as_mapping) {
        each(root);
    }
}

/// The value of a key; `/` separates nested keys.
pub fn value<'m>(map: &'m Mapping, key: &str) -> Option<&'m Node> {
    let (first, rest) =
        key.split_once('/').map_or((key, None), |(first, rest)| (first, Some(rest)));
    let node = &map.get(first)?.value;
    match rest {
        Some(rest) => value(node.as_mapping()?, rest),
        None => Some(node),
    }
}
