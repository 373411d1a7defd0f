use super::Subject;
use crate::declare_rule;
use crate::rule::{Fix, Report};
use crate::text::Edit;

declare_rule! {
    /// Blanks stand before a marker. agentmd reads it all the same, but the specification's reader knows markers at the very
    /// start of a line only: for it the line is text, and what it says is lost.
    ///
    /// Remove the blanks. A line with four blanks or more is text for agentmd too.
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
    for (_, mark) in subject.marks() {
        let blanks = mark.line.start..mark.span.start;
        if !mark.kind.is_marker() || blanks.is_empty() || !subject.text(&blanks).starts_with(' ') {
            continue;
        }
        let marker = subject.text(&mark.span);
        let message = format!("Blanks stand before `{marker}`. The specification's reader takes the line for text; remove them.");
        report.add(&RULE, blanks.clone(), message).fix(Fix::safe("Remove the blanks", vec![Edit::delete(blanks)]));
    }
}
