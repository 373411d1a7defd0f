//! The rules of LLMD documents: one file each, one line in the list.

use super::Project;
use crate::format::Context;
use crate::rule::{Report, Rule};

/// What rules look at.
pub struct Subject<'a> {
    pub project: &'a Project,
    pub cx: &'a Context<'a>,
}

type Check = fn(&Subject, &mut Report);

static RULES: &[(&Rule, Check)] = &[];

/// Every rule of the format.
pub fn all() -> Vec<&'static Rule> {
    RULES.iter().map(|(rule, _)| *rule).collect()
}

/// Reports every finding of a document.
pub(super) fn check(project: &Project, cx: &Context, report: &mut Report) {
    let subject = Subject { project, cx };
    for (_, check) in RULES {
        if (cx.cancelled)() {
            return;
        }
        check(&subject, report);
    }
}
