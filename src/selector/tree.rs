//! What a document is made of, as selectors see it (SEL-1 to SEL-4).

use rustc_hash::FxHashMap;

use super::grammar::{BlockType, SegmentKind};
use crate::markdown::{BlockKind, SectionKind};
use crate::source::Source;
use crate::text::Span;

/// A document's headings and blocks, in order. Spans are bytes of the document.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tree {
    /// Everything before the first heading.
    pub root: Span,
    pub headings: Vec<Heading>,
    /// Those that can be selected.
    pub blocks: Vec<Block>,
    pub length: usize,
    /// For every heading, how many of its level stand before it.
    ranks: Vec<usize>,
    /// For every block, how many of its type stand before it in the same container.
    block_ranks: Vec<usize>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heading {
    pub level: u8,
    /// Its content as it is written.
    pub text: String,
    /// From its line to the next heading of its level or above.
    pub section: Span,
    /// The heading that it stands under.
    pub parent: Option<usize>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    pub kind: BlockType,
    pub span: Span,
    /// The list or quote that it stands in; `None` at the top.
    pub container: Option<usize>,
}

/// Something that can be selected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Node {
    pub kind: NodeKind,
    /// Of [`Tree::headings`] or [`Tree::blocks`]; 0 for the root.
    pub index: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NodeKind {
    Root,
    Heading,
    Section,
    Block,
}

impl Tree {
    /// Reads the tree of a document.
    pub fn read(source: &Source) -> Self {
        let mut tree = Self { length: source.len(), ..Self::default() };
        // The containers that are open: how deep they stand, and which blocks they are.
        let mut open: Vec<(u32, Option<usize>)> = Vec::new();
        for placed in source.sections() {
            if matches!(placed.section.kind, SectionKind::Front(_)) {
                continue;
            }
            open.clear();
            for block in &source.blocks(placed).blocks {
                let span = block.span.start + placed.start..block.span.end + placed.start;
                while open.last().is_some_and(|(depth, _)| *depth >= block.depth) {
                    open.pop();
                }
                let container = open.iter().rev().find_map(|(_, container)| *container);
                let kind = match &block.kind {
                    BlockKind::Heading { level, text, .. } => {
                        if block.depth == 0 {
                            let text = source.slice(text.start + placed.start..text.end + placed.start).trim().to_owned();
                            tree.heading(*level, text, source.line_span(span.start).start);
                        }
                        None
                    }
                    BlockKind::Paragraph | BlockKind::Html => Some(BlockType::Paragraph),
                    BlockKind::Code { .. } => Some(BlockType::Code),
                    BlockKind::List { .. } => Some(BlockType::List),
                    BlockKind::Quote => Some(BlockType::Blockquote),
                    BlockKind::Table => Some(BlockType::Table),
                    BlockKind::Item | BlockKind::Row | BlockKind::ThematicBreak => None,
                };
                let holds = matches!(kind, Some(BlockType::List | BlockType::Blockquote));
                open.push((block.depth, holds.then_some(tree.blocks.len())));
                if let Some(kind) = kind {
                    tree.blocks.push(Block { kind, span, container });
                }
            }
        }
        tree.close();
        tree
    }

    fn heading(&mut self, level: u8, text: String, start: usize) {
        self.headings.push(Heading { level, text, section: start..start, parent: None });
    }

    /// Finds where every section ends: a stack of those that are open, so that many headings cost no more than few.
    fn close(&mut self) {
        let mut open: Vec<usize> = Vec::new();
        let mut ends = vec![self.length; self.headings.len()];
        let mut parents = vec![None; self.headings.len()];
        for (index, heading) in self.headings.iter().enumerate() {
            while let Some(last) = open.last().copied() {
                if self.headings.get(last).is_some_and(|above| above.level < heading.level) {
                    break;
                }
                if let Some(end) = ends.get_mut(last) {
                    *end = heading.section.start;
                }
                open.pop();
            }
            if let Some(parent) = parents.get_mut(index) {
                *parent = open.last().copied();
            }
            open.push(index);
        }
        for ((heading, end), parent) in self.headings.iter_mut().zip(ends).zip(parents) {
            heading.section.end = end;
            heading.parent = parent;
        }
        let mut levels = [0_usize; 7];
        self.ranks = self.headings.iter().map(|heading| levels.get_mut(usize::from(heading.level)).map_or(0, count)).collect();
        let mut seen: FxHashMap<(Option<usize>, BlockType), usize> = FxHashMap::default();
        self.block_ranks = self.blocks.iter().map(|block| count(seen.entry((block.container, block.kind)).or_default())).collect();
        self.root = 0..self.headings.first().map_or(self.length, |first| first.section.start);
    }

    /// The bytes of a node.
    pub fn span(&self, node: Node) -> Span {
        match node.kind {
            NodeKind::Root => self.root.clone(),
            NodeKind::Heading | NodeKind::Section => self.headings.get(node.index).map_or(0..0, |heading| heading.section.clone()),
            NodeKind::Block => self.blocks.get(node.index).map_or(0..0, |block| block.span.clone()),
        }
    }

    /// The selector of a node in its document: the one that is shown.
    pub fn path(&self, node: Node) -> String {
        let mut parts = Vec::new();
        let mut next = Some(node);
        while let Some(node) = next.take() {
            let rank = match node.kind {
                NodeKind::Root => None,
                NodeKind::Section => Some(node.index),
                NodeKind::Heading => self.ranks.get(node.index).copied(),
                NodeKind::Block => {
                    next = self.blocks.get(node.index).and_then(|block| block.container).map(|index| Node { kind: NodeKind::Block, index });
                    self.block_ranks.get(node.index).copied()
                }
            };
            parts.push(rank.map_or_else(|| self.segment(node).to_string(), |rank| format!("{}[{rank}]", self.segment(node))));
        }
        parts.reverse();
        parts.join("/")
    }

    /// Every node, each once by its own selector: the root where there is something in it, headings, sections, blocks.
    pub fn nodes(&self) -> impl Iterator<Item = Node> + '_ {
        let root = (!self.root.is_empty()).then_some(Node { kind: NodeKind::Root, index: 0 });
        let each = |kind: NodeKind, count: usize| (0..count).map(move |index| Node { kind, index });
        let headings = each(NodeKind::Heading, self.headings.len()).chain(each(NodeKind::Section, self.headings.len()));
        root.into_iter().chain(headings).chain(each(NodeKind::Block, self.blocks.len()))
    }

    /// What a node is called in a selector.
    pub fn segment(&self, node: Node) -> SegmentKind {
        match node.kind {
            NodeKind::Root => SegmentKind::Root,
            NodeKind::Section => SegmentKind::Section,
            NodeKind::Heading => SegmentKind::Heading(self.headings.get(node.index).map_or(1, |heading| heading.level)),
            NodeKind::Block => SegmentKind::Block(self.blocks.get(node.index).map_or(BlockType::Paragraph, |block| block.kind)),
        }
    }
}

/// Counts one more; says how many there were.
fn count(counter: &mut usize) -> usize {
    let before = *counter;
    *counter += 1;
    before
}
