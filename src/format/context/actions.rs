//! Refactorings of packs. They don't fix a finding.

use std::path::Path;

use super::compare::{self, Verdict};
use super::file::Files;
use super::layout::Item;
use super::write::{self, safe_fence};
use super::{Packs, kind, refresh, rules};
use crate::answer::{Action, ActionKind, Insertion};
use crate::format::Context;
use crate::text::{Edit, Span};

/// With more items than this, they aren't all checked while the cursor moves.
const MOST: usize = 256;

/// The refactorings available for the characters of `span`.
pub(super) fn actions(packs: &Packs, cx: &Context, span: &Span) -> Vec<Action> {
    let near: Vec<&Item> = packs
        .layout
        .items
        .iter()
        .filter(|item| !item.chat && item.line.start <= span.end && span.start <= item.end)
        .collect();
    let mut found = Vec::new();
    if let [item] = near.as_slice() {
        let files = Files::new(cx);
        found.extend(refresh_long(cx, &files, item));
        found.extend(add_range(cx, &files, item));
        found.extend(name_language(cx, item, span));
        found.extend(make_safe(cx, item, span));
    }
    if packs
        .layout
        .packs
        .iter()
        .any(|pack| !pack.chat && pack.heading.start <= span.end && span.start <= pack.end)
    {
        found.extend(refresh_all(packs, cx));
        found.extend(name_languages(packs, cx, span));
    }
    found
}

fn action(title: impl Into<String>, edits: Vec<Edit>) -> Option<Action> {
    (!edits.is_empty()).then(|| Action {
        title: title.into(),
        kind: ActionKind::Refactor,
        edits,
        snippet: None,
    })
}

/// Edits that are too long to attach to a finding.
fn refresh_long(cx: &Context, files: &Files, item: &Item) -> Option<Action> {
    let text = files.text(&compare::name(cx, item)?).ok()?;
    if compare::current(cx, item, &text)?.len() <= rules::LONGEST {
        return None;
    }
    action(rules::REFRESH, refresh::edit(cx, files, item).into_iter().collect())
}

fn refresh_all(packs: &Packs, cx: &Context) -> Option<Action> {
    if packs.layout.items.len() > MOST {
        return None;
    }
    let done = refresh::all(packs, cx);
    let count = done.edits.len();
    action(format!("Refresh all {count} items that are out of date"), done.edits)
        .filter(|_| count > 1)
}

/// Adds the range to an item that names a file but no lines.
fn add_range(cx: &Context, files: &Files, item: &Item) -> Option<Action> {
    if item.header.range.is_some()
        || item.header.open
        || compare::is_whole(cx, item)
        || compare::judge(cx, files, item) != Verdict::Same
    {
        return None;
    }
    let text = files.text(&compare::name(cx, item)?).ok()?;
    let (start, end) = compare::whereabouts(cx, item, &text)?;
    let edit = Edit::insert(item.header.file.clone()?.end, format!(":{start}-{end}"));
    action(format!("Add the range {start}-{end}"), vec![edit])
}

/// The language of an item, and the edit that puts it on the fence.
fn language(cx: &Context, item: &Item) -> Option<(&'static str, Edit)> {
    let known = kind::named(&cx.source.slice(item.header.kind.clone()))?;
    let language = kind::language(known, compare::name(cx, item).as_deref());
    let opener = cx.source.slice(item.opener.clone());
    let info = opener.trim_start_matches(char::from(item.fence.mark));
    let start = item.opener.end - info.len();
    (info.trim() != language).then(|| (language, Edit::replace(start..item.opener.end, language)))
}

fn on_frame(item: &Item, span: &Span) -> bool {
    item.line.start <= span.end && span.start <= item.opener.end
}

fn name_language(cx: &Context, item: &Item, span: &Span) -> Option<Action> {
    let (language, edit) = language(cx, item).filter(|_| on_frame(item, span))?;
    action(format!("Set the language of the fence to `{language}`"), vec![edit])
}

