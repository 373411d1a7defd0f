//! Formats: what one kind of file means. All that is known of a format is in its folder; a line in
//! [`FORMATS`] adds it.

use std::any::Any;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::answer::{
    Action, Call, Callable, Completion, FileEdit, Fold, Highlight, Hover, Inlay, Later, Link,
    Occurrence, Renamable, Signature, Symbol, Target,
};
use crate::config::Config;
use crate::plan::Plan;
use crate::plan::choice::Goal;
use crate::plan::order::Order;
use crate::plan::standing::Standing;
use crate::rule::{Report, Rule};
use crate::source::Source;
use crate::text::Span;
use crate::world::World;

pub mod agent;
pub mod context;
pub mod duckflow;
pub mod edits;
pub mod front_matter;
pub mod llmd;
pub mod markdownlang;
pub mod names;
pub mod plain;
pub mod selectors;
pub mod settings;
pub mod snippet;
pub mod suggestion;

/// All formats; the first that recognises a document has it, and the last recognises everything.
pub static FORMATS: &[&Format] = &[
    &settings::FORMAT,
    &agent::FORMAT,
    &markdownlang::FORMAT,
    &llmd::FORMAT,
    &duckflow::FORMAT,
    &edits::FORMAT,
    &context::FORMAT,
    &agent::GUESS,
    &plain::FORMAT,
];

/// One kind of file.
pub struct Format {
    /// The name that settings and JSON use.
    pub name: &'static str,
    /// Whether a document is of this format, from its path (where it has one) and its content.
    pub recognise: fn(Option<&Path>, &Source) -> bool,
    /// Reads the model. `previous` is the model of an earlier version of the same document, for
    /// what has not changed.
    pub read: fn(&Source, previous: Option<&dyn Model>) -> Arc<dyn Model>,
    /// Every rule that its models check.
    pub rules: fn() -> Vec<&'static Rule>,
}

/// The dialects that formats read, for a reply that may hold several.
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

    /// The format of a document: as the settings say, else the first that recognises it.
    pub fn of(path: Option<&Path>, source: &Source, config: &Config) -> &'static Self {
        let configured = path.and_then(|path| config.format_of(path)).and_then(Self::named);
        configured
            .or_else(|| FORMATS.iter().copied().find(|format| (format.recognise)(path, source)))
            .unwrap_or(&plain::FORMAT)
    }
}

/// What a question is asked about, and what may be looked at to answer it.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    pub source: &'a Source,
    /// Where the document is; `None` for one that is in no folder.
    pub path: Option<&'a Path>,
    pub world: &'a dyn World,
    pub config: &'a Config,
    /// True when nobody waits for the answer any more: long work stops.
    pub cancelled: &'a (dyn Fn() -> bool + Sync),
}

impl<'a> Context<'a> {
    /// A context that nobody cancels.
    pub fn new(
        source: &'a Source,
        path: Option<&'a Path>,
        world: &'a dyn World,
        config: &'a Config,
    ) -> Self {
        Self { source, path, world, config, cancelled: &|| false }
    }

    /// What the paths in a reply are relative to: the workspace folder, that of the settings, or
    /// else the document's own.
    pub fn root(&self) -> Option<PathBuf> {
        let settings = self.config.root();
        let settings = || (!settings.as_os_str().is_empty()).then(|| settings.to_owned());
        self.world
            .root(self.path)
            .or_else(settings)
            .or_else(|| Some(self.path?.parent()?.to_owned()))
    }
}

