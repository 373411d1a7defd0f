use super::Subject;
use crate::declare_rule;
use crate::rule::Report;

declare_rule! {
    /// The item has no content: it takes room in the window of fifty, and says nothing to the
    /// model.
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
    pub static RULE = "context/empty-item", Hint, "An item without content";
}

pub fn check(subject: &Subject, report: &mut Report) {
    for item in subject.items().filter(|item| item.closer.is_some() && subject.is_blank(item)) {
        let fix = subject.refresh(item);
        let finding = report.add(
            &RULE,
            item.header.kind.clone(),
            "The item has no content. Add the lines that it is to hold, or remove it.",
        );
        if let Some(fix) = fix {
            finding.fix(fix);
        }
    }
}
