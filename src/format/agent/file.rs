//! Which clients read a document because of its path, as what kind of file, and which of them are
//! judged.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::path::Path;

use crate::client::{self, Client, Kind, Reading, Role};
use crate::config::Config;
use crate::format::Context;
use crate::format::agent::late::{self, Late};
use crate::format::agent::{misplaced, names, weight};
use crate::source::Source;
use crate::world::EntryKind;

/// A document that clients read.
#[derive(Debug, Clone)]
pub struct File<'a> {
    pub path: &'a Path,
    pub kind: Kind,
    /// Every client that reads it.
    pub readers: Vec<Role<'a>>,
    /// The clients that findings and verdicts are about.
    pub judged: Vec<Role<'a>>,
    /// It isn't in a client's place, or no longer used: findings are hints at most.
    pub guess: bool,
    /// It's a guess because its front matter has placeholders that another program fills in, or
    /// because the file is no longer used: not even broken YAML matters.
    pub form: bool,
    /// It becomes part of another project, where other files are next to it, or was generated from
    /// a file elsewhere.
    pub moved: bool,
    /// Another program reads its front matter, too.
    pub shared: bool,
}

impl<'a> File<'a> {
    /// The keys of this kind of file, and those that many files have.
    pub fn known_keys(&self) -> HashSet<&'a str> {
        known_keys(&self.readers)
    }

    /// Front matter that begins below the first line.
    pub fn late(&self, source: &Source) -> Option<Late> {
        late(source, &self.readers)
    }

    /// Whether no judged client looks for front matter in it.
    pub fn is_plain(&self) -> bool {
        let plain = |role: &Role| role.reads.plain || role.reads.reading == Reading::None;
        self.judged.iter().all(plain)
    }

    /// The file of a document, if a client reads it or should.
    pub fn of(cx: &Context<'a>) -> Option<Self> {
        let path = cx.path?;
        let place = cx.place_of(path);
        let root = cx.root();
        let below = root.as_ref().and_then(|root| path.strip_prefix(root).ok()).unwrap_or(path);
        let archived = client::is_left_alone(cx.world, root.as_deref(), below);
        let moved = client::is_moved(below) || is_generated(cx.source);
        let mut readers: Vec<Role<'a>> = client::roles(place);
        client::links::add(cx.world, root.as_deref(), path, &mut readers);
        readers.retain(|role| !role.plugin || in_plugin(cx, path, role));
        let named = cx
            .config
            .options()
            .clients
            .iter()
            .filter_map(|name| client::catalog().named(name))
            .collect::<Vec<_>>();
        let mut judged = judged(cx, &readers, &named);
        // Kinds that the settings define are judged alongside those of clients.
        let config: &'a Config = cx.config;
        for client in config.own_kinds(path) {
            let roles = client.reads.iter().map(|reads| Role {
                client,
                reads,
                parts: 1,
                own: true,
                plugin: false,
            });
            readers.extend(roles.clone());
            judged.extend(roles);
        }
        let kind = judged.first().or(readers.first()).map(|role| role.reads.kind);
        if let Some(kind) = kind {
            let form = is_form(cx.source) || is_template(cx.source, path) || archived;
            let guess = form
                || is_piece(cx.source, path, &readers, &judged)
                || is_page(cx, path, kind, &judged)
                || kind == Kind::Agent
                    && (is_beside(cx, path, &readers, &judged)
                        || is_page_among(cx, path, &readers))
                || kind == Kind::Memory && (is_bundled(cx, path) || is_kept(below, &judged));
            let shared = weight::is_shared(cx.source, weight::is_unclaimed(&judged));
            return Some(Self { path, kind, readers, judged, guess, form, moved, shared });
        }
        if let Some((_, reads, _)) = misplaced::of(cx).first() {
            let kind = reads.kind;
            // What a form becomes may have another name.
            let form = client::is_among_forms(below);
            let guess = archived || form || is_loose_page(cx.source, path, kind);
            let (form, shared) = (false, false);
            return Some(Self { path, kind, readers, judged, guess, form, moved, shared });
        }
        let (role, kind) = guess(cx, path)?;
        let form = is_form(cx.source) || is_template(cx.source, path) || archived;
        let (readers, judged) = (vec![role], vec![role]);
        Some(Self { path, kind, readers, judged, guess: true, form, moved, shared: false })
    }

    /// The name of the folder that the file is in.
    pub fn folder(&self) -> Option<&'a str> {
        self.path.parent()?.file_name()?.to_str()
    }

    /// The name of the file without its extension.
    pub fn stem(&self) -> Option<&'a str> {
        self.path.file_name()?.to_str().map(client::stem)
    }
}

