use crate::declare_rule;
use crate::format::Context;
use crate::reply::Fault;
use crate::rule::Report;

declare_rule! {
    /// The reply may mean this as an edit, but it doesn't name the file where names belong: a sentence
    /// mentions the file above a fence, only the line below it or a comment inside it names the file, or
    /// a diff has no name at all. It may also be an example, so `agentmd apply` warns about it and
    /// applies the other edits without it.
    ///
    /// If it's an edit, write only the file's name on the line above the fence.
    ///
    /// ````markdown bad
    /// src/fee.py
    /// ```python
    /// <<<<<<< SEARCH
    /// FEE = 3
    /// =======
    /// FEE = 4
    /// >>>>>>> REPLACE
    /// ```
    ///
    /// The taxes that the fee depends on now live in `src/tax.py`:
    ///
    /// ```python
    /// RATE = 0.2
    /// ```
    /// ````
    ///
    /// ````markdown file=src/fee.py
    /// FEE = 3
    /// ````
    ///
    /// ````markdown good
    /// src/fee.py
    /// ```python
    /// <<<<<<< SEARCH
    /// FEE = 3
    /// =======
    /// FEE = 4
    /// >>>>>>> REPLACE
    /// ```
    ///
    /// The taxes that the fee depends on now live in a file of their own:
    ///
    /// src/tax.py
    /// ```python
    /// RATE = 0.2
    /// ```
    /// ````
    pub static RULE = "edit/possible-edit", Info, "Text that may be another edit";
}

/// Reports what may be another edit.
pub fn check(notices: &[Fault], cx: &Context, report: &mut Report) {
    for notice in notices {
        report.add(&RULE, super::first_line(notice, cx), notice.message.clone());
    }
}
