use super::super::vocabulary::{self, ACTION_TYPES};
use super::RuleContext;
use crate::declare_rule;
use crate::rule::{Fix, Report};
use crate::suggestion::{closest, did_you_mean};
use crate::text::Edit;

declare_rule! {
    /// The action's type isn't one that the format defines: `create_file`, `edit_file`,
    /// `delete_file`, `run_command`, `search_code`, `read_file`, `finish`. Parsers accept any word,
    /// but a program may not know how to run it.
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
    /// [ACTION_0_TYPE] raed_file
    /// [ACTION_0_PATH] program.md
    ///
    /// [ACTION_1_TYPE] finish
    /// [ACTION_1_RESULT] Nothing was left to do.
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
    pub static RULE = "duckflow/unknown-action", Hint, "Unknown action type";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    for (index, action) in &context.order {
        let Some((kind, span)) =
            context.type_of(action).filter(|(kind, _)| vocabulary::action_type(kind).is_none())
        else {
            continue;
        };
        if kind.is_empty() {
            let place = action
                .types
                .last()
                .and_then(|mark| context.mark(*mark))
                .map_or(span, |mark| mark.span.clone());
            let below = action.types.last().and_then(|mark| context.value_below(*mark));
            let remedy = match below {
                Some(_) => "write the type after the marker, not below it",
                None => "name one, such as `read_file`",
            };
            let message = format!("empty type of action {index}; {remedy}");
            let finding = report.add(&RULE, place.clone(), message);
            if let Some(below) = below {
                let line = format!(" {}", context.text(&below));
                let edits = vec![Edit::replace(place.end..below.end, line)];
                finding.fix(Fix::suggestion("Move the type to the marker", edits));
            }
            continue;
        }
        let meant = closest(&kind, ACTION_TYPES.iter().map(|known| known.name));
        let message = format!("unknown action type `{kind}`{}", did_you_mean(meant));
        let finding = report.add(&RULE, span.clone(), message);
        if let Some(meant) = meant {
            finding.fix(Fix::suggestion(
                format!("Replace with `{meant}`"),
                vec![Edit::replace(span, meant)],
            ));
        }
    }
}
