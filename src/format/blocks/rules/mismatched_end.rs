use super::RuleContext;
use crate::declare_rule;
use crate::edit::Reason;
use crate::rule::{Fix, Report};
use crate::text::Edit;

declare_rule! {
    /// `SEARCH` ends with `REPLACE`, `ORIGINAL` with `UPDATED`, `SEARCH_MISSION` with
    /// `REPLACE_MISSION`, `CHANGELOG` with `CHANGELOG`. Either the start or the end of this block is wrong. agentmd can't tell which,
    /// so it doesn't apply the block.
    ///
    /// ````markdown bad within=clock
    /// **Assistant:** Done.
    ///
    /// clock.py
    /// <<<<<< SEARCH
    /// print(time.time())
    /// =======
    /// print(time.ctime())
    /// >>>>>> REPLACE_MISSION
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
    pub static RULE = "edit/mismatched-end", Error, "End marker of another kind of block";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    for item in context.odd().filter(|item| item.written.block.error == Some(Reason::MismatchedEnd))
    {
        let (Some(end), (head, right)) = (item.end(), context.names(item)) else { continue };
        let name = end.run().end + 1..end.span.end;
        let written = context.text(&(end.run().end..end.span.end));
        let message = format!(
            "this block begins with `{head}` but ends with `{}`, so it isn't applied; write `{right}`",
            written.trim()
        );
        let finding = report.add(&RULE, name.start.min(name.end)..name.end, message);
        finding.relate(item.head().span, "the block begins here");
        let edit = Edit::replace(end.run().end..end.span.end, format!(" {right}"));
        finding.fix(Fix::suggestion(format!("Write `{right}`"), vec![edit]));
    }
}
