use super::RuleContext;
use super::workspace::{Step, Use};
use crate::declare_rule;
use crate::format::Context;
use crate::rule::{Fix, Report};
use crate::text::Edit;
use crate::world::EntryKind;

declare_rule! {
    /// A `create_file` action names a file that already exists. Parsers don't check this; the
    /// program that runs the action either replaces the file or refuses.
    ///
    /// To change the file, make it an `edit_file`.
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
    /// [ACTION_0_TYPE] create_file
    /// [ACTION_0_PATH] src/main.py
    /// [ACTION_0_CONTENT_START]
    /// print("hello")
    /// [ACTION_0_CONTENT_END]
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
    /// [ACTION_0_TYPE] edit_file
    /// [ACTION_0_PATH] src/main.py
    /// [ACTION_0_CONTENT_START]
    /// print("hello")
    /// [ACTION_0_CONTENT_END]
    ///
    /// [ACTION_1_TYPE] finish
    /// [ACTION_1_RESULT] Nothing was left to do.
    /// ````
    pub static RULE = "duckflow/path-exists", Warning, "Created file already exists";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    self::report(context.steps(), context.cx, report);
}

pub fn report(steps: &[Step], cx: &Context, report: &mut Report) {
    for Step { wanted, found, .. } in steps {
        let (Use::Creates, Some(kind)) = (wanted.intent, found) else { continue };
        let path = cx.source.slice(wanted.value.clone());
        let message = match kind {
            EntryKind::Folder => format!("`{path}` is a folder; name a file in it"),
            _ => format!("`{path}` already exists; use `edit_file` to change it"),
        };
        let finding = report.add(&RULE, wanted.value.clone(), message);
        if *kind == EntryKind::File {
            finding.fix(Fix::suggestion(
                "Make it an `edit_file`",
                vec![Edit::replace(wanted.kind.clone(), "edit_file")],
            ));
        }
    }
}
