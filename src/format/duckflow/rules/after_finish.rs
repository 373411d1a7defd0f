use super::RuleContext;
use crate::declare_rule;
use crate::rule::Report;

declare_rule! {
    /// An action follows `finish`, which ends the task. Parsers pass it on, but whether it runs
    /// depends on the program.
    ///
    /// Put `finish` last.
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
    /// [ACTION_0_TYPE] finish
    /// [ACTION_0_RESULT] Nothing was left to do.
    ///
    /// [ACTION_1_TYPE] read_file
    /// [ACTION_1_PATH] program.md
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
    /// [ACTION_0_TYPE] read_file
    /// [ACTION_0_PATH] program.md
    ///
    /// [ACTION_1_TYPE] finish
    /// [ACTION_1_RESULT] Nothing was left to do.
    /// ````
    pub static RULE = "duckflow/after-finish", Warning, "Action after `finish`";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    // Actions run in the order of their numbers.
    let mut finish = None;
    for (index, action) in &context.layout().actions {
        let Some((kind, span)) = context.type_of(action).filter(|_| !context.is_torn(*index))
        else {
            continue;
        };
        if let Some((finished, place)) = finish {
            let mark = context.mark(action.first).map_or(span, |mark| mark.span.clone());
            let message = format!(
                "action {index} comes after `finish` (action {finished}), which ends the task; put `finish` last"
            );
            report.add(&RULE, mark, message).relate(place, "the task is finished here");
            return;
        }
        if kind == "finish" {
            finish = Some((*index, span));
        }
    }
}
