use super::RuleContext;
use crate::declare_rule;
use crate::edit::{Reason, may_hide};
use crate::rule::Report;

declare_rule! {
    /// The new text contains a placeholder such as `...` or `# rest as before`. Taken literally, it
    /// would replace the lines that the model left out, so agentmd doesn't apply the block. Write
    /// those lines, or leave them out of both sides.
    ///
    /// ````markdown bad within=clock
    /// **Assistant:** Done.
    ///
    /// clock.py
    /// <<<<<< SEARCH
    /// print(time.time())
    /// =======
    /// print(time.ctime())
    /// # ... rest of the code ...
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
    pub static RULE = "edit/elided-text", Error, "Placeholder for lines that would be lost";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    for (item, outcome) in context.outcomes() {
        let message = match outcome.reason() {
            Some(Reason::ElisionInReplace) => {
                "the new text has a placeholder in place of lines, which would be lost; write them out"
            }
            Some(Reason::NeedsConfirmation) if may_hide(item.block.get()) => {
                "a line of the new text may stand for lines that it leaves out; write them out, or confirm the edit"
            }
            Some(Reason::ElisionUnpaired) => {
                "the old text has a `...` that the new text lacks, so unseen lines would be lost; write them out"
            }
            _ => continue,
        };
        report.add(&RULE, item.head().span, message);
    }
}
