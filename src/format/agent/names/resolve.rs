//! The files that a mention means for its clients. A name counts only for clients that read it
//! where it is: in the same project, above or below it, or in the same plugin.

use std::cell::{OnceCell, RefCell};
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

use super::declared::{self, Declaration};
use super::index::Index;
use super::marketplace::Marketplace;
use super::mentions::{self, Mention, Word};
use super::paths;
use super::plugin_servers;
use super::plugins;
use super::servers;
use crate::client::{self, Client, Kind, Role};
use crate::format::Context;
use crate::format::agent::file::{File, in_plugin};
use crate::suggestion::closest;
use crate::text::Span;
use crate::world::{Aspect, Knowledge, World};

/// The target of a mention.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// A file that declares the name.
    Declared(Arc<Declaration>),
    /// A file or folder.
    File(PathBuf),
    /// The name of a server, in a configuration file or in the document itself.
    Server { path: Option<PathBuf>, span: Span },
}

impl Target {
    /// The file that it is in.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::Declared(declared) => Some(&declared.path),
            Self::File(path) => Some(path),
            Self::Server { path, .. } => path.as_deref(),
        }
    }
}

/// The meaning of a mention.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Resolved {
    /// The files that a client of the document finds by the name, the nearest first.
    pub found: Vec<Target>,
    /// Files with the name that no client finds from there: of other clients, plugins or projects.
    pub elsewhere: Vec<Arc<Declaration>>,
    /// It's built into the client.
    pub built_in: bool,
}

/// The targets of the names in a document: changes when one of them appears, moves or disappears.
pub static NAMES: Aspect = Aspect { name: "agent-names", state, spans_files: true };

fn state(world: &dyn World, path: &Path) -> u64 {
    let Ok(source) = world.look(path) else { return 0 };
    let index = Index::of(world);
    let roles = client::roles_at(world, path);
    let mut hasher = FxHasher::default();
    let mut names: Vec<String> = mentions::of(&source, &roles)
        .into_iter()
        .filter(|mention| !mention.word.is_prose())
        .filter_map(|mention| mention.word.name().map(str::to_lowercase))
        .collect();
    names.sort();
    names.dedup();
    if let Some(own) = declared::of(world, path, &source) {
        names.extend(own.names().map(str::to_lowercase));
    }
    let mut unknown = false;
    for name in &names {
        let declarers = index.declarers(world, name);
        unknown |= declarers.is_empty();
        for declared in declarers {
            (&declared.path, declared.kind, &declared.stem, &declared.name).hash(&mut hasher);
        }
    }
    if unknown {
        // Any new name may be the one that was meant.
        index.generation(world).hash(&mut hasher);
    }
    hasher.finish()
}

/// Records that an answer depends on names.
pub fn note(cx: &Context) {
    // The command line checks each file once.
    if let Some(path) = cx.path.filter(|_| cx.world.knowledge() == Knowledge::Later) {
        cx.world.note(path, &NAMES, state(cx.world, path));
    }
}

/// The clients for mentions in a document: those that are judged, or else all that read it.
pub fn readers<'a>(file: &File<'a>) -> Vec<Role<'a>> {
    let named = |role: &&Role| role.reads.kind != Kind::Own;
    let judged: Vec<Role<'a>> = file.judged.iter().filter(named).copied().collect();
    if judged.is_empty() { file.readers.iter().filter(named).copied().collect() } else { judged }
}

/// The folders of plugins. Each manifest is read once for a request.
#[derive(Debug, Default)]
pub struct Plugins {
    /// Folders by the name in the manifest.
    named: OnceCell<FxHashMap<String, Vec<PathBuf>>>,
    /// Marketplaces by the root of the workspace.
    lists: RefCell<FxHashMap<PathBuf, Arc<Marketplace>>>,
}

impl Plugins {
    /// The folders of the plugins with this name: those with skills, commands or agents whose
    /// manifest has it, and those that the marketplace of the workspace lists.
    fn folders(&self, cx: &Context, plugin: &str) -> Vec<PathBuf> {
        let named = self.named.get_or_init(|| {
            let mut named: FxHashMap<String, Vec<PathBuf>> = FxHashMap::default();
            for folder in Index::of(cx.world).plugin_bases(cx.world).iter() {
                if let Some((name, ..)) = plugins::name(cx.world, folder) {
                    named.entry(name).or_default().push(folder.clone());
                }
            }
            named
        });
        let mut found = named.get(plugin).cloned().unwrap_or_default();
        if let Some(root) = cx.root() {
            let mut lists = self.lists.borrow_mut();
            let list =
                lists.entry(root).or_insert_with_key(|root| Marketplace::read(cx.world, root));
            found.extend(list.folders(plugin).map(Path::to_owned));
        }
        found
    }
}

