//! The file operations of a model's reply, in any dialect, read in one pass.
//!
//! The outermost construct owns everything inside it, and its content is never parsed again.
//! Thought, tool results, quotations and other speakers' turns aren't live, so they are skipped.
//! Text that looks like an edit but can't be parsed is a [`Fault`], so "all or nothing" covers the
//! whole reply.
//!
//! Reading takes two steps. [`read`] looks at the text alone. [`Draft::resolve`] decides which file
//! each block means, and needs to know which files exist.
//!
//! - [`container`]: API messages, transcripts, streams; [`transcript`]: who says what in them;
//!   [`shape`]: what JSON is; [`json`]: values with their spans
//! - [`markdown`]: scans the text; [`blocks`], [`fence`], [`fenced`], [`open`], [`diff`], [`element`],
//!   [`elements`], [`tags`], [`tokens`], [`shell`]: the constructs that it finds; [`extent`],
//!   [`prose`], [`told`], [`ending`], [`agreement`]: what the sentences around them say;
//!   [`restated`]: what only describes them again; [`wrapper`]: a fence around all of it
//! - [`incremental`]: the same for a document that is edited
//! - [`patch`]: patches; [`content`]: the text of a file in an element or a call
//! - [`call`]: tool calls, by their keys; [`invocation`]: the shapes around their arguments;
//!   [`vocabulary`]: whether all of a call is understood; [`numbered`]: dialects that address lines
//! - [`naming`]: the file that a block is about; [`target`]: the file that a fence is; [`told`]: the
//!   file that a sentence announces

mod agreement;
mod blocks;
mod call;
mod container;
mod content;
mod diff;
mod element;
mod elements;
mod ending;
mod extent;
mod fence;
mod fenced;
mod incremental;
mod invocation;
pub mod json;
mod lines;
mod markdown;
pub mod naming;
mod numbered;
mod open;
mod pairs;
mod patch;
mod prose;
mod restated;
mod shape;
mod shell;
mod stream;
mod tags;
mod target;
mod tokens;
mod told;
mod transcript;
mod vocabulary;
mod wrapper;

use crate::edit::{Block, Operation, Reason, Split};
use crate::text::Span;
use naming::Names;
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

/// A dialect that a format reads; here, its content is only skipped.
pub trait Grammar: Sync {
    /// Whether a line may belong to the dialect.
    fn is_marker(&self, line: &str) -> bool;
    /// The end of the content that begins with the marker on the line at `start`; `start..end` are
    /// bytes of `text`.
    fn content(&self, text: &str, line: Span) -> Content;
    /// All operations, with the spans of their first markers. Spaces replace other constructs.
    fn operations(&self, text: &str) -> Vec<Block>;
}

/// The construct that a marker line of a [`Grammar`] begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    /// The line is ordinary text.
    None,
    /// Content that ends at this byte, including its end marker.
    To(usize),
    /// Content that is never closed.
    Open,
    /// A section of thought or notes, up to the next marker: nothing in it is live.
    Notes,
}

/// A reply, parsed without knowing which files exist.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Draft {
    /// In order of appearance.
    pub steps: Vec<Step>,
    pub skipped: Vec<Skipped>,
    pub faults: Vec<Fault>,
    /// Possible edits: only a sentence, a caption or a comment names the file, or nothing does.
    pub notices: Vec<Fault>,
    /// The text is an API message or a transcript.
    pub envelope: bool,
    /// It contains an operation outside the dialects of formats.
    pub free: bool,
    /// Why earlier operations no longer count.
    retracted: Option<Why>,
    /// The operations that the user's last words decline.
    declined: Option<Box<Draft>>,
}

/// A block, and the facts about its file.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    pub block: Block,
    pub names: Names,
}

impl Step {
    fn new(block: Block, names: Names) -> Self {
        Self { block, names }
    }
}

/// Constructs that were skipped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skipped {
    pub span: Span,
    pub why: Why,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    /// A model's thought.
    Thought,
    /// Another speaker: a quotation, a tool result, an earlier turn.
    Quoted,
    /// Code to read, documentation of a format, a command.
    Example,
}

impl Why {
    pub fn name(self) -> &'static str {
        match self {
            Self::Thought => "thought",
            Self::Quoted => "quoted",
            Self::Example => "example",
        }
    }
}

/// An intended edit that can't be applied, regardless of the files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    pub span: Span,
    pub reason: Reason,
    /// One clause, without a full stop.
    pub message: String,
    pub file: Option<String>,
    /// It may be data: it only counts if its file exists, or is source code and the reply has edits.
    pub unsure: bool,
    /// It only counts if its file doesn't exist.
    pub fresh: bool,
    /// What would change: it doesn't count if an edit of the reply does the same.
    pub change: Option<Box<Split>>,
}

impl Fault {
    pub fn new(span: Span, reason: Reason, message: impl Into<String>) -> Self {
        let (file, change) = (None, None);
        Self { span, reason, message: message.into(), file, unsure: false, fresh: false, change }
    }
}

