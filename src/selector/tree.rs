//! A document's nodes, as selectors see them (SEL-1 to SEL-4).

use std::sync::{Arc, OnceLock};

use rustc_hash::FxHashMap;

use super::grammar::{BlockType, SegmentKind};
use super::resolve::{Below, Indices};
use crate::markdown::{BlockKind, SectionKind};
use crate::source::Source;
use crate::text::Span;

/// A document's headings and blocks, in order. Spans are bytes of the document.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tree {
    /// Everything before the first heading; empty if it's only whitespace.
    pub root: Span,
    pub headings: Vec<Heading>,
    /// The selectable blocks.
    pub blocks: Vec<Block>,
    pub length: usize,
    /// The headings of each level.
    levels: [Vec<u32>; 7],
    /// The blocks of each type in each container.
    typed: FxHashMap<(Option<u32>, BlockType), Vec<u32>>,
    /// The blocks in each container.
    contents: FxHashMap<Option<u32>, Vec<u32>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heading {
    pub level: u8,
    /// Its content as written.
    pub text: String,
    /// The lines of the heading itself.
    pub line: Span,
    /// From its line to the next heading of its level or above.
    pub section: Span,
    /// The index of that heading.
    pub end: usize,
    /// Its index among the headings of its level.
    rank: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    pub kind: BlockType,
    pub span: Span,
    /// The list or quote that contains it; `None` at the top.
    pub container: Option<usize>,
    /// The number of enclosing lists and quotes.
    pub depth: usize,
    /// Its index among the blocks of its type in its container.
    rank: usize,
}

/// A selectable node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Node {
    pub kind: NodeKind,
    /// An index into [`Tree::headings`] or [`Tree::blocks`]; 0 for the root.
    pub index: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum NodeKind {
    Root,
    Heading,
    Section,
    Block,
}

const ROOT: Node = Node { kind: NodeKind::Root, index: 0 };

impl Tree {
    /// The tree of a document, built on first use and kept with its text.
    pub fn of(source: &Source) -> Arc<Self> {
        Arc::clone(
            source.memo().get::<OnceLock<Arc<Self>>>().get_or_init(|| Arc::new(Self::read(source))),
        )
    }

