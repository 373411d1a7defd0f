//! Who uses whom: agents, skills, commands, memory files, programs, and the files that they name;
//! dead mentions, and names that one client finds twice.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Serialize;

use crate::client::{self, Client, Kind};
use crate::config::Config;
use crate::document::Document;
use crate::format::Context;
use crate::format::agent::names::{self, Declaration, Target, Word};
use crate::format::agent::{Import, imports_of, is_meant_import};
use crate::text::Encoding;
use crate::world::{World, resolve, slashed};

/// The map of a workspace.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Graph {
    /// By path.
    pub nodes: Vec<Node>,
    pub edges: Vec<Edge>,
    pub dead: Vec<Dead>,
    /// The nodes that one client finds under one name.
    pub duplicates: Vec<Vec<String>>,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Node {
    /// Its path.
    pub id: String,
    pub name: String,
    pub kind: String,
    pub path: String,
    /// The only client that reads it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub client: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Edge {
    pub from: String,
    pub to: String,
    /// How it is used: `skill`, `agent`, `command`, `import`, `file` or `program`.
    pub why: &'static str,
}

/// A mention without a target.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Dead {
    pub path: String,
    /// From 1.
    pub line: usize,
    pub name: String,
}

struct Builder<'a> {
    world: &'a dyn World,
    root: &'a Path,
    nodes: BTreeMap<String, Node>,
    edges: BTreeSet<Edge>,
    dead: BTreeSet<Dead>,
    /// How many levels deep the imports of a file have been followed.
    followed: HashMap<PathBuf, u32>,
}

/// The map of the files in a world. `config` returns the settings of a file.
pub fn graph(
    world: &dyn World,
    root: &Path,
    config: &(dyn Fn(&Path) -> Arc<Config> + Sync),
    cancelled: &(dyn Fn() -> bool + Sync),
) -> Graph {
    let found = names::graph(world, config, cancelled);
    let mut builder = Builder {
        world,
        root,
        nodes: BTreeMap::new(),
        edges: BTreeSet::new(),
        dead: BTreeSet::new(),
        followed: HashMap::new(),
    };
    for declared in found.declarations.iter() {
        builder.declared(declared);
    }
    for used in &found.uses {
        builder.used(used);
    }
    builder.programs(config, cancelled);
    let mut clients: HashMap<&str, &'static Client> = HashMap::new();
    for name in &config(root).options().clients {
        clients.extend(client::catalog().named(name).map(|client| (client.name.as_str(), client)));
    }
    let duplicates = duplicates(world, root, &found.declarations, &clients);
    let id = |path: &PathBuf| shown(root, path);
    Graph {
        nodes: builder.nodes.into_values().collect(),
        edges: builder.edges.into_iter().collect(),
        dead: builder.dead.into_iter().collect(),
        duplicates: duplicates.iter().map(|paths| paths.iter().map(id).collect()).collect(),
    }
}

fn shown(root: &Path, path: &Path) -> String {
    slashed(path.strip_prefix(root).unwrap_or(path))
}