/// The meaning of a mention in a document for these clients.
pub fn resolve(cx: &Context, roles: &[Role], mention: &Mention) -> Resolved {
    resolve_among(cx, roles, mention, &Plugins::default())
}

/// The same for one of several mentions that share `plugins`.
pub fn resolve_among(
    cx: &Context,
    roles: &[Role],
    mention: &Mention,
    plugins: &Plugins,
) -> Resolved {
    match &mention.word {
        Word::File(path) => {
            let found = paths::target(cx, path).map(Target::File).into_iter().collect();
            Resolved { found, ..Resolved::default() }
        }
        Word::Tool(_) | Word::Server(_) => server(cx, roles, &mention.word),
        word => names(cx, roles, word, plugins),
    }
}

fn names(cx: &Context, roles: &[Role], word: &Word, plugins: &Plugins) -> Resolved {
    let mut resolved = Resolved::default();
    let (Some(name), Some(path)) = (word.name(), cx.path) else { return resolved };
    let plugin = if let Word::Scoped(plugin, _) = word { Some(plugin.as_str()) } else { None };
    let mut wanted: Vec<&Role> = roles.iter().collect();
    if matches!(word, Word::Dollar(_)) {
        wanted.retain(|role| role.client.skill_sign == Some('$'));
    }
    for kind in word.kinds().iter().filter(|_| plugin.is_none()) {
        resolved.built_in |= wanted.iter().any(|role| is_built_in(role.client, *kind, name));
    }
    let folders = plugin.map(|plugin| plugins.folders(cx, plugin));
    let mut seen: Vec<Vec<(Seen, Arc<Declaration>)>> = vec![Vec::new(); wanted.len()];
    let mut declarers = Index::of(cx.world).declarers(cx.world, name);
    if declarers.is_empty() && plugin.is_none() && !Index::of(cx.world).has_all() {
        look_up(cx, roles, word);
        declarers = Index::of(cx.world).declarers(cx.world, name);
    }
    for declared in declarers {
        // Many plugins may have a file with this name.
        let apart = folders.as_ref().is_some_and(|folders| !is_below(&declared.path, folders));
        if apart || !word.kinds().contains(&declared.kind) {
            continue;
        }
        let mut is_seen = false;
        for (role, seen) in wanted.iter().zip(&mut seen) {
            if let Some(one) = sees(cx, path, role, &declared, name, folders.as_deref()) {
                is_seen = true;
                seen.push((one, Arc::clone(&declared)));
            }
        }
        if !is_seen && folders.as_ref().is_none_or(|folders| is_of(&declared, folders)) {
            resolved.elsewhere.push(declared);
        }
    }
    let mut nearest: Vec<(Seen, Arc<Declaration>)> = wanted
        .iter()
        .zip(seen)
        .flat_map(|(role, seen)| without_hidden(role.client, nearest_each(seen)))
        .collect();
    nearest.sort_by(|(a, one), (b, other)| {
        b.shared.cmp(&a.shared).then_with(|| one.path.cmp(&other.path))
    });
    let mut paths = FxHashSet::default();
    nearest.retain(|(_, declared)| paths.insert(declared.path.clone()));
    let mut found: Vec<Target> =
        nearest.into_iter().map(|(_, declared)| Target::Declared(declared)).collect();
    let is_here = |other: Option<&Path>| cx.world.root(other) == cx.world.root(Some(path));
    // If two plugins have the name, the one in the workspace folder is meant.
    if plugin.is_some() && found.iter().any(|target| is_here(target.path())) {
        found.retain(|target| is_here(target.path()));
    }
    resolved.found = found;
    if let (Some(plugin), true) = (plugin, resolved.found.is_empty()) {
        let folders = plugin_folders(cx, plugin);
        let declarers = Index::of(cx.world).declarers(cx.world, name);
        let kinds = declarers.into_iter().filter(|declared| word.kinds().contains(&declared.kind));
        let listed = kinds.filter(|declared| lists(cx, &folders, plugin, &declared.path));
        resolved.found.extend(listed.map(Target::Declared));
        // Workflows of a plugin are scripts.
        for folder in folders.iter().map(|folder| folder.join("workflows")) {
            let entries = cx.world.list(&folder).into_iter();
            let named = entries.filter(|entry| client::stem(&entry.name) == name);
            resolved.found.extend(named.map(|entry| Target::File(folder.join(entry.name))));
        }
    }
    // `folder:name` may be in a nested project.
    if let (Word::Scoped(folder, _), true) = (word, resolved.found.is_empty()) {
        let declarers = Index::of(cx.world).declarers(cx.world, name).into_iter();
        let nested = declarers.filter(|declared| {
            let is_nested = |reader: &Role| {
                let base = declared::base(path, reader).join(folder);
                let mut roles = declared.roles.iter().filter(|role| same_client(role, reader));
                declared.is_named(reader.client, name)
                    && roles.any(|role| !role.plugin && declared.base(role) == base)
            };
            word.kinds().contains(&declared.kind) && wanted.iter().any(|role| is_nested(role))
        });
        resolved.found.extend(nested.map(Target::Declared));
    }
    // `sub:name` may also be a command in a folder.
    if let (Word::Scoped(folder, _), true) = (word, resolved.found.is_empty()) {
        let declarers = Index::of(cx.world).declarers(cx.world, name);
        let inside = declarers.into_iter().filter(|declared| {
            let parent = declared.path.parent().and_then(Path::file_name);
            declared.kind == Kind::Command
                && parent.is_some_and(|parent| parent == folder.as_str())
                && is_here(Some(&declared.path))
        });
        resolved.found.extend(inside.map(Target::Declared));
    }
    resolved
}

