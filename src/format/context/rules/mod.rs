//! The rules of packs: one file each, one line in a list.

mod ambiguous_end;
mod apart;
mod empty_item;
mod file_not_found;
mod past_end;
mod short_fence;
mod stale;
mod context;
mod too_many_items;
mod unclosed_annotation;
mod unclosed_fence;
mod unknown_type;
mod unreadable_file;
mod wrong_range;

use super::Packs;
use crate::format::Context;
use crate::rule::{Report, Rule};
use context::RuleContext;
pub use context::{LONGEST, REFRESH, SAFE, fence_edits};
pub use too_many_items::WINDOW;

type Check = fn(&RuleContext, &mut Report);

/// Rules about the packs themselves.
static FRAME: &[(&Rule, Check)] = &[
    (&unknown_type::RULE, unknown_type::check),
    (&unclosed_annotation::RULE, unclosed_annotation::check),
    (&apart::RULE, apart::check),
    (&unclosed_fence::RULE, unclosed_fence::check),
    (&short_fence::RULE, short_fence::check),
    (&ambiguous_end::RULE, ambiguous_end::check),
    (&too_many_items::RULE, too_many_items::check),
    (&empty_item::RULE, empty_item::check),
];

/// Rules about an item and its file.
static FILES: &[(&Rule, Check)] = &[
    (&wrong_range::RULE, wrong_range::check),
    (&file_not_found::RULE, file_not_found::check),
    (&unreadable_file::RULE, unreadable_file::check),
    (&past_end::RULE, past_end::check),
    (&stale::RULE, stale::check),
];

/// Every rule of the format.
pub fn all() -> Vec<&'static Rule> {
    FRAME.iter().chain(FILES).map(|(rule, _)| *rule).collect()
}

/// Reports every finding of a document.
pub(super) fn check(packs: &Packs, cx: &Context, report: &mut Report) {
    run(packs, cx, &[FRAME, FILES], report);
}

/// Reports mistakes in the packs themselves, regardless of their files.
pub(super) fn check_frame(packs: &Packs, cx: &Context, report: &mut Report) {
    run(packs, cx, &[FRAME], report);
}

fn run(packs: &Packs, cx: &Context, lists: &[&[(&Rule, Check)]], report: &mut Report) {
    let context = RuleContext::new(packs, cx);
    for (_, check) in lists.iter().copied().flatten() {
        if (cx.cancelled)() {
            return;
        }
        check(&context, report);
    }
}
