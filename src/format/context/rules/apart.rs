use super::Subject;
use crate::declare_rule;
use crate::rule::{Fix, Report};
use crate::text::Edit;

declare_rule! {
    /// A blank line stands between the header of an item and its fence. Agent-Q writes none; a
    /// strict reader does not see the item.
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
    pub static RULE = "context/apart", Hint, "A blank line between a header and its fence";
}

pub fn check(subject: &Subject, report: &mut Report) {
    for item in subject.items().filter(|item| item.apart) {
        let start = item.line.end + subject.cx.source.line_break().len();
        let span = start.min(item.opener.start)..item.opener.start;
        let fix = Fix::safe("Remove the blank line", vec![Edit::delete(span)]);
        report
            .add(
                &RULE,
                item.opener.clone(),
                "The fence does not follow its header at once. Remove the blank line before it.",
            )
            .fix(fix);
    }
}
