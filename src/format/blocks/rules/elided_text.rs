use super::RuleContext;
use crate::declare_rule;
use crate::edit::Reason;
use crate::rule::Report;

declare_rule! {
    /// The new text says `...` or `# rest as before` for lines that it does not show. Taken by its
    /// word, the lines that it stands for would be lost, so the block is not applied. Write them
    /// out, or leave them out of both sides.
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
                "The new text says `...` for lines that would be lost. Write them out."
            }
            Some(Reason::ElisionUnpaired) => {
                "The old text says `...` where the new one does not: lines would be lost that nobody has seen. Write them out."
            }
            _ => continue,
        };
        report.add(&RULE, item.head().span, message);
    }
}
