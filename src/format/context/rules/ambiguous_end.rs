use super::Subject;
use crate::declare_rule;
use crate::rule::Report;

declare_rule! {
    /// The item could end in two places: a line of its content closes its fence, and the header of
    /// another item follows. What is written does not say whether that header is content. agentmd
    /// takes the reading in which the fences of every content are balanced.
    ///
    /// Make the fence longer where the item is read as it is meant.
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
    pub static RULE = "context/ambiguous-end", Warning, "An item that could end in two places";
}

pub fn check(subject: &Subject, report: &mut Report) {
    for item in subject.items().filter(|item| item.closer.is_some()) {
        let Some(header) = item.ambiguous.clone() else { continue };
        let fix = subject.safe_fence(item);
        let message = "This header is read as content, and could begin another item as well. Make the fence around it longer.";
        let finding = report.add(&RULE, header, message);
        finding.relate(item.opener.clone(), "the fence around it");
        if let Some(fix) = fix {
            finding.fix(fix);
        }
    }
}
