//! The rules of edit blocks: one file each, one line in the list.

use super::Reply;
use crate::format::Context;
use crate::rule::{Report, Rule};

/// What rules look at.
pub struct Subject<'a> {
    pub reply: &'a Reply,
    pub cx: &'a Context<'a>,
}

type Check = fn(&Subject, &mut Report);

static RULES: &[(&Rule, Check)] = &[];

/// Every rule of the format.
pub fn all() -> Vec<&'static Rule> {
    RULES.iter().map(|(rule, _)| *rule).collect()
}

/// Reports every finding of a reply.
pub(super) fn check(reply: &Reply, cx: &Context, report: &mut Report) {
    let subject = Subject { reply, cx };
    for (_, check) in RULES {
        if (cx.cancelled)() {
            return;
        }
        check(&subject, report);
    }
}
