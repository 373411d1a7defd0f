//! Clients: the programs that read agent files (Claude Code, Codex, Cursor, …). Everything known
//! about each is data, one file per client in `clients/`; nothing here parses Markdown or reports
//! anything.
//!
//! [`catalog()`] has all of them and determines which clients read a path, and as which kind. The
//! keys of a kind are a JSON Schema (draft 2020-12) with our own annotations:
//!
//! - `x-names`: what the value names (`tool`, `model`, `skill`, `agent`, `glob`)
//! - `x-since`: the first version that reads the key
//! - `x-effect`: for each keyword of the schema, what the client does with a value that breaks it;
//!   `required` for a missing key
//! - `x-optional-in`: places where another program works without the key: a `glob`, the `effect` on
//!   the client of the data, and the `source`
//! - `x-ignored`: the key has no effect in files of this kind, and what happens instead;
//!   `x-ignored-in-plugin`: only in plugins
//! - `x-only-with`, `x-not-with`: the key is read only if another `key` `is` a value or `has` one
//!   of some items, or only if it doesn't; and what happens otherwise
//! - `x-required-with`, `x-optional-with`: the key is required, or optional, if one of these
//!   conditions is met. A condition without a value is met if the other key exists.
//! - `x-new`: the value in new files; not needed for required keys
//! - `x-none`: the list of tools that gives an agent none
//! - `x-default`: unknown values that describe the client's default behaviour
//! - `x-advised`: longer text is loaded, and costs more than most
//! - `x-boolean`: the value is a boolean, also as `yes` or `on`
//! - `x-renamed`: the key's new name, for one that is deprecated
//! - `x-mistaken`: keys of other clients or kinds that authors write when they mean this one
//! - `x-denies`: the value can deny tools by name; lists the tools of a name that means several
//! - `x-means`: a word for the purpose of the key, if clients name it differently and conversions
//!   preserve it
//! - `x-source`: the source of the fact, if it isn't the source of the kind

pub mod catalog;
pub mod dialect;
mod glob;
pub mod links;
pub mod loading;
mod misplaced;
mod own;
mod page;
mod page_loading;
mod places;
mod settings;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::sync::OnceLock;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::schema::{self, Compiled};

pub use catalog::{
    Role, below, catalog, is_among_forms, is_another_programs, is_archived, is_aside,
    is_left_alone, is_made, is_moved, looks, may_be_read, misplaced, place, role_of, roles, stem,
};
pub use dialect::Ignores;
pub use glob::{matches, reaches};
pub use links::{aliases, roles_at};
use loading::{GlobReading, Loading, When};
pub use misplaced::Misplaced;
pub use page::page;
pub use settings::{Matchers, PathRules, Settings};

/// A program that reads agent files.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Client {
    /// The name that settings, options and JSON use.
    pub name: String,
    /// The name for display.
    pub title: String,
    /// Other names that settings and options accept.
    #[serde(default)]
    pub aliases: Vec<String>,
    /// Files and folders that only this client has: a workspace with one of them uses the client.
    #[serde(default)]
    pub signs: Vec<String>,
    /// A file that makes its folder a plugin of this client.
    #[serde(default)]
    pub plugin_marker: Option<String>,
    /// A file that makes folders below its own plugins: it lists them.
    #[serde(default)]
    pub plugin_list: Option<String>,
    pub sources: BTreeMap<String, Source>,
    /// The files that it loads at the start.
    pub loading: Loading,
    pub reads: Vec<Reads>,
    /// Files of other forms than Markdown, which only conversions read and write.
    #[serde(default)]
    pub toml_files: Vec<Reads>,
    #[serde(default)]
    pub tools: Tools,
    #[serde(default)]
    pub writes: Writes,
    /// Values that `model` keys accept. Never complete: new models appear all the time.
    #[serde(default)]
    pub models: Vec<String>,
    /// An agent is identified only by the `name` in its front matter, not by the name of its file.
    #[serde(default)]
    pub agents_by_name: bool,
    /// Skills with one name are the same skill, regardless of their places.
    #[serde(default)]
    pub merges_skills: bool,
    /// A command with the name of a skill is never used.
    #[serde(default)]
    pub skills_before_commands: bool,
    /// Built-in items of the client, by the name of the kind.
    #[serde(default)]
    pub built_in: BTreeMap<String, Vec<String>>,
    /// The character before the name of a skill in prose: `$` in `$brew-tea`.
    #[serde(default)]
    pub skill_sign: Option<char>,
    /// The files that configure MCP servers.
    #[serde(default)]
    pub servers: Vec<ServerFile>,
    /// JSON files that describe a plugin, or list plugins.
    #[serde(default)]
    pub manifests: Vec<Manifest>,
    /// What the client's settings may name.
    #[serde(default)]
    pub settings: Option<Settings>,
}

