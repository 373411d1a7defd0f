use super::super::line::{LineKind, Lines};
use super::RuleContext;
use crate::declare_rule;
use crate::rule::{Fix, Report};
use crate::text::Edit;

declare_rule! {
    /// The fence of the item is never closed, so other parsers treat everything below as its
    /// content. A closing fence must be as long as the opening one, and alone on its line.
    ///
    /// ````markdown bad
    /// ## Context
    ///
    /// ### Code (from a.lisp)
    /// ```lisp
    /// (a)
    ///
    /// ### Error
    /// ```lisp
    /// Unbound variable FOO
    /// ```
    /// ````
    ///
    /// ````markdown good
    /// ## Context
    ///
    /// ### Code (from a.lisp)
    /// ```lisp
    /// (a)
    /// ```
    ///
    /// ### Error
    /// ```lisp
    /// Unbound variable FOO
    /// ```
    /// ````
    ///
    /// ````markdown file=a.lisp
    /// (a)
    /// ````
    pub static RULE = "context/unclosed-fence", Warning, "Unclosed fence";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    for item in context.items().filter(|item| item.closer.is_none()) {
        let fence = char::from(item.fence.mark).to_string().repeat(item.fence.length);
        let content = context.text(&item.content);
        let lines = Lines::read(&content, false);
        // The last line is meant to close it, but has the wrong length.
        let last = lines.lines.last().filter(|line| {
            line.next >= content.len() && matches!(line.kind, LineKind::Fence(found) if found.bare)
        });
        match last {
            Some(line) => {
                let span = line.span.start + item.content.start..line.span.end + item.content.start;
                let message = format!("this line does not close the fence; write {fence}");
                report.add(&RULE, span.clone(), message).fix(Fix::suggestion(
                    format!("Replace with {fence}"),
                    vec![Edit::replace(span, fence)],
                ));
            }
            None => {
                let end = context.cx.source.line_break();
                let text = if item.content.end == item.content.start
                    && item.content.start == item.opener.end
                    || !content.is_empty()
                {
                    format!("{end}{fence}")
                } else {
                    format!("{fence}{end}")
                };
                let message =
                    format!("unclosed fence; write {fence} after the last line of the content");
                let fix = Fix::suggestion(
                    format!("Close the fence with {fence}"),
                    vec![Edit::insert(item.content.end, text)],
                );
                report.add(&RULE, item.opener.clone(), message).fix(fix);
            }
        }
    }
}
