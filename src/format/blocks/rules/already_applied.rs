use super::RuleContext;
use crate::declare_rule;
use crate::edit::Reason;
use crate::rule::Report;

declare_rule! {
    /// The file already contains the new text and no longer the old one, so the block has done its
    /// work. Editors show it faded; applying it again changes nothing.
    ///
    /// ````markdown bad within=clock
    /// **Assistant:** Done.
    ///
    /// clock.py
    /// <<<<<< SEARCH
    /// print(time.clock())
    /// =======
    /// print(time.time())
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
    pub static RULE = "edit/already-applied", Hint, "Block was already applied";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    for (item, outcome) in context.outcomes() {
        let Some(path) = context.path(item.block.get()) else { continue };
        if outcome.reason() == Some(Reason::AlreadyApplied) {
            let message =
                format!("`{}` already contains the new text; remove the block", path.text);
            report.add(&RULE, item.block.span(), message).unnecessary();
        }
    }
}
