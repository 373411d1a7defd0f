use super::super::compare::Verdict;
use super::Subject;
use crate::declare_rule;
use crate::rule::Report;

declare_rule! {
    /// The file has changed since the item was taken from it: its lines say something else now. A
    /// model that reads the item works on text that is no more.
    ///
    /// Refresh the item, or, where its text has only moved, adjust the range.
    /// `agentmd context --refresh` does the first for all items of a document. Items of the types
    /// `Code`, `Text` and `File` are compared: an error only happened at the lines it names. `Code`
    /// without lines has to stand somewhere in the file. How lines end does not count.
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
    pub static RULE = "context/stale", Hint, "An item whose file says something else now";
}

pub fn check(subject: &Subject, report: &mut Report) {
    for (item, verdict) in subject.verdicts() {
        let (Verdict::Different, Some(file)) = (verdict, &item.header.file) else { continue };
        if subject.is_blank(item) {
            continue;
        }
        let name = subject.text(file);
        let message = match &item.header.range {
            Some(range) if range.start == range.end => {
                format!("Line {} of `{name}` says something else now.", range.start)
            }
            Some(range) => format!(
                "Lines {} to {} of `{name}` say something else now.",
                range.start, range.end
            ),
            None if super::super::compare::is_whole(subject.cx, item) => {
                format!("`{name}` says something else now.")
            }
            None => format!("These lines are not in `{name}` any more."),
        };
        let end = item.header.range.as_ref().map_or(file.end, |range| range.span.end);
        let (moved, fresh) = (subject.adjust(item), subject.refresh(item));
        let finding = report.add(&RULE, file.start..end, message);
        for fix in moved.into_iter().chain(fresh) {
            finding.fix(fix);
        }
    }
}
