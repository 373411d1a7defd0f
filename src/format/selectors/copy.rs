//! The selector of a location, for "Copy selector".

use super::target::Target;
use crate::format::Context;

/// The selector of the block at `offset`, or of the heading above it.
pub fn selector(cx: &Context, offset: usize) -> Option<String> {
    let own = Target::own(cx);
    let node = own.tree.at(offset)?;
    Some(format!("{}::{}", own.name, own.tree.path(node)))
}
