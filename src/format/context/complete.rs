//! Completion in headers: types, files, lines. Nothing is offered in content.

use super::Packs;
use super::compare;
use super::file::Files;
use super::kind::{ABOUT, KINDS, NAMES, of_file};
use crate::answer::{Completion, CompletionKind};
use crate::format::Context;
use crate::text::{Edit, Span};
use crate::world::{EntryKind, resolve};

/// The completions at `offset` of a document with packs.
pub(super) fn complete(packs: &Packs, cx: &Context, offset: usize) -> Vec<Completion> {
    let line = cx.source.line_span(offset);
    let item = packs.item_at(offset);
    if let Some(item) = item
        && item.opener.start <= offset
        && offset <= item.opener.end
    {
        return languages(packs, cx, offset);
    }
    // The header of an item is followed by content.
    if item.is_some_and(|item| item.line.end < offset) {
        return Vec::new();
    }
    header_parts(Some(packs), cx, offset, line)
}

/// The completions at `offset` of a document without packs: the first header below `## Context`.
pub fn start(cx: &Context, offset: usize) -> Vec<Completion> {
    let line = cx.source.line_span(offset);
    if !cx.source.slice(line.start..offset).starts_with('#') {
        return Vec::new();
    }
    let Some(placed) = cx.source.section_at(line.start.saturating_sub(1)) else {
        return Vec::new();
    };
    let above = cx.source.slice(placed.start..line.start);
    if above.trim_start_matches('\u{feff}').trim() != super::write::HEADING {
        return Vec::new();
    }
    header_parts(None, cx, offset, line)
}

fn header_parts(packs: Option<&Packs>, cx: &Context, offset: usize, line: Span) -> Vec<Completion> {
    let text = cx.source.slice(line.clone());
    let Some(before) = text.get(..offset.saturating_sub(line.start)) else { return Vec::new() };
    let Some(typed) = before.strip_prefix("### ") else {
        let hashes = !before.is_empty() && "### ".starts_with(before);
        return if hashes && text.trim_end().len() == before.trim_end().len() {
            types(line.start..offset, "### ", true)
        } else {
            Vec::new()
        };
    };
    let Some(annotation) = typed.find("(from ").map(|at| at + "(from ".len()) else {
        let word = !typed.contains(char::is_whitespace);
        let rest = text.get(before.len()..).unwrap_or_default();
        let end =
            offset + rest.find(|character: char| character.is_whitespace()).unwrap_or(rest.len());
        // A new header gets the whole item; one that already has an item below it only gets its
        // type.
        let alone =
            packs.is_none_or(|packs| packs.item_at(offset).is_none()) && rest.trim().is_empty();
        return if word { types(offset - typed.len()..end, "", alone) } else { Vec::new() };
    };
    let from = line.start + "### ".len() + annotation;
    let written = typed.get(annotation..).unwrap_or_default();
    let rest = text.get(before.len()..).unwrap_or_default();
    let ranges = ranges(packs, cx, offset, from, written, rest);
    if ranges.is_empty() { files(cx, offset, written, rest) } else { ranges }
}

fn item(label: &str, kind: CompletionKind, span: Span, text: &str) -> Completion {
    Completion {
        label: label.to_owned(),
        kind,
        detail: None,
        documentation: None,
        edit: Edit::replace(span, text),
        snippet: None,
        rank: 0,
        more: false,
    }
}

fn types(span: Span, before: &str, alone: bool) -> Vec<Completion> {
    let found =
        (0..).zip(KINDS.iter().zip(NAMES).zip(ABOUT)).map(|(rank, ((kind, name), about))| {
            let text = format!("{before}{name}");
            let from = if matches!(*kind, "code" | "file") { " (from ${1:file})" } else { "" };
            let snippet = alone.then(|| format!("{text}{from}\n```lisp\n$0\n```\n"));
            Completion {
                documentation: Some(about.to_owned()),
                snippet,
                rank,
                ..item(name, CompletionKind::Type, span.clone(), &text)
            }
        });
    found.collect()
}

