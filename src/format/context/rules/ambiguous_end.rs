use super::RuleContext;
use crate::declare_rule;
use crate::rule::Report;

declare_rule! {
    /// The item could end in two places: a line of its content closes its fence, and then the
    /// header of another item follows. It is ambiguous whether that header is content. agentmd
    /// chooses the interpretation in which the fences of all contents are balanced.
    ///
    /// If the item is read as intended, make the fence longer.
    ///
    /// ``````markdown bad
    /// ## Context
    ///
    /// ### Text
    /// ```lisp
    /// ````
    /// ```
    ///
    /// ### Code
    /// ```lisp
    /// (a)
    /// ```
    /// ````
    /// ```
    /// ``````
    ///
    /// ``````markdown good
    /// ## Context
    ///
    /// ### Text
    /// `````lisp
    /// ````
    /// ```
    ///
    /// ### Code
    /// ```lisp
    /// (a)
    /// ```
    /// ````
    /// `````
    /// ``````
    pub static RULE = "context/ambiguous-end", Warning, "Ambiguous end of an item";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    for item in context.items().filter(|item| item.closer.is_some()) {
        let Some(header) = item.ambiguous.clone() else { continue };
        let fix = context.safe_fence(item);
        let message =
            "ambiguous header: read as content, but could start another item; use a longer fence";
        let finding = report.add(&RULE, header, message);
        finding.relate(item.opener.clone(), "the fence around it");
        if let Some(fix) = fix {
            finding.fix(fix);
        }
    }
}
