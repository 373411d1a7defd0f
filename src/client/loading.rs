//! What a client loads before a file is requested: the memory files of some folders, some rules,
//! and a list of everything else.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Kind;

/// How a client finds and orders the files that it loads.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Loading {
    /// The key of the client's source that the facts below come from.
    pub source: String,
    /// The vocabulary of its models, if it is public.
    pub tokenizer: Option<Tokenizer>,
    pub reach: Reach,
    /// Names of files that mark the top folder, for [`Reach::Marker`].
    pub markers: Vec<String>,
    /// A setting with names that replace these.
    pub markers_instead: Option<Setting>,
    /// For [`Reach::Marker`], the folder above the top has memory files, too; without a marker, all folders have.
    pub above: bool,
    /// The nearest folder comes first; otherwise, the top folder does.
    pub nearest_first: bool,
    pub memory: Vec<Group>,
    pub below: Below,
    pub shared_limit: Option<SharedLimit>,
    /// Files that the user's settings name.
    pub instructions: Option<Instructions>,
    /// Files that the user's settings exclude.
    pub excludes: Option<Excludes>,
    /// A file that several others import is loaded once.
    pub imports_once: bool,
    /// Imports of files outside of the project are not followed.
    pub imports_inside: bool,
    /// HTML comments are removed before imports are looked for.
    pub drops_comments: bool,
    /// Memory files below the user's home folder.
    pub home: Vec<Group>,
    /// Globs of other files below the user's home folder.
    pub home_places: Vec<String>,
    /// The parts in the order in which the client loads them; [`Part::ALL`] if empty.
    pub order: Vec<Part>,
    pub listings: Vec<Listing>,
    pub visibility: Option<Visibility>,
}

/// A vocabulary with an implementation here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Tokenizer {
    O200k,
}

impl Tokenizer {
    pub fn name(self) -> &'static str {
        match self {
            Self::O200k => "o200k",
        }
    }
}

/// The folders above the one in which a client is started whose files it loads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reach {
    /// All up to the workspace's.
    #[default]
    Workspace,
    /// All up to the nearest with a marker; without one, none.
    Marker,
    /// Only the workspace's.
    Root,
}

/// What happens to files in folders below the one in which a client is started.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Below {
    #[default]
    Ignored,
    /// Loaded when a file in such a folder is worked on.
    Match,
    /// Loaded at the start.
    Always,
}

/// Names of memory files in a folder.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Group {
    pub names: Vec<String>,
    #[serde(default)]
    pub takes: Takes,
    /// Only in the top folder.
    #[serde(default)]
    pub top: bool,
    /// A setting with more names, after the others.
    #[serde(default)]
    pub more: Option<Setting>,
    /// A setting with names that replace these.
    #[serde(default)]
    pub instead: Option<Setting>,
    /// A folder that contains files with these names.
    #[serde(default)]
    pub folder: String,
    /// A glob: the group is left out if the folder has such a file.
    #[serde(default)]
    pub unless: Option<String>,
    /// Only if no folder above has a file of the groups before, and in a folder below, if that has none.
    #[serde(default)]
    pub fallback: bool,
    /// A setting that leaves the group out if it is `false`.
    #[serde(default)]
    pub setting: Option<Setting>,
}

/// How many files of a group are loaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Takes {
    /// In each folder the first name that exists.
    #[default]
    First,
    /// All.
    All,
    /// The first name that any folder above has, in all of them; below, in each folder the first that exists.
    FirstOfChain,
}

/// A key of a TOML or JSON file of the client.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Setting {
    /// Below a folder of the project, or the home folder.
    pub file: String,
    /// More files, each taking precedence over those before it.
    #[serde(default)]
    pub also: Vec<String>,
    /// The files below the home folder, if they have other names there.
    #[serde(default)]
    pub home: Vec<String>,
    /// In JSON, dots lead into objects: `context.fileName`.
    pub key: String,
    #[serde(default)]
    pub of: Of,
}

/// The folders of a project whose settings a client reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Of {
    /// The top folder.
    #[default]
    Top,
    /// The folder in which the client is started.
    Start,
    /// All from the top to that one.
    Chain,
    /// None: only the user's settings count.
    Home,
}

/// A setting with globs of files that aren't loaded, compared with whole paths.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Excludes {
    pub setting: Setting,
    pub globs: GlobReading,
    pub source: String,
}

/// A setting for how files are listed, by name.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Visibility {
    pub setting: Setting,
    pub kinds: Vec<Kind>,
    /// What the values mean; others change nothing.
    pub values: BTreeMap<String, Shown>,
    pub source: String,
}

/// How a file is listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Shown {
    /// Without its description.
    Name,
    /// Not in the list, but loaded on demand.
    Hidden,
    /// Neither in the list nor loaded.
    Off,
}