/// The keys that some readers know, and those that many files have.
fn known_keys<'a>(readers: &[Role<'a>]) -> HashSet<&'a str> {
    let readers = readers.iter().filter(|role| !role.reads.plain);
    let keys = readers.flat_map(|role| role.reads.properties().map(|(key, _)| key));
    keys.chain(["license", "version", "origin", "metadata", "author"]).collect()
}

fn late(source: &Source, readers: &[Role]) -> Option<Late> {
    source.front_matter().is_none().then(|| late::find(source, &known_keys(readers))).flatten()
}

/// Whether the folder before a place in a plugin is one.
pub fn in_plugin(cx: &Context, path: &Path, role: &Role) -> bool {
    let Some(marker) = &role.client.plugin_marker else { return false };
    let Some(folder) = path.ancestors().nth(role.parts) else { return false };
    let has = |folder: &Path, file: &str| cx.world.kind(&folder.join(file)).is_some();
    // A file in another plugin or in a skill further down belongs to that: a plugin may be named
    // `agents`.
    let inner = path.ancestors().skip(1).take(role.parts.saturating_sub(1));
    let own = role.reads.kind == Kind::Skill;
    if inner.into_iter().any(|inner| has(inner, marker) || !own && has(inner, "SKILL.md")) {
        return false;
    }
    // Plugins that a list names aren't in hidden folders or skills.
    let listed = |list: &String| {
        let Some(root) = cx.root() else { return false };
        let Ok(below) = folder.strip_prefix(&root) else { return false };
        let hidden = below
            .components()
            .any(|part| part.as_os_str().to_str().is_some_and(|name| name.starts_with('.')));
        // A folder that the list doesn't name isn't a plugin. If the list names only other
        // repositories, the root is one.
        let named = || {
            let listed = names::Marketplace::read(cx.world, &root);
            let mut folders = listed.plugins().filter_map(|(_, folder)| folder).peekable();
            listed.plugins().next().is_none()
                || folders.peek().is_none() && folder == root
                || folders.any(|named| named == folder)
        };
        !hidden && has(&root, list) && !has(folder, "SKILL.md") && named()
    };
    has(folder, marker) || role.client.plugin_list.as_ref().is_some_and(listed)
}

