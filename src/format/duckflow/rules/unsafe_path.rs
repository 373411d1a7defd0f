use super::super::mark::MarkKind;
use super::super::vocabulary::{self, ParameterKind, ParameterName};
use super::RuleContext;
use super::workspace::{self, Place};
use crate::declare_rule;
use crate::rule::Report;

declare_rule! {
    /// A path is absolute, or leaves the workspace with `..`. Parsers pass it through, and a
    /// program that follows it writes to unexpected places. agentmd never applies such an action.
    ///
    /// Write the path relative to the workspace.
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
    /// [ACTION_0_PATH] /etc/passwd
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
    pub static RULE = "duckflow/unsafe-path", Warning, "Path outside the workspace";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    for (_, mark) in
        context.marks().filter(|(_, mark)| matches!(mark.kind, MarkKind::Action { .. }))
    {
        if !matches!(
            vocabulary::parameter(&context.key(mark)),
            Some(ParameterName { kind: ParameterKind::Path, .. })
        ) {
            continue;
        }
        let value = context.value(mark);
        let path = context.text(&value);
        let what = match workspace::place(&path) {
            Place::Absolute => "is absolute",
            Place::Outside => "leads outside the workspace",
            Place::Inside(_) => continue,
        };
        let message = format!("`{path}` {what}; write a path relative to the workspace");
        report.add(&RULE, value, message);
    }
}