/// A setting with globs of files that are loaded in addition to memory files.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Instructions {
    pub setting: Setting,
    pub source: String,
}

/// A limit that all memory files of a project share.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SharedLimit {
    pub bytes: usize,
    #[serde(default)]
    pub setting: Option<Setting>,
}

/// The parts of everything that a client loads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Part {
    Memory,
    /// Rules without a condition.
    Always,
    /// Rules whose globs match.
    Matched,
    Listing,
}

impl Part {
    pub const ALL: &[Self] = &[Self::Memory, Self::Always, Self::Matched, Self::Listing];
}

/// A list of files that can be loaded later, with a line for each.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Listing {
    pub kinds: Vec<Kind>,
    /// A line; `{name}`, `{description}` and `{path}` are replaced.
    pub line: String,
    /// A line without a description.
    pub bare: String,
    /// The key whose text is added to the description.
    #[serde(default)]
    pub also: Option<String>,
    /// The name is that of the folder or file, regardless of `name`.
    #[serde(default)]
    pub folder_name: bool,
    /// A longer description is truncated.
    #[serde(default)]
    pub most_characters: Option<usize>,
    /// Which of several entries with one name is listed; without it, all of them.
    #[serde(default)]
    pub same_name: Option<SameName>,
    #[serde(default)]
    pub budget: Option<Budget>,
}

/// Which of several files with one name a client uses, in the order in which it finds them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SameName {
    First,
    Last,
}

/// The size limit of a listing.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Budget {
    pub most: usize,
    pub unit: BudgetUnit,
    /// What happens above the limit.
    pub over: Over,
    /// The source of the number, in words.
    pub text: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BudgetUnit {
    /// A quarter of the bytes, rounded up for each line.
    Tokens,
    Characters,
    Bytes,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Over {
    /// Descriptions are truncated, character by character in turn; finally, entries are left out.
    Trim,
    /// Whole descriptions are left out.
    DropDescriptions,
    /// Whole entries are left out.
    DropEntries,
}

/// When a file of a kind is loaded: the first condition that is met decides.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct When {
    /// A key of the front matter; without one the condition is always true.
    #[serde(default)]
    pub key: Option<String>,
    /// Values of the key; without them it is true if the key has a value.
    #[serde(default)]
    pub is: Vec<Value>,
    /// The type of the value, if the client ignores others.
    #[serde(default, rename = "type")]
    pub of: Option<TypeOf>,
    pub mode: Mode,
    /// The key with the globs, if it is a different one.
    #[serde(default)]
    pub globs: Option<String>,
}

/// The type of a value in a condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TypeOf {
    String,
    /// A list of strings, none of them empty.
    Array,
}

impl TypeOf {
    pub fn has(self, value: &Value) -> bool {
        let is_text = |item: &Value| item.as_str().is_some_and(|text| !text.is_empty());
        match (self, value) {
            (Self::String, value) => value.is_string(),
            (Self::Array, value) => value.as_array().is_some_and(|items| items.iter().all(is_text)),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    Always,
    /// When a file that matches the globs is worked on.
    Match,
    /// A line of a listing is loaded, and the file on demand.
    Listed,
    Demand,
    Never,
}

/// How globs in front matter are read and matched.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct GlobReading {
    pub dialect: Dialect,
    /// Globs don't need a dot to match names that begin with one.
    pub dot: bool,
    pub ignore_case: bool,
    /// A string has several globs, separated by commas outside of braces.
    pub commas: bool,
    /// Globs that mean every file rather than specific ones.
    pub everything: Vec<String>,
    /// The prefix of globs that begin neither with it nor with `/`.
    pub prefix: Option<String>,
    /// A suffix that is removed.
    pub strip: Option<String>,
    /// Braces are expanded before the dialect sees a glob.
    pub expand: bool,
    /// The path that globs are compared with.
    pub base: Base,
    /// A glob that begins with `/` or `./` matches nothing.
    pub relative: bool,
    /// Makes a glob without a folder, such as `*.ts`, match only files at the root.
    pub flat: Option<String>,
    /// The value is used as written, with quotes and brackets.
    pub as_written: bool,
    /// The key of the client's source that documents this; `None` if it is only likely.
    pub source: Option<String>,
}

/// A library that matches globs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Dialect {
    /// npm: minimatch
    #[default]
    Minimatch,
    /// npm: picomatch, and micromatch, which uses it
    Picomatch,
    /// npm: ignore, which matches as `.gitignore` does
    Gitignore,
    /// VS Code's own
    Vscode,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Base {
    /// The path from the folder that has the folder of the rules.
    #[default]
    Folder,
    /// The path from the workspace.
    Workspace,
    /// The whole path.
    Absolute,
}
