use super::RuleContext;
use crate::declare_rule;
use crate::edit::Reason;
use crate::format::blocks::chain::Manner;
use crate::format::blocks::written::Mark;
use crate::rule::{Fix, Report};
use crate::text::Edit;

declare_rule! {
    /// A marker is a run of `<` or `>`, one space, and a name in upper case. agentmd understands
    /// this one; other programs don't.
    ///
    /// ````markdown bad within=clock
    /// **Assistant:** Done.
    ///
    /// clock.py
    /// <<<<<< Search
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
    pub static RULE = "edit/marker-spelling", Warning, "Misspelt marker";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    if context.manner == Manner::Reply {
        return;
    }
    for item in context.odd().filter(|item| item.written.block.error != Some(Reason::MismatchedEnd))
    {
        let (head, end) = item.names();
        let named = [(Some(item.head()), '<', head), (item.end(), '>', end)]
            .into_iter()
            .filter_map(|(mark, run, name)| Some((mark?, run, name)));
        let wrong: Vec<(Mark, String)> = named
            .map(|(mark, run, name)| {
                let right = format!("{} {name}", run.to_string().repeat(mark.marker.length));
                (mark, right)
            })
            .filter(|(mark, right)| context.text(&mark.span) != *right)
            .collect();
        let Some((first, right)) = wrong.first() else { continue };
        let written = context.text(&first.span);
        let message =
            format!("`{written}` is understood only by agentmd; write `{right}`, as LLMD does");
        let edits = wrong
            .iter()
            .map(|(mark, right)| Edit::replace(mark.span.clone(), right.clone()))
            .collect();
        report
            .add(&RULE, first.span.clone(), message)
            .fix(Fix::safe("Spell the markers of this block as LLMD does", edits));
    }
}
