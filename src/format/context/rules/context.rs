//! What rules look at: the packs of a document, and the comparison of each item with its file, done
//! once.

use std::borrow::Cow;
use std::cell::OnceCell;

use super::super::compare::{Verdict, judge};
use super::super::file::{Files, put};
use super::super::layout::Item;
use super::super::{compare, write};
use crate::format::Context;
use crate::rule::Fix;
use crate::text::{Edit, Span};

/// Packs that are checked.
pub struct RuleContext<'a> {
    items: &'a [Item],
    /// So many of the first items with a file aren't compared.
    skipped: usize,
    pub cx: &'a Context<'a>,
    pub files: &'a Files<'a>,
    verdicts: OnceCell<Vec<(usize, Verdict)>>,
}

/// At most this many items are compared: each may cost a disk access per key press.
pub const MOST: usize = 256;

/// Longer text isn't put in a finding, because it would be sent with every key press.
pub const LONGEST: usize = 1 << 16;

impl<'a> RuleContext<'a> {
    /// The context of some items, of which the first `skipped` with a file aren't compared.
    pub fn new(
        items: &'a [Item],
        skipped: usize,
        cx: &'a Context<'a>,
        files: &'a Files<'a>,
    ) -> Self {
        Self { items, skipped, cx, files, verdicts: OnceCell::new() }
    }

    /// The items that an author writes; the chat overwrites its own every time.
    pub fn items(&self) -> impl Iterator<Item = &'a Item> {
        self.items.iter().filter(|item| !item.chat)
    }

    pub fn text(&self, span: &Span) -> Cow<'a, str> {
        self.cx.source.slice(span.clone())
    }

    /// The items with a file, with the result of the comparison. The last ones are used, as in
    /// Agent-Q.
    pub fn verdicts(&self) -> impl Iterator<Item = (&'a Item, &Verdict)> {
        let verdicts = self.verdicts.get_or_init(|| {
            let named = self.items.iter().enumerate().filter(|(_, item)| is_named(item));
            let mut found = Vec::new();
            for (index, item) in named.skip(self.skipped) {
                if (self.cx.cancelled)() {
                    break;
                }
                found.push((index, judge(self.cx, self.files, item)));
            }
            found
        });
        verdicts.iter().filter_map(|(index, verdict)| Some((self.items.get(*index)?, verdict)))
    }

    pub fn is_blank(&self, item: &Item) -> bool {
        is_blank(self.cx, item)
    }

    /// The fix that puts the file's lines in the item.
    pub fn refresh(&self, item: &Item) -> Option<Fix> {
        let text = self.files.text(&compare::name(self.cx, item)?).ok()?;
        let current = compare::current(self.cx, item, &text)?;
        if current.len() > LONGEST {
            return None;
        }
        let edit = put(self.cx, item, &text.source.slice(current))?;
        Some(Fix::suggestion(REFRESH, vec![edit]))
    }

    /// The fix that changes the range of an item to the current location of its text.
    pub fn adjust(&self, item: &Item) -> Option<Fix> {
        let text = self.files.text(&compare::name(self.cx, item)?).ok()?;
        let range = item.header.range.as_ref()?;
        let (start, end) = compare::whereabouts(self.cx, item, &text)?;
        let title = format!("Adjust the range to {start}-{end}, the current location of the text");
        (range.start != start || range.end != end).then(|| {
            Fix::suggestion(
                title,
                vec![Edit::replace(range.span.clone(), format!("{start}-{end}"))],
            )
        })
    }

    /// The fix that gives an item a fence that its content can't close.
    pub fn safe_fence(&self, item: &Item) -> Option<Fix> {
        Some(Fix::suggestion(SAFE, fence_edits(self.cx, item)?))
    }
}

/// Whether an item that an author writes names a file.
pub fn is_named(item: &Item) -> bool {
    !item.chat && item.header.file.is_some()
}

/// Whether the content is only whitespace.
pub fn is_blank(cx: &Context, item: &Item) -> bool {
    // The first characters usually decide, so long content isn't fetched completely.
    let head = item.content.start..item.content.end.min(item.content.start + 64);
    cx.source.slice(head.clone()).trim().is_empty()
        && (head == item.content || cx.source.slice(item.content.clone()).trim().is_empty())
}

/// The titles of these fixes.
pub const REFRESH: &str = "Refresh from the file";
pub const SAFE: &str = "Make the fence longer than any in the content";

/// The edits that make the fence of an item a safe one.
pub fn fence_edits(cx: &Context, item: &Item) -> Option<Vec<Edit>> {
    let fence = write::safe_fence(&cx.source.slice(item.content.clone()));
    let opener = cx.source.slice(item.opener.clone());
    let info = opener.trim_start_matches(char::from(item.fence.mark));
    // Backticks in the info string would end this fence.
    let info = if info.contains('`') { "" } else { info };
    Some(vec![
        Edit::replace(item.opener.clone(), format!("{fence}{info}")),
        Edit::replace(item.closer.clone()?, fence),
    ])
}
