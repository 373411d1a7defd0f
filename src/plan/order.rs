//! A request to apply a reply: the blocks, the target and the terms. It comes from an editor action
//! or from the command line.

use std::path::{Path, PathBuf};

use super::Planner;
use super::choice::{Choice, Goal};
use super::doubt::{Consent, Kind};
use crate::world::World;

/// A request to apply the edits of a document.
#[derive(Debug, Clone, Default)]
pub struct Order<'a> {
    /// The target of the blocks; `None`: the files of the workspace.
    pub goal: Option<Goal>,
    /// The blocks that the author chose. `None`: all of them, and an unreadable edit stops the
    /// rest.
    pub choices: Option<&'a [Choice]>,
    /// In an LLMD document, the number of the entry; `None`: the last one.
    pub entry: Option<u64>,
    /// The folder that paths are relative to; `None`: the workspace folder.
    pub root: Option<&'a Path>,
    pub terms: Terms,
}

/// What a request allows.
#[derive(Debug, Clone, Default)]
pub struct Terms {
    /// A block that creates a file may replace one with other content.
    pub overwrites: bool,
    /// Reverses the blocks.
    pub backwards: bool,
    /// Nothing can be confirmed: changes that need consent are refused.
    pub unattended: bool,
    pub consent: Consent,
}

impl<'a> Order<'a> {
    /// An author's choice, made in an editor.
    pub fn of(choices: &'a [Choice], goal: Goal) -> Self {
        let consent = choices
            .iter()
            .any(|choice| choice.is_confirmed())
            .then_some(Kind::Fuzzy)
            .into_iter()
            .collect();
        Self {
            goal: Some(goal),
            choices: Some(choices),
            terms: Terms { consent, ..Terms::default() },
            ..Self::default()
        }
    }

    pub fn goal(&self) -> Goal {
        self.goal.unwrap_or(Goal::Workspace)
    }

    /// The folder that paths are relative to.
    pub fn root(&self, usual: Option<PathBuf>) -> Option<PathBuf> {
        self.root.map(Path::to_owned).or(usual)
    }

    /// The choice for a block, if it should be applied.
    pub fn choice(&self, number: u64) -> Option<Choice> {
        match self.choices {
            None => Some(Choice::found(number)),
            Some(choices) => choices.iter().rev().find(|choice| choice.number == number).copied(),
        }
    }

    /// Whether a likely match may be used.
    pub fn is_confirmed(&self) -> bool {
        self.terms.consent.covers(Kind::Fuzzy)
    }

    /// A plan on these terms for the files below `root`.
    pub fn planner<'w>(&self, world: &'w dyn World, root: &'w Path) -> Planner<'w> {
        let Terms { overwrites, backwards, unattended, consent } = &self.terms;
        let planner = Planner::new(world, root)
            .keeping_files(!overwrites)
            .allowing(consent.clone())
            .backwards(*backwards);
        if *unattended { planner.unattended() } else { planner }
    }
}
