//! Formats: the meaning of one kind of file. Everything about a format is in its folder; a line in
//! [`FORMATS`] adds it.

use std::any::Any;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::answer::{
    Action, Call, Callable, Completion, Fold, Highlight, Hover, Inlay, Insertion, Later, Link,
    Occurrence, Renamable, Renaming, Runnable, Signature, Symbol, Target,
};
use crate::config::Config;
use crate::plan::Plan;
use crate::plan::choice::Goal;
use crate::plan::order::Order;
use crate::plan::standing::Standing;
use crate::rule::{Report, Rule};
use crate::source::Source;
use crate::text::{Encoding, Span};
use crate::world::World;
pub use parse::Parse;
use start::Start;
use workspace::Workspace;

pub mod agent;
pub mod blocks;
pub mod completeness;
pub mod configuration;
pub mod context;
pub mod duckflow;
pub mod edits;
pub mod fences;
pub mod front_matter;
pub mod llmd;
pub mod markdownlang;
pub mod names;
pub mod parse;
pub mod plain;
pub mod selectors;
pub mod settings;
pub mod snippet;
pub mod start;
#[cfg(test)]
mod tests;
pub mod workspace;

/// All formats. The first that recognises a document gets it; the last recognises everything.
pub static FORMATS: &[&Format] = &[
    &settings::FORMAT,
    &configuration::FORMAT,
    &markdownlang::suite::FORMAT,
    &agent::FORMAT,
    &markdownlang::FORMAT,
    &llmd::FORMAT,
    &duckflow::FORMAT,
    &edits::FORMAT,
    &context::FORMAT,
    #[cfg(test)]
    &tests::tiny::FORMAT,
    &agent::GUESS,
    &plain::FORMAT,
];

/// One kind of file.
pub struct Format {
    /// The name in settings and JSON.
    pub name: &'static str,
    /// Whether a document is of this format, from its path (if any) and its content.
    pub recognise: fn(Option<&Path>, &Source) -> bool,
    /// Reads the model. `previous` is the model of an earlier version of the same document, to
    /// reuse unchanged parts.
    pub read: fn(&Source, previous: Option<&dyn Model>) -> Arc<dyn Model>,
    /// Every rule that its models check.
    pub rules: fn() -> Vec<&'static Rule>,
    /// Its knowledge of other files.
    pub workspace: &'static dyn Workspace,
    /// Its features in files of no special format.
    pub start: &'static dyn Start,
    /// Its reader for programs, if it has one.
    pub parse: Option<Parse>,
}

/// The dialects that formats read, for a reply that may contain several.
pub static GRAMMARS: &[&dyn crate::reply::Grammar] = &[&duckflow::grammar::Duckflow];

impl std::fmt::Debug for Format {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.name)
    }
}

impl Format {
    pub fn named(name: &str) -> Option<&'static Self> {
        FORMATS.iter().copied().find(|format| format.name == name)
    }

    /// The format of a document: from the settings, else the first that recognises it.
    pub fn of(path: Option<&Path>, source: &Source, config: &Config) -> &'static Self {
        let configured = path.and_then(|path| config.format_of(path)).and_then(Self::named);
        let path = path.map(|path| crate::client::below(config.root(), path));
        configured
            .or_else(|| FORMATS.iter().copied().find(|format| (format.recognise)(path, source)))
            .unwrap_or(&plain::FORMAT)
    }
}

/// The subject of a request, and everything that the answer may be based on.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    pub source: &'a Source,
    /// The path of the document; `None` if it isn't saved.
    pub path: Option<&'a Path>,
    pub world: &'a dyn World,
    pub config: &'a Config,
    /// True once the request is cancelled: long work stops.
    pub cancelled: &'a (dyn Fn() -> bool + Sync),
}

