use super::super::vocabulary::Content;
use super::RuleContext;
use super::content_value;
use super::context::index_of;
use crate::declare_rule;
use crate::rule::{Fix, Report};
use crate::text::Edit;
use std::collections::HashSet;

declare_rule! {
    /// A `create_file` action has no content block. Missing content isn't the same as empty
    /// content, although most programs then create an empty file.
    ///
    /// For an empty file, add an empty content block.
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
    /// [ACTION_0_TYPE] create_file
    /// [ACTION_0_PATH] src/__init__.py
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
    /// [ACTION_0_TYPE] create_file
    /// [ACTION_0_PATH] src/__init__.py
    /// [ACTION_0_CONTENT_START]
    /// [ACTION_0_CONTENT_END]
    ///
    /// [ACTION_1_TYPE] finish
    /// [ACTION_1_RESULT] Nothing was left to do.
    /// ````
    pub static RULE = "duckflow/missing-content", Hint, "Missing content";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    let ends: HashSet<u64> = context
        .layout()
        .unopened
        .iter()
        .filter_map(|mark| Some(index_of(context.mark(*mark)?)?.0))
        .collect();
    for (index, action) in &context.order {
        let wanted = context.known_type(action).is_some_and(|kind| kind.content == Content::Wanted);
        let told = context.means_key(*index, "CONTENT_START")
            || ends.contains(index)
            || context.is_torn(*index);
        if !wanted
            || told
            || content_value::found(context, action).is_some()
            || !action.contents.is_empty()
        {
            continue;
        }
        let Some((kind, span)) = context.type_of(action) else { continue };
        let finding = report.add(
            &RULE,
            span,
            format!("missing content for `{kind}`; add a content block, even an empty one"),
        );
        let last = context.group(*index).last().and_then(|mark| context.mark(*mark));
        if let Some(mark) = last {
            let line_break = context.line_break;
            let (start, end) = (
                format!("[ACTION_{index}_CONTENT_START]"),
                format!("[ACTION_{index}_CONTENT_END]"),
            );
            let fix = Fix::suggestion(
                "Add an empty content block",
                vec![Edit::insert(mark.line.end, format!("{line_break}{start}{line_break}{end}"))],
            );
            finding.fix(
                fix.with_snippet(format!("{line_break}{start}{line_break}$1{line_break}{end}")),
            );
        }
    }
}
