use super::super::mark::MarkKind;
use super::RuleContext;
use crate::declare_rule;
use crate::rule::{Fix, Report};
use crate::text::Edit;

declare_rule! {
    /// The key of a parameter is not in upper case. agentmd and the author's newer parser accept
    /// it, but the reference parser skips the line, so the parameter is missing.
    ///
    /// Write the key in upper case.
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
    /// [ACTION_0_TYPE] finish
    /// [ACTION_0_result] Nothing was left to do.
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
    pub static RULE = "duckflow/parameter-case", Warning, "Parameter not in upper case", strict;
}

pub fn check(context: &RuleContext, report: &mut Report) {
    for (_, mark) in context.marks() {
        let MarkKind::Action { key, .. } = &mark.kind else { continue };
        let (written, upper) = (context.text(key), context.key(mark));
        if written == upper {
            continue;
        }
        let message = format!(
            "`{written}` is not in upper case, so the reference parser skips it; write `{upper}`"
        );
        report
            .add(&RULE, key.clone(), message)
            .fix(Fix::safe("Write the key in upper case", vec![Edit::replace(key.clone(), upper)]));
    }
}
