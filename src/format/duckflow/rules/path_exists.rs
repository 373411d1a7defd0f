use super::Subject;
use super::workspace::{Step, Use};
use crate::declare_rule;
use crate::format::Context;
use crate::rule::{Fix, Report};
use crate::text::Edit;
use crate::world::EntryKind;

declare_rule! {
    /// A `create_file` names a file that exists already. Readers do not look; whoever executes the
    /// action either replaces the file or refuses.
    ///
    /// If the file is to be changed, make it an `edit_file`.
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
    pub static RULE = "duckflow/path-exists", Warning, "A file that is created although it is there";
}

pub fn check(subject: &Subject, report: &mut Report) {
    self::report(subject.steps(), subject.cx, report);
}

pub fn report(steps: &[Step], cx: &Context, report: &mut Report) {
    for Step { wanted, found } in steps {
        let (Use::Creates, Some(kind)) = (wanted.intent, found) else { continue };
        let path = cx.source.slice(wanted.value.clone());
        let what = if *kind == EntryKind::Folder { "a folder" } else { "there already" };
        let message = format!(
            "`{path}` is {what}. Readers do not look, and whoever creates it may replace it; to change it, use `edit_file`."
        );
        let finding = report.add(&RULE, wanted.value.clone(), message);
        if *kind == EntryKind::File {
            finding.fix(Fix::suggestion(
                "Make it an `edit_file`",
                vec![Edit::replace(wanted.kind.clone(), "edit_file")],
            ));
        }
    }
}
