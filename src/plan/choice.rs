//! What an author chose to have applied, to what, and how.

use std::borrow::Cow;

use crate::edit::Block;

/// What blocks are applied to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Goal {
    /// The files of the workspace.
    Workspace,
    /// The parts of the document with blocks: Code Context, Mission, Changelog.
    Context,
}

impl Goal {
    pub fn name(self) -> &'static str {
        match self {
            Self::Workspace => "workspace",
            Self::Context => "context",
        }
    }

    pub fn named(name: &str) -> Option<Self> {
        [Self::Workspace, Self::Context].into_iter().find(|goal| goal.name() == name)
    }
}

/// A block, and where it is to go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choice {
    pub number: u64,
    pub way: Way,
}

/// How the place of a block is decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// By the block alone.
    Found,
    /// The place at this line, counted from 0.
    At(usize),
    /// All places.
    Everywhere,
    /// The place that is likely: an author has said so.
    Confirmed,
}

impl Choice {
    pub fn found(number: u64) -> Self {
        Self { number, way: Way::Found }
    }

    /// The block to locate.
    pub fn block(self, block: &Block) -> Cow<'_, Block> {
        match self.way {
            Way::Found | Way::Confirmed => Cow::Borrowed(block),
            Way::At(line) => Cow::Owned(Block { hint: Some(line + 1), ..block.clone() }),
            Way::Everywhere => Cow::Owned(Block { all: true, ..block.clone() }),
        }
    }

    pub fn is_confirmed(self) -> bool {
        self.way == Way::Confirmed
    }
}
