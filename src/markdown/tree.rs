//! Syntax trees: what the cursor touches, read by tree-sitter-md, one section at a time and never
//! on the path from a key to its diagnostics. They serve highlighting and injections; what a
//! document means is read from [`super::block`].

use std::ops::ControlFlow;
use std::sync::{Mutex, OnceLock, PoisonError};

use tree_sitter::{InputEdit, Language, Node, ParseOptions, Parser, Point, Tree};

use crate::text::Span;

/// The tree of one section. Only a section that an edit made keeps its tree: the next key most
/// likely falls into it, and is read from the edited tree. The trees of all others are read when
/// asked for and dropped, since together they weigh fifty times the text.
#[derive(Debug, Default)]
pub(crate) struct TreeSlot {
    edited: bool,
    tree: OnceLock<Option<Tree>>,
    seed: Mutex<Option<Tree>>,
}

/// Larger sections have no tree: what is highlighted in them is said by the blocks alone.
const LARGEST: usize = 256 * 1024;
/// tree-sitter-md keeps its open blocks in a fixed buffer; no section that nests deeper than this
/// is given to it.
const DEEPEST: usize = 64;
/// Inline text with more delimiters than this can take the inline grammar seconds.
const MOST_DELIMITERS: usize = 1000;

impl TreeSlot {
    /// Calls `read` with the block tree of the section whose text this is; `None` where a tree is
    /// not worth its cost.
    pub(crate) fn with<T>(&self, text: &str, read: impl FnOnce(&Tree) -> T) -> Option<T> {
        if !self.edited {
            return self.parse(text).as_ref().map(read);
        }
        self.tree.get_or_init(|| self.parse(text)).as_ref().map(read)
    }

    fn parse(&self, text: &str) -> Option<Tree> {
        let seed = self.seed.lock().unwrap_or_else(PoisonError::into_inner).take();
        if text.len() > LARGEST || nesting(text) > DEEPEST {
            return None;
        }
        parse(&tree_sitter_md::LANGUAGE.into(), text.as_bytes(), seed.as_ref())
    }

    /// A slot for the section that `edit` makes of this one: it starts from this tree, if this tree
    /// was kept.
    pub(crate) fn edited(&self, edit: &InputEdit) -> Self {
        let seed = match self.tree.get() {
            Some(tree) => tree.clone(),
            None => self.seed.lock().unwrap_or_else(PoisonError::into_inner).clone(),
        };
        let seed = seed.map(|mut tree| {
            tree.edit(edit);
            tree
        });
        Self { edited: true, tree: OnceLock::new(), seed: Mutex::new(seed) }
    }
}

/// Reads inline content, afresh: its incremental trees are not reliable.
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
    // The callback comes once per hundred operations: ordinary text needs far fewer than this,
    // runaway text is given up.
    let mut left = 2_000 + text.len() / 4;
    let mut progress = |_: &tree_sitter::ParseState| {
        left = left.saturating_sub(1);
        if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let options = ParseOptions::new().progress_callback(&mut progress);
    let mut read = |offset: usize, _: Point| text.get(offset..).unwrap_or_default();
    parser.parse_with_options(&mut read, old, Some(options))
}

/// An upper bound of how many blocks can be open at once: the most container markers that any line
/// has room for, and the depth that indentation alone can carry over lines.
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

/// The bytes of a node, as offsets in the text that was parsed.
pub(super) fn span(node: Node) -> Span {
    node.start_byte()..node.end_byte()
}
