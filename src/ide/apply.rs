//! Applies a document's blocks to files: one by one, or all at once.

use std::collections::HashSet;

use crate::document::Document;
use crate::format::Context;
use crate::ide::blocks;
use crate::plan::choice::{Choice, Goal};
use crate::plan::order::Order;
use crate::plan::{FileChange, Plan, Strategy};
use crate::text::Span;

/// A change of files that the author can choose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Application {
    pub title: String,
    /// The blocks that it applies.
    pub blocks: Vec<u64>,
    /// Where it's offered: the block, or the whole document.
    pub span: Span,
    pub changes: Vec<FileChange>,
}

/// With more blocks than this, only those at the cursor are checked: each one requires a look at a
/// file.
const MOST: usize = 200;

/// The changes available at `span`. One that can't be made `together` with others is offered
/// separately.
pub fn applications(
    document: &Document,
    cx: &Context,
    span: &Span,
    together: &dyn Fn(&FileChange) -> bool,
) -> Vec<Application> {
    let model = document.model();
    let blocks = model.blocks(cx);
    let many = blocks.len() > MOST;
    let near = |place: &Span| place.start <= span.end && span.start <= place.end;
    let mut found = Vec::new();
    for (block, place) in blocks.iter().filter(|(_, place)| near(place)).take(MOST) {
        if (cx.cancelled)() {
            return Vec::new();
        }
        let plan = plan(document, cx, &[*block]);
        if let ([change], []) = (plan.changes.as_slice(), plan.refusals.as_slice()) {
            found.push(Application {
                title: title(change, &plan),
                blocks: vec![*block],
                span: place.clone(),
                changes: plan.changes.clone(),
            });
        }
    }
    if !many && let Some(all) = all(document, cx, &blocks, together) {
        found.insert(0, all);
    }
    found
}

/// All blocks that can be applied together, if there are two or more.
fn all(
    document: &Document,
    cx: &Context,
    blocks: &[(u64, Span)],
    together: &dyn Fn(&FileChange) -> bool,
) -> Option<Application> {
    if blocks.len() < 2 {
        return None;
    }
    let numbers: Vec<u64> = blocks.iter().map(|(block, _)| *block).collect();
    let mut plan = plan(document, cx, &numbers);
    let alone: Vec<u64> = plan
        .changes
        .iter()
        .filter(|change| !together(change))
        .flat_map(|change| change.blocks.iter().copied())
        .collect();
    if !alone.is_empty() {
        let rest: Vec<u64> =
            numbers.iter().copied().filter(|block| !alone.contains(block)).collect();
        plan = self::plan(document, cx, &rest);
    }
    let taken: Vec<u64> = plan
        .applied
        .iter()
        .filter(|applied| applied.strategy != Strategy::AlreadyApplied)
        .map(|applied| applied.block)
        .collect();
    if taken.len() < 2 || plan.changes.is_empty() {
        return None;
    }
    let title = counted(taken.len(), Some(numbers.len()), &plan.changes);
    let first = blocks.first()?.1.start;
    Some(Application {
        title,
        blocks: taken,
        span: first..blocks.last()?.1.end.max(first),
        changes: plan.changes,
    })
}

/// `Apply 1 change to src/greet.py`, `Apply 2 of 3 changes in 2 files`. `total` is the number of
/// all changes.
pub fn counted(count: usize, total: Option<usize>, changes: &[FileChange]) -> String {
    let several = if total.unwrap_or(count) == 1 { "change" } else { "changes" };
    let of = match total {
        Some(total) if total != count => format!("{count} of {total} {several}"),
        _ => format!("{count} {several}"),
    };
    match changes {
        [] => format!("Apply {of}"),
        [change] if change.name.is_empty() => format!("Apply {of}"),
        [change] => format!("Apply {of} to {}", change.name),
        changes => format!("Apply {of} in {} files", changes.len()),
    }
}

fn title(change: &FileChange, plan: &Plan) -> String {
    let strategy = plan.applied.first().map(|applied| applied.strategy);
    let verb = match strategy {
        Some(Strategy::Create) => "Create",
        Some(Strategy::Overwrite) => "Overwrite",
        Some(Strategy::Delete) => "Delete",
        Some(Strategy::Move) => "Move",
        Some(Strategy::Edit(_)) => {
            return counted(plan.applied.len(), None, std::slice::from_ref(change));
        }
        Some(Strategy::Replace | Strategy::AlreadyApplied | Strategy::NoOp) | None => {
            "Replace all of"
        }
    };
    format!("{verb} {}", change.name)
}

/// The changes of the blocks that an author chose. A single block brings the earlier ones that it
/// depends on; of several, those that can't be made `together` with others are left out.
pub fn chosen(
    document: &Document,
    cx: &Context,
    choices: &[Choice],
    goal: Goal,
    together: &dyn Fn(&FileChange) -> bool,
) -> Plan {
    let model = document.model();
    if let [choice] = choices
        && !model.goals().is_empty()
    {
        return blocks::plan_of(document, cx, *choice, goal).0;
    }
    combined(document, cx, choices, goal, together).0
}

/// The changes of several blocks, without those that can't be made `together` with others, and the
/// blocks that are left.
pub fn combined(
    document: &Document,
    cx: &Context,
    choices: &[Choice],
    goal: Goal,
    together: &dyn Fn(&FileChange) -> bool,
) -> (Plan, Vec<Choice>) {
    let apply = |choices: &[Choice]| {
        document.model().apply(cx, &Order::of(choices, goal)).unwrap_or_default()
    };
    let plan = apply(choices);
    let alone: HashSet<u64> = plan
        .changes
        .iter()
        .filter(|change| !together(change))
        .flat_map(|change| change.blocks.iter().copied())
        .collect();
    let rest: Vec<Choice> =
        choices.iter().filter(|choice| !alone.contains(&choice.number)).copied().collect();
    if alone.is_empty() || rest.is_empty() { (plan, rest) } else { (apply(&rest), rest) }
}

/// The changes made by these blocks, for the current document and files.
pub fn plan(document: &Document, cx: &Context, blocks: &[u64]) -> Plan {
    let choices: Vec<Choice> = blocks.iter().map(|number| Choice::found(*number)).collect();
    document.model().apply(cx, &Order::of(&choices, Goal::Workspace)).unwrap_or_default()
}
