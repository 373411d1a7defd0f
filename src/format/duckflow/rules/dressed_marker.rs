use super::super::mark::MarkKind;
use super::Subject;
use crate::declare_rule;
use crate::rule::{Fix, Report};
use crate::text::Edit;

declare_rule! {
    /// A marker is written in bold, as a heading, in a list, in a quote, as code, or with a colon
    /// behind it. No reader takes it for a marker: it is text, and what it was meant to say is
    /// lost.
    ///
    /// A marker stands at the start of its line, and a blank divides it from its value.
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
    pub static RULE = "duckflow/dressed-marker", Warning, "A marker in bold, in a list, with a colon, …", strict;
}

pub fn check(subject: &Subject, report: &mut Report) {
    for meant in &subject.meant {
        let Some(mark) = subject.mark(meant.mark).filter(|mark| mark.is_dressed()) else {
            continue;
        };
        // An end in content that has none is told with the content.
        if matches!(meant.kind, MarkKind::ContentEnd { .. })
            && subject.layout().inside.get(meant.mark).is_some_and(Option::is_some)
        {
            continue;
        }
        let message = format!(
            "`{}` is text to every reader. Write `[{}]` at the start of the line, and nothing else around it.",
            shown(subject, mark),
            meant.name
        );
        let value = subject.text(&mark.value);
        let line = if value.is_empty() {
            format!("[{}]", meant.name)
        } else {
            format!("[{}] {value}", meant.name)
        };
        // In a list or a quote the words may be just words.
        let safe = matches!(
            meant.kind,
            MarkKind::Action { .. } | MarkKind::ContentStart { .. } | MarkKind::ContentEnd { .. }
        ) || subject.text(&mark.span).starts_with(['*', '#', '['])
            && !subject.text(&mark.span).starts_with("* ");
        let edits = vec![Edit::replace(mark.line.clone(), line)];
        report
            .add(&RULE, mark.span.clone(), message)
            .fix(Fix { safe, ..Fix::suggestion("Write the marker by itself", edits) });
    }
}

/// The marker in its dress, as it can stand between backticks.
fn shown(subject: &Subject, mark: &super::super::mark::Mark) -> String {
    subject.text(&mark.span).replace('`', "'")
}
