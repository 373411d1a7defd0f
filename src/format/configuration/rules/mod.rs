//! The rules for the JSON around agent files, one per file.

mod broken_json;
mod missing_path;
mod no_effect;
mod unknown_name;
mod unusable_path;

use super::listed::{self, Fault};
use crate::client::Outcome;
use crate::format::Context;
use crate::rule::{Report, Rule, Severity};

/// All rules, by code.
pub fn all() -> Vec<&'static Rule> {
    vec![
        &broken_json::RULE,
        &missing_path::RULE,
        &no_effect::RULE,
        &unknown_name::RULE,
        &unusable_path::RULE,
    ]
}

/// Reports what every rule finds.
pub fn check(cx: &Context, report: &mut Report) {
    broken_json::check(cx, report);
    let faults = listed::faults(cx);
    missing_path::check(cx, &faults, report);
    unusable_path::check(&faults, report);
    no_effect::check(cx, report);
    unknown_name::check(cx, report);
}

/// The severity of a fault, by its effect.
fn severity(fault: &Fault) -> Severity {
    match fault.effect.outcome {
        _ if fault.archived => Severity::Hint,
        Outcome::DoesNotStart | Outcome::NotLoaded => Severity::Error,
        Outcome::Partly => Severity::Warning,
        Outcome::Loaded => Severity::Hint,
    }
}

/// ` (Claude Code: plugin not loaded)`.
fn effect(fault: &Fault) -> String {
    format!(" ({}: {})", fault.client.title, fault.effect.text)
}
