use super::Subject;
use crate::declare_rule;
use crate::rule::Report;

declare_rule! {
    /// A line of the content closes the fence for everybody who reads the pack as Markdown: what
    /// follows is no content to them. agentmd takes the last line that can close an item for its
    /// end, as long as that is beyond doubt, and so reads what was written.
    ///
    /// A fence that is longer than any in the content has no such lines:
    /// `agentmd context --fence safe` writes it.
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
    pub static RULE = "context/short-fence", Warning, "A fence that the content closes";
}

pub fn check(subject: &Subject, report: &mut Report) {
    for item in subject.items().filter(|item| item.ambiguous.is_none() && item.closer.is_some()) {
        let Some(short) = item.short.clone() else { continue };
        let fix = subject.safe_fence(item);
        let message = "This line closes the fence for readers of Markdown. Make the fence longer than any in the content.";
        let finding = report.add(&RULE, short, message);
        if let Some(fix) = fix {
            finding.fix(fix);
        }
    }
}
