//! How the blocks of a bare reply stand, and what becomes of files when they are applied.

use std::collections::{HashMap, HashSet};

use super::Reply;
use crate::edit::{Block, Operation, Request};
use crate::format::Context;
use crate::plan::choice::Choice;
use crate::plan::standing::{self, Numbered, Standing};
use crate::plan::{Plan, Planner};

fn numbered(blocks: &[Block]) -> impl Iterator<Item = Numbered<'_>> {
    (1..).zip(blocks).map(|(number, block)| Numbered { number, block, entry: None })
}

/// How every block stands to the files of the workspace.
pub(super) fn standings(reply: &Reply, cx: &Context) -> Vec<Standing> {
    let Some(root) = cx.root() else { return Vec::new() };
    let reply = reply.resolved(cx);
    standing::standings(cx.world, &root, &numbered(&reply.blocks).collect::<Vec<_>>(), Request::default(), cx.cancelled)
}

/// What becomes of files when blocks are applied as an author chose.
pub(super) fn apply(reply: &Reply, cx: &Context, choices: &[Choice]) -> Plan {
    let Some(root) = cx.root() else { return Plan::default() };
    let blocks = reply.resolved(cx).blocks;
    let mut choices: HashMap<u64, Choice> = choices.iter().map(|choice| (choice.number, *choice)).collect();
    // All that goes along with another name goes together.
    let moves = |block: &Block| {
        let name = block.path.as_ref().map(|path| path.text.clone());
        matches!(block.operation, Operation::Move(_)).then(|| (name, block.operation.clone()))
    };
    let moved: HashSet<_> =
        numbered(&blocks).filter(|numbered| choices.contains_key(&numbered.number)).filter_map(|numbered| moves(numbered.block)).collect();
    if !moved.is_empty() {
        let along = numbered(&blocks).filter(|numbered| moves(numbered.block).is_some_and(|own| moved.contains(&own)));
        for numbered in along {
            choices.entry(numbered.number).or_insert(Choice::found(numbered.number));
        }
    }
    let chosen = numbered(&blocks).filter_map(|numbered| Some((*choices.get(&numbered.number)?, numbered.block)));
    of_blocks(chosen, Planner::new(cx.world, &root))
}

/// What blocks make of files, as an author chose.
pub fn of_blocks<'a>(chosen: impl Iterator<Item = (Choice, &'a Block)>, planner: Planner) -> Plan {
    let chosen: Vec<(Choice, &Block)> = chosen.collect();
    let blocks: Vec<_> = chosen.iter().map(|(choice, block)| (choice.number, choice.block(block))).collect();
    let mut planner = planner.keeping_files(true).confirmed(chosen.iter().any(|(choice, _)| choice.is_confirmed()));
    planner.take_blocks(&blocks.iter().map(|(number, block)| (*number, &**block)).collect::<Vec<_>>());
    planner.finish()
}
