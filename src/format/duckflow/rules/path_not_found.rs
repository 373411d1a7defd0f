use super::RuleContext;
use super::workspace::{Step, Use};
use crate::declare_rule;
use crate::format::Context;
use crate::rule::{Fix, Report};
use crate::suggestion::did_you_mean_or;
use crate::text::Edit;
use crate::world::EntryKind;

declare_rule! {
    /// A file to read, edit or delete is not in the workspace, and no earlier action creates it.
    /// Parsers don't check paths, so the mistake only shows when the action runs.
    ///
    /// Paths are relative to the workspace; without one, to the folder of `agentmd.toml` or of the
    /// reply.
    ///
    /// ````markdown file=src/main.py
    /// print("hello")
    /// ````
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
    /// [ACTION_0_PATH] src/mian.py
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
    /// [ACTION_0_PATH] src/main.py
    ///
    /// [ACTION_1_TYPE] finish
    /// [ACTION_1_RESULT] Nothing was left to do.
    /// ````
    pub static RULE = "duckflow/path-not-found", Warning, "File not found";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    self::report(context.steps(), context.cx, report);
}

pub fn report(steps: &[Step], cx: &Context, report: &mut Report) {
    for Step { wanted, found, meant } in
        steps.iter().filter(|step| step.wanted.intent == Use::Needs)
    {
        let path = cx.source.slice(wanted.value.clone());
        let message = match found {
            Some(EntryKind::File) => continue,
            Some(EntryKind::Folder) => {
                format!("`{path}` is a folder; name one of its files")
            }
            None => {
                let message = format!(
                    "file `{path}` not found in the workspace{}",
                    did_you_mean_or(meant.as_deref(), "correct the path, or create the file first")
                );
                let finding = report.add(&RULE, wanted.value.clone(), message);
                if let Some(meant) = meant {
                    finding.fix(Fix::suggestion(
                        format!("Replace with `{meant}`"),
                        vec![Edit::replace(wanted.value.clone(), meant.as_str())],
                    ));
                }
                continue;
            }
        };
        report.add(&RULE, wanted.value.clone(), message);
    }
}
