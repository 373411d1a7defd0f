use super::RuleContext;
use crate::declare_rule;
use crate::format::context::swallowed::swallowed;
use crate::rule::{Fix, Report};
use crate::text::Edit;

declare_rule! {
    /// The header of an item is `### `, its type, and ` (from FILE:START-END)` if it's from a file,
    /// with one space each. Under any other header, the item is read as part of the one above.
    ///
    /// ````markdown file=a.lisp
    /// (a)
    /// ````
    ///
    /// ````markdown bad
    /// ## Context
    ///
    /// ### Code (from a.lisp)
    /// ```lisp
    /// (a)
    /// ```
    ///
    /// #### Error
    /// ```text
    /// unbound variable
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
    /// ```text
    /// unbound variable
    /// ```
    /// ````
    pub static RULE = "context/unread-header", Warning, "Header that isn't read as one";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    for item in context.items() {
        let Some(found) = swallowed(context.cx.source, item) else { continue };
        let header = found.header;
        let message = format!(
            "this isn't read as a header, so its item belongs to the one above; write `{header}`"
        );
        let edit = Edit::replace(found.span.clone(), header.clone());
        report
            .add(&RULE, found.span, message)
            .fix(Fix::suggestion(format!("Write `{header}`"), vec![edit]));
    }
}