/// A reply whose blocks know their files, or why they have none: [`Block::error`].
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Reply {
    pub blocks: Vec<Block>,
    pub skipped: Vec<Skipped>,
    pub faults: Vec<Fault>,
    /// Possible edits, although the reply doesn't say that they are.
    pub notices: Vec<Fault>,
    pub envelope: bool,
    /// It contains an operation outside the dialects of formats.
    pub free: bool,
}

pub use blocks::may_show;
pub use incremental::read as read_source;

/// Parses a whole reply. Spans are bytes of `text`.
pub fn read(text: &str, grammars: &[&dyn Grammar]) -> Draft {
    container::read(text, grammars)
        .or_else(|| wrapper::unwrapped(text, grammars))
        .unwrap_or_else(|| markdown::scan(text, grammars))
        .sorted()
}

impl Draft {
    fn sorted(mut self) -> Self {
        let draft = &mut self;
        draft.steps.sort_by_key(|step| step.block.span.start);
        draft.faults.sort_by_key(|fault| fault.span.start);
        draft.notices.sort_by_key(|notice| notice.span.start);
        draft.skipped.sort_by_key(|skipped| skipped.span.start);
        self
    }

    fn fault(&mut self, span: Span, reason: Reason, message: impl Into<String>) {
        self.faults.push(Fault::new(span, reason, message));
    }

    fn skip(&mut self, span: Span, why: Why) {
        if !span.is_empty() {
            self.skipped.push(Skipped { span, why });
        }
    }

    /// Whether one of the last steps and faults may be about text that goes on.
    fn ends_open(&self, steps: usize, faults: usize) -> bool {
        let open =
            |reason: Reason| matches!(reason, Reason::MissingDivider | Reason::UnterminatedBlock);
        self.steps.iter().skip(steps).any(|step| step.block.error.is_some_and(open))
            || self.faults.iter().skip(faults).any(|fault| open(fault.reason))
    }

    /// Adds a block that names its own file.
    fn block(&mut self, block: Block) {
        self.steps.push(Step::new(block, Names::default()));
    }

    /// Withdraws everything read so far.
    fn retract(&mut self, why: Why) {
        self.retracted = Some(why);
        self.declined = None;
        self.notices.clear();
        let spans = self
            .steps
            .drain(..)
            .map(|step| step.block.span)
            .chain(self.faults.drain(..).map(|fault| fault.span));
        self.skipped
            .extend(spans.filter(|span| !span.is_empty()).map(|span| Skipped { span, why }));
    }

    /// The draft with the operations that the user declined, if there are any.
    pub fn with_declined(&self) -> Option<Self> {
        let declined = self.declined.as_deref()?.clone();
        let mut draft = Self { declined: None, ..self.clone() };
        draft.faults.retain(|fault| fault.reason != Reason::Declined);
        draft.extend(declined);
        Some(draft.sorted())
    }

    fn extend(&mut self, other: Self) {
        if let Some(declined) = other.declined {
            self.declined.get_or_insert_default().extend(*declined);
        }
        self.steps.extend(other.steps);
        self.skipped.extend(other.skipped);
        self.faults.extend(other.faults);
        self.notices.extend(other.notices);
    }

    /// The same draft with every span mapped.
    fn placed(mut self, place: &dyn Fn(&Span) -> Span) -> Self {
        for step in &mut self.steps {
            step.block.span = place(&step.block.span);
            if let Some(path) = &mut step.block.path {
                path.span = place(&path.span);
            }
            step.names.mentions.iter_mut().for_each(|mention| mention.span = place(&mention.span));
            let others = step.names.rivals.iter_mut().chain(&mut step.names.guesses);
            others.for_each(|other| other.span = place(&other.span));
        }
        self.skipped.iter_mut().for_each(|skipped| skipped.span = place(&skipped.span));
        let faults = self.faults.iter_mut().chain(&mut self.notices);
        faults.for_each(|fault| fault.span = place(&fault.span));
        self.declined = self.declined.map(|declined| Box::new(declined.placed(place)));
        self
    }

