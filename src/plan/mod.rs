//! The effect of a reply on files: which file a path may mean, and its contents before and after.
//! Nothing here writes. An editor or the command line does, all of a plan or nothing.

pub mod choice;
pub mod diff;
pub mod doubt;
pub mod gate;
mod names;
pub mod nearby;
pub mod order;
pub mod path;
mod planner;
pub mod standing;

pub use names::is_device;
pub use planner::{Operation, Planner, describe, why};

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::edit::{self, Tier, nearest::Nearest};
use doubt::{Ask, Doubt};

/// The result of applying some blocks of a reply.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Plan {
    /// Each file once, in order of first mention.
    pub changes: Vec<FileChange>,
    /// The blocks that the plan includes.
    pub applied: Vec<Applied>,
    pub refusals: Vec<Refusal>,
    /// Parts of the reply that may be meant, and aren't applied.
    pub notices: Vec<Notice>,
    /// The line of the reply, counted from 1, where each block begins.
    pub lines: BTreeMap<u64, u32>,
}

/// A part of a reply that may be meant as a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// Counted from 1.
    pub line: u32,
    pub file: Option<String>,
    /// One clause, without a full stop.
    pub message: String,
}

/// A file before and after; `None` if it doesn't exist.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileChange {
    pub path: PathBuf,
    /// The path as written in the reply.
    pub name: String,
    pub before: Option<String>,
    pub after: Option<String>,
    /// The change loses text that the reply doesn't mention: it needs consent.
    pub risky: bool,
    /// Other doubts that the author hasn't accepted yet.
    pub doubts: Vec<Doubt>,
    pub executable: bool,
    /// The file's earlier path: owner, permissions and attributes are copied from it.
    pub like: Option<PathBuf>,
    /// The blocks that change the file.
    pub blocks: Vec<u64>,
}

impl FileChange {
    /// A change without any facts about the file.
    pub fn new(path: PathBuf, name: &str, before: Option<&str>, after: Option<&str>) -> Self {
        let (name, before, after) =
            (name.to_owned(), before.map(str::to_owned), after.map(str::to_owned));
        Self {
            path,
            name,
            before,
            after,
            risky: false,
            doubts: Vec::new(),
            executable: false,
            like: None,
            blocks: Vec::new(),
        }
    }
}

impl FileChange {
    /// The file on disk whose attributes the new file gets.
    fn origin(&self) -> Option<PathBuf> {
        if self.before.is_some() { Some(self.path.clone()) } else { self.like.clone() }
    }
}

/// A block that the plan includes.
#[derive(Debug, Clone, PartialEq)]
pub struct Applied {
    pub block: u64,
    pub file: String,
    pub strategy: Strategy,
    /// Where it was applied, counted from 0.
    pub line: usize,
    /// The share of the SEARCH text that exists, from 0 to 1.
    pub similarity: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strategy {
    Create,
    /// The block was to create the file, and replaces other content.
    Overwrite,
    /// The whole content is replaced.
    Replace,
    Delete,
    /// Some lines were found at this tier and replaced.
    Edit(Tier),
    /// The file is renamed.
    Move,
    /// The file already has the block's result.
    AlreadyApplied,
    /// The old and the new text are the same.
    NoOp,
}

impl Strategy {
    pub fn name(self) -> &'static str {
        match self {
            Self::Create => "create",
            Self::Overwrite => "overwrite",
            Self::Replace => "replace",
            Self::Delete => "delete",
            Self::Edit(tier) => tier.name(),
            Self::Move => "move",
            Self::AlreadyApplied => "already_applied",
            Self::NoOp => "no_op",
        }
    }
}

/// A block that isn't applied.
#[derive(Debug, Clone, PartialEq)]
pub struct Refusal {
    pub block: u64,
    pub file: Option<String>,
    pub reason: Reason,
    /// One clause, without a full stop.
    pub message: String,
    /// The lines, counted from 0, where an edit could go.
    pub candidates: Vec<usize>,
    /// The closest match to the SEARCH text.
    pub nearest: Option<Nearest>,
    /// The consent to ask for, if nothing else is missing.
    pub ask: Option<Box<Ask>>,
    /// The line of the reply, counted from 1, if it differs from the block's.
    pub line: Option<u32>,
}

impl Refusal {
    pub fn new(block: u64, file: Option<&str>, reason: Reason, message: impl Into<String>) -> Self {
        Self {
            block,
            file: file.map(str::to_owned),
            reason,
            message: message.into(),
            candidates: Vec::new(),
            nearest: None,
            ask: None,
            line: None,
        }
    }

    /// The refusal of an edit.
    fn of_edit(block: u64, file: &str, refused: &edit::batch::Refused) -> Self {
        let (reason, message) = (Reason::from(refused.reason), describe(refused, file));
        let (candidates, nearest) = (refused.candidates.clone(), refused.nearest.clone());
        Self { candidates, nearest, ..Self::new(block, Some(file), reason, message) }
    }
}

