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
mod unread_header;
mod unreadable_file;
mod wrong_range;

use std::sync::Arc;

use super::Packs;
use super::file::{Absent, FileName, Files, Version};
use super::layout::Item;
use super::layout::passage::Meaning;
use super::parts::Part;
use crate::format::Context;
use crate::rule::kept::Kept;
use crate::rule::{Report, Rule};
pub use context::{LONGEST, REFRESH, SAFE, fence_edits};
use context::{MOST, RuleContext, is_blank, is_named};
pub use too_many_items::WINDOW;

type Check = fn(&RuleContext, &mut Report);

/// Rules about the packs themselves.
static FRAME: &[(&Rule, Check)] = &[
    (&unknown_type::RULE, unknown_type::check),
    (&unclosed_annotation::RULE, unclosed_annotation::check),
    (&apart::RULE, apart::check),
    (&unread_header::RULE, unread_header::check),
    (&unclosed_fence::RULE, unclosed_fence::check),
    (&short_fence::RULE, short_fence::check),
    (&ambiguous_end::RULE, ambiguous_end::check),
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
    let of_items = FRAME.iter().chain(FILES).map(|(rule, _)| *rule);
    of_items.chain([&too_many_items::RULE]).collect()
}

/// Reports every finding of a document.
pub(super) fn check(packs: &Packs, cx: &Context, report: &mut Report) {
    let parts = &packs.layout;
    too_many_items::check(parts, report);
    let named: usize = parts.parts().iter().map(|part| names(part, cx).len()).sum();
    let mut rest = named.saturating_sub(MOST);
    let files = Files::new(cx);
    let line_break = cx.source.line_break();
    for part in parts.parts() {
        if (cx.cancelled)() {
            return;
        }
        let Part { start, meaning, .. } = part;
        let skipped = rest.min(names(part, cx).len());
        rest -= skipped;
        let key = Key::new(names(part, cx), skipped, line_break, &files);
        let kept = meaning.kept.lock();
        let same = kept.as_ref().filter(|(known, _)| *known == key);
        let known = same.map(|(_, found)| Arc::clone(found));
        drop(kept);
        let found = known.unwrap_or_else(|| {
            let mut found = Report::default();
            // Compute the whole kept value, regardless of who waits for it.
            let cx = Context { cancelled: &|| false, ..*cx };
            run(&part.items(), skipped, &cx, &files, &[FRAME, FILES], &mut found);
            let found = Arc::new(Kept::new(*start, found.diagnostics));
            *meaning.kept.lock() = Some((key, Arc::clone(&found)));
            found
        });
        report.keep(*start, &found);
    }
}

/// The items that name a file.
fn names<'a>(part: &'a Part, cx: &Context) -> &'a [Name] {
    part.meaning.names(cx, part.start)
}

/// An item that names a file.
#[derive(Debug)]
pub struct Name {
    /// `None` if the name is incomplete.
    text: Option<FileName>,
    is_blank: bool,
}

/// What the findings of some items depend on besides their text.
#[derive(Debug, PartialEq)]
pub struct Key {
    line_break: &'static str,
    skipped: usize,
    files: Vec<State>,
}

/// The state of an item's file, and the file that may be meant instead.
#[derive(Debug)]
enum State {
    Unnamed,
    Version(Arc<Version>),
    Absent(Absent, Option<String>),
}

impl PartialEq for State {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Unnamed, Self::Unnamed) => true,
            (Self::Version(one), Self::Version(other)) => Arc::ptr_eq(one, other),
            (Self::Absent(one, meant), Self::Absent(other, also)) => one == other && meant == also,
            _ => false,
        }
    }
}

impl Key {
    fn new(names: &[Name], skipped: usize, line_break: &'static str, files: &Files) -> Self {
        let asked =
            names.iter().enumerate().filter(|(index, name)| *index >= skipped || name.is_blank);
        let state = |name: &Name| match name.text.as_ref().map(|name| (name, files.text_of(name))) {
            None => State::Unnamed,
            Some((_, Ok(text))) => State::Version(text.version()),
            Some((name, Err(Absent::Missing))) => {
                State::Absent(Absent::Missing, files.neighbour(name))
            }
            Some((_, Err(absent))) => State::Absent(absent, None),
        };
        let files = asked.map(|(_, name)| state(name)).collect();
        Self { line_break, skipped, files }
    }
}

impl Meaning {
    /// The items that name a file. The stretch begins at `start`.
    fn names(&self, cx: &Context, start: usize) -> &[Name] {
        self.names.get_or_init(|| {
            let named = self.items.iter().filter(|item| is_named(item));
            let name = |item: &Item| {
                let item = item.shifted(start);
                Name {
                    text: super::compare::name(cx, &item).map(FileName::new),
                    is_blank: is_blank(cx, &item),
                }
            };
            named.map(name).collect()
        })
    }
}

/// Reports mistakes in the packs themselves, regardless of their files.
pub(super) fn check_frame(packs: &Packs, cx: &Context, report: &mut Report) {
    too_many_items::check(&packs.layout, report);
    run(&packs.layout.items, 0, cx, &Files::new(cx), &[FRAME], report);
}

fn run(
    items: &[Item],
    skipped: usize,
    cx: &Context,
    files: &Files,
    lists: &[&[(&Rule, Check)]],
    report: &mut Report,
) {
    let context = RuleContext::new(items, skipped, cx, files);
    for (_, check) in lists.iter().copied().flatten() {
        if (cx.cancelled)() {
            return;
        }
        check(&context, report);
    }
}
