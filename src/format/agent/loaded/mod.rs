//! What clients load when they are started in a folder and work on a file: memory files, rules, and
//! lists of files that they can load later; in the client's order, with the cost.
//!
//! - [`files`]: the files of a workspace, by the client that reads them
//! - [`folders`]: the folders that a client searches, and the files in its places
//! - [`chain`]: memory files with their imports
//! - [`settings`]: what the user's settings add, replace or exclude
//! - [`found`]: all other files, and when each is loaded
//! - [`listing`]: the lines of lists, and those that don't fit
//! - [`cost`]: the sums, for a whole workspace

mod chain;
pub mod cost;
mod files;
mod folders;
mod found;
mod listing;
mod settings;
pub mod tokens;
#[cfg(feature = "tokenizers")]
mod vocabulary;

#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::{Map, Value};

use crate::client::loading::{BudgetUnit, Mode, Part};
use crate::client::{Client, Kind, Reads};
use crate::config::Config;
use crate::format::Context;
use crate::world::{World, slashed};

pub use files::Files;
use found::Found;
pub use found::when;
use tokens::Counter;

/// The question: the folder, the file and the world that it's about.
pub struct Question<'a> {
    pub world: &'a dyn World,
    pub config: &'a Config,
    /// The workspace.
    pub root: PathBuf,
    /// The folder in which clients are started.
    pub start: PathBuf,
    /// The start is just the folder of the path: clients may have been started above it.
    pub assumed: bool,
    /// The file that they work on.
    pub path: Option<PathBuf>,
    /// The user's home folder, if files there count.
    pub home: Option<PathBuf>,
    /// Known files of the workspace, for clients that search below the start.
    pub files: Files<'a>,
    /// Tokens are counted with the vocabulary of a client's models, if it's public.
    pub exact: bool,
    pub cancelled: &'a (dyn Fn() -> bool + Sync),
}

/// The files that one client loads.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Load {
    pub client: String,
    /// In the order in which the client loads them.
    pub files: Vec<Loaded>,
    pub tokens: usize,
    /// How tokens are counted: with a vocabulary, or `bytes/4`.
    pub counted: &'static str,
    pub limits: Vec<Limit>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<Trouble>,
}

/// A file, or a line about one.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Loaded {
    /// Relative to the workspace's folder, if it's in there.
    pub path: String,
    pub kind: &'static str,
    pub why: Why,
    /// The glob that matched, as written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
    /// Counted from 1.
    pub order: usize,
    pub tokens: usize,
    /// The bytes loaded of the file, or the length of its line in a list.
    pub bytes: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cut: Option<Cut>,
    /// The file that imports it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
}

/// Why something is loaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Why {
    Memory,
    Import,
    /// A rule whose glob matches.
    Rule,
    /// Instructions whose glob matches.
    Instructions,
    /// A line of a list.
    Listing,
    /// A rule without a condition.
    Always,
}

impl Why {
    pub fn name(self) -> &'static str {
        match self {
            Self::Memory => "memory",
            Self::Import => "import",
            Self::Rule => "rule",
            Self::Instructions => "instructions",
            Self::Listing => "listing",
            Self::Always => "always",
        }
    }
}

/// Where a client stops reading.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Cut {
    /// The first line, counted from 1, that the client doesn't read completely.
    pub line: usize,
    pub limit: usize,
    /// How many bytes of the file it reads.
    pub bytes: usize,
}

/// A limit, and how much of it is used.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Limit {
    /// `memory` or `listing`.
    pub of: &'static str,
    pub limit: usize,
    pub unit: BudgetUnit,
    pub used: usize,
    /// Files that don't fit, or whose description doesn't.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub dropped: Vec<String>,
    /// Files whose description is cut.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub trimmed: Vec<String>,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub text: String,
}

/// Something that isn't loaded, although its author may think so.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Trouble {
    pub path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    pub message: String,
}

impl Question<'_> {
    /// A path as shown in answers.
    fn shown(&self, path: &Path) -> String {
        let short =
            path.strip_prefix(&self.root).ok().filter(|short| !short.as_os_str().is_empty());
        let home = self.home.as_ref().and_then(|home| path.strip_prefix(home).ok());
        match (short, home) {
            (Some(short), _) => slashed(short),
            (None, Some(below)) => format!("~/{}", slashed(below)),
            (None, None) => slashed(path),
        }
    }

    fn is_cancelled(&self) -> bool {
        (self.cancelled)()
    }
}

