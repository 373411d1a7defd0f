//! The rules for settings files, one per file.

mod unusable_kind;

use crate::format::Context;
use crate::rule::{Report, Rule};

/// All rules, by code.
pub fn all() -> Vec<&'static Rule> {
    vec![&unusable_kind::RULE]
}

/// Reports what every rule finds.
pub fn check(cx: &Context, report: &mut Report) {
    unusable_kind::check(cx, report);
}
