use super::RuleContext;
use crate::declare_rule;
use crate::format::blocks::chain::Manner;
use crate::format::blocks::files::Lookup;
use crate::rule::{Fix, Report};
use crate::suggestion::did_you_mean_or;
use crate::text::Edit;

declare_rule! {
    /// The path is neither in the Code Context nor in the workspace, and the SEARCH text is empty,
    /// so the block creates a file. That may be intended, but a typo in a path looks the same.
    ///
    /// The fix adds the file to the Code Context without content, so that the block fills it.
    ///
    /// ````markdown bad within=clock
    /// **Assistant:** Done.
    ///
    /// alarm.py
    /// <<<<<< SEARCH
    /// =======
    /// print("ring")
    /// >>>>>> REPLACE
    /// ````
    ///
    /// ````markdown good within=clock
    /// **Assistant:** Done.
    ///
    /// clock.py
    /// <<<<<< SEARCH
    /// print(time.time())
    /// =======
    /// print(time.ctime())
    /// >>>>>> REPLACE
    /// ````
    pub static RULE = "edit/new-file", Warning, "Block creates a file";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    if context.manner == Manner::Reply {
        return;
    }
    for (item, outcome) in context.outcomes() {
        let Some(path) =
            context.path(item.block.get()).filter(|_| matches!(outcome.lookup, Lookup::Missing))
        else {
            continue;
        };
        // Only the first block for a path creates the file.
        let creates = outcome.step.result.is_ok() && outcome.step.creates();
        if !creates {
            continue;
        }
        let meant = context.files.closest(&path.text);
        let message = format!(
            "`{}` is a new file, in neither the Code Context nor the workspace{}",
            path.text,
            did_you_mean_or(meant.as_deref(), "fix the path if you mean another file")
        );
        let finding = report.add(&RULE, path.span.clone(), message);
        if let Some(meant) = meant {
            finding.fix(Fix::suggestion(
                format!("Replace with `{meant}`"),
                vec![Edit::replace(path.span.clone(), meant)],
            ));
        }
        if let Some(edit) = context.files.adding(&path.text) {
            finding.fix(Fix::suggestion("List the file in the Code Context", vec![edit]));
        }
    }
}
