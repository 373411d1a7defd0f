//! The mentions in a document: in values of its front matter, according to the schemas of its
//! clients, and in its body.

use std::borrow::Cow;

use serde_json::Value;

use super::scan::{self, Said};
use super::{paths, plugin_servers, servers};
use crate::client::{Kind, Reads, Role};
use crate::format::agent::tools;
use crate::markdown::front::Delimiters;
use crate::source::{FrontMatter, Source};
use crate::text::Span;
use crate::yaml::{Kind as Node, Node as Yaml, ScalarType, Style, scalar_type};

/// A mention in a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mention {
    /// The name alone, in bytes of the document.
    pub span: Span,
    pub word: Word,
    pub place: Place,
    /// Its text may mean something else.
    pub doubtful: bool,
}

/// Where a mention is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// In the value of this key of the front matter.
    Front(String),
    Body {
        /// A code span begins with it.
        code: bool,
    },
}

/// The text of a mention.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Word {
    Skill(String),
    Agent(String),
    /// `/name`: a command, a prompt, a workflow or a skill.
    Slash(String),
    /// `$name`: a skill, in the notation of some clients.
    Dollar(String),
    /// `plugin:name`.
    Scoped(String, String),
    /// Running text that is a mention only if such a file exists.
    NamedSkill(String),
    NamedAgent(String),
    NamedCommand(String),
    /// `mcp__server__tool`, `server/tool`, or any other tool.
    Tool(String),
    /// The name of an MCP server.
    Server(String),
    /// A path, as written.
    File(String),
}

impl Word {
    /// The name that it mentions; `None` for a tool or a path.
    pub fn name(&self) -> Option<&str> {
        match self {
            Self::Skill(name)
            | Self::Agent(name)
            | Self::Slash(name)
            | Self::Dollar(name)
            | Self::NamedSkill(name)
            | Self::NamedAgent(name)
            | Self::NamedCommand(name)
            | Self::Server(name) => Some(name),
            Self::Scoped(_, name) => Some(name),
            Self::Tool(_) | Self::File(_) => None,
        }
    }

    /// The kinds of files that it can mean.
    pub fn kinds(&self) -> &'static [Kind] {
        match self {
            // For the tool `Skill` and for agents, commands are skills.
            Self::Skill(_) => &[Kind::Skill, Kind::Command],
            Self::Dollar(_) | Self::NamedSkill(_) => &[Kind::Skill],
            Self::Agent(_) | Self::NamedAgent(_) => &[Kind::Agent],
            Self::Slash(_) | Self::NamedCommand(_) => {
                &[Kind::Command, Kind::Skill, Kind::Prompt, Kind::Workflow]
            }
            Self::Scoped(..) => &[Kind::Skill, Kind::Command, Kind::Agent],
            Self::Tool(_) | Self::Server(_) | Self::File(_) => &[],
        }
    }

    /// Whether it's a mention only if such a file exists.
    pub fn is_prose(&self) -> bool {
        matches!(self, Self::NamedSkill(_) | Self::NamedAgent(_) | Self::NamedCommand(_))
    }

    /// Its keys in the index of names: its name, or the parts of its path, in lower case.
    pub fn keys(&self) -> Vec<String> {
        match self {
            Self::File(path) => path
                .split(['/', '#', '?'])
                .filter(|part| !part.is_empty() && !matches!(*part, "." | ".."))
                .map(|part| part.to_lowercase())
                .collect(),
            Self::Tool(name) => {
                let server = servers::in_tool(name).map(|(server, _)| format!("mcp__{server}"));
                let of_plugin = name.starts_with(plugin_servers::KEY);
                std::iter::once(name.to_lowercase())
                    .chain(server.map(|s| s.to_lowercase()))
                    .chain(of_plugin.then(|| plugin_servers::KEY.to_owned()))
                    .collect()
            }
            Self::Scoped(plugin, name) => {
                vec![name.to_lowercase(), format!("{plugin}:").to_lowercase()]
            }
            _ => self.name().map(str::to_lowercase).into_iter().collect(),
        }
    }
}

