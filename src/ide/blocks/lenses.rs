//! A lens above every live block shows its status; one above the first applies all.

use std::collections::{BTreeSet, HashSet};
use std::path::PathBuf;

use super::actions::of;
use super::{Able, Stand, percent, plan_of, refusal_word, stands, together, verb};
use crate::document::Document;
use crate::edit::Tier;
use crate::format::Context;
use crate::plan::choice::{Choice, Goal, Way};
use crate::plan::standing::{Fit, FitKind, Standing, State};
use crate::text::Span;

/// Text above a line, and the command of a click on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lens {
    pub title: String,
    /// Its subject.
    pub span: Span,
    pub does: Does,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Does {
    Apply {
        choices: Vec<Choice>,
        goal: Goal,
    },
    /// Lines, counted from 0, of a file, or of the document itself.
    Show {
        path: Option<PathBuf>,
        lines: Span,
    },
}

/// The lenses of a document, in order.
pub fn lenses(document: &Document, cx: &Context) -> Vec<Lens> {
    lenses_for(document, cx, None)
}

/// The same, as far as a client can apply them; any client if `able` isn't given.
pub fn lenses_for(document: &Document, cx: &Context, able: Option<Able>) -> Vec<Lens> {
    let stands = stands(document, cx);
    let mut found = all(document, cx, &stands, able);
    for stand in &stands {
        found.extend(of_block(document, cx, stand, able));
    }
    found
}

/// The number of blocks that one click applies, and of their files, in words.
pub(super) fn all_title(
    document: &Document,
    stands: &[Stand],
    goal: Goal,
    choices: &[Choice],
) -> String {
    let of_goal = move || {
        let standings = stands.iter().flat_map(|stand| &stand.goals);
        standings.filter(move |(own, _)| *own == goal).map(|(_, standing)| standing)
    };
    let (total, count) = (of_goal().count(), choices.len());
    let chosen: HashSet<u64> = choices.iter().map(|choice| choice.number).collect();
    let chosen = of_goal().filter(|standing| chosen.contains(&standing.number));
    let names: BTreeSet<&str> = chosen.filter_map(|standing| standing.name.as_deref()).collect();
    let count = if count == total { count.to_string() } else { format!("{count} of {total}") };
    let entry =
        if of_goal().any(|standing| standing.entry.is_some()) { " of this entry" } else { "" };
    let place = match names.len() {
        // The parts of the document itself, some of which have no name.
        _ if goal == Goal::Context => return format!("Apply {count} changes{entry} to context"),
        0 => String::new(),
        1 => format!(" to {}", names.first().copied().unwrap_or_default()),
        files => format!(" in {files} files"),
    };
    format!("Apply {count} changes{entry}{place}{}", of(document, goal))
}

/// The target, unless it's obvious.
pub(super) fn to(document: &Document, goal: Goal) -> &'static str {
    match goal {
        Goal::Context => " to context",
        Goal::Workspace if document.model().goals().len() > 1 => " to the workspace",
        Goal::Workspace => "",
    }
}

fn all(document: &Document, cx: &Context, stands: &[Stand], able: Option<Able>) -> Vec<Lens> {
    let Some(first) = stands.first() else { return Vec::new() };
    let of_goal = |goal: &Goal| {
        let choices = together(document, cx, stands, *goal, able);
        let title = all_title(document, stands, *goal, &choices);
        (choices.len() > 1).then(|| Lens {
            title,
            span: first.span.clone(),
            does: Does::Apply { choices, goal: *goal },
        })
    };
    document.model().goals().iter().filter_map(of_goal).collect()
}

fn of_block(document: &Document, cx: &Context, stand: &Stand, able: Option<Able>) -> Vec<Lens> {
    let lens = |title: String, does: Does| Lens { title, span: stand.span.clone(), does };
    let can = |choice: Choice, goal: Goal| {
        able.is_none_or(|able| plan_of(document, cx, choice, goal).0.changes.iter().all(able.make))
    };
    let apply = |(goal, standing): &(Goal, Standing)| {
        let (fit, way) = match &standing.state {
            State::Fits(fit) => (fit, Way::Found),
            State::Likely(fit) => (fit, Way::Confirmed),
            State::Done | State::Refused(_) => return None,
        };
        let title = match (way, fit.kind) {
            (Way::Confirmed, _) => format!("{}{}", likely(fit), to(document, *goal)),
            (_, FitKind::Edit) => match &standing.name {
                Some(name) => format!("{} {name}{}", verb(fit.kind), of(document, *goal)),
                None => "Apply to this document".to_owned(),
            },
            (_, kind) => format!(
                "{} {}{}",
                verb(kind),
                standing.name.as_deref().unwrap_or_default(),
                to(document, *goal)
            ),
        };
        let choice = Choice { number: standing.number, way };
        let does = Does::Apply { choices: vec![choice], goal: *goal };
        Some((can(choice, *goal), lens(title, does)))
    };
    let found: Vec<(bool, Lens)> = stand.goals.iter().filter_map(apply).collect();
    if !found.is_empty() {
        return found.into_iter().filter(|(can, _)| *can).map(|(_, lens)| lens).collect();
    }
    let Some((_, standing)) = stand.first() else { return Vec::new() };
    let title = refusal_word(standing).unwrap_or_else(|| "Already applied".to_owned());
    // If nothing can be shown, the block itself.
    let there = standing.path.is_some() || standing.part.is_some();
    let does = Does::Show {
        path: standing.path.clone().filter(|_| there),
        lines: standing.lines().unwrap_or_default(),
    };
    vec![lens(title, does)]
}

/// The question before applying a likely match.
pub(super) fn likely(fit: &Fit) -> String {
    let line = fit.lines.start + 1;
    match fit.tier {
        Tier::Fuzzy => format!("Apply fuzzy match, {} (line {line})", percent(fit.score)),
        Tier::Elision => format!("Apply with `...` for omitted lines (line {line})"),
        Tier::Substring => format!("Apply within line {line}"),
        _ => format!("Apply likely match (line {line})"),
    }
}
