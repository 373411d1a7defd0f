use super::super::mark::MarkKind;
use super::Subject;
use crate::declare_rule;
use crate::rule::{Fix, Report};
use crate::text::Edit;

declare_rule! {
    /// Blanks stand before a marker. agentmd reads it all the same, but the specification's reader
    /// knows markers at the very start of a line only: for it the line is text, and what it says is
    /// lost.
    ///
    /// With a tab or four blanks or more, the line is text for agentmd too. Remove the blanks.
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
    ///   [ACTION_0_TYPE] finish
    /// [ACTION_0_RESULT] Nothing was left to do.
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
    /// [ACTION_0_TYPE] finish
    /// [ACTION_0_RESULT] Nothing was left to do.
    /// ````
    pub static RULE = "duckflow/indented-marker", Warning, "A marker with blanks before it", strict;
}

pub fn check(subject: &Subject, report: &mut Report) {
    for (index, mark) in subject.marks() {
        let blanks = mark.line.start..mark.span.start;
        let text = mark.kind == MarkKind::LookAlike;
        let counts = mark.kind.is_marker()
            || text
                && !mark.is_dressed()
                && subject
                    .meant_as(index)
                    .is_some_and(|meant| subject.text(&mark.name) == meant.name);
        if !counts || blanks.is_empty() || !subject.text(&blanks).starts_with([' ', '\t']) {
            continue;
        }
        let marker = subject.text(&mark.span);
        let reader = if text { "Every reader takes" } else { "The specification's reader takes" };
        let message =
            format!("Blanks stand before `{marker}`. {reader} the line for text; remove them.");
        report
            .add(&RULE, blanks.clone(), message)
            .fix(Fix::safe("Remove the blanks", vec![Edit::delete(blanks)]));
    }
}