/// A JSON file that lists files of plugins.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Manifest {
    /// Relative to the folder of the plugin, or to that of the list.
    pub file: String,
    pub source: String,
    /// Set if the file is a list of plugins.
    #[serde(default)]
    pub list: Option<PluginList>,
    /// Keys whose strings are paths in the folder of a plugin; `/` is between nested ones.
    pub paths: Vec<String>,
    /// Those keys whose paths are folders.
    #[serde(default)]
    pub folders: Vec<String>,
    /// Those keys whose paths are files. All others accept both.
    #[serde(default)]
    pub files: Vec<String>,
    /// What every path must begin with, and what happens to the whole file otherwise.
    #[serde(default)]
    pub prefix: Option<Prefix>,
    /// What happens if a path doesn't exist.
    pub missing: Effect,
    /// What happens if a path is outside of the plugin's folder.
    #[serde(default)]
    pub outside: Option<Effect>,
}

/// How a list names plugins.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PluginList {
    /// The key of the list.
    pub key: String,
    /// The key of a plugin with its folder, if that is in the same repository.
    pub folder: String,
    /// The key with the folder that those are relative to.
    #[serde(default)]
    pub root: Option<String>,
    /// What happens if the folder is missing.
    pub missing: Effect,
}

/// The beginning of paths.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Prefix {
    pub text: String,
    /// Paths that don't need it.
    #[serde(default)]
    pub except: Vec<String>,
    pub effect: Effect,
}

/// A JSON file with MCP servers.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ServerFile {
    /// Relative to the workspace.
    pub file: String,
    /// The key of the object that contains them, by name.
    pub key: String,
}

/// The source of facts, and the date of the copy.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    pub title: String,
    pub url: String,
    /// The date of the copy that the facts were read from.
    pub date: String,
}

/// The role of a file for a client.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    Skill,
    Agent,
    Command,
    Prompt,
    Rule,
    Instructions,
    Memory,
    Workflow,
    OutputStyle,
    Power,
    Check,
    /// A kind that the settings define.
    Own,
}

impl Kind {
    pub fn name(self) -> &'static str {
        match self {
            Self::Skill => "skill",
            Self::Agent => "agent",
            Self::Command => "command",
            Self::Prompt => "prompt",
            Self::Rule => "rule",
            Self::Instructions => "instructions",
            Self::Memory => "memory",
            Self::Workflow => "workflow",
            Self::OutputStyle => "output-style",
            Self::Power => "power",
            Self::Check => "check",
            Self::Own => "own",
        }
    }
}

