use super::super::mark::MarkKind;
use super::RuleContext;
use crate::declare_rule;
use crate::rule::{Fix, Report};
use crate::suggestion::quoted;
use crate::text::Edit;

declare_rule! {
    /// Text comes before the first marker, or after a vital, a type or content, where it belongs to
    /// no part. Every parser drops it.
    ///
    /// Move it below `[REASONING]` or `[NOTES]`, or remove it.
    ///
    /// ````markdown bad
    /// Sure, here is my reply.
    ///
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
    pub static RULE = "duckflow/stray-text", Hint, "Text that belongs to no part";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    let layout = context.layout();
    if context.is_empty() {
        return;
    }
    let reasoned = layout.sections.iter().any(|section| {
        context.mark(section.mark).is_some_and(|mark| mark.kind == MarkKind::Section(0))
    });
    let first = context
        .marks()
        .find(|(_, mark)| mark.kind.is_marker())
        .map_or(0, |(_, mark)| mark.line.start);
    for span in layout.stray.iter().filter(|span| {
        !context.holds_meant(span)
            && !context.lacks_start(span.end)
            && !context.closes_fence(span.end)
            && !context.is_value_below(span)
    }) {
        let line = context.text(span).lines().next().unwrap_or_default().trim_end().to_owned();
        let shown: String = line.chars().take(LONGEST_SHOWN).collect();
        let dots = if shown.len() < span.len() { " …" } else { "" };
        let message = format!(
            "{} belongs to no part and is dropped; move it below `[REASONING]` or `[NOTES]`, or remove it",
            quoted(&format!("{shown}{dots}"))
        );
        let finding = report.add(&RULE, span.clone(), message);
        finding.unnecessary();
        if !reasoned && span.start < first && !context.means_section(0) {
            let line = format!("[REASONING]{}", context.line_break);
            finding.fix(Fix::suggestion(
                "Make it the reasoning",
                vec![Edit::insert(span.start, line)],
            ));
        }
        finding.fix(Fix::suggestion("Remove the text", vec![Edit::delete(context.lines(span))]));
    }
}

/// Messages quote at most this many characters.
const LONGEST_SHOWN: usize = 40;
