//! Compares items with their files.

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::Mutex;

use super::file::{Absent, Files, Text, Version, same, unix};
use super::kind;
use super::layout::Item;
use crate::edit::lines::Level;
use crate::edit::{Lines, occurrences};
use crate::format::Context;
use crate::text::Span;

/// How an item relates to its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// It can't be compared.
    Unasked,
    Missing,
    Folder,
    Unreadable(String),
    /// The first line is after the last one, or one of them is 0.
    WrongRange,
    /// The file only has this many lines.
    PastEnd(u64),
    Same,
    Different,
}

/// The location of an item in its section: its header, and the end of its content, which later text
/// may move.
type Spot = (usize, usize);

fn spot(item: &Item, section: usize) -> Spot {
    (item.line.start - section, item.content.end - section)
}

/// The cached results for the items of a section, by location.
#[derive(Debug, Default)]
struct Known(Mutex<HashMap<Spot, (Arc<Version>, Verdict)>>);

/// Items that can't be compared with the file of a document.
pub fn is_compared(cx: &Context, item: &Item) -> bool {
    let kind = cx.source.slice(item.header.kind.clone());
    let quotes = kind::named(&kind).is_some_and(kind::quotes_its_file);
    quotes && !item.chat && item.closer.is_some() && item.header.file.is_some()
}

/// The name of the file of an item.
pub fn name(cx: &Context, item: &Item) -> Option<String> {
    item.header
        .file
        .clone()
        .filter(|_| !item.header.open)
        .map(|file| cx.source.slice(file).into_owned())
}

/// Compares an item with its file. The result is cached until one of them changes.
pub fn judge(cx: &Context, files: &Files, item: &Item) -> Verdict {
    let Some(name) = name(cx, item) else { return Verdict::Unasked };
    let range = item.header.range.as_ref();
    if range.is_some_and(|range| range.start == 0 || range.start > range.end) {
        return Verdict::WrongRange;
    }
    let text = match files.text(&name) {
        Ok(text) => text,
        Err(Absent::Unasked) => return Verdict::Unasked,
        Err(Absent::Missing) => return Verdict::Missing,
        Err(Absent::Folder) => return Verdict::Folder,
        Err(Absent::Unreadable(why)) => return Verdict::Unreadable(why),
    };
    if range.is_some_and(|range| range.end > text.count()) {
        return Verdict::PastEnd(text.count());
    }
    if !is_compared(cx, item) {
        return Verdict::Same;
    }
    let Some(placed) =
        cx.source.section_at(item.line.start).filter(|placed| item.end <= placed.span().end)
    else {
        return compared(cx, item, &text);
    };
    let (known, version) = (placed.section.memo.get::<Known>(), text.version());
    let key = spot(item, placed.start);
    let remembered = known.0.lock().get(&key).cloned();
    if let Some((_, verdict)) = remembered.filter(|(seen, _)| Arc::ptr_eq(seen, &version)) {
        return verdict;
    }
    let verdict = compared(cx, item, &text);
    known.0.lock().insert(key, (version, verdict.clone()));
    verdict
}

fn compared(cx: &Context, item: &Item, text: &Text) -> Verdict {
    let content = cx.source.slice(item.content.clone());
    let found = match (&item.header.range, current(cx, item, text)) {
        (_, Some(span)) if same(&content, &text.source.slice(span.clone())) => true,
        (None, Some(span)) if is_whole(cx, item) => same(
            content.trim_end_matches(['\n', '\r']),
            text.source.slice(span).trim_end_matches(['\n', '\r']),
        ),
        (None, _) => {
            !is_whole(cx, item) && holds(&text.source.slice(0..text.source.len()), &content)
        }
        _ => false,
    };
    if found { Verdict::Same } else { Verdict::Different }
}

/// Whether an item without lines is its whole file, rather than an excerpt.
pub fn is_whole(cx: &Context, item: &Item) -> bool {
    item.header.range.is_none() && cx.source.slice(item.header.kind.clone()) == "File"
}

/// The current text of the file where the item points: some lines, or all of it.
pub fn current(cx: &Context, item: &Item, text: &Text) -> Option<Span> {
    match &item.header.range {
        Some(range) => text.lines(range.start, range.end),
        None => is_whole(cx, item).then(|| text.all()),
    }
}

/// Whether text contains some lines in a row.
fn holds(text: &str, content: &str) -> bool {
    let (text, content) = (Lines::new(text), unix(content));
    let content = Lines::new(&*content);
    content.is_empty()
        || !occurrences(text.keys(Level::Exact), content.keys(Level::Exact), 1).is_empty()
}

/// The cached locations of items' content, by the items' locations in the section.
#[derive(Debug, Default)]
struct Whereabouts(Mutex<HashMap<Spot, Seen>>);

/// Its location in one version of the file.
type Seen = (Arc<Version>, Option<(u64, u64)>);

/// The lines, counted from 1, that contain the content in the file now: exactly, or except for
/// whitespace. Two matches are ambiguous. The result is cached until one of them changes.
pub fn whereabouts(cx: &Context, item: &Item, text: &Text) -> Option<(u64, u64)> {
    let Some(placed) =
        cx.source.section_at(item.line.start).filter(|placed| item.end <= placed.span().end)
    else {
        return search(cx, item, text);
    };
    let (known, version) = (placed.section.memo.get::<Whereabouts>(), text.version());
    let key = spot(item, placed.start);
    let remembered = known.0.lock().get(&key).cloned();
    if let Some((_, found)) = remembered.filter(|(seen, _)| Arc::ptr_eq(seen, &version)) {
        return found;
    }
    let found = search(cx, item, text);
    known.0.lock().insert(key, (version, found));
    found
}

fn search(cx: &Context, item: &Item, text: &Text) -> Option<(u64, u64)> {
    let content = cx.source.slice(item.content.clone());
    let content = unix(&content);
    let file = text.source.slice(0..text.source.len());
    if content.trim().is_empty() {
        return None;
    }
    let (file, search) = (Lines::new(&*file), Lines::new(&*content));
    let levels = [Level::Exact, Level::Trailing, Level::Trimmed, Level::Blanks];
    let found = levels
        .into_iter()
        .map(|level| occurrences(file.keys(level), search.keys(level), 2))
        .find(|found| !found.is_empty())?;
    match found.as_slice() {
        [start] => Some((*start as u64 + 1, (start + search.len()) as u64)),
        _ => None,
    }
}
