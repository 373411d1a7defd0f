use super::super::mark::MarkKind;
use super::Subject;
use crate::declare_rule;
use crate::rule::{Fix, Report};
use crate::text::Edit;

declare_rule! {
    /// A line looks like a marker, but isn't in upper case. Parsers read it as text, so what it
    /// marks is lost.
    ///
    /// Write markers in upper case.
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
    /// [action_0_type] finish
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
    pub static RULE = "duckflow/marker-case", Warning, "Marker not in upper case", strict;
}

pub fn check(subject: &Subject, report: &mut Report) {
    for meant in &subject.meant {
        let Some(mark) = subject.mark(meant.mark).filter(|mark| mark.kind == MarkKind::LookAlike)
        else {
            continue;
        };
        if subject.text(&mark.name) == meant.name || mark.is_dressed() {
            continue;
        }
        // `unopened-content` and `unclosed-content` report end markers.
        if matches!(meant.kind, MarkKind::ContentEnd { .. })
            && subject.layout().inside.get(meant.mark).is_some_and(Option::is_some)
        {
            continue;
        }
        let message = format!(
            "`{}` is not read as a marker; did you mean `[{}]`?",
            subject.text(&mark.span),
            meant.name
        );
        let name = subject.text(&mark.name);
        let title = match name.to_ascii_uppercase() == meant.name {
            true => "Write the marker in upper case".to_owned(),
            false => format!("Replace with `[{}]`", meant.name),
        };
        let edits = vec![Edit::replace(mark.name.clone(), meant.name.clone())];
        // In running text it may be just a word.
        let twice = match meant.kind {
            MarkKind::Section(section) => subject.layout().sections.iter().any(|known| {
                subject.mark(known.mark).is_some_and(|mark| mark.kind == MarkKind::Section(section))
            }),
            _ => false,
        };
        report
            .add(&RULE, mark.span.clone(), message)
            .fix(Fix { safe: !twice, ..Fix::suggestion(title, edits) });
    }
}
