//! The outline, folding ranges and highlighting of a reply. A block is one range, and its two sides
//! are nested in it.

use super::Reply;
use crate::answer::{Fold, FoldKind, Highlight, Symbol, SymbolKind};
use crate::edit::{Block, Operation, marker};
use crate::format::Context;
use crate::text::Span;

/// The marker lines of a block; none for blocks in other notations.
fn marks(block: &Block, cx: &Context) -> Vec<Span> {
    let text = cx.source.slice(block.span.clone());
    let mut at = block.span.start;
    let mut found = Vec::new();
    for line in text.split_inclusive('\n') {
        let bare = line.trim_end_matches(['\n', '\r']);
        found.extend(marker(bare).map(|_| at..at + bare.len()));
        at += line.len();
    }
    found
}

/// A symbol per block, named by its file.
pub(super) fn symbols(reply: &Reply, cx: &Context) -> Vec<Symbol> {
    let symbol = |block: &Block| {
        let verb = match &block.operation {
            Operation::Edit | Operation::Lazy | Operation::Lines(_) => "edit",
            Operation::Write | Operation::Replace | Operation::Listing { .. } => "write",
            Operation::Create => "create",
            Operation::Delete => "delete",
            Operation::Move(_) => "move",
        };
        let name = block
            .path
            .as_ref()
            .map(|path| path.text.trim())
            .filter(|name| !name.is_empty())
            .unwrap_or("(no path)")
            .to_owned();
        let line = cx.source.line_span(block.span.start);
        let selection =
            block.span.start.max(line.start)..line.end.min(block.span.end).max(block.span.start);
        Symbol {
            name,
            detail: Some(verb.to_owned()),
            kind: SymbolKind::Action,
            span: block.span.clone(),
            selection,
            children: Vec::new(),
        }
    };
    reply.written().map(symbol).collect()
}

/// Every block, and each of its sides.
pub(super) fn folds(reply: &Reply, cx: &Context) -> Vec<Fold> {
    let mut spans = Vec::new();
    for block in reply.written() {
        if (cx.cancelled)() {
            break;
        }
        spans.push(block.span.clone());
        let marks = marks(block, cx);
        for pair in marks.windows(2) {
            if let [from, to] = pair {
                // Up to the line before the next marker, which stays in view.
                spans.push(
                    from.start..cx.source.line_span(to.start.saturating_sub(1)).end.min(to.start),
                );
            }
        }
    }
    let long = |span: &Span| cx.source.line_span(span.start).end < span.end;
    spans.into_iter().filter(long).map(|span| Fold { span, kind: FoldKind::Region }).collect()
}

/// Markers and paths.
pub(super) fn highlights(reply: &Reply, cx: &Context, span: &Span) -> Vec<Highlight> {
    let mut found = Vec::new();
    for block in reply.written().skip_while(|block| block.span.end < span.start) {
        if block.span.start > span.end + FARTHEST || (cx.cancelled)() {
            break;
        }
        let path = block
            .path
            .as_ref()
            .filter(|path| !path.inherited)
            .map(|path| Highlight { span: path.span.clone(), kind: "string" });
        found.extend(path.filter(|path| !path.span.is_empty()));
        found.extend(
            marks(block, cx)
                .into_iter()
                .filter(|mark| !mark.is_empty())
                .map(|mark| Highlight { span: mark, kind: "keyword" }),
        );
    }
    found.sort_by_key(|highlight| highlight.span.start);
    found.dedup_by(|next, kept| next.span.start < kept.span.end);
    found.retain(|highlight| highlight.span.start <= span.end && span.start <= highlight.span.end);
    found
}

/// How far above its block a path may be, in bytes.
const FARTHEST: usize = 1000;
