use super::super::compare::Verdict;
use super::RuleContext;
use crate::declare_rule;
use crate::rule::Report;

declare_rule! {
    /// The item names something that can't be read as text: a folder, a file that isn't UTF-8, or
    /// one that is too large. The item isn't compared with it.
    ///
    /// ````markdown file=src/agent.lisp
    /// (a)
    /// ````
    ///
    /// ````markdown bad
    /// ## Context
    ///
    /// ### Code (from src)
    /// ```lisp
    /// (a)
    /// ```
    /// ````
    ///
    /// ````markdown good
    /// ## Context
    ///
    /// ### Code (from src/agent.lisp)
    /// ```lisp
    /// (a)
    /// ```
    /// ````
    pub static RULE = "context/unreadable-file", Warning, "Unreadable file";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    for (item, verdict) in context.verdicts() {
        let Some(file) = &item.header.file else { continue };
        let name = context.text(file);
        let message = match verdict {
            Verdict::Folder => format!("`{name}` is a folder; name one of its files"),
            Verdict::Unreadable(why) => {
                format!("`{name}` {why}, so the item is not compared with it")
            }
            _ => continue,
        };
        report.add(&RULE, file.clone(), message);
    }
}