/// The clients that are judged: those in the settings; otherwise those that the workspace uses;
/// otherwise, if the file is in a place that no client owns, the open specification.
fn judged<'a>(cx: &Context, readers: &[Role<'a>], named: &[&'static Client]) -> Vec<Role<'a>> {
    if !named.is_empty() {
        return readers
            .iter()
            .filter(|role| named.iter().any(|client| std::ptr::eq(*client, role.client)))
            .copied()
            .collect();
    }
    let used: Vec<Role<'a>> = readers
        .iter()
        .filter(|role| {
            !role.reads.anywhere && (role.own || role.plugin || is_used(cx, role.client))
        })
        .copied()
        .collect();
    if used.is_empty() {
        readers.iter().filter(|role| role.reads.anywhere).copied().collect()
    } else {
        used
    }
}

/// Whether a workspace has a file or folder of the client.
fn is_used(cx: &Context, client: &Client) -> bool {
    let Some(root) = cx.root() else { return false };
    client.signs.iter().any(|sign| cx.world.kind(&root.join(sign)).is_some())
}

/// The client that a file outside all places seems to be for, judged by its extension or its keys.
fn guess(cx: &Context, path: &Path) -> Option<(Role<'static>, Kind)> {
    let ending = path.extension().and_then(OsStr::to_str);
    let (client, reads) = client::looks()
        .find(|(_, reads, looks)| match &looks.ending {
            Some(wanted) => ending == Some(wanted.as_str()),
            None => reads.kind == Kind::Agent && looks_like_agent(cx.source),
        })
        .map(|(client, reads, _)| (client, reads))?;
    Some((Role { client, reads, parts: 1, own: false, plugin: false }, reads.kind))
}

/// Whether a file begins with a note that it's generated, so that edits belong in its source.
fn is_generated(source: &Source) -> bool {
    let head = source.slice(0..crate::text::floor(source.text(), HEAD.min(source.len())));
    let head = head.to_lowercase();
    head.contains("generated") && (head.contains("do not edit") || head.contains("don't edit"))
}

/// Whether a `SKILL.md` may be a part of a skill: it has no front matter, and it's neither in a
/// client's place nor in a folder of skills.
fn is_piece(source: &Source, path: &Path, readers: &[Role], judged: &[Role]) -> bool {
    let folder = path.ancestors().nth(2).and_then(Path::file_name);
    judged.iter().all(|role| role.reads.anywhere)
        && folder != Some(OsStr::new("skills"))
        && source.front_matter().is_none()
        && late(source, readers).is_none()
}

/// Whether a file in a folder among agents, or with a name that begins with `_`, may be a page that
/// they share: it has neither a name nor a description, and no client reads it as an agent without.
fn is_page(cx: &Context, path: &Path, kind: Kind, judged: &[Role]) -> bool {
    let source = cx.source;
    let shared = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('_'));
    let place = cx.place_of(path);
    let is_direct = |role: &Role| {
        let mut globs = role.reads.places.iter().chain(&role.reads.plugin_places);
        globs.any(|glob| client::reaches(&glob.replace("**/", ""), place))
    };
    let needs_none = |role: &Role| {
        role.own && !role.reads.requires("name") && !role.reads.requires("description")
    };
    let front = source.front_matter().is_some();
    let is_agent = |role: &Role| is_direct(role) || front && needs_none(role);
    let nested = kind == Kind::Agent && (shared || !judged.iter().any(is_agent));
    let is_named = |front: crate::source::FrontMatter| {
        let text = source.slice(front.yaml_span.clone());
        text.lines().any(|line| line.starts_with("name:") || line.starts_with("description:"))
    };
    nested && !source.front_matter().is_some_and(is_named)
}

/// Whether a file next to the folders of skills is a page about them: it has no front matter.
fn is_loose_page(source: &Source, path: &Path, kind: Kind) -> bool {
    let named = path.file_stem().is_some_and(|stem| stem.eq_ignore_ascii_case("skill"));
    kind == Kind::Skill && !named && source.front_matter().is_none()
}

/// Whether a file without front matter is a page among agents: most other files in its folder, and
/// at least two, have front matter, and it doesn't address an agent.
fn is_page_among(cx: &Context, path: &Path, readers: &[Role]) -> bool {
    if cx.source.front_matter().is_some()
        || late(cx.source, readers).is_some()
        || addresses(cx.source)
    {
        return false;
    }
    let Some(folder) = path.parent() else { return false };
    let others = cx.world.list(folder).into_iter().filter(|entry| {
        let other = Path::new(&entry.name);
        entry.kind == EntryKind::File
            && other.extension() == Some(OsStr::new("md"))
            && path.file_name() != Some(other.as_os_str())
    });
    let (mut with, mut without) = (0, 0);
    for other in others.take(MOST_SIBLINGS) {
        let Some(text) = super::neighbours::look(cx.world, &folder.join(&other.name)) else {
            return false;
        };
        if super::neighbours::begins_with_front_matter(&text) {
            with += 1;
        } else {
            without += 1;
        }
    }
    with > 1 && with >= MOST_PER_PAGE * without
}

/// There are at least this many agents for each page.
const MOST_PER_PAGE: usize = 3;

/// Whether a document addresses an agent.
fn addresses(source: &Source) -> bool {
    let head = source.slice(0..crate::text::floor(source.text(), HEAD.min(source.len())));
    ["You are", "You're", "Your role", "Your task", "Your job"]
        .iter()
        .any(|words| head.contains(words))
}