    /// Decides which file each block is about. `exists` returns whether a path, as written, names a
    /// file.
    pub fn resolve(&self, exists: &dyn Fn(&str) -> bool) -> Reply {
        let (envelope, free) = (self.envelope, self.free);
        let (mut steps, mut skipped, mut faults) =
            (self.steps.clone(), self.skipped.clone(), self.faults.clone());
        // Many blocks name the same file.
        let known: RefCell<HashMap<String, bool>> = RefCell::default();
        let exists = &|written: &str| {
            if let Some(known) = known.borrow().get(written) {
                return *known;
            }
            let found = exists(written);
            known.borrow_mut().insert(written.to_owned(), found);
            found
        };
        naming::take_guesses(&mut steps, exists);
        let mut notices = self.notices.clone();
        let samples = steps.extract_if(.., |step| naming::is_sample(step, exists));
        skipped.extend(samples.map(|step| Skipped { span: step.block.span, why: Why::Example }));
        let facts: Vec<(bool, bool)> =
            steps.iter().map(|step| (step.names.offered, step.names.shown)).collect();
        let resolved = facts.into_iter().zip(naming::resolve(steps, exists));
        let (offered, blocks): (Vec<bool>, Vec<Block>) = resolved
            .filter_map(|((offered, shown), block)| {
                let known = || block.path.as_ref().is_some_and(|path| exists(&path.text));
                if shown && !known() {
                    skipped.push(Skipped { span: block.span, why: Why::Example });
                    return None;
                }
                Some((offered, block))
            })
            .unzip();
        skipped.sort_by_key(|skipped| skipped.span.start);
        // An edit described in prose counts if its effect is clear, or if the rest of the reply
        // changes something. A command that writes elsewhere doesn't count.
        faults.retain(|fault| {
            if fault.unsure {
                let counts = |file| exists(file) || !blocks.is_empty() && shape::is_source(file);
                return fault.file.as_deref().is_some_and(counts);
            }
            if fault.fresh && fault.file.as_deref().is_some_and(exists) {
                return false;
            }
            if fault.reason == Reason::CommandNotRun {
                return fault.file.as_deref().is_none_or(exists);
            }
            let told = fault.reason.is_told()
                || fault.reason == Reason::MissingPath && fault.file.is_some();
            !told || !blocks.is_empty() || fault.file.as_deref().is_some_and(exists)
        });
        if faults.iter().chain(&notices).any(|fault| fault.change.is_some()) {
            let made = restated::Made::new(&blocks);
            let counts = |fault: &Fault| fault.change.as_ref().is_none_or(|it| !made.contains(it));
            faults.retain(counts);
            notices.retain(counts);
        }
        // A sentence announces a new file that other blocks of the reply write.
        let paths = |edits: bool| {
            let counts = move |block: &&Block| edits || block.operation != Operation::Edit;
            blocks.iter().filter(counts).filter_map(|block| Some(&*block.path.as_ref()?.text))
        };
        if !notices.is_empty() || faults.iter().any(|fault| fault.reason == Reason::MissingPath) {
            let all = target::Written::new(paths(true));
            let whole = target::Written::new(paths(false));
            faults.retain(|fault| {
                fault.reason != Reason::MissingPath
                    || fault.file.as_deref().is_none_or(|file| {
                        let written = if exists(file) { &whole } else { &all };
                        !written.contains(file)
                    })
            });
            // What is refused isn't noticed, too.
            let refused: HashSet<usize> = faults.iter().map(|fault| fault.span.start).collect();
            notices.retain(|notice| {
                let known = |file: &str| notice.fresh && exists(file) || all.contains(file);
                !notice.file.as_deref().is_some_and(known) && !refused.contains(&notice.span.start)
            });
        }
        let mut reply = Reply { blocks, skipped, faults, notices, envelope, free };
        reply.blocks.iter_mut().for_each(|block| numbered::unnumber(block, exists));
        reply.refuse_versions(&offered);
        reply
    }
}

impl Reply {
    /// The reply contains no edit.
    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty() && self.faults.is_empty()
    }

    /// Several fences with different contents for one file are versions of it, and it's unclear
    /// which one to use. So are edits of the same text, if the reply offers the later one instead.
    fn refuse_versions(&mut self, offered: &[bool]) {
        let mut sought: HashMap<(&str, &str), usize> = HashMap::new();
        let mut again: Vec<usize> = Vec::new();
        for (index, block) in self.blocks.iter().enumerate() {
            let (Some(path), Some(split)) = (&block.path, block.splits.first()) else { continue };
            if block.operation != Operation::Edit || split.search.trim().is_empty() {
                continue;
            }
            let first = *sought.entry((&path.text, &split.search)).or_insert(index);
            let other = self.blocks.get(first).is_some_and(|other| other.splits != block.splits);
            if other && offered.get(index) == Some(&true) {
                again.extend([first, index]);
            }
        }
        let mut texts: HashMap<String, usize> = HashMap::new();
        let mut twice: Vec<usize> = again;
        for (index, block) in self.blocks.iter().enumerate() {
            let (Operation::Listing { .. }, Some(path)) = (&block.operation, &block.path) else {
                continue;
            };
            let first = *texts.entry(path.text.clone()).or_insert(index);
            if self.blocks.get(first).is_some_and(|other| other.splits != block.splits) {
                twice.extend([first, index]);
            }
        }
        // If some elements write a file and others delete it, tools disagree about the order.
        let mut elements: HashMap<&str, [Vec<usize>; 2]> = HashMap::new();
        for (index, block) in self.blocks.iter().enumerate() {
            let kind = match block.operation {
                Operation::Write => 0,
                Operation::Delete => 1,
                _ => continue,
            };
            let path = block.path.as_ref().filter(|_| block.dialect == crate::edit::Dialect::Xml);
            let known = path.map(|path| elements.entry(&path.text).or_default());
            known.and_then(|known| known.get_mut(kind)).into_iter().for_each(|of| of.push(index));
        }
        let both = elements.into_values().filter(|known| known.iter().all(|of| !of.is_empty()));
        twice.extend(both.flatten().flatten());
        for index in twice {
            if let Some(block) = self.blocks.get_mut(index).filter(|block| block.error.is_none()) {
                block.error = Some(Reason::SeveralVersions);
            }
        }
    }
}
