//! The blocks that an author chose to apply, where, and how.

use std::borrow::Cow;

use crate::edit::Block;

/// The target of the blocks.
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

/// A block and its target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choice {
    pub number: u64,
    pub way: Way,
}

/// How a block's place is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// From the block alone.
    Found,
    /// At this line, counted from 0.
    At(usize),
    /// Everywhere it matches.
    Everywhere,
    /// At the likely place, which the author confirmed.
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
