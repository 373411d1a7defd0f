use super::super::vocabulary::{self, ACTION_TYPES};
use super::Subject;
use crate::declare_rule;
use crate::rule::{Fix, Report};
use crate::suggestion::{closest, did_you_mean};
use crate::text::Edit;

declare_rule! {
    /// The type of an action is none that the format names: `create_file`, `edit_file`,
    /// `delete_file`, `run_command`, `search_code`, `read_file`, `finish`. Readers take any word;
    /// whether something can execute it is another matter.
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
    pub static RULE = "duckflow/unknown-action", Hint, "An action type that the format does not know";
}

pub fn check(subject: &Subject, report: &mut Report) {
    for (index, action) in &subject.order {
        let Some((kind, span)) =
            subject.type_of(action).filter(|(kind, _)| vocabulary::action_type(kind).is_none())
        else {
            continue;
        };
        if kind.is_empty() {
            let place = action
                .types
                .last()
                .and_then(|mark| subject.mark(*mark))
                .map_or(span, |mark| mark.span.clone());
            report.add(&RULE, place, format!("Action {index} has an empty type, which readers take as it is. Name one, such as `read_file`."));
            continue;
        }
        let meant = closest(&kind, ACTION_TYPES.iter().map(|known| known.name));
        let message = format!(
            "`{kind}` is no action of the format. Readers take it as it is.{}",
            did_you_mean(meant)
        );
        let finding = report.add(&RULE, span.clone(), message);
        if let Some(meant) = meant {
            finding.fix(Fix::suggestion(
                format!("Replace with `{meant}`"),
                vec![Edit::replace(span, meant)],
            ));
        }
    }
}
