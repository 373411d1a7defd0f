use super::RuleContext;
use crate::declare_rule;
use crate::edit::Subject;
use crate::format::blocks::check::whole_lines;
use crate::rule::{Fix, Report};
use crate::text::Edit;

declare_rule! {
    /// A `CHANGELOG` block only has new text, so it has no divider. The line of `=` becomes part of
    /// the item.
    ///
    /// ````markdown bad within=clock
    /// **Assistant:** Done.
    ///
    /// <<<<<< CHANGELOG
    /// Shows the local time
    /// =======
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
    pub static RULE = "llmd/changelog-divider", Warning, "Divider in a CHANGELOG block";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    for item in context.blocks.live().filter(|item| {
        item.written.block.subject == Subject::Changelog && item.written.block.error.is_none()
    }) {
        for divider in item.dividers() {
            let message =
                "a `CHANGELOG` block has no divider: this line becomes part of the item; remove it";
            let lines = whole_lines(context.cx.source, &divider.line);
            report
                .add(&RULE, divider.span, message)
                .fix(Fix::suggestion("Remove the line", vec![Edit::delete(lines)]));
        }
    }
}
