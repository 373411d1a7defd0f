use super::super::compare::Verdict;
use super::RuleContext;
use crate::declare_rule;
use crate::format::context::swallowed::swallowed;
use crate::rule::Report;

declare_rule! {
    /// The file has changed since the item was copied, so a model that reads the item works with
    /// outdated text.
    ///
    /// Refresh the item, or adjust the range if the text has only moved.
    /// `agentmd context --refresh` refreshes all items of a document. Items of the types `Code`,
    /// `Text` and `File` are compared, ignoring line endings; an error only happened at its lines.
    /// `Code` without a range must appear somewhere in the file.
    ///
    /// ````markdown file=src/agent.lisp
    /// (defun greet ()
    ///   (print "hi"))
    /// ````
    ///
    /// ````markdown bad
    /// ## Context
    ///
    /// ### Code (from src/agent.lisp:1-2)
    /// ```lisp
    /// (defun greet ()
    ///   (print "hello"))
    /// ```
    /// ````
    ///
    /// ````markdown good
    /// ## Context
    ///
    /// ### Code (from src/agent.lisp:1-2)
    /// ```lisp
    /// (defun greet ()
    ///   (print "hi"))
    /// ```
    /// ````
    pub static RULE = "context/stale", Hint, "Item is out of date: the file has changed";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    for (item, verdict) in context.verdicts() {
        let (Verdict::Different, Some(file)) = (verdict, &item.header.file) else { continue };
        if context.is_blank(item) || swallowed(context.cx.source, item).is_some() {
            continue;
        }
        let name = context.text(file);
        let message = match &item.header.range {
            Some(range) if range.start == range.end => {
                format!("out of date: line {} of `{name}` has changed", range.start)
            }
            Some(range) => format!(
                "out of date: lines {} to {} of `{name}` have changed",
                range.start, range.end
            ),
            None if super::super::compare::is_whole(context.cx, item) => {
                format!("out of date: `{name}` has changed")
            }
            None => format!("out of date: `{name}` no longer contains these lines"),
        };
        let end = item.header.range.as_ref().map_or(file.end, |range| range.span.end);
        let (moved, fresh) = (context.adjust(item), context.refresh(item));
        let finding = report.add(&RULE, file.start..end, message);
        for fix in moved.into_iter().chain(fresh) {
            finding.fix(fix);
        }
    }
}
