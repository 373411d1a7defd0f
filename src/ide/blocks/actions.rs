//! Actions for the block at the cursor, and for all blocks at once.

use super::lenses::{all_title, likely, to};
use super::{Able, plan_of, stands, together, verb};
use crate::document::Document;
use crate::format::Context;
use crate::plan::FileChange;
use crate::plan::choice::{Choice, Goal, Way};
use crate::plan::standing::{FitKind, Standing, State};
use crate::text::Span;

/// An offer to apply something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offer {
    pub title: String,
    pub choices: Vec<Choice>,
    pub goal: Goal,
    /// The change, if it's already known.
    pub changes: Option<Vec<FileChange>>,
    /// Why it can't be applied.
    pub refused: Option<String>,
    /// The author must review it first.
    pub confirm: bool,
}

/// With more places than this, don't offer a choice.
const MOST_PLACES: usize = 10;

/// The offers at `span`, blocks first. With `anywhere`, those for all blocks together are included,
/// as far as the client can apply them.
pub fn offers(
    document: &Document,
    cx: &Context,
    span: &Span,
    anywhere: bool,
    able: Option<Able>,
) -> Vec<Offer> {
    let stands = stands(document, cx);
    let mut found = Vec::new();
    let beside = !stands.iter().any(|stand| stand.touches(span));
    if beside && !anywhere {
        return found;
    }
    let only = beside && stands.len() == 1;
    for stand in stands.iter().filter(|stand| only || stand.touches(span)) {
        for (goal, standing) in &stand.goals {
            found.extend(of_standing(document, cx, *goal, standing));
        }
    }
    // Don't report an error for one goal if another one has an offer.
    if found.iter().any(|offer| offer.refused.is_none()) {
        found.retain(|offer| offer.refused.is_none());
    } else {
        found.truncate(1);
    }
    for goal in document.model().goals() {
        let choices = together(document, cx, &stands, *goal, able);
        if choices.len() > 1 {
            let title = all_title(document, &stands, *goal, &choices);
            found.push(Offer {
                title,
                choices,
                goal: *goal,
                changes: None,
                refused: None,
                confirm: false,
            });
        }
    }
    found
}

fn of_standing(document: &Document, cx: &Context, goal: Goal, standing: &Standing) -> Vec<Offer> {
    let name = standing.name.as_deref();
    let offer = |title: String, way: Way| {
        let choice = Choice { number: standing.number, way };
        let (plan, choices) = plan_of(document, cx, choice, goal);
        let before = match choices.len() {
            0 | 1 => String::new(),
            2 => ", with the block before it".to_owned(),
            more => format!(", with {} blocks before it", more - 1),
        };
        let refused = plan.refusals.into_iter().next().map(|refusal| refusal.message);
        let title = format!("{title}{before}");
        Offer {
            title,
            choices,
            goal,
            changes: Some(plan.changes),
            refused,
            confirm: way == Way::Confirmed,
        }
    };
    match &standing.state {
        State::Fits(fit) => {
            let title = match (name, fit.kind) {
                (Some(name), kind) => format!("{} {name}{}", verb(kind), of(document, goal)),
                (None, _) => "Apply to this document".to_owned(),
            };
            vec![offer(title, Way::Found)]
        }
        State::Likely(fit) => {
            vec![offer(format!("{}{}", likely(fit), to(document, goal)), Way::Confirmed)]
        }
        State::Done => Vec::new(),
        State::Refused(refusal) if (2..=MOST_PLACES).contains(&refusal.candidates.len()) => {
            let at = |line: &usize| {
                offer(format!("Apply at line {}{}", line + 1, to(document, goal)), Way::At(*line))
            };
            let mut found: Vec<Offer> = refusal.candidates.iter().map(at).collect();
            found.push(offer(
                format!("Apply to all {} places{}", refusal.candidates.len(), to(document, goal)),
                Way::Everywhere,
            ));
            found.retain(|offer| {
                offer.refused.is_none()
                    && offer.changes.as_ref().is_some_and(|changes| !changes.is_empty())
            });
            found
        }
        State::Refused(refusal) => {
            let title = name.map_or_else(
                || "Apply edit".to_owned(),
                |name| format!("{} {name}", verb(FitKind::Edit)),
            );
            let choices = vec![Choice::found(standing.number)];
            vec![Offer {
                title,
                choices,
                goal,
                changes: None,
                refused: Some(refusal.message.clone()),
                confirm: false,
            }]
        }
    }
}

/// The goal, unless it's obvious.
pub(super) fn of(document: &Document, goal: Goal) -> &'static str {
    match goal {
        Goal::Context => " in Code Context",
        Goal::Workspace if document.model().goals().len() > 1 => " in the workspace",
        Goal::Workspace => "",
    }
}
