//! Highlights from `queries/*.scm` over a section's syntax tree. Editors that run tree-sitter use
//! the same files.

use std::sync::LazyLock;

use tree_sitter::{Query, QueryCursor, StreamingIterator};

use super::tree::{TreeSlot, parse_inline, span};
use crate::text::Span;

/// A span in one style.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Highlight {
    /// Bytes, relative to the section's start.
    pub span: Span,
    /// The capture's name: a semantic token type.
    pub kind: &'static str,
}

struct Highlighter {
    query: Query,
    kinds: Vec<&'static str>,
}

fn compile(language: tree_sitter::Language, source: &'static str) -> Option<Highlighter> {
    let query = Query::new(&language, source).ok()?;
    let kinds =
        query.capture_names().iter().map(|name| token_type(name).unwrap_or("string")).collect();
    Some(Highlighter { query, kinds })
}

/// The semantic token types that queries may name.
pub const TOKEN_TYPES: [&str; 14] = [
    "class",
    "keyword",
    "operator",
    "type",
    "variable",
    "string",
    "macro",
    "property",
    "enumMember",
    "number",
    "comment",
    "function",
    "namespace",
    "parameter",
];

fn token_type(name: &str) -> Option<&'static str> {
    TOKEN_TYPES.iter().find(|known| **known == name).copied()
}

static BLOCKS: LazyLock<Option<Highlighter>> = LazyLock::new(|| {
    compile(tree_sitter_md::LANGUAGE.into(), include_str!("../../queries/markdown/highlights.scm"))
});
static INLINES: LazyLock<Option<Highlighter>> = LazyLock::new(|| {
    compile(
        tree_sitter_md::INLINE_LANGUAGE.into(),
        include_str!("../../queries/markdown_inline/highlights.scm"),
    )
});

/// The highlights of one section, in order, not nested.
pub(crate) fn read(slot: &TreeSlot, text: &str) -> Vec<Highlight> {
    slot.with(text, |tree| read_tree(tree, text)).unwrap_or_default()
}

fn read_tree(tree: &tree_sitter::Tree, text: &str) -> Vec<Highlight> {
    let mut found = Vec::new();
    let Some(blocks) = BLOCKS.as_ref() else { return found };
    collect(blocks, tree.root_node(), text, 0, &mut found);
    let mut cursor = tree.walk();
    let mut inlines = Vec::new();
    'tree: loop {
        let node = cursor.node();
        if matches!(node.kind(), "inline" | "pipe_table_cell") {
            inlines.push(span(node));
        } else if cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                break 'tree;
            }
        }
    }
    for inline in inlines {
        let Some(content) = text.get(inline.clone()) else { continue };
        if let (Some(tree), Some(query)) = (parse_inline(content), INLINES.as_ref()) {
            collect(query, tree.root_node(), content, inline.start, &mut found);
        }
    }
    found.sort_by_key(|highlight| (highlight.span.start, std::cmp::Reverse(highlight.span.end)));
    flatten(found)
}

fn collect(
    highlighter: &Highlighter,
    root: tree_sitter::Node,
    text: &str,
    shift: usize,
    found: &mut Vec<Highlight>,
) {
    let mut cursor = QueryCursor::new();
    let mut captures = cursor.captures(&highlighter.query, root, text.as_bytes());
    while let Some((matched, index)) = captures.next() {
        let Some(capture) = matched.captures().get(*index) else { continue };
        let Some(kind) = highlighter.kinds.get(capture.index as usize) else { continue };
        let span = span(capture.node);
        let trimmed =
            text.get(span.clone()).map_or(0, |piece| piece.trim_end_matches(['\n', '\r']).len());
        if trimmed > 0 {
            found.push(Highlight { span: span.start + shift..span.start + shift + trimmed, kind });
        }
    }
}

/// Removes overlaps: the inner highlight takes precedence over the part of the outer one that it
/// covers.
fn flatten(sorted: Vec<Highlight>) -> Vec<Highlight> {
    let mut out: Vec<Highlight> = Vec::with_capacity(sorted.len());
    let mut open: Vec<Highlight> = Vec::new();
    let mut at = 0;
    for next in sorted {
        while let Some(outer) = open.last() {
            if outer.span.end > next.span.start {
                break;
            }
            close(&mut open, &mut at, &mut out);
        }
        if let Some(outer) = open.last() {
            push(&mut out, at.max(outer.span.start)..next.span.start, outer.kind);
        }
        at = next.span.start;
        open.push(next);
    }
    while !open.is_empty() {
        close(&mut open, &mut at, &mut out);
    }
    out.shrink_to_fit();
    out
}

fn close(open: &mut Vec<Highlight>, at: &mut usize, out: &mut Vec<Highlight>) {
    if let Some(done) = open.pop() {
        push(out, (*at).max(done.span.start)..done.span.end, done.kind);
        *at = (*at).max(done.span.end);
    }
}

fn push(out: &mut Vec<Highlight>, span: Span, kind: &'static str) {
    if span.start < span.end {
        out.push(Highlight { span, kind });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_query_compiles_and_names_known_types() {
        for highlighter in [&BLOCKS, &INLINES] {
            let highlighter = highlighter.as_ref().expect("the query compiles");
            for name in highlighter.query.capture_names() {
                assert!(token_type(name).is_some(), "unknown token type {name}");
            }
        }
    }

    #[test]
    fn inner_highlights_take_precedence() {
        let text = "# A `b` c\n\n- [x](y.md)\n";
        let found: Vec<(&str, &str)> =
            read(&TreeSlot::default(), text).into_iter().map(|h| (&text[h.span], h.kind)).collect();
        assert_eq!(
            found,
            [
                ("#", "keyword"),
                ("A ", "class"),
                ("`b`", "string"),
                (" c", "class"),
                ("- ", "operator"),
                ("x", "variable"),
                ("y.md", "string")
            ]
        );
    }
}