fn name_languages(packs: &Packs, cx: &Context, span: &Span) -> Option<Action> {
    let on_heading = packs
        .layout
        .packs
        .iter()
        .any(|pack| pack.heading.start <= span.end && span.start <= pack.heading.end);
    let items = packs.layout.items.iter().filter(|item| !item.chat);
    let edits: Vec<Edit> =
        items.filter(|_| on_heading).filter_map(|item| Some(language(cx, item)?.1)).collect();
    action("Set the language of every fence", edits).filter(|action| action.edits.len() > 1)
}

/// If the content closes the fence, a finding offers the same.
fn make_safe(cx: &Context, item: &Item, span: &Span) -> Option<Action> {
    let told = item.short.is_some() || item.ambiguous.is_some() || item.closer.is_none();
    let longer = safe_fence(&cx.source.slice(item.content.clone())).len() > item.fence.length;
    if told || !longer || !on_frame(item, span) {
        return None;
    }
    action(rules::SAFE, rules::fence_edits(cx, item)?)
}

/// A whole file as an item of the last pack.
pub fn insertion(packs: &Packs, cx: &Context, file: &Path) -> Option<Insertion> {
    if packs.layout.packs.iter().all(|pack| pack.chat) {
        return None;
    }
    let source = cx.world.look(file).ok()?;
    let text = source.slice(0..source.len());
    let content = text.trim_start_matches('\u{feff}');
    let content = content.strip_suffix('\n').unwrap_or(content);
    let content = content.strip_suffix('\r').unwrap_or(content).to_owned();
    let root = cx.root();
    let short = root.as_deref().and_then(|root| file.strip_prefix(root).ok()).unwrap_or(file);
    let name = crate::world::slashed(short);
    let last = content.lines().count().max(1).to_string();
    let entry = write::Entry {
        kind: "code".to_owned(),
        filename: Some(name),
        lines: Some(("1".to_owned(), last)),
        content,
    };
    let edit = append(Some(packs), cx, &entry);
    Some(Insertion { title: "Add to the context pack".to_owned(), kind: "item", edit })
}

/// The edit that appends an item to the pack of a document, or starts one at its end.
pub fn append(packs: Option<&Packs>, cx: &Context, entry: &write::Entry) -> Edit {
    let end = cx.source.line_break();
    let layout = packs.map(|packs| &packs.layout);
    let pack = layout.and_then(|layout| layout.packs.iter().rfind(|pack| !pack.chat));
    let items = layout.and_then(|layout| layout.items.get(pack?.items.clone())).unwrap_or_default();
    // A pack whose fences all say `lisp` was written by Agent-Q.
    let always_lisp =
        items.iter().all(|item| cx.source.slice(item.opener.clone()).ends_with("lisp"));
    let style = write::Style { languages: !always_lisp || items.is_empty(), safe: true };
    let written = super::file::unix(&entry.write(style)).replace('\n', end);
    if let Some(pack) = pack {
        let close = match items.last() {
            Some(last) if last.closer.is_none() => format!(
                "{end}{}",
                char::from(last.fence.mark).to_string().repeat(last.fence.length)
            ),
            _ => String::new(),
        };
        return Edit::insert(pack.end, format!("{close}{end}{end}{written}"));
    }
    let text = cx.source.slice(0..cx.source.len());
    let kept = text.trim_end().len();
    let begun = text.get(..kept).is_some_and(|text| {
        text.lines()
            .next_back()
            .is_some_and(|last| last.trim_start_matches('\u{feff}') == write::HEADING)
    });
    let blank = text.trim_start_matches('\u{feff}').trim().is_empty();
    let before = match (begun, blank) {
        (true, _) => format!("{end}{end}"),
        (false, true) => format!("{}{end}{end}", write::HEADING),
        (false, false) => format!("{end}{end}{}{end}{end}", write::HEADING),
    };
    Edit::replace(kept..text.len(), format!("{before}{written}{end}"))
}
