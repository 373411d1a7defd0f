use super::super::mark::{Mark, MarkKind};
use super::super::plan::unquoted;
use super::super::vocabulary::{self, ParameterKind};
use super::RuleContext;
use crate::declare_rule;
use crate::rule::{Fix, Report};
use crate::suggestion::quoted;
use crate::text::Edit;

declare_rule! {
    /// A path is in backticks, in quotes, in bold, is a link, or ends with a comma or a period.
    /// Parsers take all of it as the file name. agentmd doesn't apply such an action.
    ///
    /// Write the bare path.
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
    /// [ACTION_0_TYPE] read_file
    /// [ACTION_0_PATH] `program.md`
    ///
    /// [ACTION_1_TYPE] finish
    /// [ACTION_1_RESULT] Nothing was left to do.
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
    /// [ACTION_0_TYPE] read_file
    /// [ACTION_0_PATH] program.md
    ///
    /// [ACTION_1_TYPE] finish
    /// [ACTION_1_RESULT] Nothing was left to do.
    /// ````
    pub static RULE = "duckflow/quoted-path", Warning, "Path in quotes or before punctuation", strict;
}

pub fn check(context: &RuleContext, report: &mut Report) {
    for (_, mark) in context.marks() {
        let Some(path) = found(context, mark) else { continue };
        let message = format!(
            "quotes and punctuation become part of the path {}; write `{path}`",
            quoted(&context.text(&context.value(mark)))
        );
        let place = context.value(mark);
        let edits = vec![Edit::replace(place.clone(), path.clone())];
        // With spaces, it may be a sentence about paths.
        let fix = match path.contains([' ', ',', ';']) {
            true => Fix::suggestion("Write the bare path", edits),
            false => Fix::safe("Write the bare path", edits),
        };
        report.add(&RULE, place, message).fix(fix);
    }
}

/// The quoted path, if the mark has one.
pub fn found(context: &RuleContext, mark: &Mark) -> Option<String> {
    let MarkKind::Action { .. } = mark.kind else { return None };
    let is_path = vocabulary::parameter(&context.key(mark))
        .is_some_and(|parameter| parameter.kind == ParameterKind::Path);
    if is_path { unquoted(&context.text(&context.value(mark))).map(str::to_owned) } else { None }
}
