use super::RuleContext;
use super::place::{mend, relate};
use crate::declare_rule;
use crate::edit::Reason;
use crate::plan::describe;
use crate::rule::Report;
use crate::text::Span;

declare_rule! {
    /// The file contains the SEARCH text more than once, so agentmd doesn't apply the block. Agents
    /// that take the first match edit the wrong place.
    ///
    /// Each fix adds the lines around one of the matches to the block.
    ///
    /// ````markdown file=twice.py
    /// beep()
    /// wait()
    /// beep()
    /// ````
    ///
    /// ````markdown bad within=clock
    /// **Assistant:** Done.
    ///
    /// twice.py
    /// <<<<<< SEARCH
    /// beep()
    /// =======
    /// ring()
    /// >>>>>> REPLACE
    /// ````
    ///
    /// ````markdown good within=clock
    /// **Assistant:** Done.
    ///
    /// clock.py
    /// <<<<<< SEARCH
    /// print(time.time())
    /// =======
    /// print(time.ctime())
    /// >>>>>> REPLACE
    /// ````
    pub static RULE = "edit/ambiguous-search", Error, "Search text matches several places";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    for (item, outcome) in context.outcomes() {
        let (Err(refused), Some(path)) = (&outcome.step.result, context.path(item.block.get()))
        else {
            continue;
        };
        if refused.reason != Reason::Ambiguous {
            continue;
        }
        let message = describe(refused, &path.text);
        let finding = report.add(&RULE, item.head().span, message);
        let length = item.written.block.searched_lines();
        let places: Vec<Span> =
            refused.candidates.iter().map(|line| *line..line + length).collect();
        relate(finding, outcome, &places, "it occurs here");
        mend(context, item, outcome, finding);
    }
}
