//! The rules for settings files, one per file.

mod over_budget;
mod unusable_kind;
mod unusable_override;
mod unusable_sync;

use crate::format::Context;
use crate::rule::{Report, Rule};

/// All rules, by code.
pub fn all() -> Vec<&'static Rule> {
    vec![&over_budget::RULE, &unusable_kind::RULE, &unusable_override::RULE, &unusable_sync::RULE]
}

/// Reports what every rule finds.
pub fn check(cx: &Context, report: &mut Report) {
    over_budget::check(cx, report);
    unusable_kind::check(cx, report);
    unusable_override::check(cx, report);
    unusable_sync::check(cx, report);
}
