//! Selection ranges: from the word under the cursor outwards to the document.

use crate::document::Document;
use crate::format::Context;
use crate::ide::opaque;
use crate::ide::symbols::{Bounded, bounded};
use crate::source::Source;
use crate::text::Span;
use crate::yaml::{Kind, Node};

/// The spans around `offset`, from the innermost to the whole document, each larger than the one
/// before.
pub fn selections(document: &Document, cx: &Context, offset: usize) -> Vec<Span> {
    let source = cx.source;
    let offset = crate::text::floor(source.text(), offset);
    let mut found = vec![0..source.len(), word(source, offset), source.line_span(offset)];
    // An unclosed quote has no last character to leave out.
    let whole = |span: &Span| crate::text::floor(source.text(), span.end) == span.end;
    found.extend(document.model().selections(cx, offset).into_iter().filter(whole));
    if let Some(front) =
        source.front_matter().filter(|front| front.span.start <= offset && offset <= front.span.end)
    {
        found.push(front.span.clone());
        if front.yaml_span.start <= offset && offset <= front.yaml_span.end {
            found.push(front.yaml_span.clone());
            let mut nodes = Vec::new();
            if let Some(root) = &front.tree.root {
                node_spans(root, offset - front.yaml_span.start, &mut nodes);
            }
            found.extend(
                nodes.into_iter().map(|span| {
                    front.yaml_span.start + span.start..front.yaml_span.start + span.end
                }),
            );
        }
    }
    let all: Vec<_> = bounded(document, source).collect();
    for (index, Bounded { heading, limit }) in all.iter().enumerate() {
        let next = all
            .iter()
            .skip(index + 1)
            .find(|next| next.heading.level <= heading.level)
            .map_or(source.len(), |next| next.heading.span.start);
        if heading.span.start > offset {
            break;
        }
        found.push(heading.span.start..next.min(*limit));
    }
    let opaque = opaque::holds(document, offset);
    // At the end of a section the cursor belongs to the block before it.
    for at in [offset, offset.saturating_sub(1)] {
        let Some(placed) = source.section_at(at).filter(|_| !opaque) else { continue };
        let blocks = source.blocks(placed);
        let inside = blocks
            .blocks
            .iter()
            .map(|block| &block.span)
            .chain(blocks.links.iter().map(|link| &link.span));
        let destinations = blocks.links.iter().filter_map(|link| link.destination_span.as_ref());
        found.extend(
            inside
                .chain(destinations)
                .map(|span| placed.start + span.start..placed.start + span.end),
        );
    }
    found.retain(|span| span.start <= offset && offset <= span.end);
    nest(found, offset)
}

/// Of the spans, smallest first, keeps those that contain all kept before them.
fn nest(mut spans: Vec<Span>, offset: usize) -> Vec<Span> {
    spans.sort_by_key(|span| (span.len(), span.start));
    spans.dedup();
    let mut last = offset..offset;
    spans.retain(|span| {
        let holds =
            span.start <= last.start && last.end <= span.end && (*span != last || span.is_empty());
        if holds {
            last = span.clone();
        }
        holds
    });
    spans.dedup();
    spans
}

fn word(source: &Source, offset: usize) -> Span {
    let line = source.line_span(offset);
    let text = source.slice(line.clone());
    let at = offset.saturating_sub(line.start).min(text.len());
    let is_word =
        |char: char| char.is_alphanumeric() || matches!(char, '_' | '-' | '\u{300}'..='\u{36f}');
    let (before, after) = text.split_at_checked(at).unwrap_or((&text, ""));
    let start = before.rfind(|char| !is_word(char)).map_or(0, |i| {
        i + before.get(i..).and_then(|s| s.chars().next()).map_or(1, char::len_utf8)
    });
    let end = after.find(|char| !is_word(char)).map_or(text.len(), |i| at + i);
    line.start + start..line.start + end
}

fn node_spans(node: &Node, offset: usize, found: &mut Vec<Span>) {
    let holds = |span: &Span| span.start <= offset && offset <= span.end;
    if !holds(&node.span) {
        return;
    }
    found.push(node.span.clone());
    match &node.kind {
        Kind::Mapping(mapping) => {
            for entry in mapping.entries.iter().filter(|entry| holds(&entry.span)) {
                found.push(entry.span.clone());
                node_spans(&entry.key, offset, found);
                node_spans(&entry.value, offset, found);
            }
        }
        Kind::Sequence(sequence) => {
            sequence.items.iter().for_each(|item| node_spans(item, offset, found))
        }
        Kind::Scalar(_) | Kind::Alias(_) => {}
    }
}