/// Where a client finds a file, relative to a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Seen {
    /// How many path components the document shares with the folder that the place is relative to.
    shared: usize,
    /// The distance from the document's own project.
    distance: Option<Distance>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Distance {
    Above(usize),
    Below,
}

/// The files that one client uses: of each kind, those in the nearest of several projects. Files in
/// a project below are called `folder:name`.
fn nearest_each(seen: Vec<(Seen, Arc<Declaration>)>) -> Vec<(Seen, Arc<Declaration>)> {
    let mut best: FxHashMap<Kind, Distance> = FxHashMap::default();
    for (one, declared) in &seen {
        if let Some(distance) = one.distance {
            let best = best.entry(declared.kind).or_insert(distance);
            *best = distance.min(*best);
        }
    }
    let is_best = |one: &Seen, kind: Kind| {
        one.distance.is_none_or(|distance| best.get(&kind) == Some(&distance))
    };
    seen.into_iter().filter(|(one, declared)| is_best(one, declared.kind)).collect()
}

/// Removes the commands that a client ignores because of skills with the same name in the same
/// project.
fn without_hidden(
    client: &Client,
    mut seen: Vec<(Seen, Arc<Declaration>)>,
) -> Vec<(Seen, Arc<Declaration>)> {
    let is_skill = |(_, declared): &&(Seen, Arc<Declaration>)| declared.kind == Kind::Skill;
    let skills: Vec<Seen> = seen.iter().filter(is_skill).map(|(one, _)| *one).collect();
    if client.skills_before_commands {
        seen.retain(|(one, declared)| declared.kind != Kind::Command || !skills.contains(one));
    }
    seen
}

/// Indexes the files that a name most likely means, while others aren't known yet.
fn look_up(cx: &Context, roles: &[Role], word: &Word) {
    let (Some(name), Some(path)) = (word.name(), cx.path) else { return };
    if name.contains(['/', '\\']) || name.starts_with('.') {
        return;
    }
    let index = Index::of(cx.world);
    for role in roles {
        let base = declared::base(path, role);
        let kinds = role.client.reads.iter().filter(|reads| word.kinds().contains(&reads.kind));
        for reads in kinds {
            let places = if role.plugin { &reads.plugin_places } else { &reads.places };
            for place in places.iter().map(|place| place.replace("**/", "").replacen('*', name, 1))
            {
                let file = base.join(&place);
                if place.contains(name)
                    && !place.contains('*')
                    && cx.world.kind(&file).is_some()
                    && let Ok(source) = cx.world.look(&file)
                {
                    index.learn(cx.world, &file, &source);
                }
            }
        }
    }
}

/// Whether a client has a built-in item with this name.
fn is_built_in(client: &Client, kind: Kind, name: &str) -> bool {
    client.built_in.get(kind.name()).is_some_and(|names| names.iter().any(|own| own == name))
}

