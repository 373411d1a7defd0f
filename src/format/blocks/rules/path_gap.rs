use super::RuleContext;
use crate::declare_rule;
use crate::format::blocks::chain::Manner;
use crate::format::blocks::check::whole_lines;
use crate::rule::{Fix, Report};
use crate::text::Edit;

declare_rule! {
    /// The path is the line directly above the head. agentmd skips a blank line or the opening line
    /// of a fence between the two. Programs that look only at the line above find no path.
    ///
    /// ````markdown bad within=clock
    /// **Assistant:** Done.
    ///
    /// clock.py
    ///
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
    pub static RULE = "edit/path-gap", Warning, "Text between a block's path and its head";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    if context.manner == Manner::Reply {
        return;
    }
    for item in context.odd().filter(|item| !item.gap().is_empty()) {
        let Some(path) = context.path(item.block.get()) else { continue };
        let line = whole_lines(context.cx.source, &path.span);
        let written = context.text(&line);
        // The path may be on the opening line of the fence itself.
        if written.trim_start().starts_with(['`', '~']) && written.contains("```") {
            continue;
        }
        let message = format!(
            "the path isn't directly above `{}`; move it down",
            context.text(&item.head().span)
        );
        let edits = vec![
            Edit::delete(line),
            Edit::insert(
                item.head().line.start,
                format!("{}{}", path.text, context.cx.source.line_break()),
            ),
        ];
        report
            .add(&RULE, path.span.clone(), message)
            .fix(Fix::safe("Put the path directly above the block", edits));
    }
}
