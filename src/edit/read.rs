//! Parses edit blocks in every dialect.

use super::block::Block;
use super::{json, patch, search_replace, tags, unified};

/// Every block of a reply, in order. The content of a block is data, even if it looks like another
/// dialect.
pub fn read(text: &str) -> Vec<Block> {
    let mut found = search_replace::read(text);
    if patch::is_patch(text) {
        found.extend(patch::read(text));
    }
    found.extend(tags::read(text));
    found.extend(json::read(text));
    let mut diffs = unified::read(text);
    if !found.is_empty() {
        // Next to other blocks, only a diff with a file counts: `@@` is common elsewhere.
        diffs.retain(|block| block.path.is_some());
    }
    found.extend(diffs);
    found.sort_by_key(|block| (block.span.start, std::cmp::Reverse(block.span.end)));
    let mut end = 0;
    found.retain(|block| {
        let free = block.span.start >= end;
        end = if free { block.span.end } else { end };
        free
    });
    found
}
