//! The outline: front matter, then headings, each containing everything below it.

use crate::answer::{Symbol, SymbolKind};
use crate::document::Document;
use crate::format::Context;
use crate::ide::opaque;
use crate::markdown::BlockKind;
use crate::source::{Placed, Source};
use crate::text::Span;

/// A heading at document level.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heading<'a> {
    pub level: u8,
    /// The heading with its markers.
    pub span: Span,
    /// Its content.
    pub text: Span,
    /// Its content, with whitespace collapsed.
    pub title: &'a str,
}

/// The headings of a document in order, except for those inside lists and quotes.
pub fn headings(source: &Source) -> impl Iterator<Item = Heading<'_>> {
    source.sections().flat_map(|placed| headings_of(source, placed))
}

/// The same for a section.
pub(super) fn headings_of<'a>(
    source: &Source,
    placed: Placed<'a>,
) -> impl Iterator<Item = Heading<'a>> {
    source.blocks(placed).blocks.iter().filter(|block| block.depth == 0).filter_map(move |block| {
        match &block.kind {
            BlockKind::Heading { level, text, title, .. } => Some(Heading {
                level: *level,
                span: placed.start + block.span.start..placed.start + block.span.end,
                text: placed.start + text.start..placed.start + text.end,
                title,
            }),
            _ => None,
        }
    })
}

/// A heading of a document, and its latest possible end.
#[derive(Debug, Clone)]
pub(super) struct Bounded<'a> {
    pub heading: Heading<'a>,
    pub limit: usize,
}

/// The headings of a document, except for those in text that isn't Markdown.
pub(super) fn bounded<'a>(
    document: &'a Document,
    source: &'a Source,
) -> impl Iterator<Item = Bounded<'a>> {
    let breaks = document.model().breaks();
    let found = headings(source).filter(|heading| !opaque::touches(document, &heading.span));
    found.filter_map(move |heading| {
        // If a part of the format begins in the lines of a heading, they aren't one.
        if breaks
            .get(breaks.partition_point(|at| *at < heading.span.start))
            .is_some_and(|at| *at < heading.span.end)
        {
            return None;
        }
        let next = breaks.partition_point(|at| *at <= heading.span.start);
        Some(Bounded { limit: breaks.get(next).copied().unwrap_or(source.len()), heading })
    })
}

/// The limit of headings in an outline: the server sends no more, and a document can have very many.
const MOST_HEADINGS: usize = 5_000;

/// The outline of a document.
pub fn symbols(document: &Document, cx: &Context) -> Vec<Symbol> {
    let found = document.model().symbols(cx);
    let below = |symbol: &Symbol| {
        matches!(symbol.kind, SymbolKind::Template | SymbolKind::Item | SymbolKind::Block)
    };
    let (defined, mut top): (Vec<_>, Vec<_>) = found.into_iter().partition(below);
    let own = top.len();
    let nests = !document.model().breaks().is_empty();
    let mut open: Vec<(u8, Symbol)> = Vec::new();
    let (mut last, mut end, mut inside) = (cx.source.len(), cx.source.len(), None);
    for Bounded { heading, limit } in bounded(document, cx.source).take(MOST_HEADINGS) {
        if limit != last {
            close(&mut open, place(&mut top, inside), 0, end);
        }
        let at = heading.span.start;
        let before =
            top.get(..own).unwrap_or_default().partition_point(|symbol| symbol.span.start <= at);
        let around = before
            .checked_sub(1)
            .and_then(|index| Some((index, top.get(index)?.span.end)))
            .filter(|(_, end)| nests && at < *end);
        inside = around.map(|(index, _)| index);
        close(&mut open, place(&mut top, inside), heading.level, at);
        open.push((heading.level, symbol(heading)));
        last = limit;
        end = around.map_or(limit, |(_, end)| end.min(limit));
    }
    close(&mut open, place(&mut top, inside), 0, end);
    if nests {
        top.sort_by_key(|symbol| symbol.span.start);
    }
    put(&mut top, defined);
    top
}

/// Whether headings go below a symbol of the format, or next to it.
fn place(top: &mut Vec<Symbol>, inside: Option<usize>) -> &mut Vec<Symbol> {
    match inside {
        Some(index) if index < top.len() => &mut top[index].children,
        _ => top,
    }
}

/// Puts symbols, in source order, each below the last heading that contains all of it.
fn put(symbols: &mut Vec<Symbol>, new: Vec<Symbol>) {
    if new.is_empty() {
        return;
    }
    let mut rest = new.into_iter().peekable();
    let mut merged = Vec::with_capacity(symbols.len());
    for mut symbol in symbols.drain(..) {
        while let Some(before) = rest.next_if(|next| next.span.start < symbol.span.start) {
            merged.push(before);
        }
        if symbol.kind == SymbolKind::Heading {
            let mut inside = Vec::new();
            while let Some(next) = rest.next_if(|next| next.span.end <= symbol.span.end) {
                inside.push(next);
            }
            put(&mut symbol.children, inside);
        }
        merged.push(symbol);
    }
    merged.extend(rest);
    *symbols = merged;
}

fn symbol(heading: Heading) -> Symbol {
    let selection = if heading.text.is_empty() { heading.span.clone() } else { heading.text };
    let name =
        if heading.title.is_empty() { "(no title)".to_owned() } else { heading.title.to_owned() };
    Symbol {
        name,
        detail: None,
        kind: SymbolKind::Heading,
        span: heading.span,
        selection,
        children: Vec::new(),
    }
}

/// Closes every open heading that one of `level` at `offset` ends.
fn close(open: &mut Vec<(u8, Symbol)>, top: &mut Vec<Symbol>, level: u8, offset: usize) {
    while open.last().is_some_and(|(last, _)| *last >= level) {
        let Some((_, mut symbol)) = open.pop() else { return };
        symbol.span.end = symbol.span.end.max(offset);
        match open.last_mut() {
            Some((_, parent)) => parent.children.push(symbol),
            None => top.push(symbol),
        }
    }
}
