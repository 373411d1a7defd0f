use super::super::compare::Verdict;
use super::RuleContext;
use crate::declare_rule;
use crate::rule::{Fix, Report};
use crate::text::Edit;

declare_rule! {
    /// Lines count from 1, and the first one must not be after the last: `10-12`. A range such as
    /// `12-10` or `0-3` contains no lines.
    ///
    /// ````markdown bad
    /// ## Context
    ///
    /// ### Code (from a.lisp:2-1)
    /// ```lisp
    /// (a)
    /// (b)
    /// ```
    /// ````
    ///
    /// ````markdown good
    /// ## Context
    ///
    /// ### Code (from a.lisp:1-2)
    /// ```lisp
    /// (a)
    /// (b)
    /// ```
    /// ````
    ///
    /// ````markdown file=a.lisp
    /// (a)
    /// (b)
    /// ````
    pub static RULE = "context/wrong-range", Warning, "Invalid range";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    for (item, verdict) in context.verdicts() {
        let (Verdict::WrongRange, Some(range)) = (verdict, &item.header.range) else { continue };
        let message = match range.start {
            0 => "line 0 is out of range: lines count from 1".to_owned(),
            start => format!(
                "the range ends at line {}, before its start at line {start}; correct one of the two",
                range.end
            ),
        };
        let found = context.adjust(item);
        let finding = report.add(&RULE, range.span.clone(), message);
        if let Some(fix) = found {
            finding.fix(fix);
        } else if range.end > 0 && range.start > range.end {
            let swapped = format!("{}-{}", range.end, range.start);
            finding.fix(Fix::suggestion(
                format!("Replace with `{swapped}`"),
                vec![Edit::replace(range.span.clone(), swapped)],
            ));
        }
    }
}
