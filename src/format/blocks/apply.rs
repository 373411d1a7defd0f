//! How the blocks of a reply match their files, and how applying them changes files.

use std::collections::HashSet;
use std::path::Path;

use crate::edit::{self, Block, Operation, Request};
use crate::format::Context;
use crate::plan::choice::Choice;
use crate::plan::doubt::{Ask, Doubt, Kind};
use crate::plan::nearby::{names, nearby};
use crate::plan::order::Order;
use crate::plan::standing::{self, Numbered, Standing};
use crate::plan::{FileChange, Notice, Plan, Planner, Reason, Refusal, Strategy, path};
use crate::reply::{Draft, Fault, Reply};
use crate::text::Encoding;
use crate::world::World;

/// The limit of what is only noticed.
const MOST_NOTICES: usize = 100;

fn numbered(blocks: &[Block]) -> impl Iterator<Item = Numbered<'_>> {
    (1..).zip(blocks).map(|(number, block)| Numbered { number, block, entry: None })
}

/// How each block relates to the files of the workspace.
pub fn standings(blocks: &[Block], cx: &Context) -> Vec<Standing> {
    let Some(root) = cx.root() else { return Vec::new() };
    standing::standings(
        cx.world,
        &root,
        &numbered(blocks).collect::<Vec<_>>(),
        Request::default(),
        cx.cancelled,
    )
}

/// A reply whose blocks are resolved to files of the workspace, as far as possible.
pub fn resolve(draft: &Draft, world: &dyn World, root: &Path) -> Reply {
    let mut reply = draft.resolve(&|written| path::is_file(world, root, written));
    // A sentence often mentions a file without its folder.
    let bare = |fault: &Fault| {
        fault.file.as_deref().is_some_and(|file| fault.fresh && !file.contains(['/', '\\']))
    };
    if reply.faults.iter().chain(&reply.notices).any(bare) {
        let names = names(world, root);
        let known = |fault: &Fault| fault.file.as_ref().is_some_and(|file| names.contains(file));
        reply.faults.retain(|fault| !bare(fault) || !known(fault));
        reply.notices.retain(|notice| !bare(notice) || !known(notice));
    }
    reply.notices.truncate(MOST_NOTICES);
    reply
}

/// The changes that an order makes to files; `None` if a reply asks for nothing.
pub fn apply(draft: &Draft, cx: &Context, order: &Order) -> Option<Plan> {
    let root = order.root(cx.root())?;
    let whole = if order.choices.is_none() { draft.with_declined() } else { None };
    let reply = resolve(whole.as_ref().unwrap_or(draft), cx.world, &root);
    if reply.is_empty() {
        return None;
    }
    let line = |offset: usize| cx.source.position(offset, Encoding::Utf8).line + 1;
    let lines: Vec<(u64, u32)> = numbered(&reply.blocks)
        .map(|numbered| (numbered.number, line(numbered.block.span.start)))
        .collect();
    let mut planner = order.planner(cx.world, &root).at_lines(lines);
    // If everything is applied, report every fault.
    for fault in reply.faults.iter().filter(|_| order.choices.is_none()) {
        planner.refuse_line(
            line(fault.span.start),
            fault.file.as_deref(),
            fault.reason.into(),
            fault.message.as_str(),
        );
    }
    for notice in reply.notices.iter().filter(|_| order.choices.is_none()) {
        let line = line(notice.span.start);
        planner.notice(Notice { line, file: notice.file.clone(), message: notice.message.clone() });
    }
    // Blocks that move the same file to the same name are applied together.
    let moves = |block: &Block| {
        let name = block.path.as_ref().map(|path| path.text.clone());
        matches!(block.operation, Operation::Move(_)).then(|| (name, block.operation.clone()))
    };
    let chosen = |numbered: &Numbered| order.choice(numbered.number);
    let moved: HashSet<_> = numbered(&reply.blocks)
        .filter(|block| chosen(block).is_some())
        .filter_map(|numbered| moves(numbered.block))
        .collect();
    let along = |numbered: &Numbered| {
        let goes =
            !moved.is_empty() && moves(numbered.block).is_some_and(|own| moved.contains(&own));
        goes.then(|| Choice::found(numbered.number))
    };
    let chosen = numbered(&reply.blocks).filter_map(|numbered| {
        Some((chosen(&numbered).or_else(|| along(&numbered))?, numbered.block))
    });
    let mut plan = of_blocks(chosen, planner);
    if order.choices.is_none() {
        offer_files(&mut plan, cx.world, &root);
    }
    // What is declined may be reversed.
    let agreed = order.terms.backwards || order.terms.consent.covers(Kind::Declined);
    let mut declined = draft.faults.iter().filter(|fault| fault.reason == edit::Reason::Declined);
    if let Some(fault) = declined.next().filter(|_| whole.is_some() && !agreed) {
        decline(&mut plan, fault, line(fault.span.start));
    }
    Some(plan)
}

/// Takes all changes out of a plan because the user declined them, and shows them.
fn decline(plan: &mut Plan, fault: &Fault, line: u32) {
    let diff: String = std::mem::take(&mut plan.changes).iter().map(FileChange::diff).collect();
    plan.applied
        .retain(|applied| matches!(applied.strategy, Strategy::AlreadyApplied | Strategy::NoOp));
    let ask = Ask { doubts: vec![Doubt::DECLINED], diff };
    let refusal = Refusal {
        ask: (!ask.diff.is_empty()).then(|| Box::new(ask)),
        line: Some(line),
        ..Refusal::new(0, None, fault.reason.into(), fault.message.as_str())
    };
    plan.refusals.insert(0, refusal);
}

/// The changes that the chosen blocks make to files.
pub fn of_blocks<'a>(
    chosen: impl Iterator<Item = (Choice, &'a Block)>,
    mut planner: Planner,
) -> Plan {
    let blocks: Vec<_> =
        chosen.map(|(choice, block)| (choice.number, choice.block(block))).collect();
    planner
        .take_blocks(&blocks.iter().map(|(number, block)| (*number, &**block)).collect::<Vec<_>>());
    planner.finish()
}

/// Suggests files that a path without a file may have meant; they are never used automatically.
fn offer_files(plan: &mut Plan, world: &dyn World, root: &Path) {
    for refusal in plan.refusals.iter_mut().filter(|refusal| refusal.reason == Reason::FileMissing)
    {
        // If the file exists, an earlier block deletes it.
        let missing = refusal.file.as_deref().filter(|file| !path::is_file(world, root, file));
        let files = missing.map(|file| nearby(world, root, file)).unwrap_or_default();
        let files: Vec<String> = files.iter().map(|file| format!("`{file}`")).collect();
        if let Some(file) = refusal.file.as_deref().filter(|_| !files.is_empty()) {
            refusal.message =
                format!("`{file}` doesn't exist; did you mean {}?", files.join(" or "));
        }
    }
}