/// Everything that a document mentions, in order.
pub fn of(source: &Source, roles: &[Role]) -> Vec<Mention> {
    let mut found = front(source, roles);
    found.extend(scan::all(source).into_iter().map(in_document));
    found
}

/// The mention that touches an offset; if there are two, the one that begins there.
pub fn at(source: &Source, roles: &[Role], offset: usize) -> Option<Mention> {
    let inside = source.front_matter().is_some_and(|front| offset < front.span.end);
    let all = if inside {
        front(source, roles)
    } else {
        scan::around(source, offset).into_iter().map(in_document).collect()
    };
    let mut touching: Vec<Mention> = all
        .into_iter()
        .filter(|mention| mention.span.start <= offset && offset <= mention.span.end)
        .collect();
    touching.pop()
}

fn in_document((start, said): (usize, Said)) -> Mention {
    Mention {
        span: start + said.span.start..start + said.span.end,
        word: said.word,
        place: Place::Body { code: said.code },
        doubtful: said.doubtful,
    }
}

/// The mentions in front matter, in order.
pub fn front(source: &Source, roles: &[Role]) -> Vec<Mention> {
    let mut found: Vec<Mention> = Vec::new();
    let front = source.front_matter().filter(|front| front.delimiters != Delimiters::Unopened);
    let Some((front, root)) =
        front.as_ref().and_then(|front| Some((front, front.tree.root.as_ref()?)))
    else {
        return found;
    };
    for role in roles {
        let mut walk = Walk { source, front, reads: role.reads, role, found: &mut found };
        walk.node(root, &role.reads.keys, "", DEEPEST);
    }
    found.sort_by_key(|mention| (mention.span.start, mention.span.end));
    found.dedup_by(|next, kept| next.span == kept.span);
    found
}

/// `plugin:name`.
pub fn scoped(text: &str) -> Option<Word> {
    let (plugin, name) = text.split_once(':')?;
    (!plugin.is_empty() && !name.is_empty())
        .then(|| Word::Scoped(plugin.to_owned(), name.to_owned()))
}

/// Deeper values aren't read.
const DEEPEST: usize = 6;

struct Walk<'w, 'a> {
    source: &'w Source,
    front: &'w FrontMatter<'a>,
    reads: &'w Reads,
    role: &'w Role<'a>,
    found: &'w mut Vec<Mention>,
}

impl Walk<'_, '_> {
    /// Follows a value and its schema.
    fn node(&mut self, node: &Yaml, schema: &Value, key: &str, depth: usize) {
        let Some(depth) = depth.checked_sub(1) else { return };
        let own = schema.get("x-names").and_then(Value::as_str);
        let schema = self.reads.resolved(schema);
        let names = own.or_else(|| schema.get("x-names").and_then(Value::as_str));
        if schema.get("x-commands").is_some() {
            for command in paths::commands(node) {
                if let Some((start, inner)) = inner(self.source, self.front, command) {
                    self.paths(&inner, start, key);
                }
            }
            return;
        }
        match &node.kind {
            Node::Mapping(mapping) => {
                if names == Some("server") {
                    return;
                }
                let properties = schema.get("properties").and_then(Value::as_object);
                for entry in &mapping.entries {
                    let name = entry.key.as_str().unwrap_or_default();
                    let below = properties.and_then(|keys| keys.get(name));
                    let top = if key.is_empty() { name } else { key };
                    if let Some(below) = below {
                        self.node(&entry.value, below, top, depth);
                    }
                }
            }
            Node::Sequence(list) => {
                for item in &list.items {
                    if let Some(names) = names {
                        self.value(item, names, key);
                    } else if let Some(below) = schema.get("items") {
                        self.node(item, below, key, depth);
                    }
                }
            }
            Node::Scalar(_) => {
                if let Some(names) = names {
                    self.value(node, names, key);
                }
            }
            Node::Alias(_) => {}
        }
    }