impl Builder<'_> {
    fn node(&mut self, path: &Path, name: &str, kind: &str, client: Option<String>) -> String {
        let id = shown(self.root, path);
        self.nodes.entry(id.clone()).or_insert_with(|| Node {
            id: id.clone(),
            name: name.to_owned(),
            kind: kind.to_owned(),
            path: id.clone(),
            client,
        });
        id
    }

    fn declared(&mut self, declared: &Declaration) -> String {
        let mut clients: Vec<&str> =
            declared.roles.iter().map(|role| role.client.name.as_str()).collect();
        clients.dedup();
        let client = match clients.as_slice() {
            [only] => Some((*only).to_owned()),
            _ => None,
        };
        self.node(&declared.path, declared.shown(), declared.kind.name(), client)
    }

    /// The node of a file that declares no name.
    fn file(&mut self, path: &Path) -> String {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let kind = client::roles_at(self.world, path)
            .first()
            .map_or("file", |role| role.reads.kind.name());
        self.node(path, name, kind, None)
    }

    fn used(&mut self, used: &names::Use) {
        let targets: Vec<&Target> = used.resolved.found.iter().take(1).collect();
        let why = why(&used.mention.word);
        if targets.is_empty() {
            let is_name =
                matches!(used.mention.word, Word::Skill(_) | Word::Agent(_) | Word::Scoped(..));
            let there = used.resolved.built_in || !used.resolved.elsewhere.is_empty();
            if is_name && !used.mention.doubtful && !there {
                let name = used.mention.word.name().unwrap_or_default().to_owned();
                self.dies(&used.from, used.mention.span.start, name);
            }
            return;
        }
        let Some(why) = why else { return };
        for target in targets {
            let to = match target {
                Target::Declared(declared) => self.declared(declared),
                Target::File(path) => self.file(path),
                Target::Server { .. } => continue,
            };
            let from = self.file(&used.from);
            if from != to {
                self.edges.insert(Edge { from, to, why });
            }
        }
    }

    fn dies(&mut self, path: &Path, offset: usize, name: String) {
        let Ok(source) = self.world.look(path) else { return };
        let line = source.position(offset, Encoding::Utf8).line as usize + 1;
        self.file(path);
        self.dead.insert(Dead { path: shown(self.root, path), line, name });
    }

    /// Programs with their imports, and broken imports and links of agent files.
    fn programs(
        &mut self,
        config: &(dyn Fn(&Path) -> Arc<Config> + Sync),
        cancelled: &(dyn Fn() -> bool + Sync),
    ) {
        let mut files = self.world.known_files();
        if files.is_empty() {
            files = self.world.files();
        }
        for path in files {
            if cancelled() {
                return;
            }
            let is_agent = client::may_be_read(&path)
                && !client::roles(client::place(self.world, &path)).is_empty();
            if is_agent {
                self.imports(&path);
                continue;
            }
            let Ok(source) = self.world.look(&path) else { continue };
            // A program has front matter with an output or an input.
            let fronted = source.front_matter().is_some_and(|front| {
                ["output", "input", "imports"].iter().any(|key| front.tree.get(key).is_some())
            });
            if !fronted {
                continue;
            }
            let config = config(&path);
            let document = Document::from_source(source, Some(&path), &config);
            let cx = Context {
                cancelled,
                ..Context::new(document.source(), Some(&path), self.world, &config)
            };
            let calls = document.model().calls(&cx);
            if document.format().name == "markdownlang" {
                let name = path.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
                let from = self.node(&path, name, "program", None);
                for call in calls {
                    let Some(other) = &call.other.path else { continue };
                    let to = self.node(other, &call.other.name, "program", None);
                    self.edges.insert(Edge { from: from.clone(), to, why: "import" });
                }
            }
        }
    }

    /// The imports of a file, and of those that it imports, as far as its clients follow them.
    fn imports(&mut self, path: &Path) {
        let roles = client::roles_at(self.world, path);
        if roles.iter().any(|role| role.reads.kind == Kind::Memory) {
            self.file(path);
        }
        let Some(most) = roles.iter().filter_map(|role| role.reads.imports).max() else { return };
        let mut seen = HashSet::from([path.to_owned()]);
        let mut level = vec![path.to_owned()];
        for left in (1..=most).rev() {
            let is_first = left == most;
            // Several files may import the same ones.
            level.retain(|path| {
                is_first || self.followed.get(path).is_none_or(|known| *known < left)
            });
            let mut next = Vec::new();
            for path in level {
                self.followed.insert(path.clone(), left);
                let Ok(source) = self.world.look(&path) else { continue };
                for import in imports_of(&source)
                    .into_iter()
                    .filter(|import| !import.comment && !import.glued)
                {
                    let dies = is_first || is_meant_import(&path, &import);
                    next.extend(self.import(&path, &import, dies));
                }
            }
            next.retain(|path| seen.insert(path.clone()));
            level = next;
        }
    }

    /// An edge for an import, and the file that it leads to. A missing file is dead if `dies`.
    fn import(&mut self, path: &Path, import: &Import, dies: bool) -> Option<PathBuf> {
        let target = resolve(path, &import.path);
        if self.world.kind(&target).is_none() {
            if !dies {
                return None;
            }
            self.dies(path, import.span.start, import.path.clone());
            return None;
        }
        let mut edge = Edge { from: self.file(path), to: self.file(&target), why: "file" };
        self.edges.remove(&edge);
        edge.why = "import";
        self.edges.insert(edge);
        Some(target)
    }
}

/// What a mention uses; `None` for tools and servers.
fn why(word: &Word) -> Option<&'static str> {
    Some(match word {
        Word::Skill(_) | Word::Dollar(_) | Word::NamedSkill(_) => "skill",
        Word::Agent(_) | Word::NamedAgent(_) => "agent",
        Word::Slash(_) | Word::NamedCommand(_) | Word::Scoped(..) => "command",
        Word::File(_) => "file",
        Word::Tool(_) | Word::Server(_) => return None,
    })
}

