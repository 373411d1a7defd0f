use super::RuleContext;
use crate::declare_rule;
use crate::rule::Report;

declare_rule! {
    /// The item has no content: it takes up one of Agent-Q's fifty slots and tells the model
    /// nothing.
    ///
    /// ````markdown bad
    /// ## Context
    ///
    /// ### Text
    /// ```lisp
    ///
    /// ```
    /// ````
    ///
    /// ````markdown good
    /// ## Context
    ///
    /// ### Text
    /// ```lisp
    /// The tests fail since Monday.
    /// ```
    /// ````
    pub static RULE = "context/empty-item", Hint, "Empty item";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    for item in context.items().filter(|item| item.closer.is_some() && context.is_blank(item)) {
        let fix = context.refresh(item);
        let finding =
            report.add(&RULE, item.header.kind.clone(), "empty item; add its lines, or remove it");
        if let Some(fix) = fix {
            finding.fix(fix);
        }
    }
}
