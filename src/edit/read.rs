//! Reads the blocks of a text: SEARCH/REPLACE in its dialects, unified diffs, `apply_patch`.

use super::block::Block;
use super::{patch, search_replace, unified};

/// Every block of a text, in order.
pub fn read(text: &str) -> Vec<Block> {
    if patch::is_patch(text) {
        return patch::read(text);
    }
    let blocks = search_replace::read(text);
    if !blocks.is_empty() {
        return blocks;
    }
    unified::read(text)
}