    fn paths(&mut self, command: &str, start: usize, key: &str) {
        for (at, path) in scan::paths_in(command).chain(scan::quoted_paths_in(command)) {
            self.add(start + at..start + at + path.len(), Word::File(path.to_owned()), key);
        }
    }

    /// The names in a scalar.
    fn value(&mut self, node: &Yaml, names: &str, key: &str) {
        let Some((start, inner)) = inner(self.source, self.front, node) else { return };
        let inner = inner.as_ref();
        match names {
            "skill" => self.list(inner, start, key, Word::Skill),
            // A display name may have spaces.
            "agent" => {
                let name = inner.trim();
                let at = start + (inner.len() - inner.trim_start().len());
                let lists = name.contains(',');
                if lists {
                    self.list(inner, start, key, Word::Agent);
                } else if !name.is_empty() && name != "*" {
                    let word = match scoped(name) {
                        Some(word) if !name.contains(char::is_whitespace) => word,
                        _ => Word::Agent(name.to_owned()),
                    };
                    self.add(at..at + name.len(), word, key);
                }
            }
            "server" => self.list(inner, start, key, Word::Server),
            "tool" => {
                for (at, item) in tools::split(inner) {
                    self.tool(item, start + at, key);
                }
            }
            _ => {}
        }
    }

    fn list(&mut self, text: &str, start: usize, key: &str, word: fn(String) -> Word) {
        let mut at = 0;
        for item in text.split([',', ' ', '\n', '\r', '\t']) {
            let from = start + at;
            at += item.len() + 1;
            if item.is_empty() || matches!(item, "*" | "-") || item.contains(['<', '{', '[']) {
                continue;
            }
            let word = scoped(item).unwrap_or_else(|| word(item.to_owned()));
            self.add(from..from + item.len(), word, key);
        }
    }

    /// A tool, and the names in its parentheses: `Agent(cook)`, `Skill(brew-tea *)`.
    fn tool(&mut self, item: &str, start: usize, key: &str) {
        let (name, inside) = match item.split_once('(') {
            Some((name, rest)) => (name, rest.strip_suffix(')')),
            None => (item, None),
        };
        let word = match name {
            "Skill" => Some(Word::Skill as fn(String) -> Word),
            "Agent" | "Task" => Some(Word::Agent as fn(String) -> Word),
            _ => None,
        };
        match (word, inside) {
            (Some(word), Some(inside)) => self.list(inside, start + name.len() + 1, key, word),
            (None, Some(inside)) => self.paths(inside, start + name.len() + 1, key),
            (_, None) => {}
        }
        let tools = &self.role.client.tools;
        let foreign = tools.prefixes.iter().any(|prefix| name.starts_with(prefix.as_str()))
            || name.contains(|letter| tools.separators.contains(letter));
        if foreign {
            self.add(start..start + name.len(), Word::Tool(name.to_owned()), key);
        }
    }

    fn add(&mut self, span: Span, word: Word, key: &str) {
        let place = Place::Front(key.to_owned());
        self.found.push(Mention { span, word, place, doubtful: false });
    }
}

/// The text of a scalar in front matter without its quotes, and where it begins.
fn inner<'s>(
    source: &'s Source,
    front: &FrontMatter,
    node: &Yaml,
) -> Option<(usize, Cow<'s, str>)> {
    let Node::Scalar(scalar) = &node.kind else { return None };
    // A number isn't a name.
    if scalar_type(node) != ScalarType::Str {
        return None;
    }
    let by = front.yaml_span.start;
    let whole = node.span.start + by..node.span.end + by;
    let written = source.slice(whole.clone());
    let quote = usize::from(matches!(scalar.style, Style::SingleQuoted | Style::DoubleQuoted));
    let header = match scalar.style {
        Style::Literal | Style::Folded => written.find('\n').unwrap_or(written.len()),
        _ => quote,
    };
    let end = written.len().checked_sub(quote)?;
    let inner = match written {
        Cow::Borrowed(written) => Cow::Borrowed(written.get(header..end)?),
        Cow::Owned(written) => Cow::Owned(written.get(header..end)?.to_owned()),
    };
    Some((whole.start + header, inner))
}