/// One kind of file as one client reads it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Reads {
    pub kind: Kind,
    /// The key of the client's source that the facts below come from.
    pub source: String,
    /// Globs, relative to the workspace or any folder in it.
    pub places: Vec<String>,
    /// The place of a new file, if it is not the first of the others.
    #[serde(default)]
    pub new_place: Option<String>,
    /// Globs relative to the folder of a plugin.
    #[serde(default)]
    pub plugin_places: Vec<String>,
    /// When files of this kind are loaded; without conditions, on demand.
    #[serde(default)]
    pub when: Vec<When>,
    /// Names that the client reserves.
    #[serde(default)]
    pub reserved: Vec<String>,
    /// How globs in the front matter are read.
    #[serde(default)]
    pub globs: GlobReading,
    /// Differences in a plugin.
    #[serde(default)]
    pub in_plugin: InPlugin,
    /// What makes a file elsewhere look like one of this kind.
    #[serde(default)]
    pub looks: Option<Looks>,
    /// Places that no client owns: only checked if no other client reads the file.
    #[serde(default)]
    pub anywhere: bool,
    /// How the client extracts front matter from bytes; none for kinds without front matter.
    #[serde(default)]
    pub reading: Reading,
    /// Front matter may also be a list, with a file's keys in each item.
    #[serde(default)]
    pub list: bool,
    /// What happens to a file without front matter, if that matters.
    #[serde(default)]
    pub without: Option<Effect>,
    /// What happens to front matter that the reading rejects.
    #[serde(default)]
    pub unreadable: Option<Effect>,
    /// What happens if `name` is not the name of the folder.
    #[serde(default)]
    pub folder: Option<Effect>,
    /// The effect of a key that the client doesn't know, if an author expects one.
    #[serde(default)]
    pub unknown: Option<Effect>,
    /// Front matter has no effect in this kind of file.
    #[serde(default)]
    pub plain: bool,
    /// Names that look like a place and aren't: glob to what happens, and the name that works.
    #[serde(default)]
    pub misplaced: Vec<Misplaced>,
    #[serde(default)]
    pub limits: Vec<Limit>,
    #[serde(default)]
    pub substitutes: Option<Substitutes>,
    /// `@path` imports other files.
    #[serde(default)]
    pub imports: Option<u32>,
    /// Rules about mistakes that the client's own editor also reports in files of this kind.
    #[serde(default)]
    pub editor_reports: Vec<String>,
    /// When the client loads a rule: the first true one.
    #[serde(default)]
    pub loads: Vec<Loads>,
    /// The key of the text in a TOML file.
    #[serde(default)]
    pub text_key: Option<String>,
    /// A JSON Schema of the front matter.
    #[serde(default)]
    pub keys: Value,
    /// The client's first files of this kind have the same keys, except for those in `keys`; none
    /// of them is required.
    #[serde(default)]
    pub keys_like: Option<Kind>,
    #[serde(skip)]
    compiled: OnceLock<Option<Compiled>>,
}

/// Effects of faults in files of plugins, where they differ.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct InPlugin {
    #[serde(default)]
    pub without: Option<Effect>,
    #[serde(default)]
    pub unreadable: Option<Effect>,
    /// A required key is missing or has a value that the schema rejects.
    #[serde(default)]
    pub broken_key: Option<Effect>,
    /// Names of files that another client reads, although the plugin has the marker of this one.
    #[serde(default)]
    pub except: Vec<String>,
}

/// A way of reading front matter, each in `format::agent::reading`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reading {
    /// Front matter is not read.
    #[default]
    None,
    SerdeYaml,
    JsYaml,
    /// js-yaml with its JSON schema, after a byte order mark too.
    JsYamlJson,
    YamlNpm,
    PyYaml,
    CursorLines,
    CodexLines,
    Gemini,
    /// js-yaml between the delimiters that Gemini CLI's skills have, too.
    GeminiAgent,
    Opencode,
    Vscode,
    Claude,
}

impl Reading {
    /// All except for [`Reading::None`].
    pub const ALL: &[Self] = &[
        Self::SerdeYaml,
        Self::JsYaml,
        Self::JsYamlJson,
        Self::YamlNpm,
        Self::PyYaml,
        Self::CursorLines,
        Self::CodexLines,
        Self::Gemini,
        Self::GeminiAgent,
        Self::Opencode,
        Self::Vscode,
        Self::Claude,
    ];

    /// Whether it takes one `key: value` a line and no YAML.
    pub fn is_by_line(self) -> bool {
        matches!(self, Self::CursorLines | Self::CodexLines)
    }
}

/// What a client does with a file that has a fault.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Effect {
    pub outcome: Outcome,
    /// A few words after the client's name and a colon: "skill not loaded".
    pub text: String,
}

/// How much of a file takes effect in a client.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    Loaded,
    /// Loaded, but a key or a part of the text is lost or has another meaning.
    Partly,
    NotLoaded,
    /// The client itself fails.
    DoesNotStart,
}

