use crate::declare_rule;
use crate::format::Context;
use crate::reply::Fault;
use crate::rule::Report;

declare_rule! {
    /// The sentence above a fence mentions a file that doesn't exist, so the fence may be that file.
    /// It may also be an example, so `agentmd apply` warns about it and applies the other edits
    /// without it.
    ///
    /// If the fence is the file, write only the name on the line above it.
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
    pub static RULE = "edit/unnamed-file", Info, "Fence that may be a new file";
}

/// Reports fences that may be new files.
pub fn check(notices: &[Fault], cx: &Context, report: &mut Report) {
    for notice in notices {
        report.add(&RULE, super::first_line(notice, cx), notice.message.clone());
    }
}