/// Whether a client that reads the document at `path` finds a declaration by a name, and where.
fn sees(
    cx: &Context,
    path: &Path,
    reader: &Role,
    declared: &Declaration,
    name: &str,
    plugin: Option<&[PathBuf]>,
) -> Option<Seen> {
    if !declared.is_named(reader.client, name) {
        return None;
    }
    let own = declared::base(path, reader);
    let near = |base: &Path, distance: Option<Distance>| {
        let shared = base.components().zip(path.components()).take_while(|(a, b)| a == b);
        Some(Seen { shared: shared.count(), distance })
    };
    // Agents outside the places of clients are found only in their own folder.
    if declared.roles.is_empty() {
        return (declared.path.parent() == path.parent() && plugin.is_none())
            .then(|| near(&declared.path, None))?;
    }
    declared.roles.iter().filter(|role| same_client(role, reader)).find_map(|role| {
        let base = declared.base(role);
        if role.plugin {
            let meant = match plugin {
                Some(folders) => folders.iter().any(|folder| folder == base),
                None => path.starts_with(base),
            };
            return (meant && in_plugin(cx, &declared.path, role)).then(|| near(base, None))?;
        }
        let distance = match own.strip_prefix(base) {
            Ok(between) => Some(Distance::Above(between.components().count())),
            Err(_) => base.starts_with(own).then_some(Distance::Below),
        };
        let related = role.reads.anywhere
            || reader.reads.anywhere
            || own.starts_with(base)
            || base.starts_with(own);
        let one_root = || cx.world.root(Some(base)) == cx.world.root(Some(path));
        let is_near = plugin.is_none() && related && one_root();
        let is_placed = !role.reads.anywhere && !reader.reads.anywhere;
        is_near.then(|| near(base, distance.filter(|_| is_placed)))?
    })
}

/// Whether two roles are those of the same client.
fn same_client(role: &Role, reader: &Role) -> bool {
    std::ptr::eq(role.client, reader.client)
}

/// The folders that may contain the plugin with this name: those around the document, those that
/// the workspace's marketplace lists, and the root.
pub(super) fn plugin_folders(cx: &Context, plugin: &str) -> Vec<PathBuf> {
    let root = cx.root();
    let above = cx.path.into_iter().flat_map(Path::ancestors).skip(1);
    let mut folders: Vec<PathBuf> = above
        .take_while(|folder| root.as_ref().is_none_or(|root| folder.starts_with(root)))
        .filter(|folder| plugins::name(cx.world, folder).is_some_and(|(name, ..)| name == plugin))
        .map(Path::to_owned)
        .collect();
    if let Some(root) = root {
        folders.extend(Marketplace::read(cx.world, &root).folders(plugin).map(Path::to_owned));
        folders.push(root);
    }
    folders
}

/// Whether the workspace has a plugin with this name that contains skills, commands or agents, but
/// none with that name, even in the folders that its manifest lists.
pub fn lacks(cx: &Context, plugin: &str, name: &str) -> bool {
    let mut folders = plugin_folders(cx, plugin);
    let root = cx.root();
    folders.retain(|folder| {
        let named = || plugins::name(cx.world, folder).is_some_and(|(own, ..)| own == plugin);
        root.as_ref() != Some(folder) || named()
    });
    let index = Index::of(cx.world);
    let inside = |path: &Path| folders.iter().any(|folder| path.starts_with(folder));
    let has_some =
        index.any(cx.world, &mut |declared| !declared.roles.is_empty() && inside(&declared.path));
    has_some && !folders.iter().any(|folder| may_have(cx.world, folder, name))
}

/// Whether a plugin may have an item with this name, also in folders that its manifest lists.
fn may_have(world: &dyn World, folder: &Path, name: &str) -> bool {
    let manifests = plugins::MANIFESTS.iter();
    let listed = manifests.flat_map(|file| plugins::strings(world, &folder.join(file)));
    let listed = listed.map(|(string, _)| string).filter(|string| string.contains('/'));
    let usual = ["commands", "skills", "agents", "workflows", "prompts"].map(str::to_owned);
    listed.chain(usual).any(|place| {
        let place = crate::world::resolve(&folder.join("_"), &place);
        let is_it = place.file_stem().is_some_and(|stem| stem == name);
        let named = |entry: &crate::world::Entry| client::stem(&entry.name) == name;
        is_it || place.starts_with(folder) && world.list(&place).iter().any(named)
    })
}