/// Files that one client finds under one name in one project, unless they are the same file.
fn duplicates(
    world: &dyn World,
    root: &Path,
    declared: &[Arc<Declaration>],
    named: &HashMap<&str, &'static Client>,
) -> Vec<Vec<PathBuf>> {
    let used = |client: &Client| match named.is_empty() {
        false => named.contains_key(client.name.as_str()),
        true => client.signs.iter().any(|sign| world.kind(&root.join(sign)).is_some()),
    };
    let mut clients: HashMap<&str, bool> = HashMap::new();
    let mut groups: BTreeMap<(String, Kind, PathBuf, String), BTreeSet<PathBuf>> = BTreeMap::new();
    for one in declared.iter().filter(|one| matches!(one.kind, Kind::Skill | Kind::Agent)) {
        for role in one.roles.iter().filter(|role| !role.plugin && !role.reads.anywhere) {
            let client = role.client;
            if !*clients.entry(client.name.as_str()).or_insert_with(|| used(client)) {
                continue;
            }
            let base = one.base(role).to_owned();
            let key = (client.name.clone(), one.kind, base, one.shown().to_owned());
            groups.entry(key).or_default().insert(one.path.clone());
        }
    }
    let mut found: BTreeSet<Vec<PathBuf>> = BTreeSet::new();
    for paths in groups.into_values().filter(|paths| paths.len() > 1) {
        let real: BTreeSet<PathBuf> = paths.iter().map(|path| world.identity(path)).collect();
        if real.len() > 1 {
            found.insert(paths.into_iter().collect());
        }
    }
    found.into_iter().collect()
}

impl Graph {
    /// For Mermaid: <https://mermaid.js.org/syntax/flowchart.html>.
    pub fn mermaid(&self) -> String {
        let mut out = String::from("flowchart LR\n");
        let number: HashMap<&str, usize> =
            self.nodes.iter().enumerate().map(|(at, node)| (node.id.as_str(), at)).collect();
        for (at, node) in self.nodes.iter().enumerate() {
            let text = entities(&format!("{} ({})", node.label(), node.kind));
            let _ = writeln!(out, "  n{at}[\"{text}\"]");
        }
        for edge in &self.edges {
            if let (Some(from), Some(to)) =
                (number.get(edge.from.as_str()), number.get(edge.to.as_str()))
            {
                let _ = writeln!(out, "  n{from} -->|{}| n{to}", edge.why);
            }
        }
        for (at, dead) in self.dead.iter().enumerate() {
            if let Some(from) = number.get(dead.path.as_str()) {
                let text = entities(&dead.name);
                let _ = writeln!(out, "  d{at}[\"{text} is missing\"]:::dead");
                let _ = writeln!(out, "  n{from} -.-> d{at}");
            }
        }
        for paths in &self.duplicates {
            let numbers = paths.iter().filter_map(|path| number.get(path.as_str()));
            let numbers: Vec<String> = numbers.map(|number| format!("n{number}")).collect();
            for pair in numbers.windows(2) {
                if let [one, other] = pair {
                    let _ = writeln!(out, "  {one} <-. same name .-> {other}");
                }
            }
        }
        if !self.dead.is_empty() {
            out.push_str("  classDef dead stroke-dasharray: 5 5\n");
        }
        out
    }

    /// For Graphviz.
    pub fn dot(&self) -> String {
        let mut out = String::from("digraph agents {\n  rankdir=LR;\n  node [shape=box];\n");
        for node in &self.nodes {
            let label = quoted(&format!("{} ({})", node.label(), node.kind));
            let _ = writeln!(out, "  {} [label={label}];", quoted(&node.id));
        }
        for edge in &self.edges {
            let (from, to) = (quoted(&edge.from), quoted(&edge.to));
            let _ = writeln!(out, "  {from} -> {to} [label={}];", quoted(edge.why));
        }
        for (at, dead) in self.dead.iter().enumerate() {
            let label = quoted(&format!("{} is missing", dead.name));
            let _ = writeln!(out, "  dead{at} [label={label}, style=dashed];");
            let _ = writeln!(out, "  {} -> dead{at} [style=dashed];", quoted(&dead.path));
        }
        for paths in &self.duplicates {
            for pair in paths.windows(2) {
                if let [one, other] = pair {
                    let (one, other) = (quoted(one), quoted(other));
                    let _ = writeln!(
                        out,
                        "  {one} -> {other} [dir=both, style=dotted, label=\"same name\"];"
                    );
                }
            }
        }
        out.push_str("}\n");
        out
    }
}

impl Node {
    /// The label in a map: the path if the name is only that of the file.
    fn label(&self) -> &str {
        let file = self.id.rsplit('/').next();
        if file == Some(self.name.as_str()) { &self.id } else { &self.name }
    }
}

fn entities(text: &str) -> String {
    let mut out = String::new();
    for letter in text.chars() {
        match letter {
            '"' | '<' | '>' | '&' | '#' | ';' | '`' | '\\' => {
                let _ = write!(out, "#{};", u32::from(letter));
            }
            letter if letter.is_control() => out.push(' '),
            letter => out.push(letter),
        }
    }
    out
}

fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' => {
                out.push('\\');
                out.push(letter);
            }
            letter if letter.is_control() => out.push(' '),
            letter => out.push(letter),
        }
    }
    out.push('"');
    out
}
