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
    /// Lines above the place, outermost first: `@@ class A`.
    pub anchors: Vec<String>,
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
    /// Whether the new text ends in a line break, where it ends the file; `None` leaves that to the file.
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
        let splits = self.splits.iter().map(|split| Split { search: split.replace.clone(), replace: split.search.clone(), ..*split });
        let operation = match &self.operation {
            Operation::Create => Operation::Delete,
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
            anchors: Vec::new(),
            error: None,
            warnings: Vec::new(),
        }
    }
}