/// Whether a manifest in one of these folders lists a file, or a folder that contains it, as the
/// plugin's.
fn lists(cx: &Context, folders: &[PathBuf], plugin: &str, path: &Path) -> bool {
    folders.iter().any(|folder| {
        plugins::MANIFESTS.iter().any(|file| {
            let file = folder.join(file);
            let strings = plugins::strings_of(cx.world, &file, plugin).into_iter();
            let mut targets = strings
                .filter(|(string, _)| string.contains('/') && string.len() > "./".len())
                .map(|(string, _)| crate::world::resolve(&folder.join("_"), &string));
            targets.any(|target| target != *folder && path.starts_with(&target))
        })
    })
}

/// Whether a path begins with the text of one of some folders: a quick check that isn't exact.
fn is_below(path: &Path, folders: &[PathBuf]) -> bool {
    let path = path.as_os_str().as_encoded_bytes();
    folders.iter().any(|folder| path.starts_with(folder.as_os_str().as_encoded_bytes()))
}

fn is_of(declared: &Declaration, folders: &[PathBuf]) -> bool {
    let mut roles = declared.roles.iter().filter(|role| role.plugin);
    roles.any(|role| folders.iter().any(|folder| folder == declared.base(role)))
}

/// The names of all known plugins of the workspace.
pub fn plugin_names(cx: &Context) -> Vec<String> {
    let mut names: Vec<String> = plugins_of(cx).into_iter().map(|(name, _)| name).collect();
    names.dedup();
    names
}

/// The known plugins of the workspace, sorted by name, each with its folder if that's in the
/// workspace.
pub(super) fn plugins_of(cx: &Context) -> Vec<(String, Option<PathBuf>)> {
    let mut found: Vec<(String, Option<PathBuf>)> = Vec::new();
    let mut folders: Vec<PathBuf> = Vec::new();
    if let Some(root) = cx.root() {
        let listed = Marketplace::read(cx.world, &root);
        let owned =
            |(name, folder): (&str, Option<&Path>)| (name.to_owned(), folder.map(Path::to_owned));
        found.extend(listed.plugins().map(owned));
        folders.push(root);
    }
    let own = cx.path.into_iter().flat_map(Path::ancestors).skip(1).take(8).map(Path::to_owned);
    folders.extend(own);
    folders.extend(Index::of(cx.world).plugin_bases(cx.world).iter().cloned());
    folders.sort();
    folders.dedup();
    let named = |folder: PathBuf| Some((plugins::name(cx.world, &folder)?.0, Some(folder)));
    found.extend(folders.into_iter().take(MOST_PLUGINS).filter_map(named));
    found.sort();
    found.dedup();
    found
}

/// At most this many entries of a folder are looked up.
const MOST_ENTRIES: usize = 64;
/// At most this many manifests are read for names.
const MOST_PLUGINS: usize = 512;

fn server(cx: &Context, roles: &[Role], word: &Word) -> Resolved {
    let name = match word {
        Word::Server(name) => Some(name.as_str()),
        Word::Tool(tool) => servers::in_tool(tool).map(|(server, _)| server),
        _ => None,
    };
    let mut resolved = Resolved::default();
    let Some(name) = name else { return resolved };
    let same = |other: &str| other == name || servers::as_in_tools(other) == name;
    for (own, span) in servers::own(cx.source) {
        if same(&own) {
            resolved.found.push(Target::Server { path: None, span });
        }
    }
    let mut clients: Vec<&Client> = roles.iter().map(|role| role.client).collect();
    if clients.iter().all(|client| client.servers.is_empty()) {
        clients = servers::clients();
    }
    let listed = servers::listed(cx, &clients);
    let of_name = listed.all.into_iter().filter(|server| same(&server.name));
    resolved.found.extend(
        of_name.map(|server| Target::Server { path: Some(server.path), span: server.span }),
    );
    let of_plugin = plugin_servers::split(cx, name);
    let is_known = of_plugin.as_ref().is_some_and(|of_plugin| of_plugin.is_complete);
    let declared = of_plugin.into_iter().flat_map(|of_plugin| of_plugin.declared);
    resolved.found.extend(
        declared.map(|server| Target::Server { path: Some(server.path), span: server.span }),
    );
    let own = roles.iter().filter_map(|role| role.client.built_in.get("server"));
    resolved.built_in =
        !is_known && servers::is_plugin_server(name) || own.flatten().any(|server| server == name);
    resolved
}

