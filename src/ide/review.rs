//! The edits of a reply as a list of decisions: what each one does, whether it can be applied now,
//! and the places to choose from if there are several.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::PathBuf;

use sha2::{Digest, Sha256};

use super::blocks::{own_changes, refusal_word, stands, verb};
use crate::document::Document;
use crate::format::Context;
use crate::plan::choice::{Choice, Goal, Way};
use crate::plan::order::Order;
use crate::plan::standing::{Standing, State as Stands};
use crate::plan::{FileChange, Plan, Reason, Refusal, Strategy};
use crate::text::Span;

/// One edit to decide on.
#[derive(Debug, Clone, PartialEq)]
pub struct Item {
    pub number: u64,
    pub goal: Goal,
    /// Names the edit by its content, so that a decision survives changes around it.
    pub key: String,
    pub span: Span,
    /// The file, as the reply names it.
    pub name: Option<String>,
    pub path: Option<PathBuf>,
    /// What the edit does, such as `Create notes.md`.
    pub title: String,
    pub state: State,
    /// Why it can't be applied as it is, in one clause.
    pub message: Option<String>,
    /// Where in the file, counted from 0.
    pub line: Option<usize>,
    /// The places to choose from.
    pub places: Vec<Place>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// Can be applied.
    Fits,
    /// Can be applied where it probably belongs, if the author agrees.
    Likely,
    /// Can be applied once the author has chosen a place.
    Ambiguous,
    /// The file already has the edit's result.
    Done,
    Refused,
}

impl State {
    pub fn name(self) -> &'static str {
        match self {
            Self::Fits => "fits",
            Self::Likely => "likely",
            Self::Ambiguous => "ambiguous",
            Self::Done => "done",
            Self::Refused => "refused",
        }
    }
}

/// A line where an edit could go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// Counted from 0.
    pub line: usize,
    pub text: String,
}

/// With more places than this, no choice is offered.
const MOST_PLACES: usize = 10;

/// The edits of a document, in order.
pub fn items(document: &Document, cx: &Context) -> Vec<Item> {
    let mut found = if document.model().goals().is_empty() {
        of_actions(document, cx)
    } else {
        of_blocks(document, cx)
    };
    let mut seen: HashMap<String, usize> = HashMap::new();
    for item in &mut found {
        let times = seen.entry(item.key.clone()).or_default();
        *times += 1;
        if *times > 1 {
            let _ = write!(item.key, "-{times}");
        }
    }
    found
}

/// The number of edits of a document that are still undecided.
pub fn undecided(document: &Document, cx: &Context) -> usize {
    if document.model().goals().is_empty() {
        return of_actions(document, cx).iter().filter(|item| item.state != State::Done).count();
    }
    let open = |standing: &Standing| standing.state != Stands::Done;
    let stands = stands(document, cx);
    stands.iter().filter(|stand| stand.goals.iter().any(|(_, standing)| open(standing))).count()
}

/// The files that result from some choices.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Comparison {
    pub changes: Vec<FileChange>,
    pub refusals: Vec<Refusal>,
}

/// The files before and after these choices. A single one is compared with its file as earlier
/// edits leave it.
pub fn compare(document: &Document, cx: &Context, choices: &[Choice], goal: Goal) -> Comparison {
    let plan = match choices {
        [choice] if document.model().goals().is_empty() => own_action(document, cx, *choice),
        [choice] => own_changes(document, cx, *choice, goal),
        choices => document.model().apply(cx, &Order::of(choices, goal)).unwrap_or_default(),
    };
    Comparison { changes: plan.changes, refusals: plan.refusals }
}

/// An unconfirmed choice whose place is now only likely. A plan has a single confirmation for all
/// choices, so one for another choice would cover it.
pub fn unconfirmed(
    document: &Document,
    cx: &Context,
    choices: &[Choice],
    goal: Goal,
) -> Option<Refusal> {
    if choices.len() < 2 || !choices.iter().any(|choice| choice.is_confirmed()) {
        return None;
    }
    let found =
        |number| choices.iter().any(|choice| choice.number == number && choice.way == Way::Found);
    let standings = document.model().standings(cx, goal);
    let unsure = standings
        .iter()
        .find(|standing| matches!(standing.state, Stands::Likely(_)) && found(standing.number))?;
    let message = "the place of this edit is only likely by now; look at it again";
    let name = unsure.name.as_deref();
    Some(Refusal::new(unsure.number, name, Reason::NeedsConfirmation, message))
}

