//! Maps JSON pointers to spans in the text, and offsets to nodes.

use super::node::{Entry, Kind, Mapping, Node, Span};
use super::resolve::{Anchors, MERGE, is_merge};

/// The location of a value.
#[derive(Debug, Clone, PartialEq)]
pub struct Target<'t> {
    /// The key of the value's entry; `None` for list items and the root.
    pub key: Option<Span>,
    pub value: Span,
    pub node: &'t Node,
}

/// The node at a JSON pointer such as `/properties/x/type`, where it's written: aliases and merge
/// keys are followed to the anchor.
pub fn locate<'t>(root: &'t Node, pointer: &str, anchors: &Anchors<'t>) -> Option<Target<'t>> {
    let mut node = anchors.follow(root)?;
    let mut key = None;
    for segment in pointer.split('/').skip(1) {
        let segment = segment.replace("~1", "/").replace("~0", "~");
        let next = match &node.kind {
            Kind::Sequence(sequence) => {
                key = None;
                sequence.items.get(segment.parse::<usize>().ok()?)?
            }
            Kind::Mapping(mapping) => {
                let entry = find(mapping, &segment, anchors, 0)?;
                key = Some(entry.key.span.clone());
                &entry.value
            }
            _ => return None,
        };
        node = anchors.follow(next)?;
    }
    Some(Target { key, value: node.span.clone(), node })
}

/// The entry with this key, written here or merged.
fn find<'t>(
    mapping: &'t Mapping,
    key: &str,
    anchors: &Anchors<'t>,
    depth: usize,
) -> Option<&'t Entry> {
    let written = mapping.get(key);
    if let Some(entry) = written.filter(|entry| !is_merge(entry)) {
        return Some(entry);
    }
    // A quoted `<<` is an ordinary key, but may be hidden by a merge key.
    let quoted = || {
        mapping
            .entries
            .iter()
            .rev()
            .find(|entry| !is_merge(entry) && entry.key.as_str() == Some(key))
    };
    if let Some(entry) = written.and_then(|_| quoted()) {
        return Some(entry);
    }
    if depth > 16 || mapping.get(MERGE).is_none() {
        return None;
    }
    anchors
        .merged(mapping)
        .into_iter()
        .find_map(|source| find(source.as_mapping()?, key, anchors, depth + 1))
}

/// Whether an offset touches an entry's key or its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    Key,
    Value,
}

/// One step from a collection to the child at an offset.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Step<'t> {
    Entry { entry: &'t Entry, side: Side },
    Item { index: usize, node: &'t Node },
}

impl<'t> Step<'t> {
    /// The node at the offset.
    pub fn node(&self) -> &'t Node {
        match self {
            Self::Entry { entry, side: Side::Key } => &entry.key,
            Self::Entry { entry, .. } => &entry.value,
            Self::Item { node, .. } => node,
        }
    }
}

/// The path from `root` to the node at `offset`. An offset at a node's end touches it as well, and
/// so does one space after the colon of an absent value; in the gaps between entries the path ends
/// at their mapping.
pub fn at(root: &Node, offset: usize) -> Vec<Step<'_>> {
    let mut steps = Vec::new();
    let mut node = root;
    loop {
        let step = match &node.kind {
            Kind::Mapping(mapping) => {
                let index =
                    mapping.entries.partition_point(|entry| outer_start(&entry.key) <= offset);
                let entry = index.checked_sub(1).and_then(|index| mapping.entries.get(index));
                entry.and_then(|entry| touch(entry, offset))
            }
            Kind::Sequence(sequence) => {
                let index = sequence.items.partition_point(|item| outer_start(item) <= offset);
                let item = index
                    .checked_sub(1)
                    .and_then(|index| Some((index, sequence.items.get(index)?)));
                item.filter(|(_, item)| offset <= reach(item))
                    .map(|(index, node)| Step::Item { index, node })
            }
            _ => None,
        };
        let Some(step) = step else { return steps };
        steps.push(step);
        node = step.node();
    }
}

fn touch(entry: &Entry, offset: usize) -> Option<Step<'_>> {
    if offset <= entry.key.span.end {
        return Some(Step::Entry { entry, side: Side::Key });
    }
    (offset <= entry.span.end.max(reach(&entry.value)))
        .then_some(Step::Entry { entry, side: Side::Value })
}

/// The last offset that touches a node.
fn reach(node: &Node) -> usize {
    node.span.end + usize::from(node.is_absent())
}

/// Where a node begins, including its tag and anchor.
pub(super) fn outer_start(node: &Node) -> usize {
    let tag = node.tag.as_ref().map_or(usize::MAX, |(_, span)| span.start);
    let anchor = node.anchor.as_ref().map_or(usize::MAX, |(_, span)| span.start);
    node.span.start.min(tag).min(anchor)
}
