use super::super::mark::MarkKind;
use super::RuleContext;
use crate::declare_rule;
use crate::rule::{Fix, Report};
use crate::suggestion::quoted;
use crate::text::Edit;

declare_rule! {
    /// A marker is written in bold, as a heading, in a list, in a quote, as code, or with a colon
    /// after it, or its brackets are missing or contain its value. Parsers read it as text, so what
    /// it marks is lost.
    ///
    /// Write the marker at the start of its line, with a space between it and its value.
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
    /// **[ACTION_0_TYPE]:** finish
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
    pub static RULE = "duckflow/dressed-marker", Warning, "Marker in bold, in a list, with a colon, …", strict;
}

pub fn check(context: &RuleContext, report: &mut Report) {
    for meant in &context.meant {
        let Some(mark) = context.mark(meant.mark).filter(|mark| context.is_dressed(mark)) else {
            continue;
        };
        // `unopened-content` and `unclosed-content` report end markers.
        if matches!(meant.kind, MarkKind::ContentEnd { .. })
            && context.layout().inside.get(meant.mark).is_some_and(Option::is_some)
        {
            continue;
        }
        let message = format!(
            "{} is not read as a marker; write `[{}]` at the start of the line, undecorated",
            quoted(&context.text(&mark.span)),
            meant.name
        );
        let value = context.text(&mark.value);
        let line = if value.is_empty() {
            format!("[{}]", meant.name)
        } else {
            format!("[{}] {value}", meant.name)
        };
        // In a list or a quote it may be just a word.
        let safe = context.is_harmless(meant)
            && context.text(&mark.span).starts_with(['*', '#', '['])
            && !context.text(&mark.span).starts_with("* ");
        let edits = vec![Edit::replace(mark.line.clone(), line)];
        report
            .add(&RULE, mark.span.clone(), message)
            .fix(Fix { safe, ..Fix::suggestion("Remove the decoration", edits) });
    }
}
