//! One case for each class of mistakes and for each way to write edits. The classes come from the
//! test suites of coding agents and their users' reports; the cases are our own.

#[path = "edit_classes/dialects.rs"]
mod dialects;
#[path = "edit_classes/markers.rs"]
mod markers;
#[path = "edit_classes/paths.rs"]
mod paths;
#[path = "edit_classes/places.rs"]
mod places;
#[path = "edit_classes/texts.rs"]
mod texts;

use std::path::Path;

use agentmd::edit;
use agentmd::plan::{Plan, Planner};
use agentmd::world::Memory;

/// The expected result.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Want {
    /// This text, without confirmation.
    After(&'static str),
    /// This text, after confirmation.
    Asked(&'static str),
    /// No change, for this reason.
    Refused(&'static str),
    /// The file is deleted.
    Gone,
    /// The reply contains no block.
    Nothing,
}

/// A name, the file's path and text, a reply, and the expected result.
pub struct Case(
    pub &'static str,
    pub &'static str,
    pub Option<&'static str>,
    pub &'static str,
    pub Want,
);

fn plan(case: &Case, confirmed: bool) -> Option<Plan> {
    let Case(_, path, before, reply, _) = case;
    let world = before.iter().fold(Memory::default().with("/w/-", ""), |world, text| {
        world.with(format!("/w/{path}"), text)
    });
    let blocks = edit::read(reply);
    let mut planner = Planner::new(&world, Path::new("/w")).confirmed(confirmed).unattended();
    planner.take_blocks(&(1..).zip(&blocks).collect::<Vec<_>>());
    (!blocks.is_empty()).then(|| planner.finish())
}

/// The file after a plan, or the reason for a refusal.
fn outcome(case: &Case, plan: &Plan) -> Result<Option<String>, &'static str> {
    if let Some(refusal) = plan.refusals.first() {
        return Err(refusal.reason.name());
    }
    let Case(_, path, before, ..) = case;
    let changed = plan.changes.iter().find(|change| change.path == Path::new("/w").join(path));
    if changed.is_none()
        && plan.applied.iter().any(|applied| applied.strategy.name() == "already_applied")
    {
        return Err("already_applied");
    }
    Ok(changed.map_or_else(|| before.map(str::to_owned), |change| change.after.clone()))
}

fn holds(case: &Case) -> Result<(), String> {
    let Case(_, _, before, _, want) = case;
    let unasked = plan(case, false);
    let said = unasked.as_ref().map(|plan| outcome(case, plan));
    let as_wanted = match (want, &said) {
        (Want::Nothing, None) => true,
        (Want::After(text), Some(Ok(Some(after)))) => after == text,
        (Want::Gone, Some(Ok(None))) => before.is_some(),
        (Want::Refused(reason), Some(Err(refused))) => refused == reason,
        (Want::Asked(text), Some(Err("needs_confirmation"))) => plan(case, true)
            .is_some_and(|plan| outcome(case, &plan) == Ok(Some((*text).to_owned()))),
        _ => false,
    };
    if as_wanted { Ok(()) } else { Err(format!("want {want:?}, have {said:?}")) }
}

fn check(cases: &[Case]) {
    let failed: Vec<String> = cases
        .iter()
        .filter_map(|case| holds(case).err().map(|said| format!("{}: {said}", case.0)))
        .collect();
    assert!(failed.is_empty(), "{} of {}:\n{}", failed.len(), cases.len(), failed.join("\n"));
}

#[test]
fn markers() {
    check(markers::CASES);
}

#[test]
fn paths() {
    check(paths::CASES);
}

#[test]
fn places() {
    check(places::CASES);
}

#[test]
fn texts() {
    check(texts::CASES);
}

#[test]
fn dialects() {
    check(dialects::CASES);
}
