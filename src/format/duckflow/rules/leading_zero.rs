use super::RuleContext;
use super::context::index_of;
use crate::declare_rule;
use crate::rule::{Fix, Report};
use crate::text::Edit;
use std::collections::HashSet;

declare_rule! {
    /// The index of an action starts with a redundant zero. Parsers treat `00` and `0` as the same
    /// action, but searching for the marker's text finds only one of them.
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
    /// [ACTION_00_TYPE] finish
    /// [ACTION_00_RESULT] Nothing was left to do.
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
    pub static RULE = "duckflow/leading-zero", Warning, "Index with leading zeros";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    let mut known = HashSet::new();
    for (_, mark) in context.marks() {
        let Some((index, digits)) = index_of(mark) else { continue };
        if digits.len() == index.to_string().len() || !known.insert(index) {
            continue;
        }
        let written = context.text(&digits);
        let message = format!("leading zeros in the index `{written}`; write `{index}`");
        report
            .add(&RULE, digits, message)
            .fix(Fix::safe("Remove the leading zeros", edits(context, index)));
    }
}

fn edits(context: &RuleContext, index: u64) -> Vec<Edit> {
    let short = index.to_string();
    context
        .renumber(index, index)
        .into_iter()
        .filter(|edit| edit.span.len() != short.len())
        .collect()
}
