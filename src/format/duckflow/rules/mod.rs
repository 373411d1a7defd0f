//! The rules of replies: one file each, one line in the list.

mod action_order;
mod after_finish;
mod content_value;
mod continued_value;
mod dressed_marker;
mod duplicate;
mod empty;
mod end_index;
pub mod facts;
mod fenced_content;
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
mod quoted_path;
mod reasoning_first;
mod same_line;
mod stray_text;
mod context;
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
mod value_sign;
mod vital_not_number;
mod vital_range;
mod vital_text;
mod workspace;

use super::Response;
use crate::format::Context;
use crate::rule::{Report, Rule};
pub use context::RuleContext;

type Check = fn(&RuleContext, &mut Report);

/// The part of a reply that a rule looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reach {
    /// An action, or the text before the first one.
    Part,
    /// The text before the first action.
    Head,
    /// The end of the reply.
    Last,
    /// All of it; these rules find nothing if [`facts`] finds everything in order.
    Whole,
}

static RULES: &[(&Rule, Check, Reach)] = &[
    (&indented_marker::RULE, indented_marker::check, Reach::Part),
    (&marker_case::RULE, marker_case::check, Reach::Part),
    (&dressed_marker::RULE, dressed_marker::check, Reach::Part),
    (&same_line::RULE, same_line::check, Reach::Part),
    (&unknown_section::RULE, unknown_section::check, Reach::Part),
    (&unknown_vital::RULE, unknown_vital::check, Reach::Part),
    (&value_sign::RULE, value_sign::check, Reach::Part),
    (&vital_not_number::RULE, vital_not_number::check, Reach::Part),
    (&vital_range::RULE, vital_range::check, Reach::Part),
    (&vital_text::RULE, vital_text::check, Reach::Part),
    (&missing_type::RULE, missing_type::check, Reach::Part),
    (&parameter_case::RULE, parameter_case::check, Reach::Part),
    (&continued_value::RULE, continued_value::check, Reach::Part),
    (&unclosed_content::RULE, unclosed_content::check, Reach::Part),
    (&end_index::RULE, end_index::check, Reach::Part),
    (&unopened_content::RULE, unopened_content::check, Reach::Part),
    (&text_after_marker::RULE, text_after_marker::check, Reach::Part),
    (&legacy_hazard::RULE, legacy_hazard::check, Reach::Part),
    (&malformed_marker::RULE, malformed_marker::check, Reach::Part),
    (&duplicate::RULE, duplicate::check, Reach::Part),
    (&action_order::RULE, action_order::check, Reach::Whole),
    (&leading_zero::RULE, leading_zero::check, Reach::Part),
    (&missing_vital::RULE, missing_vital::check, Reach::Head),
    (&reasoning_first::RULE, reasoning_first::check, Reach::Head),
    (&empty::RULE, empty::check, Reach::Head),
    (&unknown_action::RULE, unknown_action::check, Reach::Part),
    (&unknown_parameter::RULE, unknown_parameter::check, Reach::Part),
    (&missing_parameter::RULE, missing_parameter::check, Reach::Part),
    (&content_value::RULE, content_value::check, Reach::Part),
    (&unused_content::RULE, unused_content::check, Reach::Part),
    (&fenced_content::RULE, fenced_content::check, Reach::Part),
    (&missing_content::RULE, missing_content::check, Reach::Part),
    (&after_finish::RULE, after_finish::check, Reach::Part),
    (&no_finish::RULE, no_finish::check, Reach::Last),
    (&not_a_number::RULE, not_a_number::check, Reach::Part),
    (&quoted_path::RULE, quoted_path::check, Reach::Part),
    (&unsafe_path::RULE, unsafe_path::check, Reach::Part),
    (&path_not_found::RULE, path_not_found::check, Reach::Whole),
    (&path_exists::RULE, path_exists::check, Reach::Whole),
    (&stray_text::RULE, stray_text::check, Reach::Part),
    (&outer_fence::RULE, outer_fence::check, Reach::Head),
    (&sym_ops::RULE, sym_ops::check, Reach::Head),
];

/// Every rule of the format.
pub fn all() -> Vec<&'static Rule> {
    RULES.iter().map(|(rule, ..)| *rule).collect()
}

/// Reports every finding of a reply, part by part if possible.
pub(super) fn check(response: &Response, cx: &Context, report: &mut Report) {
    let parts = response.parts();
    if !parts.are_several() || !facts::check_parts(parts, cx, report) {
        check_whole(response, cx, report);
    }
}

/// Reports every finding of a reply, read as a whole.
pub fn check_whole(response: &Response, cx: &Context, report: &mut Report) {
    let context = RuleContext::new(response, cx, cx.source.line_break());
    check_all(&context, &[Reach::Part, Reach::Head, Reach::Last, Reach::Whole], report);
}

/// Reports the findings of the rules with a given reach.
fn check_all(context: &RuleContext, reaches: &[Reach], report: &mut Report) {
    for (_, check, _) in RULES.iter().filter(|(.., reach)| reaches.contains(reach)) {
        if (context.cx.cancelled)() {
            return;
        }
        check(context, report);
    }
}
