use super::RuleContext;
use crate::declare_rule;
use crate::edit::{Operation, Reason};
use crate::rule::Report;

declare_rule! {
    /// The block creates a file that already exists with other content, or moves a file to its name.
    /// `agentmd apply` doesn't replace it, except with `--overwrite`.
    ///
    /// ````markdown bad
    /// *** Begin Patch
    /// *** Add File: src/tax.py
    /// +RATE = 0.3
    /// *** End Patch
    /// ````
    ///
    /// ````markdown file=src/tax.py
    /// RATE = 0.2
    /// ````
    ///
    /// ````markdown good
    /// *** Begin Patch
    /// *** Update File: src/tax.py
    /// @@
    /// -RATE = 0.2
    /// +RATE = 0.3
    /// *** End Patch
    /// ````
    pub static RULE = "edit/file-exists", Error, "New file that already exists";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    for (item, outcome) in context.outcomes() {
        let block = item.block.get();
        let Some(path) = context.path(block) else { continue };
        if outcome.reason() != Some(Reason::FileExists) {
            continue;
        }
        let (name, remedy) = match &block.operation {
            Operation::Move(to) => (to, "choose another name"),
            _ => (&path.text, "edit the file instead"),
        };
        let message = format!("`{name}` already exists with other content; {remedy}");
        report.add(&RULE, path.span.clone(), message);
    }
}
