use super::super::mark::MarkKind;
use super::RuleContext;
use crate::declare_rule;
use crate::rule::{Fix, Report};
use crate::suggestion::did_you_mean;
use crate::text::Edit;

declare_rule! {
    /// A line starts like a marker, but its bracket isn't closed, or an action's marker lacks its
    /// index or key. agentmd skips the line. The reference parser drops it too, unless it is below
    /// `[REASONING]`: then it becomes part of the reasoning.
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
    pub static RULE = "duckflow/malformed-marker", Error, "Malformed marker";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    for (index, mark) in context.marks().filter(|(_, mark)| mark.kind == MarkKind::Malformed) {
        let written = context.text(&mark.span);
        let what = match written.strip_suffix(']') {
            None => "unclosed bracket",
            Some(_)
                if context
                    .text(&mark.name)
                    .bytes()
                    .filter(|byte| byte.is_ascii_digit())
                    .count()
                    >= LONGEST_INDEX =>
            {
                "index out of range"
            }
            Some(_) => "missing index or key; write `[ACTION_0_PATH]`, for example",
        };
        let meant = context.meant_as(index);
        let suggestion = did_you_mean(meant.map(|meant| format!("[{}]", meant.name)).as_deref());
        let reading = match context.follows_reasoning(index) {
            true => "the reference parser adds the line to the reasoning, agentmd skips it",
            false => "every parser skips the line",
        };
        let finding = report.add(
            &RULE,
            mark.span.clone(),
            format!("malformed marker: {what} ({reading}){suggestion}"),
        );
        if let Some(meant) = meant {
            let safe = !written.ends_with(']')
                && *context.text(&mark.name) == meant.name
                && context.is_harmless(meant);
            let edits = vec![Edit::replace(mark.span.clone(), format!("[{}]", meant.name))];
            finding.fix(Fix {
                safe,
                ..Fix::suggestion(format!("Replace with `[{}]`", meant.name), edits)
            });
        }
    }
}

/// An index with this many digits doesn't fit into 64 bits.
const LONGEST_INDEX: usize = 19;
