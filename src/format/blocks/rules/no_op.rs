use super::RuleContext;
use crate::declare_rule;
use crate::edit::{Operation, Subject};
use crate::format::blocks::check::{Item, whole_lines};
use crate::rule::{Fix, Report, Severity};
use crate::text::Edit;

declare_rule! {
    /// The old and the new text are the same, or both are empty. Usually, a model started an edit
    /// and didn't finish it, or changed its mind.
    ///
    /// ````markdown bad within=clock
    /// **Assistant:** Done.
    ///
    /// clock.py
    /// <<<<<< SEARCH
    /// print(time.time())
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
    pub static RULE = "edit/no-op", Hint, "Block changes nothing";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    let about_file = |item: &&Item| {
        item.written.block.error.is_none()
            && item.written.block.subject == Subject::File
            && item.written.block.operation == Operation::Edit
            && !item.written.block.splits.is_empty()
    };
    for item in context.live().filter(about_file) {
        let same = item
            .written
            .block
            .splits
            .iter()
            .all(|split| split.search == split.replace && split.final_break.is_none());
        if !same {
            continue;
        }
        let empty = item.written.block.splits.iter().all(|split| split.search.trim().is_empty());
        let message = if empty {
            "this block is empty on both sides and changes nothing; write the change, or remove the block"
        } else {
            "the old and the new text are the same, so this block changes nothing; write the change, or remove the block"
        };
        let finding = report.add(&RULE, item.head().span, message);
        if empty {
            finding.severity = Severity::Warning;
        }
        // Remove the path too, if it is written for this block.
        let path = context
            .path(item.block.get())
            .filter(|path| !path.inherited && path.span.end <= item.head().span.start)
            .map(|path| path.span.start);
        let start = path.unwrap_or(item.block.span().start);
        let lines =
            whole_lines(context.cx.source, &(start..item.block.span().end.min(item.part.end)));
        finding.fix(Fix::suggestion("Remove the block", vec![Edit::delete(lines)]));
    }
}