/// The files that each of some clients loads.
pub fn loaded(question: &Question, clients: &[&'static Client]) -> Vec<Load> {
    clients.iter().map(|client| load(question, client)).collect()
}

/// The files that a client loads.
pub fn load(question: &Question, client: &'static Client) -> Load {
    let counter = Counter::new(client, question.exact);
    let mut problems = Vec::new();
    let folders = folders::Folders::of(question, client);
    let (memory, limits) = chain::chain(question, client, &folders, &counter, &mut problems);
    let found = found::found(question, client, &folders, false);
    let (lines, budgets) = listing::lines(question, client, &found, &counter);
    let mut files = Vec::new();
    let order = &client.loading.order;
    let order = if order.is_empty() { Part::ALL } else { order };
    for part in order {
        match part {
            Part::Memory => files.extend(memory.iter().cloned()),
            Part::Listing => files.extend(lines.iter().cloned()),
            Part::Always => files.extend(rules(question, &found, Mode::Always, &counter)),
            Part::Matched => files.extend(rules(question, &found, Mode::Match, &counter)),
        }
    }
    for (at, file) in files.iter_mut().enumerate() {
        file.order = at + 1;
    }
    for found in &found {
        problems.extend(found.trouble(question));
    }
    Load {
        client: client.name.clone(),
        tokens: files.iter().map(|file| file.tokens).sum(),
        counted: counter.name(),
        files,
        limits: limits.into_iter().chain(budgets).collect(),
        problems,
    }
}

/// The memory files that clients load with the document of `cx`, which is a memory file itself: for
/// a lens and a hover. No other kinds are read.
pub fn memory(cx: &Context, clients: &[&'static Client]) -> Vec<Load> {
    let Some((path, folder)) = cx.path.and_then(|path| Some((path, path.parent()?))) else {
        return Vec::new();
    };
    let root = cx.root().unwrap_or_else(|| folder.to_owned());
    let question = Question {
        world: cx.world,
        config: cx.config,
        root,
        start: folder.to_owned(),
        assumed: true,
        path: Some(path.to_owned()),
        home: None,
        files: Files::new(&[]),
        exact: false,
        cancelled: cx.cancelled,
    };
    let load = |client: &&'static Client| {
        let counter = Counter::new(client, false);
        let folders = folders::Folders::of(&question, client);
        let mut problems = Vec::new();
        let (mut files, limits) =
            chain::chain(&question, client, &folders, &counter, &mut problems);
        files.iter_mut().enumerate().for_each(|(at, file)| file.order = at + 1);
        let tokens = files.iter().map(|file| file.tokens).sum();
        let counted = counter.name();
        Load { client: client.name.clone(), files, tokens, counted, limits, problems }
    };
    clients.iter().map(load).filter(|load| !load.files.is_empty()).collect()
}

/// `loads 3 files · ~1,240 tokens`, for the client that loads the most.
pub fn summary(loads: &[Load]) -> Option<String> {
    let most = loads.iter().max_by_key(|load| load.tokens)?;
    let count = most.files.len();
    let cut = most.files.iter().any(|file| file.cut.is_some());
    let cut = if cut { ", cut" } else { "" };
    let plural = if count == 1 { "" } else { "s" };
    Some(format!("loads {count} file{plural} · ~{} tokens{cut}", grouped(most.tokens)))
}

/// The globs in front matter that decide whether a client loads a file; empty if they don't decide.
pub fn conditions(reads: &Reads, keys: &Map<String, Value>) -> Vec<String> {
    let (mode, globs) = found::when(reads, keys);
    let all = globs.iter().any(|glob| reads.globs.everything.contains(glob));
    if mode == Mode::Match && !all { globs } else { Vec::new() }
}

/// What each client loads, in Markdown.
pub fn list(loads: &[Load]) -> String {
    let mut out = String::new();
    for load in loads {
        let client = crate::client::catalog().named(&load.client);
        let title = client.map_or(load.client.as_str(), |client| &client.title);
        out.push_str(&format!("{title} loads ~{} tokens:\n\n", grouped(load.tokens)));
        for file in &load.files {
            let cut =
                file.cut.map_or_else(String::new, |cut| format!(", stops in line {}", cut.line));
            let tokens = grouped(file.tokens);
            out.push_str(&format!("{}. `{}`: ~{tokens} tokens{cut}\n", file.order, file.path));
        }
        out.push('\n');
    }
    out.trim_end().to_owned()
}

/// `1,240`.
pub fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// The rules that are loaded as a whole.
fn rules<'f>(
    question: &'f Question,
    found: &'f [Found],
    mode: Mode,
    counter: &'f Counter,
) -> impl Iterator<Item = Loaded> + 'f {
    let whole = found.iter().filter(move |found| {
        found.mode == mode
            && (mode == Mode::Always || found.pattern.is_some())
            && !found.on_demand()
    });
    whole.filter_map(move |found| {
        let (tokens, bytes, cut) = found.size(counter)?;
        let why = match (mode, found.reads.kind) {
            (Mode::Always, _) => Why::Always,
            (_, Kind::Instructions) => Why::Instructions,
            _ => Why::Rule,
        };
        Some(Loaded {
            path: question.shown(&found.path),
            kind: found.reads.kind.name(),
            why,
            pattern: found.pattern.clone(),
            order: 0,
            tokens,
            bytes,
            cut,
            by: None,
        })
    })
}

/// The clients in question: those in the settings, otherwise those that the workspace uses,
/// otherwise the open specification.
pub fn clients(world: &dyn World, root: &Path, config: &Config) -> Vec<&'static Client> {
    let catalog = crate::client::catalog();
    let named: Vec<&'static Client> =
        config.options().clients.iter().filter_map(|name| catalog.named(name)).collect();
    if !named.is_empty() {
        return named;
    }
    let used: Vec<&'static Client> = catalog
        .clients
        .iter()
        .filter(|client| client.signs.iter().any(|sign| world.kind(&root.join(sign)).is_some()))
        .collect();
    if !used.is_empty() {
        return used;
    }
    catalog.named("spec").into_iter().collect()
}
