use super::RuleContext;
use crate::declare_rule;
use crate::edit::Reason;
use crate::format::blocks::check::Item;
use crate::rule::{Fix, Report, Severity};
use crate::text::Edit;

declare_rule! {
    /// An empty SEARCH text creates a file or fills an empty one. This file has content, and the
    /// block doesn't say where the new text goes, so agentmd adds it at the end. To insert it
    /// elsewhere, search for a line of the file, and repeat that line in the REPLACE text.
    ///
    /// ````markdown bad within=clock
    /// **Assistant:** Done.
    ///
    /// clock.py
    /// <<<<<< SEARCH
    /// =======
    /// print("done")
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
    pub static RULE = "edit/empty-search", Warning, "Empty search text in a file with content";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    for (item, outcome) in context.outcomes() {
        let Some(path) = context.path(item.block.get()) else { continue };
        let refused = outcome.reason() == Some(Reason::EmptySearchOnNonemptyFile);
        if !outcome.step.appended && !refused {
            continue;
        }
        let what = if refused { "the block isn't applied" } else { "the new text goes to the end" };
        let message = format!(
            "the SEARCH text is empty but `{}` isn't, so {what}; write the lines before the new text into SEARCH",
            path.text
        );
        let finding = report.add(&RULE, item.head().span, message);
        if refused {
            finding.severity = Severity::Error;
        }
        let Some(mut chain) = outcome.chain() else { continue };
        if let Some(edits) = anchor(context, item, chain.text().text()) {
            finding.fix(Fix::suggestion("Put the last line of the file into the block", edits));
        }
    }
}

/// Adds the last line of the file in front of the new text on both sides.
fn anchor(context: &RuleContext, item: &Item, text: &str) -> Option<Vec<Edit>> {
    let (search, replace) = item.sides(context.cx.source)?;
    let last = text.trim_end().lines().next_back()?;
    let once = text.lines().filter(|line| line.trim_end() == last.trim_end()).count() == 1;
    let line = format!("{}{}", last.trim_end(), context.cx.source.line_break());
    once.then(|| vec![Edit::insert(search.start, line.clone()), Edit::insert(replace.start, line)])
}
