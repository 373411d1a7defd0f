use super::super::mark::MarkKind;
use super::Subject;
use crate::declare_rule;
use crate::rule::{Fix, Report};
use crate::suggestion::did_you_mean;
use crate::text::Edit;

declare_rule! {
    /// A section is neither `[REASONING]`, `[PLANNING]` nor `[NOTES]`. agentmd keeps it apart. The
    /// specification's reader knows `[REASONING]` alone: below it, it takes this section for a part
    /// of the reasoning, marker and all; anywhere else it drops it.
    ///
    /// The format may be extended, so this is no mistake, unless it is a slip of the pen.
    ///
    /// ````markdown bad
    /// [REASONING]
    /// All tests pass.
    ///
    /// [NOTSE]
    /// Remember the milk.
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
    /// [NOTES]
    /// Remember the milk.
    ///
    /// [CONFIDENCE] 0.9
    /// [MOOD] 0.8
    /// [FOCUS] 0.9
    /// [STAMINA] 0.7
    ///
    /// [ACTION_0_TYPE] finish
    /// [ACTION_0_RESULT] Nothing was left to do.
    /// ````
    pub static RULE = "duckflow/unknown-section", Info, "A section that the format does not know";
}

pub fn check(subject: &Subject, report: &mut Report) {
    for (index, mark) in subject.marks().filter(|(_, mark)| mark.kind == MarkKind::UnknownSection) {
        let meant = subject.meant_as(index);
        let marker = subject.text(&mark.span);
        let message = format!(
            "`{marker}` is no section of the format. agentmd keeps it; the specification's reader takes it for a part of the reasoning, or drops it.{}",
            did_you_mean(meant.map(|meant| format!("[{}]", meant.name)).as_deref())
        );
        let finding = report.add(&RULE, mark.span.clone(), message);
        if let Some(meant) = meant {
            finding.fix(Fix::suggestion(
                format!("Replace with `[{}]`", meant.name),
                vec![Edit::replace(mark.name.clone(), meant.name.clone())],
            ));
        }
    }
}
