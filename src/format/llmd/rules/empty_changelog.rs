use super::RuleContext;
use crate::declare_rule;
use crate::edit::Subject;
use crate::format::blocks::check::whole_lines;
use crate::rule::{Fix, Report};
use crate::text::Edit;

declare_rule! {
    /// A `CHANGELOG` block adds its text to the changelog as one item. This block is empty, so it
    /// adds nothing.
    ///
    /// ````markdown bad within=clock
    /// **Assistant:** Done.
    ///
    /// <<<<<< CHANGELOG
    /// >>>>>> CHANGELOG
    /// ````
    ///
    /// ````markdown good within=clock
    /// **Assistant:** Done.
    ///
    /// <<<<<< CHANGELOG
    /// Shows the local time
    /// >>>>>> CHANGELOG
    /// ````
    pub static RULE = "llmd/empty-changelog", Error, "Empty CHANGELOG block";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    for item in context.blocks.live().filter(|item| {
        item.written.block.subject == Subject::Changelog && item.written.block.error.is_none()
    }) {
        if item.written.block.splits.iter().all(|split| split.replace.trim().is_empty()) {
            let message = "empty `CHANGELOG` block; describe the change";
            let lines = whole_lines(context.cx.source, &item.block.span);
            report
                .add(&RULE, item.head().span, message)
                .fix(Fix::suggestion("Remove the block", vec![Edit::delete(lines)]));
        }
    }
}
