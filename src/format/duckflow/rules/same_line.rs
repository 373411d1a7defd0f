use super::super::mark::MarkKind;
use super::RuleContext;
use crate::declare_rule;
use crate::rule::{Fix, Report};
use crate::text::Edit;

declare_rule! {
    /// A marker comes after another one in the same line. Parsers look for markers at the start of
    /// lines, so this one is read as part of the value before it, or not at all.
    ///
    /// Put every marker on its own line. In the middle of a sentence, a marker is just mentioned,
    /// and isn't reported.
    ///
    /// ````markdown bad
    /// [REASONING]
    /// All tests pass.
    ///
    /// [CONFIDENCE] 0.9
    /// [MOOD] 0.8 [FOCUS] 0.9
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
    pub static RULE = "duckflow/same-line", Warning, "Several markers on one line", strict;
}

pub fn check(context: &RuleContext, report: &mut Report) {
    for meant in &context.meant {
        let Some(mark) = context.mark(meant.mark).filter(|mark| mark.kind == MarkKind::Inline)
        else {
            continue;
        };
        // `unclosed-content` reports end markers.
        if context.layout().inside.get(meant.mark).is_some_and(Option::is_some) {
            continue;
        }
        let message = format!("`[{}]` is not read as a marker; put it on its own line", meant.name);
        let line = format!("{}[{}]", context.line_break, meant.name);
        let value = if mark.value.is_empty() { "" } else { " " };
        let edits = vec![Edit::replace(
            mark.line.start..mark.value.start.max(mark.span.end),
            format!("{line}{value}"),
        )];
        report.add(&RULE, mark.span.clone(), message).fix(Fix {
            safe: context.is_harmless(meant) && !context.is_in_section(meant.mark),
            ..Fix::suggestion("Put it on its own line", edits)
        });
    }
}
