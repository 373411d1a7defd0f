use super::super::layout::Action;
use super::RuleContext;
use super::context::index_of;
use crate::declare_rule;
use crate::rule::{Fix, Report};
use crate::text::Edit;

declare_rule! {
    /// Actions are numbered from 0 in document order, without gaps. Parsers sort them by number, so
    /// an action may run before the one it depends on. A gap usually means that an action was lost.
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
    pub static RULE = "duckflow/action-order", Error, "Actions not numbered 0, 1, 2, …";
}

/// With more mistakes than this, only one finding has the fix.
const MOST_FIXES: usize = 8;

pub fn check(context: &RuleContext, report: &mut Report) {
    let counts = |index: u64| context.belongs_to(index).is_none();
    let order: Vec<(u64, &Action)> = context
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
            && !(next..*index).take(MOST_FIXES).any(|missing| context.means_key(missing, "TYPE"))
        {
            let missing = if *index - next == 1 {
                format!("missing action {next}")
            } else {
                format!("missing actions {next} to {}", index - 1)
            };
            wrong.push((
                *index,
                action,
                format!("{missing} before action {index}; number the actions 0, 1, 2, …"),
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
                    "action {index} follows action {before}, but parsers run it first; number the actions in order"
                ),
            ));
        }
    }
    let edits = |position: usize| {
        if position < MOST_FIXES { renumber(context, &order) } else { Vec::new() }
    };
    for (position, (_, action, message)) in wrong.into_iter().enumerate() {
        let Some((_, digits)) = context.mark(action.first).and_then(index_of) else { continue };
        let finding = report.add(&RULE, digits, message);
        let edits = edits(position);
        if !edits.is_empty() {
            finding.fix(Fix::suggestion("Number all actions in order", edits));
        }
    }
}

fn renumber(context: &RuleContext, order: &[(u64, &Action)]) -> Vec<Edit> {
    order
        .iter()
        .zip(0_u64..)
        .filter(|((old, _), new)| old != new)
        .flat_map(|((old, _), new)| context.renumber(*old, new))
        .collect()
}
