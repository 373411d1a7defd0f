use super::super::mark::MarkKind;
use super::Subject;
use crate::declare_rule;
use crate::rule::{Fix, Report};
use crate::suggestion::did_you_mean;
use crate::text::Edit;

declare_rule! {
    /// A line begins like a marker, but its bracket is not closed, or it lacks the index or the key
    /// of an action. agentmd leaves the line out and reads on. The specification's reader drops it
    /// too, unless it stands below `[REASONING]`, of which it then becomes a part.
    ///
    /// ````markdown bad
    /// [REASONING]
    /// All tests pass.
    ///
    /// [CONFIDEN 0.9
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
    /// [CONFIDENCE] 0.9
    /// [MOOD] 0.8
    /// [FOCUS] 0.9
    /// [STAMINA] 0.7
    ///
    /// [ACTION_0_TYPE] finish
    /// [ACTION_0_RESULT] Nothing was left to do.
    /// ````
    pub static RULE = "duckflow/malformed-marker", Error, "A marker that is not whole";
}

pub fn check(subject: &Subject, report: &mut Report) {
    for (index, mark) in subject.marks().filter(|(_, mark)| mark.kind == MarkKind::Malformed) {
        let written = subject.text(&mark.span);
        let what = match written.strip_suffix(']') {
            None => "The bracket is not closed",
            Some(_)
                if subject
                    .text(&mark.name)
                    .bytes()
                    .filter(|byte| byte.is_ascii_digit())
                    .count()
                    >= LONGEST_INDEX =>
            {
                "The index is too large"
            }
            Some(_) => "An action's marker has an index and a key, as in `[ACTION_0_PATH]`",
        };
        let meant = subject.meant_as(index);
        let suggestion = did_you_mean(meant.map(|meant| format!("[{}]", meant.name)).as_deref());
        let reading = match subject.follows_reasoning(index) {
            true => {
                "the specification's reader takes the line for a part of the reasoning, agentmd leaves it out"
            }
            false => "every reader leaves the line out",
        };
        let finding =
            report.add(&RULE, mark.span.clone(), format!("{what}, so {reading}.{suggestion}"));
        if let Some(meant) = meant {
            let safe = !written.ends_with(']') && *subject.text(&mark.name) == meant.name;
            let edits = vec![Edit::replace(mark.span.clone(), format!("[{}]", meant.name))];
            finding.fix(Fix {
                safe,
                ..Fix::suggestion(format!("Replace with `[{}]`", meant.name), edits)
            });
        }
    }
}

/// An index with so many digits is no number of 64 bits.
const LONGEST_INDEX: usize = 19;
