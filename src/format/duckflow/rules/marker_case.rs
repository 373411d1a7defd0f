use super::super::mark::MarkKind;
use super::RuleContext;
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

pub fn check(context: &RuleContext, report: &mut Report) {
    for meant in &context.meant {
        let Some(mark) = context.mark(meant.mark).filter(|mark| mark.kind == MarkKind::LookAlike)
        else {
            continue;
        };
        if context.text(&mark.name) == meant.name || context.is_dressed(mark) {
            continue;
        }
        // `unopened-content` and `unclosed-content` report end markers.
        if matches!(meant.kind, MarkKind::ContentEnd { .. })
            && context.layout().inside.get(meant.mark).is_some_and(Option::is_some)
        {
            continue;
        }
        let message = format!(
            "`{}` is not read as a marker; did you mean `[{}]`?",
            context.text(&mark.span),
            meant.name
        );
        let name = context.text(&mark.name);
        let title = match name.to_ascii_uppercase() == meant.name {
            true => "Write the marker in upper case".to_owned(),
            false => format!("Replace with `[{}]`", meant.name),
        };
        let edits = vec![Edit::replace(mark.name.clone(), meant.name.clone())];
        // In running text it may be just a word.
        report
            .add(&RULE, mark.span.clone(), message)
            .fix(Fix { safe: context.is_harmless(meant), ..Fix::suggestion(title, edits) });
    }
}
