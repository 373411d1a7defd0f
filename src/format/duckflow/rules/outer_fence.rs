use super::Subject;
use crate::declare_rule;
use crate::rule::{Fix, Report};
use crate::text::Edit;

declare_rule! {
    /// The whole reply stands in a fence. Readers do not know fences: they pass over the first
    /// line, and take the last one for a part of what stands before it if that is a value of
    /// several lines. agentmd leaves both out.
    ///
    /// ````markdown bad
    /// ```
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
    ///
    /// ```
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
    pub static RULE = "duckflow/outer-fence", Info, "A reply in a fence";
}

pub fn check(subject: &Subject, report: &mut Report) {
    let Some((open, close)) = &subject.layout().fence else { return };
    let message = "The whole reply stands in a fence, which the specification's reader does not know. Leave the fence out.";
    let finding = report.add(&RULE, open.clone(), message);
    finding.relate(close.clone(), "the fence ends here");
    finding.fix(Fix::safe(
        "Remove the fence",
        vec![Edit::delete(subject.lines(open)), Edit::delete(subject.lines(close))],
    ));
}
