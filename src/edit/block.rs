//! An edit block as a value, independent of its dialect.

use super::reason::{Reason, Warning};
use crate::text::Span;

/// The line of text that goes to the end of a file.
pub const LAST_LINE: usize = usize::MAX >> 1;

/// One edit of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    pub dialect: Dialect,
    /// In the text that contains the block.
    pub span: Span,
    pub path: Option<Path>,
    pub operation: Operation,
    pub subject: Subject,
    /// Every way to split the block, the most likely first. Never empty.
    pub splits: Vec<Split>,
    /// The line, counted from 1, where the SEARCH text starts according to the block.
    pub hint: Option<usize>,
    /// Applies to every occurrence: `replace_all`.
    pub all: bool,
    /// The expected number of occurrences: `expected_replacements`.
    pub count: Option<usize>,
    /// Lines above the place, outermost first: `@@ class A`.
    pub anchors: Vec<String>,
    /// The possible files, if the target is ambiguous.
    pub candidates: Vec<String>,
    /// Why the block can't be applied to any target.
    pub error: Option<Reason>,
    pub warnings: Vec<Warning>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// `SEARCH`/`REPLACE`, `ORIGINAL`/`UPDATED` and similar words.
    SearchReplace,
    /// `<<<<` and `>>>>` without names: the head's side is the old text.
    Conflict,
    /// `--- a/file`, `+++ b/file`, `@@`.
    UnifiedDiff,
    /// `*** Begin Patch`.
    ApplyPatch,
    /// `old_string` and `new_string`.
    Strings,
    /// `<old_text>` and `<new_text>`.
    Tags,
    /// Elements that contain a file or describe an operation on one.
    Xml,
    /// A fence after the name of a file.
    WholeFile,
    /// `@ file starting_line=2 ending_line=4`
    Mentat,
    /// `11#KT`, with the anchors of the block in [`Block::anchors`].
    Hashline,
    /// `[ACTION_0_TYPE] create_file`
    Duckflow,
}

impl Dialect {
    /// The name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::SearchReplace | Self::Conflict => "search-replace",
            Self::UnifiedDiff => "unified",
            Self::ApplyPatch => "apply-patch",
            Self::Strings => "json",
            Self::Tags | Self::Xml => "xml",
            Self::WholeFile => "whole-file",
            Self::Mentat => "mentat",
            Self::Hashline => "hashline",
            Self::Duckflow => "duckflow",
        }
    }
}

/// What a block changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Subject {
    File,
    /// The mission of the document that contains the block.
    Mission,
    /// A new item of that document's changelog: the REPLACE text of its only split.
    Changelog,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Operation {
    Edit,
    /// The file must not exist yet.
    Create,
    /// Writes the whole file, whether it exists or not.
    Write,
    /// Replaces the contents of an existing file.
    Replace,
    /// A listing of a file: the whole of a new file. Of an existing file it may be an excerpt.
    Listing {
        extent: Extent,
    },
    /// Code with gaps for lines that stay.
    Lazy,
    /// Replaces these lines of the original file, counted from 0.
    Lines(Span),
    Delete,
    /// An edit and a new name.
    Move(String),
}

/// What a reply calls a listing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Extent {
    /// All of the file.
    Whole,
    /// A part of it.
    Part,
    Unsaid,
}

/// The file that a block names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Path {
    pub text: String,
    /// Where it is written; if inherited, in an earlier block.
    pub span: Span,
    pub inherited: bool,
}

/// SEARCH and REPLACE text, in whole lines.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Split {
    pub search: String,
    pub replace: String,
    /// The SEARCH text ends at the end of the file.
    pub at_end: bool,
    /// Whether REPLACE text at the end of the file ends with a line break; `None` keeps what the
    /// file has.
    pub final_break: Option<bool>,
}

impl Split {
    pub fn new(search: impl Into<String>, replace: impl Into<String>) -> Self {
        Self { search: search.into(), replace: replace.into(), at_end: false, final_break: None }
    }
}

impl Block {
    /// The number of lines of the most likely SEARCH text; at least one.
    pub fn searched_lines(&self) -> usize {
        self.splits.first().map_or(1, |split| split.search.lines().count()).max(1)
    }

    /// The lines that a patch names above its place. The section of a diff only decides between
    /// several places.
    pub fn lines_above(&self) -> &[String] {
        if self.dialect == Dialect::UnifiedDiff { &[] } else { &self.anchors }
    }

    /// The same block, `by` bytes later.
    #[must_use]
    pub fn shifted(mut self, by: usize) -> Self {
        let shift = |span: &Span| span.start + by..span.end + by;
        self.span = shift(&self.span);
        if let Some(path) = &mut self.path {
            path.span = shift(&path.span);
        }
        self
    }

    /// The block that reverses this one.
    #[must_use]
    pub fn reversed(&self) -> Self {
        let splits = self.splits.iter().map(|split| Split {
            search: split.replace.clone(),
            replace: split.search.clone(),
            ..*split
        });
        let operation = match &self.operation {
            Operation::Create
            | Operation::Write
            | Operation::Replace
            | Operation::Listing { .. } => Operation::Delete,
            Operation::Delete => Operation::Create,
            other => other.clone(),
        };
        Self { splits: splits.collect(), operation, ..self.clone() }
    }

    /// A block without a source text.
    pub fn of(dialect: Dialect, search: impl Into<String>, replace: impl Into<String>) -> Self {
        Self {
            dialect,
            span: 0..0,
            path: None,
            operation: Operation::Edit,
            subject: Subject::File,
            splits: vec![Split::new(search, replace)],
            hint: None,
            all: false,
            count: None,
            anchors: Vec::new(),
            candidates: Vec::new(),
            error: None,
            warnings: Vec::new(),
        }
    }

    /// Prefixes the block's paths with the folder where its command would have run.
    pub fn inside_folder(&mut self, folder: &str) {
        if folder.is_empty() {
            return;
        }
        if let Some(path) = &mut self.path {
            path.text = format!("{folder}/{}", path.text);
        }
        if let Operation::Move(to) = &mut self.operation {
            *to = format!("{folder}/{to}");
        }
    }
}