/// The limit of text that a client accepts.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limit {
    pub of: LimitOf,
    pub most: usize,
    pub unit: Unit,
    pub effect: Effect,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LimitOf {
    /// The text after the front matter.
    Body,
    /// The whole file.
    File,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unit {
    Characters,
    Bytes,
}

/// The placeholders that a client replaces in the body before a model sees it.
#[derive(Debug, Default, Deserialize, Clone, PartialEq, Eq)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Substitutes {
    /// The number of the first argument: 0 for `$0`, 1 for `$1`.
    #[serde(default)]
    pub first: Option<u32>,
    /// The placeholder for all arguments.
    #[serde(default)]
    pub all: Option<String>,
    /// The key of front matter that names arguments.
    #[serde(default)]
    pub named: Option<String>,
    /// Names between `${` and `}`; one that ends in `:` takes a name.
    #[serde(default)]
    pub variables: Vec<String>,
    /// `` !`command` `` runs.
    #[serde(default)]
    pub shell: bool,
    /// `` !`command` `` runs only at the start of a line or after whitespace.
    #[serde(default)]
    pub shell_after_space: bool,
    /// The lines of a fence that begins with ```` ```! ```` run.
    #[serde(default)]
    pub shell_block: bool,
    /// The permission that commands need to run.
    #[serde(default)]
    pub shell_needs: Option<Needs>,
    /// `@path` is replaced by a file.
    #[serde(default)]
    pub files: bool,
    /// The text around a command, if that is not `` !`…` ``.
    #[serde(default)]
    pub shell_form: Option<[String; 2]>,
    /// The text around the path of a file, if that is not `@path`.
    #[serde(default)]
    pub file_form: Option<[String; 2]>,
    /// The prefix of link destinations to files whose content is inserted.
    #[serde(default)]
    pub file_link: Option<String>,
    /// `\$` is a dollar sign.
    #[serde(default)]
    pub escape: bool,
    /// `$NAME` in capitals is an argument of that name.
    #[serde(default)]
    pub capitals: bool,
    /// What follows `$$` isn't replaced.
    #[serde(default)]
    pub doubled: bool,
    /// The number of an argument that isn't given stays as written.
    #[serde(default)]
    pub keeps_missing: bool,
}

/// If the key is set, it must list one of these tools.
#[derive(Debug, Deserialize, Clone, PartialEq, Eq)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Needs {
    pub key: String,
    pub tools: Vec<String>,
}

/// How to recognise a file of this kind outside of all places: by its extension or its keys.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Looks {
    #[serde(default)]
    pub ending: Option<String>,
    /// It has all of these keys,
    #[serde(default)]
    pub all: Vec<String>,
    /// one of these,
    #[serde(default)]
    pub some: Vec<String>,
    /// and none of these.
    #[serde(default)]
    pub none: Vec<String>,
}

impl Looks {
    /// Whether front matter with these keys looks like it.
    pub fn keys(&self, has: &dyn Fn(&str) -> bool) -> bool {
        let any = |keys: &[String]| keys.iter().any(|key| has(key));
        !self.all.is_empty()
            && self.all.iter().all(|key| has(key))
            && (self.some.is_empty() || any(&self.some))
            && !any(&self.none)
    }
}

/// When a client loads a rule, and how the rule's front matter expresses that.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Loads {
    pub when: Occasion,
    /// Keys that must have these values.
    #[serde(default)]
    pub with: Map<String, Value>,
    /// A key that must have a value.
    #[serde(default)]
    pub needs: Option<String>,
    /// Keys that a new file gets as well.
    #[serde(default)]
    pub set: Map<String, Value>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Occasion {
    Always,
    /// With files that a glob matches.
    Match,
    /// When the model asks for it.
    Choice,
    /// When you ask for it.
    Manual,
    /// The rule is switched off.
    Never,
}

/// The names of tools in files that conversions write.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Writes {
    #[serde(default)]
    pub source: String,
    /// Names by purpose, as in [`Tools::names`].
    #[serde(default)]
    pub names: BTreeMap<String, Vec<String>>,
}

