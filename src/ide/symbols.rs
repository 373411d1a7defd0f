//! The outline: front matter, then headings, each holding what is below it.

use crate::answer::{Symbol, SymbolKind};
use crate::document::Document;
use crate::format::Context;
use crate::markdown::BlockKind;
use crate::source::Source;
use crate::text::Span;

/// A heading at document level.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heading<'a> {
    pub level: u8,
    /// The heading with its markers.
    pub span: Span,
    /// Its content.
    pub text: Span,
    /// Its content, with single blanks.
    pub title: &'a str,
}

/// The headings of a document in order, those inside lists and quotes left out.
pub fn headings(source: &Source) -> impl Iterator<Item = Heading<'_>> {
    source.sections().flat_map(|placed| {
        source.blocks(placed).blocks.iter().filter(|block| block.depth == 0).filter_map(move |block| match &block.kind {
            BlockKind::Heading { level, text, title, .. } => Some(Heading {
                level: *level,
                span: placed.start + block.span.start..placed.start + block.span.end,
                text: placed.start + text.start..placed.start + text.end,
                title,
            }),
            _ => None,
        })
    })
}

/// The outline of a document.
pub fn symbols(document: &Document, cx: &Context) -> Vec<Symbol> {
    let mut top = document.model().symbols(cx);
    let mut open: Vec<(u8, Symbol)> = Vec::new();
    for heading in headings(cx.source) {
        close(&mut open, &mut top, heading.level, heading.span.start);
        open.push((heading.level, symbol(heading)));
    }
    close(&mut open, &mut top, 0, cx.source.len());
    top
}

fn symbol(heading: Heading) -> Symbol {
    let selection = if heading.text.is_empty() { heading.span.clone() } else { heading.text };
    let name = if heading.title.is_empty() { "(no title)".to_owned() } else { heading.title.to_owned() };
    Symbol { name, detail: None, kind: SymbolKind::Heading, span: heading.span, selection, children: Vec::new() }
}

/// Ends every open heading that one of `level` at `offset` ends.
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