/// Files and folders; completion replaces the last part of the path.
fn files(cx: &Context, offset: usize, written: &str, rest: &str) -> Vec<Completion> {
    let Some(root) = cx.root().filter(|_| !written.starts_with(['/', '\\', '~'])) else {
        return Vec::new();
    };
    let (folder, name) = written.rsplit_once('/').unwrap_or(("", written));
    let at = resolve(&root.join("-"), folder);
    if !at.starts_with(&root) {
        return Vec::new();
    }
    // Replaces the rest of the name, but keeps a range and the end of the annotation.
    let after = rest.find(['/', ':', ')']).unwrap_or(rest.len());
    let span = offset - name.len()..offset + after;
    let closed = rest.contains(')');
    let entries = cx.world.list(&at).into_iter().filter(|entry| !entry.name.starts_with('.'));
    let found = entries.map(|entry| {
        let is_folder = entry.kind == EntryKind::Folder;
        let text = match (is_folder, closed) {
            (true, _) => format!("{}/", entry.name),
            (false, true) => entry.name.clone(),
            (false, false) => format!("{})", entry.name),
        };
        let kind = if is_folder { CompletionKind::Folder } else { CompletionKind::File };
        let label = text.trim_end_matches(')').to_owned();
        Completion {
            rank: u32::from(is_folder),
            more: is_folder,
            ..item(&label, kind, span.clone(), &text)
        }
    });
    found.collect()
}

/// The lines of the file before the last colon.
fn ranges(
    packs: Option<&Packs>,
    cx: &Context,
    offset: usize,
    from: usize,
    written: &str,
    rest: &str,
) -> Vec<Completion> {
    let Some((name, digits)) = written.rsplit_once(':') else { return Vec::new() };
    if !digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-') {
        return Vec::new();
    }
    let Ok(text) = Files::new(cx).text(name) else { return Vec::new() };
    let after = rest.len()
        - rest
            .trim_start_matches(|character: char| character.is_ascii_digit() || character == '-')
            .len();
    let span = from + name.len() + 1..offset + after;
    let end = if rest.contains(')') { "" } else { ")" };
    let mut found = Vec::new();
    let mut push = |start: u64, last: u64, detail: &str| {
        let label = format!("{start}-{last}");
        if !found.iter().any(|other: &Completion| other.label == label) {
            let rank = found.len() as u32;
            let detail = Some(detail.to_owned());
            found.push(Completion {
                detail,
                rank,
                ..item(&label, CompletionKind::Value, span.clone(), &format!("{label}{end}"))
            });
        }
    };
    if let Some((start, last)) = packs
        .and_then(|packs| packs.item_at(offset))
        .and_then(|item| compare::whereabouts(cx, item, &text))
    {
        push(start, last, "current location");
    }
    if text.count() > 0 {
        push(1, text.count(), "the whole file");
    }
    if let Some(start) = digits
        .split('-')
        .next()
        .and_then(|start| start.parse::<u64>().ok())
        .filter(|start| *start > 0 && *start <= text.count())
    {
        push(start, start, "this line");
        push(start, text.count(), "to the end");
    }
    found
}

/// The languages that a fence can name: that of the item first.
fn languages(packs: &Packs, cx: &Context, offset: usize) -> Vec<Completion> {
    let Some(item_here) = packs.item_at(offset) else { return Vec::new() };
    let opener = cx.source.slice(item_here.opener.clone());
    let marks = opener.len() - opener.trim_start_matches(char::from(item_here.fence.mark)).len();
    let span = item_here.opener.start + marks..item_here.opener.end;
    if offset < span.start {
        return Vec::new();
    }
    let file = compare::name(cx, item_here).and_then(|name| of_file(&name));
    let all = file.into_iter().chain(["lisp", "text"]);
    let mut found: Vec<Completion> = Vec::new();
    for (rank, language) in (0..).zip(all) {
        if !found.iter().any(|other| other.label == language) {
            found.push(Completion {
                rank,
                ..item(language, CompletionKind::Value, span.clone(), language)
            });
        }
    }
    found
}
