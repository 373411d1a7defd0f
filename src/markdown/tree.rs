//! Syntax trees by tree-sitter-md, one section at a time and never between a key press and its
//! diagnostics. They serve highlighting and injections; a document's meaning comes from
//! [`super::block`].

use std::ops::ControlFlow;
use std::sync::OnceLock;

use parking_lot::Mutex;
use tree_sitter::{InputEdit, Language, Node, ParseOptions, Parser, Point, Tree};

use crate::text::Span;

/// The tree of one section. Only an edited section keeps its tree: the next edit is most likely
/// inside it, and reuses the tree. All other trees are built on demand and dropped, since together
/// they take fifty times the memory of the text.
#[derive(Debug, Default)]
pub(crate) struct TreeSlot(Option<Box<Edited>>);

#[derive(Debug)]
struct Edited {
    tree: OnceLock<Option<Tree>>,
    seed: Mutex<Option<Tree>>,
}

/// Larger sections have no tree: only their blocks are highlighted.
const LARGEST: usize = 256 * 1024;
/// tree-sitter-md keeps its open blocks in a fixed buffer, so more deeply nested sections are not
/// parsed.
const DEEPEST: usize = 64;
/// Inline text with more delimiters than this can take the inline grammar seconds.
const MOST_DELIMITERS: usize = 1000;

impl TreeSlot {
    /// Calls `read` with the section's block tree; `None` if a tree isn't worth its cost.
    pub(crate) fn with<T>(&self, text: &str, read: impl FnOnce(&Tree) -> T) -> Option<T> {
        let Some(edited) = &self.0 else {
            return parse_blocks(text, None).as_ref().map(read);
        };
        let parse = || {
            let seed = edited.seed.lock().take();
            parse_blocks(text, seed.as_ref())
        };
        edited.tree.get_or_init(parse).as_ref().map(read)
    }

    /// A slot for the section after `edit`: it starts from this tree, if kept.
    pub(crate) fn edited(&self, edit: &InputEdit) -> Self {
        let seed = self.0.as_ref().and_then(|edited| match edited.tree.get() {
            Some(tree) => tree.clone(),
            None => edited.seed.lock().clone(),
        });
        let seed = seed.map(|mut tree| {
            tree.edit(edit);
            tree
        });
        Self(Some(Box::new(Edited { tree: OnceLock::new(), seed: Mutex::new(seed) })))
    }
}

fn parse_blocks(text: &str, seed: Option<&Tree>) -> Option<Tree> {
    if text.len() > LARGEST || nesting(text) > DEEPEST {
        return None;
    }
    parse(&tree_sitter_md::LANGUAGE.into(), text.as_bytes(), seed)
}

/// Parses inline content from scratch: its incremental trees are not reliable.
pub(super) fn parse_inline(text: &str) -> Option<Tree> {
    let delimiters = text.bytes().filter(|byte| b"*_[]!<`~\\&$".contains(byte)).count();
    if delimiters > MOST_DELIMITERS || text.len() > LARGEST {
        return None;
    }
    parse(&tree_sitter_md::INLINE_LANGUAGE.into(), text.as_bytes(), None)
}

fn parse(language: &Language, text: &[u8], old: Option<&Tree>) -> Option<Tree> {
    let mut parser = Parser::new();
    parser.set_language(language).ok()?;
    // The callback runs once per hundred operations: ordinary text needs far fewer than this;
    // anything beyond is cancelled.
    let mut left = 2_000 + text.len() / 4;
    let mut progress = |_: &tree_sitter::ParseState| {
        left = left.saturating_sub(1);
        if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let options = ParseOptions::new().progress_callback(&mut progress);
    let mut read = |offset: usize, _: Point| text.get(offset..).unwrap_or_default();
    parser.parse_with_options(&mut read, old, Some(options))
}

/// An upper bound of the blocks open at once: the most container markers that fit on any line, and
/// the depth that indentation alone can carry over lines.
fn nesting(text: &str) -> usize {
    let mut deepest = 0;
    let mut carried = 0;
    for line in text.lines() {
        let lead = line.bytes().take_while(|byte| b" \t>-+*0123456789.)".contains(byte)).count();
        let markers = line.bytes().take(lead).filter(|byte| b">-+*.)".contains(byte)).count();
        let blank = line.bytes().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        carried =
            if line.trim().is_empty() { carried } else { carried.min(blank / 2 + 1) + markers };
        deepest = deepest.max(carried);
    }
    deepest
}

/// The bytes of a node, as offsets in the parsed text.
pub(super) fn span(node: Node) -> Span {
    node.start_byte()..node.end_byte()
}
