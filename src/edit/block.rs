//! An edit block as a value, whatever it was written in.

use super::reason::{Reason, Warning};
use crate::text::Span;

/// One edit of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    pub dialect: Dialect,
    /// In the text that it was read from.
    pub span: Span,
    pub path: Option<Path>,
    pub operation: Operation,
    pub subject: Subject,
    /// Every way in which the block can be divided, the likeliest first. Never empty.
    pub splits: Vec<Split>,
    /// The line, counted from 1, at which the SEARCH text is said to begin.
    pub hint: Option<usize>,
    /// Every occurrence is meant: `replace_all`.
    pub all: bool,
    /// How many occurrences are announced, where the block says so: `expected_replacements`.
    pub count: Option<usize>,
    /// Lines above the place, outermost first: `@@ class A`.
    pub anchors: Vec<String>,
    /// The files that it could be about, where there are several and nothing decides.
    pub candidates: Vec<String>,
    /// Why it cannot be applied, whatever the target.
    pub error: Option<Reason>,
    pub warnings: Vec<Warning>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// `SEARCH`/`REPLACE`, `ORIGINAL`/`UPDATED` and their like.
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
    /// Elements that hold a file, or say what becomes of one.
    Xml,
    /// A fence under the name of a file.
    WholeFile,
    /// `@ file starting_line=2 ending_line=4`
    Mentat,
    /// `11#KT`, with the anchors of the block in [`Block::anchors`].
    Hashline,
    /// `[ACTION_0_TYPE] create_file`
    Duckflow,
}

impl Dialect {
    /// As it stands in JSON.
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
    /// The mission of the document that it stands in.
    Mission,
    /// A new item of that document's changelog: the new text of its only split.
    Changelog,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Operation {
    Edit,
    /// The file must not be there yet.
    Create,
    /// The file becomes this text, whether it exists or not: a tool that writes says so.
    Write,
    /// A file that exists becomes this text.
    Replace,
    /// A listing of a file: all of a new one. Of a file that exists it may be an excerpt, unless
    /// the reply calls it `whole`.
    Listing {
        whole: bool,
    },
    /// Code with gaps, which stand for lines that stay.
    Lazy,
    /// These lines, counted from 0, of the file as it is, become the text.
    Lines(Span),
    Delete,
    /// An edit, and another name.
    Move(String),
}

/// The file that a block names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Path {
    pub text: String,
    /// Where it is written; of an inherited one in an earlier block.
    pub span: Span,
    pub inherited: bool,
}

/// Old and new text, each of whole lines.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Split {
    pub search: String,
    pub replace: String,
    /// The SEARCH text ends where the file does.
    pub at_end: bool,
    /// Whether the new text ends in a line break, where it ends the file; `None` leaves that to the
    /// file.
    pub final_break: Option<bool>,
}

impl Split {
    pub fn new(search: impl Into<String>, replace: impl Into<String>) -> Self {
        Self { search: search.into(), replace: replace.into(), at_end: false, final_break: None }
    }
}

impl Block {
    /// The same block in a text that has `by` bytes before this one.
    #[must_use]
    pub fn shifted(mut self, by: usize) -> Self {
        let shift = |span: &Span| span.start + by..span.end + by;
        self.span = shift(&self.span);
        if let Some(path) = &mut self.path {
            path.span = shift(&path.span);
        }
        self
    }

    /// The block that takes back what this one does.
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

    /// A block that was not written in any text.
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

    /// Puts the paths of a block into a folder, in which its command would have run.
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
