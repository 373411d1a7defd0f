//! The front matter in outlines and folds: its keys, with their values.

use crate::answer::{Fold, FoldKind, Symbol, SymbolKind};
use crate::format::Context;
use crate::markdown::front::Delimiters;
use crate::source::FrontMatter;
use crate::text::Span;
use crate::yaml::{Entry, Kind, Node};

/// Deeper keys aren't shown.
const DEEPEST: usize = 8;
const LONGEST: usize = 80;

/// One symbol: the front matter with its keys.
pub fn symbols(cx: &Context) -> Vec<Symbol> {
    let Some(front) = front(cx) else { return Vec::new() };
    let text = cx.source.slice(front.span.clone());
    let span = front.span.start..front.span.start + text.trim_end().len();
    let value = |key: &str| front.tree.get(key).and_then(|entry| entry.value.as_str());
    let name = value("name").map(line).filter(|name| !name.is_empty());
    let selection = front.opening.start.max(span.start)..front.opening.end.min(span.end);
    let children = front.tree.entries().filter_map(|entry| key(&front, entry, DEEPEST)).collect();
    vec![Symbol {
        name: name.unwrap_or_else(|| "front matter".to_owned()),
        detail: value("description").map(line).filter(|detail| !detail.is_empty()),
        kind: SymbolKind::FrontMatter,
        span,
        selection,
        children,
    }]
}

fn front<'a>(cx: &Context<'a>) -> Option<FrontMatter<'a>> {
    cx.source.front_matter().filter(|front| front.delimiters != Delimiters::Unopened)
}

fn key(front: &FrontMatter, entry: &Entry, depth: usize) -> Option<Symbol> {
    let name = entry.key.as_str().map(line).filter(|name| !name.is_empty())?;
    let place = |span: &Span| span.start + front.yaml_span.start..span.end + front.yaml_span.start;
    let selection = place(&entry.key.span);
    let end = place(&entry.value.span).end.max(selection.end);
    let children = match &entry.value.kind {
        Kind::Mapping(mapping) if depth > 0 => {
            mapping.entries.iter().filter_map(|entry| key(front, entry, depth - 1)).collect()
        }
        _ => Vec::new(),
    };
    Some(Symbol {
        name,
        detail: detail(&entry.value),
        kind: SymbolKind::Key,
        span: selection.start..end,
        selection,
        children,
    })
}

fn detail(value: &Node) -> Option<String> {
    let text = match &value.kind {
        Kind::Scalar(scalar) => line(&scalar.text),
        Kind::Sequence(sequence) => {
            let items: Vec<&str> =
                sequence.items.iter().filter_map(|item| item.as_str()).take(LONGEST).collect();
            line(&items.join(", "))
        }
        _ => String::new(),
    };
    Some(text).filter(|text| !text.is_empty())
}

/// Some text in one line of bounded length.
fn line(text: &str) -> String {
    let mut out = String::new();
    for word in text.split_whitespace() {
        if out.chars().count() > LONGEST {
            out.push('…');
            break;
        }
        out.push_str(if out.is_empty() { "" } else { " " });
        out.extend(word.chars().take(LONGEST));
    }
    out
}

/// Values of several lines.
pub fn folds(cx: &Context) -> Vec<Fold> {
    let Some(front) = front(cx) else { return Vec::new() };
    let base = front.yaml_span.start;
    let fold = |entry: &Entry| {
        let text = cx.source.slice(
            base + entry.key.span.start..base + entry.value.span.end.max(entry.key.span.end),
        );
        let text = text.trim_end();
        let start = base + entry.key.span.start;
        text.contains('\n')
            .then(|| Fold { span: start..start + text.len(), kind: FoldKind::Region })
    };
    front.tree.entries().filter_map(fold).collect()
}