fn key(cx: &Context, span: &Span, name: Option<&str>, goal: Goal) -> String {
    let mut hash = Sha256::new();
    hash.update(name.unwrap_or_default());
    hash.update([0]);
    hash.update(goal.name());
    hash.update([0]);
    hash.update(cx.source.slice(span.clone()).as_bytes());
    hash.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

fn of_blocks(document: &Document, cx: &Context) -> Vec<Item> {
    let mut found = Vec::new();
    for stand in stands(document, cx) {
        for (goal, standing) in &stand.goals {
            if (cx.cancelled)() {
                return Vec::new();
            }
            found.push(of_standing(document, cx, *goal, standing));
        }
    }
    found
}

fn of_standing(document: &Document, cx: &Context, goal: Goal, standing: &Standing) -> Item {
    let name = standing.name.as_deref();
    let place = name.map_or_else(|| "this document".to_owned(), str::to_owned);
    let place = match goal {
        Goal::Context => format!("{place} in the document"),
        Goal::Workspace => place,
    };
    let path = match standing.part {
        Some(_) => cx.path.map(std::path::Path::to_owned),
        None => standing.path.clone(),
    };
    let title = |kind| match verb(kind) {
        "Apply 1 change to" => format!("Edit {place}"),
        other => format!("{other} {place}"),
    };
    let item = Item {
        number: standing.number,
        goal,
        key: key(cx, &standing.span, name, goal),
        span: standing.span.clone(),
        name: standing.name.clone(),
        path,
        title: format!("Edit {place}"),
        state: State::Done,
        message: None,
        line: None,
        places: Vec::new(),
    };
    match &standing.state {
        Stands::Done => item,
        Stands::Fits(fit) => {
            Item { title: title(fit.kind), state: State::Fits, line: Some(fit.lines.start), ..item }
        }
        Stands::Likely(fit) => Item {
            title: title(fit.kind),
            state: State::Likely,
            message: Some(super::blocks::manner(fit.tier, fit.score)),
            line: Some(fit.lines.start),
            places: place_of(document, cx, goal, standing.number, fit.lines.start, Way::Confirmed)
                .into_iter()
                .collect(),
            ..item
        },
        Stands::Refused(refusal) => {
            let lines = refusal.candidates.iter().take(MOST_PLACES);
            let places: Vec<Place> = if refusal.candidates.len() > MOST_PLACES {
                Vec::new()
            } else {
                lines
                    .filter_map(|line| {
                        place_of(document, cx, goal, standing.number, *line, Way::At(*line))
                    })
                    .collect()
            };
            let nearest = refusal.nearest.as_ref().map(|nearest| nearest.lines.start);
            let ambiguous = places.len() > 1;
            Item {
                state: if ambiguous { State::Ambiguous } else { State::Refused },
                message: refusal_word(standing).or_else(|| Some(refusal.message.clone())),
                line: refusal.candidates.first().copied().or(nearest),
                places: if ambiguous { places } else { Vec::new() },
                ..item
            }
        }
    }
}

/// A place that a block would take, if it can.
fn place_of(
    document: &Document,
    cx: &Context,
    goal: Goal,
    number: u64,
    line: usize,
    way: Way,
) -> Option<Place> {
    let plan = own_changes(document, cx, Choice { number, way }, goal);
    let change = plan.changes.into_iter().next().filter(|_| plan.refusals.is_empty())?;
    let text = change.before.as_deref()?.lines().nth(line)?.trim().to_owned();
    Some(Place { line, text })
}

/// The file actions of a document whose format judges them only together.
fn of_actions(document: &Document, cx: &Context) -> Vec<Item> {
    let blocks = document.model().blocks(cx);
    let numbers: Vec<u64> = blocks.iter().map(|(number, _)| *number).collect();
    let plan = super::apply::plan(document, cx, &numbers);
    let item = |(number, span): &(u64, Span)| {
        let applied = plan.applied.iter().find(|applied| applied.block == *number);
        let refusal = plan.refusals.iter().find(|refusal| refusal.block == *number);
        let name = applied
            .map(|applied| applied.file.clone())
            .or_else(|| refusal.and_then(|refusal| refusal.file.clone()));
        let path = plan.changes.iter().find(|change| change.blocks.contains(number));
        let shown = name.as_deref().unwrap_or("a file");
        let strategy = applied.map(|applied| applied.strategy);
        let word = match strategy {
            Some(Strategy::Create) => "Create",
            Some(Strategy::Overwrite | Strategy::Replace) => "Replace all of",
            Some(Strategy::Delete) => "Delete",
            Some(Strategy::Move) => "Move",
            Some(Strategy::Edit(_) | Strategy::AlreadyApplied | Strategy::NoOp) | None => "Edit",
        };
        let state = match strategy {
            Some(Strategy::AlreadyApplied | Strategy::NoOp) => State::Done,
            Some(_) => State::Fits,
            None => State::Refused,
        };
        let edits = matches!(strategy, Some(Strategy::Edit(_)));
        Item {
            number: *number,
            goal: Goal::Workspace,
            key: key(cx, span, name.as_deref(), Goal::Workspace),
            span: span.clone(),
            title: format!("{word} {shown}"),
            path: path
                .map(|change| change.path.clone())
                .or_else(|| Some(cx.root()?.join(name.as_deref()?))),
            name,
            state,
            message: refusal.map(|refusal| refusal.message.clone()),
            line: applied.filter(|_| edits).map(|applied| applied.line),
            places: Vec::new(),
        }
    };
    blocks.iter().map(item).collect()
}

/// The changes of one action on its file as earlier actions leave it.
fn own_action(document: &Document, cx: &Context, choice: Choice) -> Plan {
    let alone = super::apply::plan(document, cx, &[choice.number]);
    let items = of_actions(document, cx);
    let own = items.iter().find(|item| item.number == choice.number);
    let earlier: Vec<u64> = items
        .iter()
        .take_while(|item| item.number != choice.number)
        .filter(|item| item.state == State::Fits)
        .filter(|item| own.is_some_and(|own| own.name == item.name))
        .map(|item| item.number)
        .collect();
    if alone.refusals.is_empty() || earlier.is_empty() {
        return alone;
    }
    let before = super::apply::plan(document, cx, &earlier);
    let numbers: Vec<u64> = earlier.into_iter().chain([choice.number]).collect();
    let together = super::apply::plan(document, cx, &numbers);
    if together.refusals.is_empty() { super::blocks::beyond(together, &before) } else { alone }
}
