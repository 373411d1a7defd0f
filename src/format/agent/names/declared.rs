//! The name that a file declares, from its path and its front matter.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use crate::answer::{Symbol, SymbolKind};
use crate::client::{self, Kind, Role};
use crate::format::agent::file::looks_like_agent;
use crate::markdown::front::{self, Delimiters};
use crate::source::Source;
use crate::text::Span;
use crate::world::World;

/// A file that other files can mention by name.
#[derive(Debug, Clone)]
pub struct Declaration {
    pub path: PathBuf,
    pub kind: Kind,
    /// The name of its folder (skills), or of the file without its extension.
    pub stem: String,
    /// The `name` in its front matter.
    pub name: Option<String>,
    /// The clients that read it. Includes roles in plugins, even if it isn't in one.
    pub roles: Arc<[Role<'static>]>,
}

impl PartialEq for Declaration {
    fn eq(&self, other: &Self) -> bool {
        // The roles follow from the path.
        (&self.path, self.kind, &self.stem, &self.name)
            == (&other.path, other.kind, &other.stem, &other.name)
    }
}

impl Eq for Declaration {}

/// Kinds with names that other files mention.
const NAMED: &[Kind] = &[Kind::Skill, Kind::Agent, Kind::Command, Kind::Prompt, Kind::Workflow];

impl Declaration {
    /// Its names; the first is the one to show.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let name = self.name.as_deref().filter(|_| self.kind != Kind::Command);
        let stem = Some(self.stem.as_str()).filter(|stem| name != Some(*stem));
        name.into_iter().chain(stem)
    }

    /// The name to show.
    pub fn shown(&self) -> &str {
        self.names().next().unwrap_or_default()
    }

    /// Whether a client knows it by this name.
    pub fn is_named(&self, client: &client::Client, name: &str) -> bool {
        let by_name_only = self.kind == Kind::Agent && client.agents_by_name && self.name.is_some();
        if by_name_only {
            return self.name.as_deref() == Some(name);
        }
        self.names().any(|own| own == name)
    }

    /// The folder that a role's place is relative to: a workspace, a nested project or a plugin.
    pub fn base(&self, role: &Role) -> &Path {
        base(&self.path, role)
    }

    /// The folder of a skill: it moves and is renamed as a whole.
    pub fn folder(&self) -> Option<&Path> {
        self.path.parent().filter(|_| self.kind == Kind::Skill)
    }
}

/// The folder that a role's place is relative to.
pub fn base<'p>(path: &'p Path, role: &Role) -> &'p Path {
    path.ancestors().nth(role.parts).unwrap_or(Path::new(""))
}

/// The declaration of a file; `None` for kinds without a name, and for other files.
pub fn declaration(world: &dyn World, path: &Path, source: &Source) -> Option<Declaration> {
    let place = client::place(world, path);
    let all = client::roles_at(world, path);
    let roles: Vec<Role<'static>> =
        all.iter().filter(|role| NAMED.contains(&role.reads.kind)).copied().collect();
    // A file in the folder of a plugin may be anything: it counts as an agent only if it has a
    // name.
    let only_plugin = roles.iter().all(|role| role.plugin);
    let kind = match roles.first() {
        Some(role) if !only_plugin || role.reads.kind != Kind::Agent || has_name(source) => {
            role.reads.kind
        }
        Some(_) => return None,
        None if all.is_empty() && looks_like_agent(source) && !client::is_aside(place) => {
            Kind::Agent
        }
        None => return None,
    };
    let file = path.file_name()?.to_str()?;
    let stem = match kind {
        Kind::Skill => path.parent()?.file_name()?.to_str()?,
        _ => client::stem(file),
    };
    let name = name(source).map(|(name, _)| name);
    let (path, stem) = (path.to_owned(), stem.to_owned());
    Some(Declaration { path, kind, stem, name, roles: roles.into() })
}

/// Front matter is rarely longer.
const HEAD: usize = 8 << 10;

/// The declaration of a file. Reads only the front matter, and nothing if the path rules out a
/// declaration.
pub fn read(world: &dyn World, path: &Path) -> Option<Declaration> {
    if !crate::world::is_markdown(path) {
        return None;
    }
    let place = client::place(world, path);
    let roles = client::roles_at(world, path);
    let is_named = roles.iter().any(|role| NAMED.contains(&role.reads.kind));
    if !is_named && (!roles.is_empty() || client::is_aside(place)) {
        return None;
    }
    let head = world.head(path, HEAD).ok()?;
    let source = match front::complete_length(&head) {
        Some(length) => Source::new(head.get(..length)?),
        // Without front matter, only the path counts.
        None if is_named && !front::opens(&head) => Source::new(""),
        None => world.look(path).ok()?,
    };
    of(world, path, &source)
}

/// The declaration of some text at a path.
struct Known {
    path: PathBuf,
    place: PathBuf,
    declared: Option<Declaration>,
}

/// The declaration of a document, cached with its text.
pub fn of(world: &dyn World, path: &Path, source: &Source) -> Option<Declaration> {
    if !client::may_be_read(path) && !looks_like_agent(source) {
        return None;
    }
    let memo = source.memo().get::<OnceLock<Known>>();
    let place = client::place(world, path);
    let read = || {
        let declared = declaration(world, path, source);
        Known { path: path.to_owned(), place: place.to_owned(), declared }
    };
    let known = memo.get_or_init(read);
    // The same text may be at several paths, and the workspace may change.
    if known.path == path && known.place == place {
        known.declared.clone()
    } else {
        declaration(world, path, source)
    }
}

fn has_name(source: &Source) -> bool {
    name(source).is_some()
}

/// The value of `name` in front matter, with its span in the document, without quotes.
pub fn name(source: &Source) -> Option<(String, Span)> {
    let front = source.front_matter().filter(|front| front.delimiters != Delimiters::Unopened)?;
    let value = &front.tree.get("name")?.value;
    let text = value.as_str()?.trim();
    let by = front.yaml_span.start;
    let span = value.span.start + by..value.span.end + by;
    let written = source.slice(span.clone());
    let at = written.find(text)?;
    (!text.is_empty()).then(|| (text.to_owned(), span.start + at..span.start + at + text.len()))
}

/// The value of `description`.
pub fn description(source: &Source) -> Option<String> {
    let front = source.front_matter()?;
    let text = front.tree.get("description")?.value.as_str()?;
    let words: Vec<&str> = text.split_whitespace().collect();
    (!words.is_empty()).then(|| words.join(" "))
}

/// The place of a declaration in its file: the whole front matter, and its name or the start.
pub fn place(source: &Source) -> (Span, Span) {
    let front = source.front_matter().map(|front| front.span).unwrap_or(0..0);
    match name(source) {
        Some((_, span)) => (front.start.min(span.start)..front.end.max(span.end), span),
        None => (0..0, 0..0),
    }
}

/// The file as one symbol, for searches of the workspace.
pub fn symbol(world: &dyn World, path: Option<&Path>, source: &Source) -> Option<Symbol> {
    // Not cached: the world may lack other files, so that links to this file are missing.
    let path = path.filter(|path| client::may_be_read(path) || looks_like_agent(source))?;
    let declaration = declaration(world, path, source)?;
    let (span, selection) = place(source);
    Some(Symbol {
        name: declaration.shown().to_owned(),
        detail: Some(declaration.kind.name().to_owned()),
        kind: SymbolKind::Program,
        span,
        selection,
        children: Vec::new(),
    })
}
