use super::RuleContext;
use crate::declare_rule;
use crate::edit::Reason;
use crate::format::blocks::chain::Manner;
use crate::format::blocks::files::Lookup;
use crate::rule::{Fix, Report};
use crate::suggestion::did_you_mean_or;
use crate::text::Edit;

declare_rule! {
    /// The path is neither in the Code Context nor in the workspace, and the block searches for
    /// text in it. To create a file, leave the SEARCH text empty. A file that an earlier block of a
    /// reply deletes or moves is unknown, too.
    ///
    /// ````markdown bad within=clock
    /// **Assistant:** Done.
    ///
    /// clok.py
    /// <<<<<< SEARCH
    /// print(time.time())
    /// =======
    /// print(time.ctime())
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
    pub static RULE = "edit/unknown-file", Error, "Unknown file";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    for (item, outcome) in context.outcomes() {
        let Some(path) = context.path(item.block.get()) else { continue };
        if outcome.reason() != Some(Reason::FileMissing) {
            continue;
        }
        if matches!(outcome.lookup, Lookup::File(..)) {
            let message = format!(
                "an earlier block deletes or moves `{}`, so this one has no file; remove one of the two",
                path.text
            );
            report.add(&RULE, path.span.clone(), message);
            continue;
        }
        if !matches!(outcome.lookup, Lookup::Missing) {
            continue;
        }
        let meant = context.files.closest(&path.text);
        let place = if context.manner == Manner::Llmd {
            "in the Code Context or the workspace"
        } else {
            "in the workspace"
        };
        let message = format!(
            "no file `{}` {place}{}",
            path.text,
            did_you_mean_or(
                meant.as_deref(),
                "fix the path, or leave SEARCH empty to create the file"
            )
        );
        let finding = report.add(&RULE, path.span.clone(), message);
        if let Some(meant) = meant {
            finding.fix(Fix::suggestion(
                format!("Replace with `{meant}`"),
                vec![Edit::replace(path.span.clone(), meant)],
            ));
        }
    }
}
