use super::RuleContext;
use super::place::{mend, relate};
use crate::declare_rule;
use crate::edit::nearest::Nearest;
use crate::edit::{Reason, may_hide};
use crate::format::blocks::check::Item;
use crate::plan::describe;
use crate::rule::Report;
use crate::text::Span;

declare_rule! {
    /// The lines between the head and the divider must exist in the file, complete and consecutive;
    /// trailing whitespace and one change of indentation are ignored. They don't, so the block
    /// isn't applied. If the file has similar lines, the finding is at the first line that differs.
    ///
    /// The fix changes the block, not the file: the file's lines become the SEARCH text, and the
    /// REPLACE text makes the same change to them.
    ///
    /// ````markdown bad within=clock
    /// **Assistant:** Done.
    ///
    /// clock.py
    /// <<<<<< SEARCH
    /// import  tyme
    ///
    /// print(time.time())
    /// =======
    /// import  tyme
    ///
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
    pub static RULE = "edit/search-not-found", Error, "Search text not found in the file";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    for (item, outcome) in context.outcomes() {
        let (Err(refused), Some(path)) = (&outcome.step.result, context.path(item.block.get()))
        else {
            continue;
        };
        let file = &path.text;
        let message = match refused.reason {
            Reason::NotFound | Reason::TooLarge => describe(refused, file),
            Reason::WhitespaceOnlySearch => Reason::WhitespaceOnlySearch.message().to_owned(),
            // `edit/elided-text`
            Reason::NeedsConfirmation if may_hide(item.block.get()) => continue,
            Reason::NeedsConfirmation => {
                let line = refused.candidates.first().map_or(1, |line| line + 1);
                format!(
                    "the SEARCH text isn't in `{file}`, and line {line} is likely but not certain, so the block isn't applied; copy the lines as they are now in the file"
                )
            }
            Reason::Overlap => {
                let line = refused.candidates.first().map_or(1, |line| line + 1);
                format!(
                    "the SEARCH text is at line {line} of `{file}`, in lines that an earlier block changes; combine both blocks"
                )
            }
            _ => continue,
        };
        let span = refused
            .nearest
            .as_ref()
            .and_then(|near| differing(context, item, near))
            .unwrap_or_else(|| item.head().span);
        let finding = report.add(&RULE, span, message);
        let lines = refused
            .nearest
            .as_ref()
            .map(|near| near.lines.clone())
            .or_else(|| refused.candidates.first().map(|line| *line..line + 1));
        if let Some(lines) = lines {
            relate(finding, outcome, std::slice::from_ref(&lines), "the nearest lines");
        }
        mend(context, item, outcome, finding);
    }
}

/// The first line of the SEARCH text that differs from the file.
fn differing(context: &RuleContext, item: &Item, near: &Nearest) -> Option<Span> {
    let want = near.differences.iter().find_map(|difference| difference.want.as_ref())?;
    let (search, _) = item.sides(context.cx.source)?;
    let text = context.text(&search);
    let mut at = search.start;
    for line in text.split_inclusive('\n') {
        let bare = line.trim_end_matches(['\n', '\r']);
        if bare == want && !bare.trim().is_empty() {
            let start = at + (bare.len() - bare.trim_start().len());
            return Some(start..start + bare.trim().len());
        }
        at += line.len();
    }
    None
}
