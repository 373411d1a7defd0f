use super::RuleContext;
use crate::declare_rule;
use crate::format::blocks::written::StrayKind;
use crate::rule::Report;

declare_rule! {
    /// A line ends a block, but no block is open: its head is missing or was cut off. None of it is
    /// applied.
    ///
    /// ````markdown bad within=clock
    /// **Assistant:** Done.
    ///
    /// clock.py
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
    pub static RULE = "edit/unopened-block", Error, "Unmatched end marker";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    for stray in context.strays.iter().filter(|stray| stray.kind == StrayKind::Orphan) {
        let head = match stray.word.trim() {
            "REPLACE_MISSION" => "SEARCH_MISSION",
            "CHANGELOG" => "CHANGELOG",
            _ => "SEARCH",
        };
        let message = format!(
            "this ends a block that isn't open; write `<<<<<< {head}` above the first line of the block"
        );
        report.add(&RULE, stray.span.clone(), message);
    }
}
