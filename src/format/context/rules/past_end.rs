use super::super::compare::Verdict;
use super::RuleContext;
use crate::declare_rule;
use crate::rule::Report;

declare_rule! {
    /// The item names lines that its file doesn't have: the file has become shorter since the item
    /// was copied.
    ///
    /// ````markdown file=a.lisp
    /// (a)
    /// (b)
    /// ````
    ///
    /// ````markdown bad
    /// ## Context
    ///
    /// ### Code (from a.lisp:2-3)
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
    pub static RULE = "context/past-end", Warning, "Range past the end of the file";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    for (item, verdict) in context.verdicts() {
        let (Verdict::PastEnd(count), Some(range)) = (verdict, &item.header.range) else {
            continue;
        };
        let has = match count {
            0 => "is empty".to_owned(),
            1 => "has one line".to_owned(),
            count => format!("has {count} lines"),
        };
        let name = item.header.file.as_ref().map(|file| context.text(file)).unwrap_or_default();
        let fix = context.adjust(item);
        let finding = report.add(
            &RULE,
            range.span.clone(),
            format!("`{name}` {has}, so line {} is out of range", range.end),
        );
        if let Some(fix) = fix {
            finding.fix(fix);
        }
    }
}
