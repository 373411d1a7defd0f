//! Finds the nodes of a selector in a document (SEL-2, SEL-3, SEL-5).

use rustc_hash::FxHashSet;

use super::grammar::{Index, Segment, SegmentKind, Selector};
use super::tree::{Node, NodeKind, Tree};

/// A matching node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Match {
    pub node: Node,
    /// `page[k]`: some of its pages, which may not exist.
    pub pages: Option<Pages>,
}

/// The selected pages of a node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pages {
    All,
    Some(Index),
}

/// Every node that matches a selector, in document order; ignores its namespace.
pub fn resolve(tree: &Tree, selector: &Selector) -> Vec<Match> {
    let (path, pages) = split(selector);
    walk(tree, None, path).0.into_iter().map(|node| Match { node, pages: pages.clone() }).collect()
}

/// Every node that matches a path inside a node.
pub fn resolve_inside(tree: &Tree, context: Node, selector: &Selector) -> Vec<Node> {
    walk(tree, Some(context), split(selector).0).0
}

/// How far a selector matches: the number of matching segments, and the nodes of the last one.
pub fn reach(tree: &Tree, selector: &Selector) -> (usize, Vec<Node>) {
    let path = split(selector).0;
    let (found, reached) = walk(tree, None, path);
    match path.get(..reached).filter(|_| reached < path.len()) {
        Some(shorter) => (reached, walk(tree, None, shorter).0),
        None => (reached, found),
    }
}

/// For each segment, how many nodes its index selects among: the most in any of its contexts. A
/// page isn't counted.
pub fn counts(tree: &Tree, selector: &Selector) -> Vec<usize> {
    let path = split(selector).0;
    let mut counts = vec![0; path.len()];
    walk_counting(tree, None, path, &mut |reached, count| {
        if let Some(most) = counts.get_mut(reached) {
            *most = count.max(*most);
        }
    });
    counts
}

/// The number of nodes of a kind in a context, which bounds an index.
pub fn count(tree: &Tree, context: Option<Node>, kind: SegmentKind) -> usize {
    tree.below(context, kind).len()
}

fn split(selector: &Selector) -> (&[Segment], Option<Pages>) {
    match selector.segments.split_last() {
        Some((last, rest)) if last.kind == SegmentKind::Page => {
            (rest, Some(last.index.clone().map_or(Pages::All, Pages::Some)))
        }
        _ => (selector.segments.as_slice(), None),
    }
}

/// The nodes that match a path, and the number of matching segments.
fn walk(tree: &Tree, context: Option<Node>, path: &[Segment]) -> (Vec<Node>, usize) {
    walk_counting(tree, context, path, &mut |_, _| {})
}

/// The same; calls `count` with each segment and the number of nodes that its index selects among.
fn walk_counting(
    tree: &Tree,
    context: Option<Node>,
    path: &[Segment],
    count: &mut dyn FnMut(usize, usize),
) -> (Vec<Node>, usize) {
    let mut contexts = vec![context];
    for (reached, segment) in path.iter().enumerate() {
        // A section and its subsections contain the same blocks.
        let mut seen = FxHashSet::default();
        let mut next = Vec::new();
        for context in contexts {
            count(reached, tree.below(context, segment.kind).len());
            let found = step(tree, context, segment).into_iter().filter(|node| seen.insert(*node));
            next.extend(found.map(Some));
        }
        if next.is_empty() {
            return (Vec::new(), reached);
        }
        contexts = next;
    }
    let mut nodes: Vec<Node> = contexts.into_iter().flatten().collect();
    nodes.sort_by_key(|node| (tree.span(*node).start, node.index));
    (nodes, path.len())
}

/// The nodes that match one segment in a context.
fn step(tree: &Tree, context: Option<Node>, segment: &Segment) -> Vec<Node> {
    let found = tree.below(context, segment.kind);
    match &segment.index {
        Some(index) if segment.kind != SegmentKind::Root => {
            index.places(found.len()).into_iter().filter_map(|place| found.get(place)).collect()
        }
        _ => found.iter().collect(),
    }
}

/// The nodes of one kind in a context, in order, found lazily.
#[derive(Debug, Clone, Copy)]
pub struct Below<'t> {
    pub(super) kind: NodeKind,
    pub(super) indices: Indices<'t>,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Indices<'t> {
    List(&'t [u32]),
    Range(usize, usize),
}

impl Below<'_> {
    pub fn len(&self) -> usize {
        match self.indices {
            Indices::List(list) => list.len(),
            Indices::Range(start, end) => end.saturating_sub(start),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn get(&self, place: usize) -> Option<Node> {
        let index = match self.indices {
            Indices::List(list) => *list.get(place)? as usize,
            Indices::Range(start, end) => start.checked_add(place).filter(|index| *index < end)?,
        };
        Some(Node { kind: self.kind, index })
    }

    pub fn iter(&self) -> impl DoubleEndedIterator<Item = Node> + '_ {
        (0..self.len()).filter_map(|place| self.get(place))
    }
}