impl<'a> Context<'a> {
    /// A context that is never cancelled.
    pub fn new(
        source: &'a Source,
        path: Option<&'a Path>,
        world: &'a dyn World,
        config: &'a Config,
    ) -> Self {
        Self { source, path, world, config, cancelled: &|| false }
    }

    /// The path of the document, in the form in which agent files are recognised by their places.
    pub fn place(&self) -> Option<&'a Path> {
        self.path.map(|path| self.place_of(path))
    }

    /// The same for the path of another file.
    pub fn place_of<'p>(&self, path: &'p Path) -> &'p Path {
        let place = crate::client::place(self.world, path);
        crate::client::below(self.config.root(), place)
    }

    /// The base of the paths in a reply: the workspace folder, the folder of the settings, or else
    /// the document's own.
    pub fn root(&self) -> Option<PathBuf> {
        let settings = self.config.root();
        let settings = || (!settings.as_os_str().is_empty()).then(|| settings.to_owned());
        self.world
            .root(self.path)
            .or_else(settings)
            .or_else(|| Some(self.path?.parent()?.to_owned()))
    }
}

/// A format's knowledge of one document. Every method is total, reads nothing but the context, and
/// is optional. All spans are bytes of the document.
pub trait Model: Send + Sync {
    fn as_any(&self) -> &dyn Any;
    /// Text that isn't Markdown, in order and disjoint: it contains no headings, links or blocks.
    fn opaque(&self) -> &[Span] {
        &[]
    }
    /// The comments of a document that is YAML as a whole.
    fn yaml_comments(&self) -> &[Span] {
        &[]
    }
    /// Offsets, in order, at which the section of any heading ends: the starts of the format's
    /// parts.
    fn breaks(&self) -> &[usize] {
        &[]
    }
    /// Reports every finding, regardless of the settings, which are applied afterwards.
    fn check(&self, _: &Context, _: &mut Report) {}
    fn hover(&self, _: &Context, _offset: usize) -> Option<Hover> {
        None
    }
    fn complete(&self, _: &Context, _offset: usize) -> Vec<Completion> {
        Vec::new()
    }
    fn definition(&self, _: &Context, _offset: usize) -> Vec<Target> {
        Vec::new()
    }
    /// Links beyond those of Markdown.
    fn links(&self, _: &Context) -> Vec<Link> {
        Vec::new()
    }
    /// Highlights that touch `span` beyond those of Markdown, in order and disjoint: they take
    /// precedence.
    fn highlights(&self, _: &Context, _span: Span) -> Vec<Highlight> {
        Vec::new()
    }
    /// Symbols in addition to headings, for example of front matter.
    fn symbols(&self, _: &Context) -> Vec<Symbol> {
        Vec::new()
    }
    /// The programs and tests that an editor can run.
    fn runnables(&self, _: &Context) -> Vec<Runnable> {
        Vec::new()
    }
    /// The ways to insert a file at `offset` that only this format has, the most common first.
    fn insertions(&self, _: &Context, _offset: usize, _file: &Path) -> Vec<Insertion> {
        Vec::new()
    }
    /// Folds beyond those of Markdown.
    fn folds(&self, _: &Context) -> Vec<Fold> {
        Vec::new()
    }
    /// The call around `offset`.
    fn signature(&self, _: &Context, _offset: usize) -> Option<Signature> {
        None
    }
    /// Hints to show between the characters of `span`.
    fn inlays(&self, _: &Context, _span: Span) -> Vec<Inlay> {
        Vec::new()
    }
    /// Every reference to the thing at `offset`, including definitions, in order.
    fn references(&self, _: &Context, _offset: usize) -> Vec<Occurrence> {
        Vec::new()
    }
    /// The highlights for a cursor at `offset`: the references to the thing there, and related
    /// keywords.
    fn occurrences(&self, cx: &Context, offset: usize) -> Vec<Occurrence> {
        self.references(cx, offset)
    }
    /// Stretches around `offset` that are worth selecting as one.
    fn selections(&self, _: &Context, _offset: usize) -> Vec<Span> {
        Vec::new()
    }
    /// The callable or caller at `offset`.
    fn callable(&self, _: &Context, _offset: usize) -> Option<Callable> {
        None
    }
    /// The callers of this document, or of its tool with this name.
    fn callers(&self, _: &Context, _tool: Option<&str>) -> Vec<Call> {
        Vec::new()
    }
    /// The calls that this document makes.
    fn calls(&self, _: &Context) -> Vec<Call> {
        Vec::new()
    }
    /// The name at `offset`, if it can be renamed.
    fn renamable(&self, _: &Context, _offset: usize) -> Option<Renamable> {
        None
    }
    /// The edits that rename the thing at `offset`.
    ///
    /// # Errors
    /// If the new name isn't possible; the error tells the author why.
    fn rename(&self, _: &Context, _offset: usize, _name: &str) -> Result<Renaming, String> {
        Err("nothing here can be renamed".to_owned())
    }
    /// The stretches to edit together with the one at `offset`, including it; all have the same
    /// content.
    fn linked(&self, _: &Context, _offset: usize) -> Vec<Span> {
        Vec::new()
    }
    /// Refactorings that don't fix a finding.
    fn actions(&self, _: &Context, _span: Span) -> Vec<Action> {
        Vec::new()
    }
    /// The same for refactorings of the whole document.
    fn later<'a>(&'a self, _: &'a Context, _span: Span) -> Vec<Later<'a>> {
        Vec::new()
    }
    /// The numbers and spans of the actions or edit blocks that can be applied to files.
    fn blocks(&self, _: &Context) -> Vec<(u64, Span)> {
        Vec::new()
    }
    /// The possible targets of edit blocks, the most common first; empty for formats without
    /// blocks.
    fn goals(&self) -> &'static [Goal] {
        &[]
    }
    /// How the live edit blocks match their files, in order.
    fn standings(&self, _: &Context, _goal: Goal) -> Vec<Standing> {
        Vec::new()
    }
    /// The changes that a set of chosen actions makes to files or to the document; `None` if the
    /// document has no actions.
    fn apply(&self, _: &Context, _order: &Order) -> Option<Plan> {
        None
    }
}

