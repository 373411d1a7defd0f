//! What is to be applied, to what, and on which terms: an author's click, or a run of the command
//! line.

use std::path::{Path, PathBuf};

use super::Planner;
use super::choice::{Choice, Goal};
use super::doubt::{Consent, Kind};
use crate::world::World;

/// An order to apply what a document asks for.
#[derive(Debug, Clone, Default)]
pub struct Order<'a> {
    /// What the blocks are applied to; `None`: the files of the workspace.
    pub goal: Option<Goal>,
    /// The blocks that an author chose. `None`: everything, so that what cannot be read stops the
    /// rest.
    pub choices: Option<&'a [Choice]>,
    /// Of an LLMD document, the number of the entry; `None`: the last one.
    pub entry: Option<u64>,
    /// The folder that paths are relative to; `None`: that of the workspace.
    pub root: Option<&'a Path>,
    pub terms: Terms,
}

/// What an order allows.
#[derive(Debug, Clone, Default)]
pub struct Terms {
    /// A block that creates a file may replace one that has other content.
    pub overwrites: bool,
    /// What the blocks did is taken back.
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

    /// Whether the likely place of a block may be taken.
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
