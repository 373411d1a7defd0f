use super::super::vocabulary::Content;
use super::RuleContext;
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

pub fn check(context: &RuleContext, report: &mut Report) {
    for (index, action) in &context.order {
        let Some(kind) = context
            .known_type(action)
            .filter(|kind| kind.content == Content::Unused && !context.is_torn(*index))
        else {
            continue;
        };
        let content =
            action.contents.last().and_then(|content| context.layout().contents.get(*content));
        let Some(mark) = content.and_then(|content| context.mark(content.start)) else { continue };
        let message =
            format!("`{}` does not use content; is the type or the index wrong?", kind.name);
        let finding = report.add(&RULE, mark.span.clone(), message);
        if let Some((_, span)) = context.type_of(action) {
            finding.relate(span, format!("action {index} is a `{}`", kind.name));
        }
    }
}