/// The tools of a client, and their former names.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Tools {
    #[serde(default)]
    pub source: String,
    /// Whether the list is complete, so that other names have no meaning.
    #[serde(default)]
    pub complete: bool,
    /// Names are case-sensitive.
    #[serde(default)]
    pub case_matters: bool,
    /// Each name with its purpose, in a word that all clients share.
    #[serde(default)]
    pub names: BTreeMap<String, String>,
    /// Old name to new ones.
    #[serde(default)]
    pub renamed: BTreeMap<String, Vec<String>>,
    /// Names that no longer have a meaning, with what to use instead.
    #[serde(default)]
    pub retired: BTreeMap<String, Vec<String>>,
    /// Retired tools whose closest replacement behaves differently.
    #[serde(default)]
    pub replaced: Vec<String>,
    /// What happens to an agent with an unknown tool, if the client does more than leave out the
    /// tool.
    #[serde(default)]
    pub unknown: Option<Effect>,
    /// Tools that an agent never gets, even if it lists them.
    #[serde(default)]
    pub withheld: Vec<String>,
    /// How the names of external tools begin (`mcp__`).
    #[serde(default)]
    pub prefixes: Vec<String>,
    /// Characters that only names of external tools contain (`/`).
    #[serde(default)]
    pub separators: String,
    /// How the tool of an MCP server is named, with `{server}` and `{tool}`.
    #[serde(default)]
    pub server_tool: Option<String>,
    /// What a tool in the body begins with (`#tool:`).
    #[serde(default)]
    pub mention: Option<String>,
}

impl Client {
    /// Copies the keys of other files to those that share them.
    fn share_keys(&mut self) {
        for at in 0..self.reads.len() {
            let like = self.reads.get(at).and_then(|reads| reads.keys_like);
            let other = self.reads.iter().find(|reads| Some(reads.kind) == like);
            let Some(mut keys) = other.map(|other| other.keys.clone()) else { continue };
            let Some(reads) = self.reads.get_mut(at) else { continue };
            let own = reads.keys.get("properties").and_then(Value::as_object);
            if let Some(all) = keys.as_object_mut() {
                all.remove("required");
            }
            if let Some(all) = keys.get_mut("properties").and_then(Value::as_object_mut) {
                all.extend(own.cloned().into_iter().flatten());
            }
            reads.keys = keys;
        }
    }
}

impl Reads {
    /// The compiled schema. A test keeps every schema valid.
    pub fn compiled(&self) -> Option<&Compiled> {
        self.compiled.get_or_init(|| schema::compile(&self.keys).ok()).as_ref()
    }

    /// The keys with their schemas, in the order of the data.
    pub fn properties(&self) -> impl Iterator<Item = (&str, &Value)> {
        let properties = self.keys.get("properties").and_then(Value::as_object);
        properties.into_iter().flatten().map(|(key, schema)| (key.as_str(), schema))
    }

    /// Whether a key is required.
    pub fn requires(&self, key: &str) -> bool {
        schema::required(&self.keys).any(|required| required == key)
    }

    /// A schema, or the target of its `$ref`.
    pub fn resolved<'s>(&'s self, schema: &'s Value) -> &'s Value {
        let mut schema = schema;
        // Circular references never end.
        for _ in 0..8 {
            let Some(name) = schema.get("$ref").and_then(Value::as_str) else { break };
            let Some(other) = name.strip_prefix('#').and_then(|at| self.keys.pointer(at)) else {
                break;
            };
            schema = other;
        }
        schema
    }

    /// The schema of a key.
    pub fn key(&self, name: &str) -> Option<&Value> {
        self.keys.get("properties")?.get(name)
    }

    /// What happens to a value of `key` that breaks `keyword` of its schema; `None` for an unknown
    /// key.
    pub fn effect(&self, key: &str, keyword: &str) -> Option<Effect> {
        let schema = self.key(key).unwrap_or(&self.keys);
        let effects = schema.get("x-effect").or_else(|| self.keys.get("x-effect"))?;
        effects.get(keyword).or_else(|| effects.get("*")).and_then(effect)
    }
}

/// An effect in an annotation.
pub fn effect(value: &Value) -> Option<Effect> {
    Effect::deserialize(value).ok()
}
