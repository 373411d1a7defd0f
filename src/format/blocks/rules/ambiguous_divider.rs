use super::RuleContext;
use crate::declare_rule;
use crate::edit::Reason;
use crate::format::blocks::check::Outcome;
use crate::rule::Report;

declare_rule! {
    /// Several lines of the block look like the divider, and the file contains the text above more
    /// than one of them. agentmd uses the first. To make it unambiguous, write the divider as LLMD
    /// does, with seven `=`, and add a line to the SEARCH text that only one reading contains.
    ///
    /// ````markdown file=title.md
    /// Clock
    /// =======
    /// time
    /// ````
    ///
    /// ````markdown bad within=clock
    /// **Assistant:** Done.
    ///
    /// title.md
    /// <<<<<< SEARCH
    /// Clock
    /// =======
    /// time
    /// =======
    /// hour
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
    pub static RULE = "edit/ambiguous-divider", Warning, "Block with two possible dividers";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    let unclear = |outcome: &Outcome| outcome.reason() == Some(Reason::SplitAmbiguous);
    for (item, outcome) in
        context.outcomes().filter(|(_, outcome)| outcome.step.fitting > 1 || unclear(outcome))
    {
        let mut dividers = item.dividers();
        let (Some(first), Some(second)) = (dividers.next(), dividers.next()) else { continue };
        if unclear(outcome) {
            let message = "this block can be divided here or above, and both fit, so it isn't applied; remove one divider";
            report.add(&RULE, second.span, message).relate(first.span, "it can be divided here");
            continue;
        }
        let message = format!(
            "this block can be divided here or above, and {} of the results match the file; the first is used",
            outcome.step.fitting
        );
        report.add(&RULE, second.span, message).relate(first.span, "it is divided here");
    }
}