/// The model's reply in a document whose format has no blocks, if it is one. `exists` returns
/// whether a path, as written, names a file.
pub fn reply(source: &Source, exists: &dyn Fn(&str) -> bool) -> Option<Arc<dyn Model>> {
    let read = edits::Reply::read(source);
    if !read.draft.resolve(exists).is_empty() {
        return Some(Arc::new(read));
    }
    let reply = duckflow::Unmarked::read(source);
    if reply.is_json() { Some(Arc::new(reply)) } else { None }
}

/// Why a document without edits that looks like a reply has none.
pub fn why_no_edits(source: &Source, world: &dyn World, root: &Path) -> Option<String> {
    let read = edits::Reply::read(source);
    let reply = blocks::apply::resolve(&read.draft, world, root);
    let notice = reply.notices.first().or(read.draft.faults.first())?;
    let line = source.position(notice.span.start, Encoding::Utf8).line + 1;
    Some(format!("line {line}: {}", notice.message))
}

/// The knowledge of all formats about a workspace's files, and that of selectors, which documents
/// of every format contain.
pub fn workspaces() -> impl Iterator<Item = &'static dyn Workspace> {
    let selectors: &'static dyn Workspace = &selectors::names::Workspace;
    FORMATS.iter().map(|format| format.workspace).chain([selectors])
}

/// Every rule of every format, by code.
pub fn rules() -> Vec<&'static Rule> {
    let mut all: Vec<&'static Rule> =
        FORMATS.iter().flat_map(|format| (format.rules)()).chain(selectors::rules::all()).collect();
    all.sort_by_key(|rule| rule.code);
    all.dedup_by_key(|rule| rule.code);
    all
}
