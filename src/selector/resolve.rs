//! What a selector means in a document (SEL-2, SEL-3, SEL-5).

use super::grammar::{Segment, SegmentKind, Selector};
use super::tree::{Node, NodeKind, Tree};
use crate::text::Span;

/// A node that a selector means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Match {
    pub node: Node,
    /// `page[k]`; a page of it that there may not be.
    pub page: Option<usize>,
}

/// Every node that a selector means, in the order of the document; its namespace is not looked at.
pub fn resolve(tree: &Tree, selector: &Selector) -> Vec<Match> {
    let (path, page) = match selector.segments.split_last() {
        Some((last, rest)) if last.kind == SegmentKind::Page => (rest, Some(last.index)),
        _ => (selector.segments.as_slice(), None),
    };
    let mut contexts: Vec<Option<Node>> = vec![None];
    for segment in path {
        contexts = contexts.iter().flat_map(|context| step(tree, *context, segment)).map(Some).collect();
        if path.len() > 1 {
            contexts.dedup();
        }
    }
    let mut seen = rustc_hash::FxHashSet::default();
    let nodes = contexts.into_iter().flatten().filter(|node| seen.insert(*node));
    nodes.map(|node| Match { node, page: page.map(Option::unwrap_or_default) }).collect()
}

/// How many nodes of this kind are in a context: what an index is measured against.
pub fn count(tree: &Tree, context: Option<Node>, kind: SegmentKind) -> usize {
    descendants(tree, context, kind).count()
}

/// The nodes that one segment means in a context.
fn step<'t>(tree: &'t Tree, context: Option<Node>, segment: &Segment) -> Box<dyn Iterator<Item = Node> + 't> {
    let found = descendants(tree, context, segment.kind);
    match segment.index {
        Some(_) if segment.kind == SegmentKind::Root => Box::new(found),
        Some(index) => Box::new(found.skip(index).take(1)),
        None => Box::new(found),
    }
}

/// The nodes of a kind below a context, in order: through sections, but not into lists and quotes.
fn descendants(tree: &Tree, context: Option<Node>, kind: SegmentKind) -> Box<dyn Iterator<Item = Node> + '_> {
    let span: Span = context.map_or(0..tree.length, |node| tree.span(node));
    let container = context.filter(|node| node.kind == NodeKind::Block).map(|node| node.index);
    match kind {
        SegmentKind::Root => {
            let root = Node { kind: NodeKind::Root, index: 0 };
            Box::new((context.is_none() && !tree.root.is_empty()).then_some(root).into_iter())
        }
        SegmentKind::Heading(_) | SegmentKind::Section => {
            let node = if kind == SegmentKind::Section { NodeKind::Section } else { NodeKind::Heading };
            // A section is not inside itself.
            let first = match context {
                Some(node) if matches!(node.kind, NodeKind::Heading | NodeKind::Section) => node.index + 1,
                Some(_) => tree.headings.len(),
                None => 0,
            };
            let inside = tree.headings.iter().enumerate().skip(first).take_while(move |(_, heading)| heading.section.start < span.end);
            let fitting = inside.filter(move |(_, heading)| kind == SegmentKind::Section || kind == SegmentKind::Heading(heading.level));
            Box::new(fitting.map(move |(index, _)| Node { kind: node, index }))
        }
        SegmentKind::Block(wanted) => {
            let first = tree.blocks.partition_point(|block| block.span.start < span.start);
            let inside = tree.blocks.iter().enumerate().skip(first).take_while(move |(_, block)| block.span.start < span.end);
            let fitting = inside.filter(move |(_, block)| block.kind == wanted && block.container == container);
            Box::new(fitting.map(|(index, _)| Node { kind: NodeKind::Block, index }))
        }
        SegmentKind::Page => Box::new(std::iter::empty()),
    }
}
