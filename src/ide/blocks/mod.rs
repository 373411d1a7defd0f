//! Edit blocks in any document: the status of each for everything it can be applied to.

pub mod actions;
pub mod hover;
pub mod lenses;
pub mod places;

use crate::document::Document;
use crate::edit::Tier;
use crate::format::Context;
use crate::ide::apply;
use crate::plan::choice::{Choice, Goal};
use crate::plan::order::Order;
use crate::plan::standing::{FitKind, Standing, State};
use crate::plan::{FileChange, Plan, Reason};
use crate::text::Span;

/// A block, and its status for each goal.
pub(super) struct Stand {
    pub span: Span,
    pub goals: Vec<(Goal, Standing)>,
}

/// The live blocks of a document, in order.
pub(super) fn stands(document: &Document, cx: &Context) -> Vec<Stand> {
    let model = document.model();
    let mut found: Vec<Stand> = Vec::new();
    for goal in model.goals() {
        // Both lists are in source order.
        let mut at = 0;
        for standing in model.standings(cx, *goal) {
            while found.get(at).is_some_and(|stand| stand.span.start < standing.span.start) {
                at += 1;
            }
            match found.get_mut(at).filter(|stand| stand.span == standing.span) {
                Some(stand) => stand.goals.push((*goal, standing)),
                None => found.insert(
                    at,
                    Stand { span: standing.span.clone(), goals: vec![(*goal, standing)] },
                ),
            }
        }
    }
    found
}

impl Stand {
    /// The most informative status: applicable, otherwise likely, done, or failed with a near
    /// match.
    pub fn first(&self) -> Option<&(Goal, Standing)> {
        let rank = |standing: &Standing| match &standing.state {
            State::Fits(_) => 0,
            State::Likely(_) => 1,
            State::Done => 2,
            State::Refused(refusal)
                if !refusal.candidates.is_empty() || refusal.nearest.is_some() =>
            {
                3
            }
            State::Refused(_) => 4,
        };
        self.goals.iter().min_by_key(|(_, standing)| rank(standing))
    }

    /// Whether it, or the path that it names, touches `span`.
    pub fn touches(&self, span: &Span) -> bool {
        let meets = |own: &Span| own.start <= span.end && span.start <= own.end;
        let named = self.goals.first().and_then(|(_, standing)| standing.named.as_ref());
        meets(&self.span) || named.is_some_and(meets)
    }
}

/// What a client can do with the changes of files.
#[derive(Clone, Copy)]
pub struct Able<'a> {
    /// Whether it can make a change.
    pub make: &'a dyn Fn(&FileChange) -> bool,
    /// Whether it can make a change together with others, without asking about it.
    pub together: &'a dyn Fn(&FileChange) -> bool,
}

/// The blocks of a goal that one click applies: all that fit, without those that the client can't
/// change together with others.
pub(super) fn together(
    document: &Document,
    cx: &Context,
    stands: &[Stand],
    goal: Goal,
    able: Option<Able>,
) -> Vec<Choice> {
    let choices = fitting(stands, goal);
    match able {
        Some(able) if choices.len() > 1 => {
            apply::combined(document, cx, &choices, goal, able.together).1
        }
        _ => choices,
    }
}

/// The applicable blocks, in order.
pub(super) fn fitting(stands: &[Stand], goal: Goal) -> Vec<Choice> {
    let standings = stands.iter().flat_map(|stand| &stand.goals).filter(|(own, _)| *own == goal);
    standings
        .filter(|(_, standing)| matches!(standing.state, State::Fits(_)))
        .map(|(_, standing)| Choice::found(standing.number))
        .collect()
}

/// The changes of a block together with the earlier blocks that it depends on; also their number.
pub fn plan_of(
    document: &Document,
    cx: &Context,
    choice: Choice,
    goal: Goal,
) -> (Plan, Vec<Choice>) {
    let model = document.model();
    let alone = model.apply(cx, &Order::of(&[choice], goal)).unwrap_or_default();
    if alone.refusals.is_empty() {
        return (alone, vec![choice]);
    }
    let standings = model.standings(cx, goal);
    let Some(standing) = standings.iter().find(|standing| standing.number == choice.number) else {
        return (alone, vec![choice]);
    };
    let before = standings.iter().take_while(|standing| standing.number != choice.number);
    let of_file =
        before.filter(|other| other.name == standing.name && matches!(other.state, State::Fits(_)));
    let mut choices: Vec<Choice> = of_file.map(|other| Choice::found(other.number)).collect();
    choices.push(choice);
    let plan = model.apply(cx, &Order::of(&choices, goal)).unwrap_or_default();
    if plan.refusals.is_empty() { (plan, choices) } else { (alone, vec![choice]) }
}

/// The changes of `plan` on top of `earlier`, whose effects it includes.
pub(super) fn beyond(plan: Plan, earlier: &Plan) -> Plan {
    let own = |change: FileChange| {
        let known = earlier.changes.iter().find(|known| known.path == change.path);
        let before = known.map_or_else(|| change.before.clone(), |known| known.after.clone());
        (before != change.after).then_some(FileChange { before, ..change })
    };
    Plan { changes: plan.changes.into_iter().filter_map(own).collect(), ..plan }
}

