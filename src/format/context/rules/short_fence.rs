use super::RuleContext;
use crate::declare_rule;
use crate::format::context::swallowed::swallowed;
use crate::rule::Report;

declare_rule! {
    /// A line of the content closes the fence for other Markdown parsers, so the rest isn't content
    /// to them. agentmd ends the item at the last line that can close it, as long as that is
    /// unambiguous.
    ///
    /// A fence longer than any in the content avoids this: `agentmd context --fence safe` writes
    /// it.
    ///
    /// `````markdown bad
    /// ## Context
    ///
    /// ### Text
    /// ```lisp
    /// Write it like this:
    /// ```
    /// (a)
    /// ```
    /// and it works.
    /// ```
    /// `````
    ///
    /// `````markdown good
    /// ## Context
    ///
    /// ### Text
    /// ````lisp
    /// Write it like this:
    /// ```
    /// (a)
    /// ```
    /// and it works.
    /// ````
    /// `````
    pub static RULE = "context/short-fence", Warning, "Fence closed by the content";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    for item in context.items().filter(|item| item.ambiguous.is_none() && item.closer.is_some()) {
        let Some(short) = item.short.clone() else { continue };
        if swallowed(context.cx.source, item).is_some() {
            continue;
        }
        let fix = context.safe_fence(item);
        let message =
            "this line closes the fence in Markdown; make the fence longer than any in the content";
        let finding = report.add(&RULE, short, message);
        if let Some(fix) = fix {
            finding.fix(fix);
        }
    }
}
