//! References in a loop, which would send a validator into endless recursion.

use serde_json::Value;

use super::super::finding::Finding;
use super::super::pointer;
use super::super::reference::{References, Target};
use super::{SchemaError, SchemaErrorKind};
use crate::steps::Steps;

/// A step from one schema to another for the same value.
struct Step {
    to: usize,
    /// The reference that makes the step; `None` for nested schemas.
    reference: Option<String>,
}

struct Frame {
    at: usize,
    steps: std::vec::IntoIter<Step>,
    reference: Option<String>,
}

/// One error for each reference that closes a loop.
pub(super) fn endless(
    references: &References<'_>,
    steps: &mut Steps<'_>,
) -> Option<Vec<SchemaError>> {
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        New,
        Open,
        Done,
    }
    let mut inside = vec![Vec::new(); references.places.len()];
    for (index, place) in references.places.iter().enumerate() {
        if matches!(
            place.keyword,
            "allOf"
                | "anyOf"
                | "oneOf"
                | "not"
                | "if"
                | "then"
                | "else"
                | "dependentSchemas"
                | "dependencies"
        ) && let Some(children) = place.parent.and_then(|parent| inside.get_mut(parent))
        {
            children.push(index);
        }
    }
    let frame = |at: usize, reference: Option<String>| {
        let children = inside.get(at).into_iter().flatten().map(|&to| Step { to, reference: None });
        let steps: Vec<Step> = referenced(references, at).into_iter().chain(children).collect();
        Frame { at, steps: steps.into_iter(), reference }
    };
    let mut states = vec![State::New; references.places.len()];
    let mut found: Vec<String> = Vec::new();
    for start in 0..references.places.len() {
        if states.get(start) != Some(&State::New) {
            continue;
        }
        let mut open = vec![frame(start, None)];
        states.iter_mut().skip(start).take(1).for_each(|state| *state = State::Open);
        while let Some(last) = open.last_mut() {
            steps.take(1)?;
            let Some(step) = last.steps.next() else {
                let at = last.at;
                states.iter_mut().skip(at).take(1).for_each(|state| *state = State::Done);
                open.pop();
                continue;
            };
            match states.get(step.to) {
                Some(State::New) => {
                    states.iter_mut().skip(step.to).take(1).for_each(|state| *state = State::Open);
                    open.push(frame(step.to, step.reference));
                }
                Some(State::Open) => found.extend(
                    step.reference
                        .or_else(|| open.iter().rev().find_map(|frame| frame.reference.clone())),
                ),
                _ => {}
            }
        }
    }
    found.sort();
    found.dedup();
    let message = "this reference leads back to itself, so validation would never end; refer to \
        another schema, or put it below `properties` or `items`";
    Some(
        found
            .into_iter()
            .map(|at| Finding::value(at, SchemaErrorKind::EndlessReference, message))
            .collect(),
    )
}

fn referenced(references: &References<'_>, at: usize) -> Vec<Step> {
    let Some(place) = references.places.get(at) else { return Vec::new() };
    let step = |keyword: &str| {
        let written = place.value.get(keyword).and_then(Value::as_str)?;
        let Target::Found { pointer, .. } = references.resolve(&place.pointer, written) else {
            return None;
        };
        Some(Step {
            to: references.index(&pointer)?,
            reference: Some(pointer::join(&place.pointer, keyword)),
        })
    };
    ["$ref", "$dynamicRef"].into_iter().filter_map(step).collect()
}