    /// Builds the tree of a document.
    pub fn read(source: &Source) -> Self {
        let mut tree = Self { length: source.len(), ..Self::default() };
        // The open blocks: their depth, and the container that each is or is in.
        let mut open: Vec<(u32, Option<usize>)> = Vec::new();
        for placed in source.sections() {
            if matches!(placed.section.kind, SectionKind::Front(_)) {
                continue;
            }
            open.clear();
            let mut at = placed.start;
            for block in &source.blocks(placed).blocks {
                let mut span = block.span.start + placed.start..block.span.end + placed.start;
                if let BlockKind::Code { info: None } = block.kind {
                    span.start -= indentation(source, span.start);
                }
                while open.last().is_some_and(|(depth, _)| *depth >= block.depth) {
                    open.pop();
                }
                let container = open.last().and_then(|(_, container)| *container);
                if block.depth == 0 {
                    tree.untyped(source, at..span.start.max(at));
                    at = span.end.max(at);
                }
                let kind = match &block.kind {
                    BlockKind::Heading { level, text, .. } => {
                        if block.depth == 0 {
                            let text = source
                                .slice(text.start + placed.start..text.end + placed.start)
                                .trim()
                                .to_owned();
                            tree.heading(
                                *level,
                                text,
                                source.line_span(span.start).start..span.end,
                            );
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
                open.push((block.depth, if holds { Some(tree.blocks.len()) } else { container }));
                if let Some(kind) = kind {
                    tree.block(kind, span, container);
                }
            }
            tree.untyped(source, at..placed.span().end.max(at));
        }
        tree.close();
        tree.root = 0..tree.headings.first().map_or(tree.length, |first| first.section.start);
        let before = source.text().get_byte_slice(tree.root.clone());
        if !before.is_some_and(|text| {
            text.chars().any(|character| !character.is_whitespace() && character != '\u{feff}')
        }) {
            tree.root = 0..0;
        }
        tree
    }

    /// Adds the lines between two blocks that belong to none, such as definitions of links.
    fn untyped(&mut self, source: &Source, between: Span) {
        if between.len() <= MOST_BLANK {
            return;
        }
        let text = source.slice(between.clone());
        let is_blank = |line: &str| line.trim_start_matches('\u{feff}').trim().is_empty();
        if is_blank(&text) {
            return;
        }
        let mut run: Option<Span> = None;
        let mut start = between.start;
        for line in text.split_inclusive('\n') {
            let (from, next) = (start, start + line.len());
            start = next;
            let is_whole = source.line_span(from).start == from
                && (line.ends_with('\n') || source.line_span(from).end == next);
            if is_blank(line) || !is_whole {
                run.take().into_iter().for_each(|run| self.block(BlockType::Paragraph, run, None));
                continue;
            }
            let end = from + line.trim_end().len();
            run.get_or_insert(from..end).end = end;
        }
        run.into_iter().for_each(|run| self.block(BlockType::Paragraph, run, None));
    }

    fn heading(&mut self, level: u8, text: String, line: Span) {
        let section = line.start..line.start;
        let index = small(self.headings.len());
        let rank = self.levels.get_mut(usize::from(level)).map_or(0, |list| push(list, index));
        self.headings.push(Heading { level, text, line, section, end: 0, rank });
    }

    fn block(&mut self, kind: BlockType, span: Span, container: Option<usize>) {
        let (index, key) = (small(self.blocks.len()), container.map(small));
        let rank = push(self.typed.entry((key, kind)).or_default(), index);
        push(self.contents.entry(key).or_default(), index);
        let depth = container
            .and_then(|container| self.blocks.get(container))
            .map_or(0, |around| around.depth + 1);
        self.blocks.push(Block { kind, span, container, depth, rank });
    }

    /// Finds the end of every section with a stack of open ones, in linear time.
    fn close(&mut self) {
        let mut open: Vec<(usize, u8)> = Vec::new();
        let mut ends = vec![(self.headings.len(), self.length); self.headings.len()];
        for (index, heading) in self.headings.iter().enumerate() {
            while let Some((last, _)) =
                open.last().copied().filter(|(_, level)| *level >= heading.level)
            {
                if let Some(end) = ends.get_mut(last) {
                    *end = (index, heading.section.start);
                }
                open.pop();
            }
            open.push((index, heading.level));
        }
        for (heading, (index, end)) in self.headings.iter_mut().zip(ends) {
            heading.end = index;
            heading.section.end = end;
        }
    }

    /// The bytes of a node.
    pub fn span(&self, node: Node) -> Span {
        match node.kind {
            NodeKind::Root => self.root.clone(),
            NodeKind::Heading | NodeKind::Section => {
                self.headings.get(node.index).map_or(0..0, |heading| heading.section.clone())
            }
            NodeKind::Block => self.blocks.get(node.index).map_or(0..0, |block| block.span.clone()),
        }
    }

    /// The nodes of a kind in a context, in order: through sections, but not into lists and quotes.
    pub fn below(&self, context: Option<Node>, kind: SegmentKind) -> Below<'_> {
        let nothing = Below { kind: NodeKind::Root, indices: Indices::Range(0, 0) };
        // The headings inside the context.
        let headings = match context {
            None => 0..self.headings.len(),
            Some(Node { kind: NodeKind::Heading | NodeKind::Section, index }) => {
                index + 1..self.headings.get(index).map_or(0, |heading| heading.end)
            }
            Some(_) => 0..0,
        };
        match kind {
            SegmentKind::Root if context.is_none() && !self.root.is_empty() => {
                Below { kind: NodeKind::Root, indices: Indices::Range(0, 1) }
            }
            SegmentKind::Root | SegmentKind::Page => nothing,
            SegmentKind::Section => Below {
                kind: NodeKind::Section,
                indices: Indices::Range(headings.start, headings.end),
            },
            SegmentKind::Heading(level) => {
                let list = self.levels.get(usize::from(level)).map_or(&[][..], Vec::as_slice);
                Below {
                    kind: NodeKind::Heading,
                    indices: Indices::List(cut(
                        list,
                        |index| (index as usize) < headings.start,
                        |index| (index as usize) < headings.end,
                    )),
                }
            }
            SegmentKind::Block(wanted) => {
                self.blocks_of(context, |container| self.typed.get(&(container, wanted)))
            }
            SegmentKind::Any => self.blocks_of(context, |container| self.contents.get(&container)),
        }
    }

    fn blocks_of<'t>(
        &'t self,
        context: Option<Node>,
        list: impl Fn(Option<u32>) -> Option<&'t Vec<u32>>,
    ) -> Below<'t> {
        let container =
            context.filter(|node| node.kind == NodeKind::Block).map(|node| small(node.index));
        let mut list = list(container).map_or(&[][..], Vec::as_slice);
        if let Some(node) = context.filter(|_| container.is_none()) {
            let span = self.span(node);
            let before = |limit: usize| {
                move |index: u32| {
                    self.blocks.get(index as usize).is_some_and(|block| block.span.start < limit)
                }
            };
            list = cut(list, before(span.start), before(span.end));
        }
        Below { kind: NodeKind::Block, indices: Indices::List(list) }
    }

    /// The children of a node: of a section, the content before the next heading, and its direct
    /// subsections.
    pub fn children(&self, node: Node) -> Vec<Node> {
        let mut found: Vec<Node> = self.own_blocks(node).iter().collect();
        if let (NodeKind::Heading | NodeKind::Section, Some(heading)) =
            (node.kind, self.headings.get(node.index))
        {
            let mut next = node.index + 1;
            while let Some(inner) = self.headings.get(next).filter(|_| next < heading.end) {
                found.push(Node { kind: NodeKind::Heading, index: next });
                next = inner.end.max(next + 1);
            }
        }
        found
    }

