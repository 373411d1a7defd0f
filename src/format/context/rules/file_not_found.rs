use super::super::compare::Verdict;
use super::super::file::FileName;
use super::RuleContext;
use crate::declare_rule;
use crate::rule::{Fix, Report};
use crate::suggestion::did_you_mean_or;
use crate::text::Edit;

declare_rule! {
    /// The file that the item names doesn't exist. Paths are relative to the workspace folder, or
    /// else to the folder of the document. Files outside the workspace are not checked.
    ///
    /// ````markdown file=src/agent.lisp
    /// (a)
    /// ````
    ///
    /// ````markdown bad
    /// ## Context
    ///
    /// ### Code (from src/agnet.lisp:1-1)
    /// ```lisp
    /// (a)
    /// ```
    /// ````
    ///
    /// ````markdown good
    /// ## Context
    ///
    /// ### Code (from src/agent.lisp:1-1)
    /// ```lisp
    /// (a)
    /// ```
    /// ````
    pub static RULE = "context/file-not-found", Warning, "File not found";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    for (item, verdict) in context.verdicts() {
        let (Verdict::Missing, Some(file)) = (verdict, &item.header.file) else { continue };
        let name = context.text(file);
        let meant = context.files.neighbour(&FileName::new(name.to_string()));
        let message = format!(
            "file `{name}` not found in the workspace{}",
            did_you_mean_or(meant.as_deref(), "correct the path, or remove the item")
        );
        let finding = report.add(&RULE, file.clone(), message);
        if let Some(meant) = meant {
            finding.fix(Fix::suggestion(
                format!("Replace with `{meant}`"),
                vec![Edit::replace(file.clone(), meant)],
            ));
        }
    }
}
