use super::RuleContext;
use crate::declare_rule;
use crate::format::blocks::files::Lookup;
use crate::rule::Report;

declare_rule! {
    /// The path is absolute, leaves the workspace, is inside `.git`, or names something that isn't
    /// a text file. A model wrote this reply, so agentmd never changes anything outside the
    /// workspace.
    ///
    /// ````markdown bad within=clock
    /// **Assistant:** Done.
    ///
    /// ../clock.py
    /// <<<<<< SEARCH
    /// print(time.time())
    /// =======
    /// print(time.ctime())
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
    pub static RULE = "edit/unsafe-path", Error, "Path that blocks can't change";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    for (item, outcome) in context.outcomes() {
        let (Some(path), Lookup::Refused(_, message)) =
            (context.path(item.block.get()), &outcome.lookup)
        else {
            continue;
        };
        report.add(&RULE, path.span.clone(), message.clone());
    }
}
