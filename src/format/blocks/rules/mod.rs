//! The rules of edit blocks: one file each, one line in the list. Every format with blocks has
//! them.

mod already_applied;
mod ambiguous_divider;
mod ambiguous_search;
mod elided_text;
mod empty_search;
mod file_exists;
mod loose_match;
mod marker_indent;
mod marker_length;
mod marker_spelling;
mod mismatched_end;
mod missing_divider;
mod missing_path;
mod new_file;
mod no_op;
mod path_gap;
mod place;
mod possible_edit;
mod quoted_block;
mod search_not_found;
mod unknown_file;
mod unknown_marker;
mod unopened_block;
mod unreadable_edit;
mod unsafe_path;
mod unterminated_block;

use super::check::RuleContext;
use crate::format::Context;
use crate::reply::{Fault, Reply};
use crate::rule::{Report, Rule};
use crate::text::Span;
pub(in crate::format) use already_applied::RULE as ALREADY_APPLIED;
pub(in crate::format) use no_op::RULE as NO_OP;

type Check = fn(&RuleContext, &mut Report);

static RULES: &[(&Rule, Check)] = &[
    (&already_applied::RULE, already_applied::check),
    (&ambiguous_divider::RULE, ambiguous_divider::check),
    (&ambiguous_search::RULE, ambiguous_search::check),
    (&elided_text::RULE, elided_text::check),
    (&empty_search::RULE, empty_search::check),
    (&file_exists::RULE, file_exists::check),
    (&loose_match::RULE, loose_match::check),
    (&marker_indent::RULE, marker_indent::check),
    (&marker_length::RULE, marker_length::check),
    (&marker_spelling::RULE, marker_spelling::check),
    (&mismatched_end::RULE, mismatched_end::check),
    (&missing_divider::RULE, missing_divider::check),
    (&missing_path::RULE, missing_path::check),
    (&new_file::RULE, new_file::check),
    (&no_op::RULE, no_op::check),
    (&path_gap::RULE, path_gap::check),
    (&quoted_block::RULE, quoted_block::check),
    (&search_not_found::RULE, search_not_found::check),
    (&unknown_file::RULE, unknown_file::check),
    (&unknown_marker::RULE, unknown_marker::check),
    (&unopened_block::RULE, unopened_block::check),
    (&unsafe_path::RULE, unsafe_path::check),
    (&unterminated_block::RULE, unterminated_block::check),
];

/// Every rule of edit blocks.
pub fn all() -> Vec<&'static Rule> {
    RULES
        .iter()
        .map(|(rule, _)| *rule)
        .chain([&possible_edit::RULE, &unreadable_edit::RULE])
        .collect()
}

/// Reports the edits of a reply that can't be read.
pub fn check_faults(reply: &Reply, cx: &Context, report: &mut Report) {
    unreadable_edit::check(&reply.faults, cx, report);
    if !reply.is_empty() {
        possible_edit::check(&reply.notices, cx, report);
    }
}

/// The part of a fault's place that is in its first line.
fn first_line(fault: &Fault, cx: &Context) -> Span {
    let line = cx.source.line_span(fault.span.start);
    let start = fault.span.start.max(line.start);
    let end = fault.span.end.min(line.end).max(start);
    if start < end { start..end } else { line }
}

/// Reports every finding of the blocks of a document.
pub fn check(context: &RuleContext, report: &mut Report) {
    for (_, check) in RULES {
        if (context.cx.cancelled)() {
            return;
        }
        check(context, report);
    }
    unreadable_edit::check_blocks(context, report);
}
