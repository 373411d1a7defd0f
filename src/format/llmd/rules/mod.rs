//! The rules of LLMD documents: one file each, one line in the list. The rules of edit blocks are
//! shared by all formats with blocks.

mod changelog_divider;
mod duplicate_file;
mod duplicate_section;
mod empty_changelog;
mod entry_heading;
pub(super) mod entry_number;
mod file_fence;
mod include_not_found;
mod late_title;
mod mission;
mod mission_not_found;
mod mission_part;
mod missing_assistant;
mod missing_human;
mod missing_section;
mod missing_title;
mod section_order;
pub(super) mod skeleton;
mod speaker;
mod context;
mod unclosed_fence;
mod unknown_section;

use super::Project;
use super::entries;
use super::files::ContextFiles;
use super::plan::live;
use crate::format::Context;
use crate::format::blocks;
use crate::rule::{Report, Rule};
use context::RuleContext;

type Check = fn(&RuleContext, &mut Report);

static RULES: &[(&Rule, Check)] = &[
    (&missing_title::RULE, missing_title::check),
    (&late_title::RULE, late_title::check),
    (&missing_section::RULE, missing_section::check),
    (&section_order::RULE, section_order::check),
    (&duplicate_section::RULE, duplicate_section::check),
    (&unknown_section::RULE, unknown_section::check),
    (&include_not_found::RULE, include_not_found::check),
    (&file_fence::RULE, file_fence::check),
    (&unclosed_fence::RULE, unclosed_fence::check),
    (&duplicate_file::RULE, duplicate_file::check),
    (&entry_heading::RULE, entry_heading::check),
    (&entry_number::RULE, entry_number::check),
    (&missing_human::RULE, missing_human::check),
    (&missing_assistant::RULE, missing_assistant::check),
    (&mission_not_found::RULE, mission_not_found::check),
    (&mission_part::RULE, mission_part::check),
    (&empty_changelog::RULE, empty_changelog::check),
    (&changelog_divider::RULE, changelog_divider::check),
];

/// Every rule of the format.
pub fn all() -> Vec<&'static Rule> {
    RULES.iter().map(|(rule, _)| *rule).chain(blocks::rules::all()).collect()
}

/// Reports every finding of a document.
pub(super) fn check(project: &Project, cx: &Context, report: &mut Report) {
    let first = report.diagnostics.len();
    let mut paths = Vec::new();
    while let Some(reduced) = entries::reduced(project, cx.source, &paths) {
        match run(&reduced, cx, report, !paths.is_empty()) {
            Needs::Nothing => return,
            Needs::Blocks if paths.is_empty() => {
                report.diagnostics.truncate(first);
                paths = current_paths(&reduced);
                if paths.is_empty() {
                    break;
                }
            }
            _ => break,
        }
    }
    report.diagnostics.truncate(first);
    check_whole(project, cx, report);
}

/// The files that the blocks of the last answer name.
fn current_paths(project: &Project) -> Vec<String> {
    let blocks = live(&project.layout, None).into_iter();
    let blocks = blocks.filter_map(|index| project.layout.blocks.get(index));
    let mut paths: Vec<String> = blocks
        .filter_map(|placed| placed.written.block.path.as_ref())
        .map(|path| path.text.clone())
        .collect();
    paths.sort_unstable();
    paths.dedup();
    paths
}

/// What a check needs in addition to what it was given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Needs {
    Nothing,
    /// The earlier blocks for the files that the last answer names.
    Blocks,
    /// Every entry.
    Entries,
}

/// The same without leaving out any entry.
pub(super) fn check_whole(project: &Project, cx: &Context, report: &mut Report) {
    run(project, cx, report, true);
}

/// Returns which of the omitted entries are needed after all; `has_blocks`: none of them has a
/// block that may be.
fn run(project: &Project, cx: &Context, report: &mut Report, has_blocks: bool) -> Needs {
    let files = ContextFiles::new(project, cx);
    let context = RuleContext::new(project, cx, &files);
    for (_, check) in RULES {
        if (cx.cancelled)() {
            return Needs::Nothing;
        }
        check(&context, report);
        if context.lacks_entries.get() {
            return Needs::Entries;
        }
    }
    mission::applied(&context, report);
    blocks::rules::check(&context.blocks, report);
    let is_whole = has_blocks || project.elided.iter().all(|count| *count == 0);
    if is_whole || !context.blocks.looks_back() { Needs::Nothing } else { Needs::Blocks }
}
