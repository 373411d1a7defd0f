//! The rules of replies: one file each, one line in the list.

mod action_order;
mod after_finish;
mod continued_value;
mod duplicate;
mod empty;
mod end_index;
mod indented_marker;
mod leading_zero;
mod legacy_hazard;
mod malformed_marker;
mod marker_case;
mod meaning;
mod missing_content;
mod missing_parameter;
mod missing_type;
mod missing_vital;
mod no_finish;
mod not_a_number;
mod outer_fence;
mod parameter_case;
mod path_exists;
mod path_not_found;
mod reasoning_first;
mod stray_text;
mod subject;
mod sym_ops;
mod text_after_marker;
mod unclosed_content;
mod unknown_action;
mod unknown_parameter;
mod unknown_section;
mod unknown_vital;
mod unopened_content;
mod unsafe_path;
mod unused_content;
mod vital_not_number;
mod vital_range;
mod vital_text;
mod workspace;

use super::Response;
use crate::format::Context;
use crate::rule::{Report, Rule};
use subject::Subject;

type Check = fn(&Subject, &mut Report);

static RULES: &[(&Rule, Check)] = &[
    (&indented_marker::RULE, indented_marker::check),
    (&marker_case::RULE, marker_case::check),
    (&unknown_section::RULE, unknown_section::check),
    (&unknown_vital::RULE, unknown_vital::check),
    (&vital_not_number::RULE, vital_not_number::check),
    (&vital_range::RULE, vital_range::check),
    (&vital_text::RULE, vital_text::check),
    (&missing_type::RULE, missing_type::check),
    (&parameter_case::RULE, parameter_case::check),
    (&continued_value::RULE, continued_value::check),
    (&unclosed_content::RULE, unclosed_content::check),
    (&end_index::RULE, end_index::check),
    (&unopened_content::RULE, unopened_content::check),
    (&text_after_marker::RULE, text_after_marker::check),
    (&legacy_hazard::RULE, legacy_hazard::check),
    (&malformed_marker::RULE, malformed_marker::check),
    (&duplicate::RULE, duplicate::check),
    (&action_order::RULE, action_order::check),
    (&leading_zero::RULE, leading_zero::check),
    (&missing_vital::RULE, missing_vital::check),
    (&reasoning_first::RULE, reasoning_first::check),
    (&empty::RULE, empty::check),
    (&unknown_action::RULE, unknown_action::check),
    (&unknown_parameter::RULE, unknown_parameter::check),
    (&missing_parameter::RULE, missing_parameter::check),
    (&unused_content::RULE, unused_content::check),
    (&missing_content::RULE, missing_content::check),
    (&after_finish::RULE, after_finish::check),
    (&no_finish::RULE, no_finish::check),
    (&not_a_number::RULE, not_a_number::check),
    (&unsafe_path::RULE, unsafe_path::check),
    (&path_not_found::RULE, path_not_found::check),
    (&path_exists::RULE, path_exists::check),
    (&stray_text::RULE, stray_text::check),
    (&outer_fence::RULE, outer_fence::check),
    (&sym_ops::RULE, sym_ops::check),
];

/// Every rule of the format.
pub fn all() -> Vec<&'static Rule> {
    RULES.iter().map(|(rule, _)| *rule).collect()
}

/// Reports every finding of a reply.
pub(super) fn check(response: &Response, cx: &Context, report: &mut Report) {
    let subject = Subject::new(response, cx);
    for (_, check) in RULES {
        if (cx.cancelled)() {
            return;
        }
        check(&subject, report);
    }
}