/// The number of bytes to search at the start of a file.
const HEAD: usize = 2000;

/// At most this many files in the same folder are read.
const MOST_SIBLINGS: usize = 24;

/// Whether a memory file belongs to a skill: no client works in that folder.
fn is_bundled(cx: &Context, path: &Path) -> bool {
    let among = path.ancestors().nth(2).and_then(Path::file_name);
    among == Some(OsStr::new("skills")) || cx.world.kind(&path.with_file_name("SKILL.md")).is_some()
}

/// Whether a memory file is in a client's own folder, but not in a place of a client, such as
/// `.claude/setup/web`: such files become part of other projects.
fn is_kept(below: &Path, judged: &[Role]) -> bool {
    let signs = || client::catalog().clients.iter().flat_map(|client| &client.signs);
    let is_own = |folder: &Path| {
        let name = folder.file_name().and_then(OsStr::to_str).filter(|name| name.starts_with('.'));
        name.is_some_and(|name| signs().any(|sign| sign == name))
    };
    judged.iter().all(|role| below.ancestors().skip(role.parts.max(2)).any(is_own))
}

/// Whether a file without front matter is in a folder of agents only because of a list of plugins:
/// a repository with such a list may keep its own notes in `agents`.
fn is_beside(cx: &Context, path: &Path, readers: &[Role], judged: &[Role]) -> bool {
    let is_marked = |role: &Role| {
        let folder = path.ancestors().nth(role.parts);
        let marker = role.client.plugin_marker.as_ref();
        let found = folder.zip(marker).map(|(folder, marker)| folder.join(marker));
        found.is_some_and(|marker| cx.world.kind(&marker).is_some())
    };
    !judged.is_empty()
        && judged.iter().all(|role| role.plugin)
        && cx.source.front_matter().is_none()
        && late(cx.source, readers).is_none()
        && !judged.iter().any(is_marked)
}

/// Whether the name or the description in front matter is a placeholder such as `{{NAME}}` or
/// `<NAME>`: clients read the file only after it's filled in.
fn is_form(source: &Source) -> bool {
    let Some(front) = source.front_matter() else { return false };
    let text = source.slice(front.yaml_span.clone());
    let value = |line: &str| {
        let (key, value) = line.split_once(':')?;
        let value = value.trim().trim_matches(['"', '\'']);
        let named = matches!(key, "name" | "description");
        let between = |open: &str, close: &str| {
            let inside = value.strip_prefix(open).and_then(|rest| rest.strip_suffix(close));
            inside.is_some_and(|inside| !inside.is_empty() && !inside.contains(open))
        };
        (named && (between("{{", "}}") || between("<", ">"))).then_some(())
    };
    text.lines().take(50).any(|line| value(line).is_some())
}

/// Words of placeholder names, such as `your-skill-name`.
const PLACEHOLDERS: &[&str] = &["name", "your", "my", "example", "placeholder"];

/// Whether a file is a template for others: its name, or that of a skill's folder, contains
/// `template`, and the name in its front matter is a placeholder, such as `your-name` or `[name]`.
fn is_template(source: &Source, path: &Path) -> bool {
    let folder = path.parent().filter(|_| path.ends_with("SKILL.md"));
    let called = folder.map_or_else(|| path.file_stem(), Path::file_name).and_then(OsStr::to_str);
    let has = |text: &str, words: &[&str]| {
        text.to_ascii_lowercase().split(['-', '_', ' ', '.']).any(|word| words.contains(&word))
    };
    let name = source.front_matter().and_then(|front| front.tree.get("name"));
    called.is_some_and(|called| has(called, &["template"]))
        && name.is_some_and(|name| match name.value.as_str() {
            Some(name) => has(name, PLACEHOLDERS),
            None => name.value.as_sequence().is_some(),
        })
}

/// Whether front matter has keys that only agents of one client have.
pub fn looks_like_agent(source: &Source) -> bool {
    let Some(front) = source.front_matter() else { return false };
    let has = |key: &str| front.tree.get(key).is_some();
    client::looks().any(|(_, reads, looks)| reads.kind == Kind::Agent && looks.keys(&has))
}