/// Why a block isn't applied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    MissingPath,
    PathOutsideRoot,
    PathForbidden,
    FileMissing,
    FileExists,
    NotAFile,
    Unreadable,
    MissingContent,
    UnterminatedBlock,
    Ambiguous,
    NotAFileAction,
    ReadOnly,
    StaleVersion,
    NotWritten,
    BinaryOrEncoding,
    CaseTwin,
    NotReversible,
    HardLink,
    NeedsConfirmation,
    /// The edit can't be made.
    Edit(edit::Reason),
}

/// Every reason, for lists.
pub fn reasons() -> Vec<Reason> {
    let own = OWN.into_iter();
    let edits = edit::Reason::ALL
        .into_iter()
        .map(Reason::from)
        .filter(|reason| matches!(reason, Reason::Edit(_)));
    own.chain(edits).collect()
}

const OWN: [Reason; 19] = [
    Reason::MissingPath,
    Reason::PathOutsideRoot,
    Reason::PathForbidden,
    Reason::FileMissing,
    Reason::FileExists,
    Reason::NotAFile,
    Reason::Unreadable,
    Reason::MissingContent,
    Reason::UnterminatedBlock,
    Reason::Ambiguous,
    Reason::NotAFileAction,
    Reason::ReadOnly,
    Reason::StaleVersion,
    Reason::NotWritten,
    Reason::BinaryOrEncoding,
    Reason::CaseTwin,
    Reason::NotReversible,
    Reason::HardLink,
    Reason::NeedsConfirmation,
];

impl Reason {
    pub fn name(self) -> &'static str {
        match self {
            Self::MissingPath => "missing_path",
            Self::PathOutsideRoot => "path_outside_root",
            Self::PathForbidden => "path_forbidden",
            Self::FileMissing => "file_missing",
            Self::FileExists => "file_exists",
            Self::NotAFile => "not_a_file",
            Self::Unreadable => "unreadable",
            Self::MissingContent => "missing_content",
            Self::UnterminatedBlock => "unterminated_block",
            Self::Ambiguous => "ambiguous",
            Self::NotAFileAction => "not_a_file_action",
            Self::ReadOnly => "read_only",
            Self::StaleVersion => "stale_version",
            Self::NotWritten => "not_written",
            Self::BinaryOrEncoding => "binary_or_encoding",
            Self::CaseTwin => "case_twin",
            Self::NotReversible => "not_reversible",
            Self::HardLink => "hard_link",
            Self::NeedsConfirmation => "needs_confirmation",
            Self::Edit(reason) => reason.name(),
        }
    }

    /// The cause and the remedy, in one clause.
    pub fn message(self) -> &'static str {
        match self {
            Self::MissingPath => edit::Reason::MissingPath.message(),
            Self::PathOutsideRoot => {
                "the path is absolute, contains `..`, or leaves the folder through a link; write \
                 it relative to the workspace"
            }
            Self::PathForbidden => "the path leads into `.git`, or isn't valid on every system",
            Self::FileMissing => edit::Reason::FileMissing.message(),
            Self::FileExists => {
                "the file to create already exists with other content; `--overwrite` replaces it"
            }
            Self::NotAFile => "the path is a folder, or goes through a file",
            Self::Unreadable => "the file can't be read",
            Self::MissingContent => "the block has no content to write",
            Self::UnterminatedBlock => "the content has no end marker and may have been cut off",
            Self::Ambiguous => "the block contradicts itself",
            Self::NotAFileAction => {
                "the action doesn't create, edit or delete a file, and is never executed"
            }
            Self::ReadOnly => "the file or its folder is read-only",
            Self::StaleVersion => {
                "the file was changed after it was read, so nothing was written; run the command \
                 again"
            }
            Self::NotWritten => {
                "the file can't be written, because the disk is full or the system refuses; \
                 nothing was written"
            }
            Self::BinaryOrEncoding => "the file isn't UTF-8",
            Self::NotReversible => {
                "`--reverse` can't revert the block, which doesn't contain the previous content"
            }
            Self::CaseTwin => {
                "the new file's name would differ from an existing one only in case, and some \
                 systems treat both as one file"
            }
            Self::HardLink => {
                "the file has other hard links, which a write would change or break; replace it by \
                 a copy first"
            }
            Self::NeedsConfirmation => {
                "the place is only likely (`fuzzy`), or the file is executable (`program`), ignored \
                 by git (`ignored`), may contain secrets (`secret`), or runs by itself in CI, on a \
                 commit or on an install (`ci`); apply it with `--allow KIND`, or accept every kind \
                 with `--yes`"
            }
            Self::Edit(reason) => reason.message(),
        }
    }

    /// The same as a sentence.
    pub fn documentation(self) -> String {
        let mut letters = self.message().chars();
        let first = letters.next().into_iter().flat_map(char::to_uppercase);
        first.chain(letters).chain(['.']).collect()
    }
}

impl From<edit::Reason> for Reason {
    fn from(reason: edit::Reason) -> Self {
        match reason {
            edit::Reason::MissingPath => Self::MissingPath,
            edit::Reason::FileMissing => Self::FileMissing,
            edit::Reason::FileExists => Self::FileExists,
            edit::Reason::UnterminatedBlock => Self::UnterminatedBlock,
            edit::Reason::Ambiguous => Self::Ambiguous,
            edit::Reason::NeedsConfirmation => Self::NeedsConfirmation,
            other => Self::Edit(other),
        }
    }
}
