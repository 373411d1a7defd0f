use super::RuleContext;
use crate::declare_rule;
use crate::rule::{Fix, Report};
use crate::text::Edit;

declare_rule! {
    /// A blank line separates the header of an item from its fence. Agent-Q doesn't write one, and
    /// a strict parser doesn't recognise the item.
    ///
    /// ````markdown file=a.lisp
    /// (a)
    /// ````
    ///
    /// ````markdown bad
    /// ## Context
    ///
    /// ### Code (from a.lisp)
    ///
    /// ```lisp
    /// (a)
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
    /// ````
    pub static RULE = "context/apart", Hint, "Blank line between header and fence";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    for item in context.items().filter(|item| item.apart) {
        let end = item.line.end;
        let pair = context.text(&(end..item.opener.start.min(end + 2))) == "\r\n";
        let start = end + 1 + usize::from(pair);
        let span = start.min(item.opener.start)..item.opener.start;
        let fix = Fix::safe("Remove the blank line", vec![Edit::delete(span)]);
        report
            .add(
                &RULE,
                item.opener.clone(),
                "blank line between the header and its fence; remove it",
            )
            .fix(fix);
    }
}
