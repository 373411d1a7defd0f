use super::RuleContext;
use crate::declare_rule;
use crate::edit::{Dialect, Reason};
use crate::format::Context;
use crate::format::blocks::chain::Manner;
use crate::plan::{describe, why};
use crate::reply::Fault;
use crate::rule::Report;

declare_rule! {
    /// Part of a reply is clearly meant as an edit, but agentmd can't apply it as written: lines
    /// identified only by number, a tool call that isn't valid JSON, an unclosed element or patch,
    /// a command that would write a file, a diff of a binary file, or two versions of one file.
    ///
    /// `agentmd apply` refuses the whole reply, because half a change is worse than none. Ask the
    /// model for a SEARCH/REPLACE block instead, or apply the rest with `--partial`.
    ///
    /// ````markdown bad
    /// src/tax.py
    /// ```python
    /// <<<<<<< SEARCH
    /// RATE = 0.2
    /// =======
    /// RATE = 0.3
    /// >>>>>>> REPLACE
    /// ```
    ///
    /// In `src/fee.py`, replace lines 3-4 with:
    ///
    /// ```python
    /// def total(net):
    ///     return net + FEE * 2
    /// ```
    /// ````
    ///
    /// ````markdown file=src/tax.py
    /// RATE = 0.2
    /// ````
    ///
    /// ````markdown file=src/fee.py
    /// FEE = 3
    ///
    /// def total(net):
    ///     return net + FEE
    /// ````
    ///
    /// ````markdown good
    /// src/tax.py
    /// ```python
    /// <<<<<<< SEARCH
    /// RATE = 0.2
    /// =======
    /// RATE = 0.3
    /// >>>>>>> REPLACE
    /// ```
    ///
    /// src/fee.py
    /// ```python
    /// <<<<<<< SEARCH
    ///     return net + FEE
    /// =======
    ///     return net + FEE * 2
    /// >>>>>>> REPLACE
    /// ```
    /// ````
    pub static RULE = "edit/unreadable", Error, "Edit that can't be read";
}

/// Reports the parts of a reply that can't be read.
pub fn check(faults: &[Fault], cx: &Context, report: &mut Report) {
    // It's not a mistake that the user declined an edit.
    for fault in faults.iter().filter(|fault| fault.reason != Reason::Declined) {
        report.add(&RULE, super::first_line(fault, cx), fault.message.clone());
    }
}

/// Reports the blocks of a reply that can't be applied to any file, unless another rule does.
pub fn check_blocks(context: &RuleContext, report: &mut Report) {
    for item in context.live().filter(|_| context.manner == Manner::Reply) {
        let block = item.block.get();
        let marked = block.dialect == Dialect::SearchReplace;
        let Some(reason) = block.error.filter(|reason| match reason {
            Reason::UnterminatedBlock => false,
            Reason::MissingPath | Reason::MissingDivider | Reason::MismatchedEnd => !marked,
            _ => true,
        }) else {
            continue;
        };
        report.add(&RULE, item.head().span, why(reason, block));
    }
    for (item, outcome) in context.outcomes() {
        let (Err(refused), Some(path)) = (&outcome.step.result, context.path(item.block.get()))
        else {
            continue;
        };
        if refused.reason == Reason::LineOutOfRange {
            report.add(&RULE, item.head().span, describe(refused, &path.text));
        }
    }
}
