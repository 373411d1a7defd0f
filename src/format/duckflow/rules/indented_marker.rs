use super::super::mark::MarkKind;
use super::RuleContext;
use crate::declare_rule;
use crate::rule::{Fix, Report};
use crate::text::Edit;

declare_rule! {
    /// A marker is indented. agentmd accepts up to three spaces, but the reference parser only
    /// finds markers at the very start of a line and reads this one as text.
    ///
    /// With a tab or four or more spaces, agentmd reads it as text too. Remove the indentation.
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
    pub static RULE = "duckflow/indented-marker", Warning, "Indented marker", strict;
}

pub fn check(context: &RuleContext, report: &mut Report) {
    for (index, mark) in context.marks() {
        let blanks = mark.line.start..mark.span.start;
        let text = mark.kind == MarkKind::LookAlike;
        let meant = context.meant_as(index).filter(|meant| {
            text && !context.is_dressed(mark) && context.text(&mark.name) == meant.name
        });
        let counts = mark.kind.is_marker() || meant.is_some();
        if !counts || blanks.is_empty() || !context.text(&blanks).starts_with([' ', '\t']) {
            continue;
        }
        let marker = context.text(&mark.span);
        let reader = if text { "every parser" } else { "the reference parser" };
        let message = format!(
            "indented marker `{marker}`, which {reader} reads as text; remove the indentation"
        );
        let edits = vec![Edit::delete(blanks.clone())];
        report.add(&RULE, blanks, message).fix(Fix {
            safe: meant.is_none_or(|meant| context.is_harmless(meant)),
            ..Fix::suggestion("Remove the indentation", edits)
        });
    }
}