/// A block's own changes, without the blocks that it depends on.
pub(super) fn own_changes(document: &Document, cx: &Context, choice: Choice, goal: Goal) -> Plan {
    let (plan, mut choices) = plan_of(document, cx, choice, goal);
    choices.pop();
    if choices.is_empty() {
        return plan;
    }
    let earlier = document.model().apply(cx, &Order::of(&choices, goal)).unwrap_or_default();
    beyond(plan, &earlier)
}

/// The block's own change to the first file.
pub(super) fn change_of(
    document: &Document,
    cx: &Context,
    choice: Choice,
    goal: Goal,
) -> Option<FileChange> {
    own_changes(document, cx, choice, goal).changes.into_iter().next()
}

/// How a place was found, as a part of a sentence.
pub(super) fn manner(tier: Tier, score: f64) -> String {
    match tier {
        Tier::Exact => "found exactly".to_owned(),
        Tier::TrailingBlanks => "found ignoring trailing whitespace".to_owned(),
        Tier::Unicode => "found ignoring the style of dashes, quotes or spaces".to_owned(),
        Tier::UniformIndent | Tier::Indent => "found with different indentation".to_owned(),
        Tier::InnerBlanks => "found ignoring whitespace within lines".to_owned(),
        Tier::BlankLines => "found ignoring blank lines".to_owned(),
        Tier::Substring => "found within a line".to_owned(),
        Tier::Punctuation => "found ignoring quotes and commas".to_owned(),
        Tier::LineBreaks => "found with different line breaks".to_owned(),
        Tier::Context => "found by the changed lines, not by all of their context".to_owned(),
        Tier::Elision => "found with `...` for omitted lines".to_owned(),
        Tier::Fuzzy => format!("found a near match: {}", percent(score)),
    }
}

/// The same in a word or two, where space is limited.
pub(super) fn manner_word(tier: Tier, score: f64) -> Option<String> {
    Some(match tier {
        Tier::Exact => return None,
        Tier::TrailingBlanks => "trailing whitespace differs".to_owned(),
        Tier::Unicode => "characters differ".to_owned(),
        Tier::UniformIndent | Tier::Indent => "indentation differs".to_owned(),
        Tier::InnerBlanks => "whitespace differs".to_owned(),
        Tier::BlankLines => "blank lines differ".to_owned(),
        Tier::Substring => "within a line".to_owned(),
        Tier::Punctuation => "punctuation differs".to_owned(),
        Tier::LineBreaks => "line breaks differ".to_owned(),
        Tier::Context => "other lines around".to_owned(),
        Tier::Elision => "with `...`".to_owned(),
        Tier::Fuzzy => percent(score),
    })
}

/// Rounded down: 100 % means equal.
pub(super) fn percent(share: f64) -> String {
    format!("{} %", (share * 100.0).floor())
}

/// Why a block can't be applied, in a few words.
pub(super) fn refusal_word(standing: &Standing) -> Option<String> {
    let State::Refused(refusal) = &standing.state else { return None };
    let name = standing.name.as_deref().unwrap_or_default();
    Some(match (refusal.candidates.as_slice(), &refusal.nearest) {
        (lines @ [_, _, ..], _) => {
            let shown: Vec<String> =
                lines.iter().take(6).map(|line| (line + 1).to_string()).collect();
            let more = if lines.len() > shown.len() { ", …" } else { "" };
            format!("{} matches: lines {}{more}", lines.len(), shown.join(", "))
        }
        (_, Some(nearest)) => format!(
            "No match: nearest line {} ({})",
            nearest.lines.start + 1,
            percent(nearest.similarity)
        ),
        _ => match refusal.reason {
            Reason::MissingPath => "No path: which file is meant?".to_owned(),
            Reason::FileMissing => format!("No such file: {name}"),
            Reason::FileExists => format!("Already exists: {name}"),
            Reason::UnterminatedBlock => "Cut off: no end marker".to_owned(),
            Reason::PathOutsideRoot => "Path outside of the workspace".to_owned(),
            Reason::Edit(crate::edit::Reason::NotFound) => "No match".to_owned(),
            Reason::Edit(crate::edit::Reason::NoOp) => "Changes nothing".to_owned(),
            Reason::Edit(crate::edit::Reason::Overlap) => "Overlaps another block".to_owned(),
            Reason::Edit(crate::edit::Reason::MissingDivider) => "No divider".to_owned(),
            other => other
                .documentation()
                .split([':', ';'])
                .next()
                .unwrap_or_default()
                .trim_end_matches('.')
                .to_owned(),
        },
    })
}

/// The block's effect on the file, as the start of a title.
pub(super) fn verb(kind: FitKind) -> &'static str {
    match kind {
        FitKind::Edit => "Apply 1 change to",
        FitKind::Create => "Create",
        FitKind::Delete => "Delete",
        FitKind::Move => "Move",
    }
}
