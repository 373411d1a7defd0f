//! Highlights of headers: the type, the file, the lines; and the language that a fence names.

use super::Packs;
use super::layout::Item;
use crate::answer::Highlight;
use crate::format::Context;
use crate::text::Span;

/// The highlights that touch `span`, in order.
pub(super) fn highlights(packs: &Packs, cx: &Context, span: &Span) -> Vec<Highlight> {
    let items = &packs.layout.items;
    let first = items.partition_point(|item| item.end < span.start);
    let touching = items
        .get(first..)
        .unwrap_or_default()
        .iter()
        .take_while(|item| item.line.start <= span.end && !(cx.cancelled)());
    let found = touching.flat_map(|item| item_parts(item, cx));
    found.filter(|highlight| highlight.span.start < highlight.span.end).collect()
}

fn item_parts(item: &Item, cx: &Context) -> Vec<Highlight> {
    let header = &item.header;
    let mut found = Vec::new();
    let mut push = |span: Span, kind: &'static str| found.push(Highlight { span, kind });
    if item.chat {
        header.file.iter().for_each(|file| push(file.clone(), "string"));
        numbers(item, cx, &mut push);
        push(header.kind.clone(), "type");
    } else {
        push(header.kind.clone(), "type");
        if let Some(file) = &header.file {
            // `(from`
            push(header.kind.end + 1..file.start.saturating_sub(1), "keyword");
            push(file.clone(), "string");
            numbers(item, cx, &mut push);
        }
    }
    let opener = cx.source.slice(item.opener.clone());
    let info = opener.trim_start_matches(char::from(item.fence.mark)).trim();
    let start = item.opener.start + opener.len() - opener.trim_end().len();
    let end = item.opener.end.saturating_sub(start - item.opener.start);
    push(end.saturating_sub(info.len())..end, "property");
    found
}

fn numbers(item: &Item, cx: &Context, push: &mut impl FnMut(Span, &'static str)) {
    let Some(range) = &item.header.range else { return };
    let digits = cx.source.slice(range.span.clone()).find('-').unwrap_or_default();
    push(range.span.start..range.span.start + digits, "number");
    push(range.span.start + digits + 1..range.span.end, "number");
}
