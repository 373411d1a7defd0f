//! The rules of front matter: one file each, one line in the list.

use super::program::Program;
use crate::format::Context;
use crate::rule::{Report, Rule};

type Check = fn(&Program, &Context, &mut Report);

static RULES: &[(&Rule, Check)] = &[];

/// Every rule of the format.
pub fn all() -> Vec<&'static Rule> {
    RULES.iter().map(|(rule, _)| *rule).collect()
}

/// Reports every finding of a program.
pub(super) fn check(program: &Program, cx: &Context, report: &mut Report) {
    for (_, check) in RULES {
        if (cx.cancelled)() {
            return;
        }
        check(program, cx, report);
    }
}