/// What a format knows of one document. Every method is total, reads nothing but the context, and
/// may be left out. All spans are bytes of the document.
pub trait Model: Send + Sync {
    fn as_any(&self) -> &dyn Any;
    /// Text that is no Markdown, in order, none over another: nothing in it is a heading, a link or
    /// a block.
    fn opaque(&self) -> &[Span] {
        &[]
    }
    /// Offsets, in order, at which whatever a heading began ends: where the parts of the format
    /// begin.
    fn breaks(&self) -> &[usize] {
        &[]
    }
    /// Reports every finding, whatever the settings say: they are applied afterwards.
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
    /// Links beyond those of Markdown itself.
    fn links(&self, _: &Context) -> Vec<Link> {
        Vec::new()
    }
    /// Highlights that touch `span` beyond those of Markdown itself, in order, none over another:
    /// they win over these.
    fn highlights(&self, _: &Context, _span: Span) -> Vec<Highlight> {
        Vec::new()
    }
    /// Symbols beside the headings, for example of front matter.
    fn symbols(&self, _: &Context) -> Vec<Symbol> {
        Vec::new()
    }
    /// Folds beyond those of Markdown itself.
    fn folds(&self, _: &Context) -> Vec<Fold> {
        Vec::new()
    }
    /// The call around `offset`.
    fn signature(&self, _: &Context, _offset: usize) -> Option<Signature> {
        None
    }
    /// What is shown between the characters of `span`.
    fn inlays(&self, _: &Context, _span: Span) -> Vec<Inlay> {
        Vec::new()
    }
    /// Every place that speaks of the thing at `offset`, definitions included, in order.
    fn references(&self, _: &Context, _offset: usize) -> Vec<Occurrence> {
        Vec::new()
    }
    /// What is marked while the cursor stands at `offset`: the places that speak of the thing
    /// there, or that belong to it.
    fn occurrences(&self, cx: &Context, offset: usize) -> Vec<Occurrence> {
        self.references(cx, offset)
    }
    /// Pieces of text around `offset` that are worth selecting as one.
    fn selections(&self, _: &Context, _offset: usize) -> Vec<Span> {
        Vec::new()
    }
    /// What is called or calls at `offset`.
    fn callable(&self, _: &Context, _offset: usize) -> Option<Callable> {
        None
    }
    /// What calls this document, or the tool of this name that it declares.
    fn callers(&self, _: &Context, _tool: Option<&str>) -> Vec<Call> {
        Vec::new()
    }
    /// What this document calls.
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
    /// Says why the new name cannot be, in words for the author.
    fn rename(&self, _: &Context, _offset: usize, _name: &str) -> Result<Vec<FileEdit>, String> {
        Err("There is nothing here that can be renamed.".to_owned())
    }
    /// Pieces of text that are to be edited together with the one at `offset`, that one included;
    /// all have one content.
    fn linked(&self, _: &Context, _offset: usize) -> Vec<Span> {
        Vec::new()
    }
    /// Actions that mend no finding.
    fn actions(&self, _: &Context, _span: Span) -> Vec<Action> {
        Vec::new()
    }
    /// The same for actions that look at the whole document.
    fn later<'a>(&'a self, _: &'a Context, _span: Span) -> Vec<Later<'a>> {
        Vec::new()
    }
    /// The numbers and places of what can be applied to files: actions, edit blocks.
    fn blocks(&self, _: &Context) -> Vec<(u64, Span)> {
        Vec::new()
    }
    /// What edit blocks can be applied to, the usual first; nothing for formats that have none.
    fn goals(&self) -> &'static [Goal] {
        &[]
    }
    /// How the edit blocks that can be applied stand, in order.
    fn standings(&self, _: &Context, _goal: Goal) -> Vec<Standing> {
        Vec::new()
    }
    /// What becomes of files, or of the document, when an order is carried out; `None` where the
    /// document asks for nothing.
    fn apply(&self, _: &Context, _order: &Order) -> Option<Plan> {
        None
    }
}

/// What a document that is of no format with blocks says as a model's reply, if it is one. `exists`
/// says whether a path, as it is written, names a file.
pub fn reply(source: &Source, exists: &dyn Fn(&str) -> bool) -> Option<Arc<dyn Model>> {
    let read = edits::Reply::read(source);
    if !read.draft.resolve(exists).is_empty() {
        return Some(Arc::new(read));
    }
    let reply = duckflow::Unmarked::read(source);
    if reply.is_json() { Some(Arc::new(reply)) } else { None }
}

/// Every rule of every format, by code.
pub fn rules() -> Vec<&'static Rule> {
    let mut all: Vec<&'static Rule> =
        FORMATS.iter().flat_map(|format| (format.rules)()).chain(selectors::rules::all()).collect();
    all.sort_by_key(|rule| rule.code);
    all.dedup_by_key(|rule| rule.code);
    all
}
