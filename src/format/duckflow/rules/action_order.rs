use super::super::layout::Action;
use super::Subject;
use super::subject::index_of;
use crate::declare_rule;
use crate::rule::{Fix, Report};
use crate::text::Edit;

declare_rule! {
    /// Actions are numbered from 0 in the order of the text, without gaps. Readers sort them by
    /// number: an action may be executed before one that it builds upon, and a gap is the trace of
    /// an action that got lost.
    ///
    /// ````markdown bad
    /// [REASONING]
    /// All tests pass.
    ///
    /// [CONFIDENCE] 0.9
    /// [MOOD] 0.8
    /// [FOCUS] 0.9
    /// [STAMINA] 0.7
    ///
    /// [ACTION_0_TYPE] run_command
    /// [ACTION_0_COMMAND] cargo test
    ///
    /// [ACTION_2_TYPE] finish
    /// [ACTION_2_RESULT] Nothing was left to do.
    /// ````
    ///
    /// ````markdown good
    /// [REASONING]
    /// All tests pass.
    ///
    /// [CONFIDENCE] 0.9
    /// [MOOD] 0.8
    /// [FOCUS] 0.9
    /// [STAMINA] 0.7
    ///
    /// [ACTION_0_TYPE] run_command
    /// [ACTION_0_COMMAND] cargo test
    ///
    /// [ACTION_1_TYPE] finish
    /// [ACTION_1_RESULT] Nothing was left to do.
    /// ````
    pub static RULE = "duckflow/action-order", Error, "Actions that are not numbered 0, 1, 2, …";
}

/// With more mistakes than this the fix is offered once.
const MOST_FIXES: usize = 8;

pub fn check(subject: &Subject, report: &mut Report) {
    let counts = |index: u64| subject.belongs_to(index).is_none();
    let order: Vec<(u64, &Action)> = subject
        .order
        .iter()
        .filter(|(index, _)| counts(*index))
        .map(|(index, action)| (*index, *action))
        .collect();
    let mut wrong: Vec<(u64, &Action, String)> = Vec::new();
    // A gap is one mistake, however many actions follow it.
    let mut sorted: Vec<&(u64, &Action)> = order.iter().collect();
    sorted.sort_by_key(|(index, _)| *index);
    let mut next = 0;
    for (index, action) in sorted {
        if *index > next
            && !(next..*index).take(MOST_FIXES).any(|missing| subject.means_key(missing, "TYPE"))
        {
            let missing = if *index - next == 1 {
                format!("There is no action {next}")
            } else {
                format!("There are no actions {next} to {}", index - 1)
            };
            wrong.push((
                *index,
                action,
                format!("{missing} before action {index}; readers see no mistake, but something may be lost. Number the actions 0, 1, 2, …"),
            ));
        }
        next = index.saturating_add(1);
    }
    for ((before, _), (index, action)) in order.iter().zip(order.iter().skip(1)) {
        if index < before {
            wrong.push((
                *index,
                action,
                format!(
                    "Action {index} stands behind action {before}, but every reader executes it first. Number the actions in the order of the text."
                ),
            ));
        }
    }
    let edits = |position: usize| {
        if position < MOST_FIXES { renumber(subject, &order) } else { Vec::new() }
    };
    for (position, (_, action, message)) in wrong.into_iter().enumerate() {
        let Some((_, digits)) = subject.mark(action.first).and_then(index_of) else { continue };
        let finding = report.add(&RULE, digits, message);
        let edits = edits(position);
        if !edits.is_empty() {
            finding.fix(Fix::suggestion("Number all actions in the order of the text", edits));
        }
    }
}

fn renumber(subject: &Subject, order: &[(u64, &Action)]) -> Vec<Edit> {
    order
        .iter()
        .zip(0_u64..)
        .filter(|((old, _), new)| old != new)
        .flat_map(|((old, _), new)| subject.renumber(*old, new))
        .collect()
}
