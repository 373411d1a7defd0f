use super::super::mark::MarkKind;
use super::super::plan::unsigned;
use super::RuleContext;
use crate::declare_rule;
use crate::rule::{Fix, Report};
use crate::text::Edit;

declare_rule! {
    /// A sign such as `=` or `:` separates a marker from its value. Parsers read it as part of the
    /// value: a path begins with it, a type is unknown, a vital isn't a number.
    ///
    /// Write only a space between the marker and its value.
    ///
    /// ````markdown bad
    /// [REASONING]
    /// All tests pass.
    ///
    /// [CONFIDENCE] 0.9
    /// [MOOD] = 0.8
    /// [FOCUS] 0.9
    /// [STAMINA] 0.7
    ///
    /// [ACTION_0_TYPE] finish
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
    pub static RULE = "duckflow/value-sign", Warning, "Sign between a marker and its value", strict;
}

pub fn check(context: &RuleContext, report: &mut Report) {
    for (_, mark) in context.marks() {
        let written = context.text(&mark.value);
        let Some(value) = unsigned(&written) else { continue };
        // Text may begin with a sign, unless the type of its action does too.
        let is_meant = match mark.kind {
            MarkKind::Action { index, .. } => {
                context.is_word(mark) || context.has_signed_type(index)
            }
            _ => context.is_word(mark),
        };
        if !is_meant {
            continue;
        }
        let sign = written.len() - value.len();
        let shown = written.get(..sign).unwrap_or_default().trim();
        let message = format!("`{shown}` is read as part of the value; write only a space");
        let span = mark.value.start..mark.value.start + shown.len();
        let edits = vec![Edit::replace(mark.span.end..mark.value.start + sign, " ")];
        // A dash may be the sign of the number.
        let safe = matches!(mark.kind, MarkKind::Vital(_)) && matches!(shown, "=" | ":");
        report
            .add(&RULE, span, message)
            .fix(Fix { safe, ..Fix::suggestion(format!("Remove `{shown}`"), edits) });
    }
}
