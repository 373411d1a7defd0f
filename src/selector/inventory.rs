//! The inventory of a document, printed by `index` (SEL-12).

use serde::Serialize;

use super::grammar::BlockType;
use super::page::{Words, first_page, pages};
use super::tree::{Node, NodeKind, Tree};
use super::{Pagination, SegmentKind};

/// Blocks nested in more lists and quotes than this are not listed: their selectors grow with their
/// depth. Reach them through their parent, or by writing the path.
pub const DEEPEST_LISTED: usize = 64;

/// Everything in a document that can be selected, without its text.
#[derive(Debug, Serialize)]
pub struct Inventory {
    pub namespace: String,
    pub file_path: String,
    /// `None` if only whitespace precedes the first heading.
    pub root: Option<Root>,
    pub headings: Vec<Heading>,
    pub blocks: Blocks,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub block_selectors: Option<Vec<Block>>,
}

#[derive(Debug, Serialize)]
pub struct Root {
    pub selector: String,
    pub r#type: String,
    pub content: String,
    pub truncated: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pagination: Option<Pagination>,
    pub children_count: usize,
    pub word_count: usize,
}

#[derive(Debug, Serialize)]
pub struct Heading {
    pub selector: String,
    pub r#type: String,
    pub depth: u8,
    /// Its content as written.
    pub text: String,
    pub children_count: usize,
    /// Of the heading alone.
    pub word_count: usize,
    /// Including everything below it.
    pub section_word_count: usize,
    pub truncated: bool,
}

/// The number of blocks of each type, including those in lists and quotes.
#[derive(Debug, Default, Serialize)]
pub struct Blocks {
    pub paragraphs: usize,
    pub code_blocks: usize,
    pub lists: usize,
    pub tables: usize,
    pub blockquotes: usize,
}

#[derive(Debug, Serialize)]
pub struct Block {
    pub selector: String,
    pub r#type: String,
    pub word_count: usize,
    pub truncated: bool,
}

/// The totals of several inventories.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub struct Summary {
    pub total_documents: usize,
    pub total_nodes: usize,
    pub total_selectors: usize,
}

impl Summary {
    /// Adds a document. A section and its heading are one node with two selectors.
    pub fn add(&mut self, tree: &Tree) {
        let selectors = tree.nodes().count();
        self.total_documents += 1;
        self.total_nodes += selectors - tree.headings.len();
        self.total_selectors += selectors;
    }
}

/// The inventory of a document with this text; `blocks`: with the selector of every node.
pub fn inventory(
    namespace: &str,
    file_path: &str,
    text: &str,
    tree: &Tree,
    max_words: usize,
    blocks: bool,
) -> Inventory {
    let words = Words::new(text);
    let count = |node: Node| words.count(tree.span(node));
    let children = |node: Node| tree.child_count(node);
    let shown = |node: Node| format!("{namespace}::{}", tree.path(node));
    let root = (!tree.root.is_empty()).then(|| {
        let node = Node { kind: NodeKind::Root, index: 0 };
        let all = text.get(tree.root.clone()).unwrap_or_default();
        let first = first_page(all, max_words);
        let truncated = first.len() < all.len();
        let pagination = truncated.then(|| Pagination {
            current_page: 0,
            total_pages: pages(all, max_words).len(),
            word_count: max_words,
            has_more: true,
        });
        let content = all.get(first).unwrap_or_default().to_owned();
        Root {
            selector: shown(node),
            r#type: "root".to_owned(),
            content,
            truncated,
            pagination,
            children_count: children(node),
            word_count: count(node),
        }
    });
    let headings = tree.headings.iter().enumerate().map(|(index, heading)| {
        let node = Node { kind: NodeKind::Heading, index };
        let section_word_count = count(node);
        Heading {
            selector: shown(node),
            r#type: tree.segment(node).to_string(),
            depth: heading.level,
            text: heading.text.clone(),
            children_count: children(node),
            word_count: words.count(heading.line.clone()),
            section_word_count,
            truncated: section_word_count > max_words,
        }
    });
    let mut counts = Blocks::default();
    for block in &tree.blocks {
        let count = match block.kind {
            BlockType::Paragraph => &mut counts.paragraphs,
            BlockType::Code => &mut counts.code_blocks,
            BlockType::List => &mut counts.lists,
            BlockType::Table => &mut counts.tables,
            BlockType::Blockquote => &mut counts.blockquotes,
        };
        *count += 1;
    }
    let block_selectors = blocks.then(|| {
        let each = tree.nodes().filter(|node| depth(tree, *node) <= DEEPEST_LISTED).map(|node| {
            let word_count = count(node);
            Block {
                selector: shown(node),
                r#type: tree.segment(node).to_string(),
                word_count,
                truncated: word_count > max_words,
            }
        });
        each.collect()
    });
    Inventory {
        namespace: namespace.to_owned(),
        file_path: file_path.to_owned(),
        root,
        headings: headings.collect(),
        blocks: counts,
        block_selectors,
    }
}

/// The number of blocks too deep to be listed.
pub fn unlisted(tree: &Tree) -> usize {
    tree.blocks.iter().filter(|block| block.depth > DEEPEST_LISTED).count()
}

fn depth(tree: &Tree, node: Node) -> usize {
    tree.blocks
        .get(node.index)
        .filter(|_| node.kind == NodeKind::Block)
        .map_or(0, |block| block.depth)
}

/// The same as lines: headings as a tree, then the number of blocks.
pub fn outline(inventory: &Inventory) -> String {
    use std::fmt::Write;
    let mut lines = String::new();
    let mut ranks = [0_usize; 7];
    for heading in &inventory.headings {
        let rank = ranks
            .get_mut(usize::from(heading.depth))
            .map_or(0, |rank| std::mem::replace(rank, *rank + 1));
        let text = heading.text.split_whitespace().collect::<Vec<_>>().join(" ");
        // Writing to a string can't fail.
        let _ = writeln!(
            lines,
            "{}h{}.{rank} {text}",
            " ".repeat(usize::from(heading.depth) - 1),
            heading.depth
        );
    }
    let Blocks { paragraphs, code_blocks, lists, tables, blockquotes } = &inventory.blocks;
    let counts = [
        ("code", code_blocks),
        ("para", paragraphs),
        ("list", lists),
        ("table", tables),
        ("quote", blockquotes),
    ];
    let counts: Vec<String> = counts
        .into_iter()
        .filter(|(_, count)| **count > 0)
        .map(|(name, count)| format!("{name}:{count}"))
        .collect();
    if !counts.is_empty() {
        let _ = writeln!(lines, "---\n{}", counts.join(" "));
    }
    lines
}

impl Serialize for SegmentKind {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