    /// The number of [`Tree::children`] of a node.
    pub fn child_count(&self, node: Node) -> usize {
        let mut sections = 0;
        if let (NodeKind::Heading | NodeKind::Section, Some(heading)) =
            (node.kind, self.headings.get(node.index))
        {
            let mut next = node.index + 1;
            while let Some(inner) = self.headings.get(next).filter(|_| next < heading.end) {
                sections += 1;
                next = inner.end.max(next + 1);
            }
        }
        self.own_blocks(node).len() + sections
    }

    /// The blocks of a node that aren't part of a child node.
    fn own_blocks(&self, node: Node) -> Below<'_> {
        let own = self.below(Some(node), SegmentKind::Any);
        let (NodeKind::Heading | NodeKind::Section, Indices::List(list)) = (node.kind, own.indices)
        else {
            return own;
        };
        let next = self.headings.get(node.index + 1).map_or(self.length, |next| next.section.start);
        let before = |index: u32| {
            self.blocks.get(index as usize).is_some_and(|block| block.span.start < next)
        };
        Below { indices: Indices::List(cut(list, |_| false, before)), ..own }
    }

    /// The innermost node at an offset: a block, otherwise the heading above, otherwise the root.
    pub fn at(&self, offset: usize) -> Option<Node> {
        let mut container = None;
        let mut found = None;
        while let Some(list) = self.contents.get(&container) {
            let before = list.partition_point(|index| {
                self.blocks.get(*index as usize).is_some_and(|block| block.span.start <= offset)
            });
            let last = before.checked_sub(1).and_then(|place| list.get(place)).copied();
            let Some(index) = last.filter(|index| {
                self.blocks.get(*index as usize).is_some_and(|block| offset <= block.span.end)
            }) else {
                break;
            };
            found = Some(Node { kind: NodeKind::Block, index: index as usize });
            container = Some(index);
        }
        let above =
            self.headings.partition_point(|heading| heading.section.start <= offset).checked_sub(1);
        let heading = above.map(|index| Node { kind: NodeKind::Heading, index });
        found.or(heading).or_else(|| (!self.root.is_empty()).then_some(ROOT))
    }

    /// The canonical selector of a node in its document.
    pub fn path(&self, node: Node) -> String {
        let mut parts = Vec::new();
        let mut next = Some(node);
        while let Some(node) = next.take() {
            if node.kind == NodeKind::Block {
                next = self
                    .blocks
                    .get(node.index)
                    .and_then(|block| block.container)
                    .map(|index| Node { kind: NodeKind::Block, index });
            }
            let segment = self.segment(node);
            parts.push(
                self.rank(node)
                    .map_or_else(|| segment.to_string(), |rank| format!("{segment}[{rank}]")),
            );
        }
        parts.reverse();
        parts.join("/")
    }

    /// The index of a node among those of its kind in its context.
    pub fn rank(&self, node: Node) -> Option<usize> {
        match node.kind {
            NodeKind::Root => None,
            NodeKind::Section => Some(node.index),
            NodeKind::Heading => self.headings.get(node.index).map(|heading| heading.rank),
            NodeKind::Block => self.blocks.get(node.index).map(|block| block.rank),
        }
    }

    /// Every node once, by its own selector: the root if it has content, headings, sections,
    /// blocks.
    pub fn nodes(&self) -> impl Iterator<Item = Node> + '_ {
        let root = (!self.root.is_empty()).then_some(ROOT);
        let each = |kind: NodeKind, count: usize| (0..count).map(move |index| Node { kind, index });
        let headings = each(NodeKind::Heading, self.headings.len())
            .chain(each(NodeKind::Section, self.headings.len()));
        root.into_iter().chain(headings).chain(each(NodeKind::Block, self.blocks.len()))
    }

    /// The name of a node in a selector.
    pub fn segment(&self, node: Node) -> SegmentKind {
        match node.kind {
            NodeKind::Root => SegmentKind::Root,
            NodeKind::Section => SegmentKind::Section,
            NodeKind::Heading => SegmentKind::Heading(
                self.headings.get(node.index).map_or(1, |heading| heading.level),
            ),
            NodeKind::Block => SegmentKind::Block(
                self.blocks.get(node.index).map_or(BlockType::Paragraph, |block| block.kind),
            ),
        }
    }
}

/// Between two blocks are usually one or two line breaks.
const MOST_BLANK: usize = 4;

/// Documents have at most 512 MB, so their blocks can be counted in 32 bits.
fn small(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

/// Appends; returns the previous length.
fn push(list: &mut Vec<u32>, index: u32) -> usize {
    list.push(index);
    list.len() - 1
}

/// The part of an ordered list that begins where `before` ends and continues while `inside` is
/// true.
fn cut(list: &[u32], before: impl Fn(u32) -> bool, inside: impl Fn(u32) -> bool) -> &[u32] {
    let start = list.partition_point(|index| before(*index));
    let end = list.partition_point(|index| inside(*index)).max(start);
    list.get(start..end).unwrap_or_default()
}

/// The length of the indentation before the first line of indented code: four spaces, or a tab.
fn indentation(source: &Source, start: usize) -> usize {
    let before = source.slice(source.line_span(start).start..start);
    let spaces = before.len() - before.trim_end_matches(' ').len();
    if before.ends_with('\t') { 1 } else { spaces.min(4) }
}
