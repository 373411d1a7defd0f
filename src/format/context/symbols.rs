//! The outline of packs: a symbol per item, below the heading of its pack.

use super::Packs;
use crate::answer::{Symbol, SymbolKind};
use crate::format::Context;
use crate::text::Encoding;

/// A symbol per item.
pub(super) fn symbols(packs: &Packs, cx: &Context) -> Vec<Symbol> {
    let items = packs.layout.items.iter().take_while(|_| !(cx.cancelled)());
    let found = items.map(|item| {
        let from = item.header.file.as_ref().map(|file| {
            let end = item.header.range.as_ref().map_or(file.end, |range| range.span.end);
            cx.source.slice(file.start..end).into_owned()
        });
        let kind = cx.source.slice(item.header.kind.clone()).into_owned();
        let line = |offset: usize| cx.source.position(offset, Encoding::Utf8).line;
        let count = if item.content.is_empty() {
            0
        } else {
            line(item.content.end) - line(item.content.start) + 1
        };
        let lines = format!("{count} line{}", if count == 1 { "" } else { "s" });
        let (name, detail) = match from.map(|from| short(&from)).filter(|from| !from.is_empty()) {
            Some(from) => (from, format!("{kind}, {lines}")),
            None => (kind, lines),
        };
        Symbol {
            name,
            detail: Some(detail),
            kind: SymbolKind::Item,
            span: item.line.start..item.end,
            selection: item.line.clone(),
            children: Vec::new(),
        }
    });
    found.collect()
}

/// A name of bounded length.
fn short(name: &str) -> String {
    const LONGEST: usize = 120;
    match name.trim().char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", name.trim().get(..end).unwrap_or_default()),
        None => name.trim().to_owned(),
    }
}
