use super::super::vocabulary::Content;
use super::Subject;
use crate::declare_rule;
use crate::rule::Report;

declare_rule! {
    /// An action of this type has no use for content: parsers keep it, but the program that runs
    /// the action ignores it. Usually the type or the index is wrong.
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
    /// [ACTION_0_TYPE] run_command
    /// [ACTION_0_COMMAND] cat > hello.py
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
    /// [ACTION_0_TYPE] create_file
    /// [ACTION_0_PATH] hello.py
    /// [ACTION_0_CONTENT_START]
    /// print("hello")
    /// [ACTION_0_CONTENT_END]
    ///
    /// [ACTION_1_TYPE] finish
    /// [ACTION_1_RESULT] Nothing was left to do.
    /// ````
    pub static RULE = "duckflow/unused-content", Warning, "Unused content";
}

pub fn check(subject: &Subject, report: &mut Report) {
    for (index, action) in &subject.order {
        let Some(kind) = subject
            .known_type(action)
            .filter(|kind| kind.content == Content::Unused && !subject.is_torn(*index))
        else {
            continue;
        };
        let content =
            action.contents.last().and_then(|content| subject.layout().contents.get(*content));
        let Some(mark) = content.and_then(|content| subject.mark(content.start)) else { continue };
        let message =
            format!("`{}` does not use content; is the type or the index wrong?", kind.name);
        let finding = report.add(&RULE, mark.span.clone(), message);
        if let Some((_, span)) = subject.type_of(action) {
            finding.relate(span, format!("action {index} is a `{}`", kind.name));
        }
    }
}
