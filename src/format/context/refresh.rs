//! Updates items from their files.

use super::Packs;
use super::compare::{self, Verdict};
use super::file::{Files, put};
use super::layout::Item;
use super::swallowed::swallowed;
use crate::format::Context;
use crate::text::Edit;

/// The effect of refreshing some items.
#[derive(Debug, Default)]
pub struct Refreshed {
    /// Disjoint edits of the current document.
    pub edits: Vec<Edit>,
    /// The titles of the refreshed items, and of those that can't be refreshed, with the reason.
    pub written: Vec<String>,
    pub left: Vec<(String, String)>,
}

/// The edit that gives an item the lines of its file, if they differ.
pub fn edit(cx: &Context, files: &Files, item: &Item) -> Option<Edit> {
    if !compare::is_compared(cx, item)
        || compare::judge(cx, files, item) != Verdict::Different
        || swallowed(cx.source, item).is_some()
    {
        return None;
    }
    let text = files.text(&compare::name(cx, item)?).ok()?;
    let current = compare::current(cx, item, &text)?;
    put(cx, item, &text.source.slice(current))
}

/// Refreshes every item whose file has changed.
pub fn all(packs: &Packs, cx: &Context) -> Refreshed {
    let (mut out, files) = (Refreshed::default(), Files::new(cx));
    for item in packs.layout.items.iter().filter(|item| !item.chat) {
        if (cx.cancelled)() {
            break;
        }
        let title = || {
            cx.source.slice(item.line.clone()).trim_start_matches(['#', ' ']).trim_end().to_owned()
        };
        let why = match compare::judge(cx, &files, item) {
            Verdict::Different => match edit(cx, &files, item) {
                Some(edit) => {
                    out.edits.push(edit);
                    out.written.push(title());
                    continue;
                }
                None if let Some(lost) = swallowed(cx.source, item) => {
                    format!("it would lose the item below, whose header isn't `{}`", lost.header)
                }
                None => "its lines are no longer in the file, and it has no range".to_owned(),
            },
            Verdict::Missing => "the file does not exist".to_owned(),
            Verdict::Folder => "it names a folder".to_owned(),
            Verdict::Unreadable(why) => format!("the file {why}"),
            Verdict::WrongRange => "its range contains no lines".to_owned(),
            Verdict::PastEnd(count) => {
                format!("the file has only {count} line{}", if count == 1 { "" } else { "s" })
            }
            Verdict::Unasked if compare::name(cx, item).is_some() => {
                "the file is outside the folder".to_owned()
            }
            Verdict::Unasked | Verdict::Same => continue,
        };
        out.left.push((title(), why));
    }
    out
}