/// The name that an unknown one was probably meant to be.
pub fn nearest(cx: &Context, roles: &[Role], word: &Word) -> Option<String> {
    let name = word.name()?;
    let path = cx.path?;
    let plugin = if let Word::Scoped(plugin, _) = word { Some(plugin.as_str()) } else { None };
    let near = Index::of(cx.world).near(cx.world, name);
    let folders = plugin.map(|plugin| Plugins::default().folders(cx, plugin));
    let mut names: Vec<&str> = Vec::new();
    for (own, declared) in near.iter().filter(|(_, near)| word.kinds().contains(&near.kind)) {
        let found = || {
            roles
                .iter()
                .any(|role| sees(cx, path, role, declared, own, folders.as_deref()).is_some())
        };
        if !names.contains(&own.as_str()) && found() {
            names.push(own);
        }
    }
    // Running text rarely mentions built-in items.
    let with_built_in = matches!(word, Word::Skill(_) | Word::Agent(_));
    for kind in word.kinds().iter().filter(|_| with_built_in) {
        let built_in = roles.iter().filter_map(|role| role.client.built_in.get(kind.name()));
        names.extend(built_in.flatten().map(String::as_str));
    }
    let near = closest(name, names.iter().copied())?;
    // Many short words differ from another one in only two letters.
    let meant =
        name.len() > SHORT || near.starts_with(name) || strsim::damerau_levenshtein(name, near) < 2;
    meant.then(|| near.to_owned())
}

/// Names of at most this many bytes are short.
const SHORT: usize = 5;

/// Whether a client of the document reads a file with this name that the index doesn't contain,
/// because Git ignores it or it's reached through a link.
pub fn is_on_disk(cx: &Context, roles: &[Role], word: &Word) -> bool {
    let (Some(name), Some(path)) = (word.name(), cx.path) else { return false };
    let root = cx.root();
    let mut folders: Vec<&Path> = path.ancestors().skip(1).collect();
    folders.retain(|folder| root.as_ref().is_none_or(|root| folder.starts_with(root)));
    let index = Index::of(cx.world);
    for role in roles {
        let kinds = role.client.reads.iter().filter(|reads| word.kinds().contains(&reads.kind));
        for reads in kinds {
            let places = reads.places.iter().chain(&reads.plugin_places);
            for place in places.filter(|place| place.contains('*')) {
                let exact = place.replace("**/", "");
                let fixed = exact.split('*').next().unwrap_or_default();
                let fixed = fixed.rsplit_once('/').map_or("", |(folder, _)| folder);
                let exact = exact.replacen('*', name, 1);
                for folder in &folders {
                    if !exact.contains('*') && cx.world.kind(&folder.join(&exact)).is_some() {
                        return true;
                    }
                    let folder = folder.join(fixed);
                    let hidden = !fixed.is_empty()
                        && cx.world.kind(&folder).is_some()
                        && !index.knows_below(&folder);
                    let skill = reads.kind == Kind::Skill;
                    let is_one = |entry: crate::world::Entry| {
                        let path = folder.join(&entry.name);
                        let file = if skill { path.join("SKILL.md") } else { path };
                        crate::world::is_markdown(&file) && paths::is_file(cx, &file)
                    };
                    if hidden && cx.world.list(&folder).into_iter().take(MOST_ENTRIES).any(is_one) {
                        return true;
                    }
                }
            }
        }
    }
    false
}

/// Whether a client of the document finds a declaration by one of its names.
pub fn is_seen(cx: &Context, role: &Role, declared: &Declaration) -> bool {
    cx.path.is_some_and(|path| {
        declared.names().any(|name| sees(cx, path, role, declared, name, None).is_some())
    })
}

/// Whether a client of the document finds at least `least` files of this kind in the workspace.
/// Then a name that it lacks is probably a mistake rather than defined elsewhere.
pub fn has_own(cx: &Context, roles: &[Role], word: &Word, least: usize) -> bool {
    let mut count = 0;
    Index::of(cx.world).any(cx.world, &mut |declared| {
        let own = word.kinds().first() == Some(&declared.kind)
            && cx.path != Some(&declared.path)
            && !declared.roles.is_empty()
            && roles.iter().any(|role| is_seen(cx, role, declared));
        count += usize::from(own);
        count >= least
    })
}
