//! The rules for agent files, one per file. Most report the same problems as the verdicts.

mod argument_index;
mod broken_json;
mod circular_import;
mod dead;
mod dead_link;
mod deep_import;
mod deprecated_key;
mod description_markup;
mod drifted_copy;
mod duplicate_name;
mod escaped_newlines;
mod front_matter;
mod hidden_text;
mod idle_hook;
mod import_in_code;
mod invalid_name;
mod late_front_matter;
mod long_description;
mod misplaced_file;
mod missing_file;
mod missing_front_matter;
mod missing_import;
mod missing_key;
mod missing_script;
mod name_folder;
mod narrow_glob;
mod no_effect;
mod no_usable_tool;
mod outside_link;
mod renamed_tool;
mod shell_permission;
mod substituted_text;
mod too_long;
mod tool_not_enabled;
mod unclosed_fence;
mod unknown_agent;
mod unknown_command;
mod unknown_key;
mod unknown_plugin_item;
mod unknown_server;
mod unknown_skill;
mod unknown_tool;
mod unmatched_glob;
mod unrun_command;
mod unused_key;
mod withheld_tool;
mod wrong_type;
mod wrong_value;

use super::names;
pub use invalid_name::slug;

use super::installed;
use super::subject::Subject;
use crate::format::fences::rules::indented_fence;
use crate::rule::{Report, Rule};

/// All rules, by code.
pub fn all() -> Vec<&'static Rule> {
    vec![
        &crate::format::front_matter::rules::front_matter::RULE,
        &indented_fence::RULE,
        &argument_index::RULE,
        &broken_json::RULE,
        &circular_import::RULE,
        &dead_link::RULE,
        &deep_import::RULE,
        &deprecated_key::RULE,
        &description_markup::RULE,
        &drifted_copy::RULE,
        &duplicate_name::RULE,
        &escaped_newlines::RULE,
        &front_matter::RULE,
        &hidden_text::RULE,
        &idle_hook::RULE,
        &import_in_code::RULE,
        &invalid_name::RULE,
        &late_front_matter::RULE,
        &long_description::RULE,
        &misplaced_file::RULE,
        &missing_file::RULE,
        &missing_front_matter::RULE,
        &missing_import::RULE,
        &missing_key::RULE,
        &missing_script::RULE,
        &name_folder::RULE,
        &narrow_glob::RULE,
        &no_effect::RULE,
        &no_usable_tool::RULE,
        &outside_link::RULE,
        &renamed_tool::RULE,
        &shell_permission::RULE,
        &substituted_text::RULE,
        &too_long::RULE,
        &tool_not_enabled::RULE,
        &unclosed_fence::RULE,
        &unknown_agent::RULE,
        &unknown_command::RULE,
        &unknown_key::RULE,
        &unknown_plugin_item::RULE,
        &unknown_server::RULE,
        &unknown_skill::RULE,
        &unknown_tool::RULE,
        &unmatched_glob::RULE,
        &unrun_command::RULE,
        &unused_key::RULE,
        &withheld_tool::RULE,
        &wrong_type::RULE,
        &wrong_value::RULE,
    ]
}

/// Reports the findings of all rules.
pub fn check(subject: &Subject, report: &mut Report) {
    missing_front_matter::check(subject, report);
    late_front_matter::check(subject, report);
    front_matter::check(subject, report);
    missing_key::check(subject, report);
    unknown_key::check(subject, report);
    unused_key::check(subject, report);
    no_effect::check(subject, report);
    deprecated_key::check(subject, report);
    wrong_type::check(subject, report);
    wrong_value::check(subject, report);
    invalid_name::check(subject, report);
    name_folder::check(subject, report);
    too_long::check(subject, report);
    description_markup::check(subject, report);
    misplaced_file::check(subject, report);
    no_usable_tool::check(subject, report);
    unknown_tool::check(subject, report);
    renamed_tool::check(subject, report);
    withheld_tool::check(subject, report);
    substituted_text::check(subject, report);
    argument_index::check(subject, report);
    dead_link::check(subject, report);
    missing_file::check(subject, report);
    unclosed_fence::check(subject, report);
    indented_fence::check(subject.cx, report);
    hidden_text::check(subject, report);
    escaped_newlines::check(subject, report);
    narrow_glob::check(subject, report);
    unmatched_glob::check(subject, report);
    shell_permission::check(subject, report);
    missing_import::check(subject, report);
    tool_not_enabled::check(subject, report);
    circular_import::check(subject, report);
    deep_import::check(subject, report);
    idle_hook::check(subject, report);
    import_in_code::check(subject, report);
    long_description::check(subject, report);
    missing_script::check(subject, report);
    outside_link::check(subject, report);
    drifted_copy::check(subject, report);
    unrun_command::check(subject, report);
    names(subject, report);
    installed::lower(subject, report);
}

/// Reports problems with names and mentions.
fn names(subject: &Subject, report: &mut Report) {
    if subject.file.judged.is_empty() {
        return;
    }
    let roles = names::readers(&subject.file);
    names::complete_places(subject.cx, &roles);
    let mentions = names::of(subject.cx.source, &roles);
    let dead = dead::find(subject, &mentions);
    unknown_skill::check(subject, &dead, report);
    unknown_agent::check(subject, &dead, report);
    unknown_command::check(subject, &dead, report);
    unknown_plugin_item::check(subject, &dead, report);
    unknown_server::check(subject, &mentions, report);
    broken_json::check(subject, &mentions, report);
    duplicate_name::check(subject, report);
    names::note(subject.cx);
}
