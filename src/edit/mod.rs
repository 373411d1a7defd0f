//! Edit blocks: parses a model's edits, locates them in a file's contents and merges them.
//! Independent of file formats, and writes nothing: the result is edits, or a reason.
//!
//! A block is a three-way merge: its SEARCH part is the base, the file's lines are ours, its
//! REPLACE part is theirs. Bytes that the block doesn't change stay as they are. A block that fits
//! in two places isn't applied.
//!
//! - [`block`]: a block as a value; [`read`](read()): the blocks of a reply, SEARCH/REPLACE in its
//!   dialects, unified diffs and `apply_patch`, with their spans
//! - [`lines`]: a target split into lines, compared at several levels of exactness
//! - [`locate`](locate()): the ladder of tiers, from exact to fuzzy; [`nearest`]: the closest match
//!   of a block that doesn't fit
//! - [`merge`]: the edits of a located block; [`batch`]: many blocks on one file
//! - [`reason`]: why a block can't be applied

mod addition;
pub mod batch;
pub mod block;
mod choose;
mod context;
mod elision;
mod extra;
pub mod fresh;
mod fuzzy;
mod indent;
mod index;
pub mod hashline;
mod hidden;
mod json;
mod lazy;
mod leading;
mod listing;
pub mod lines;
pub mod locate;
pub mod merge;
pub mod nearest;
mod occurrences;
mod origin;
mod patch;
mod pending;
mod places;
mod read;
pub mod reason;
mod reflow;
mod repair;
mod repeated;
mod respell;
mod search_replace;
mod section;
mod settled;
mod slip;
mod substring;
mod sure;
mod tags;
mod tokens;
mod unified;
mod vocabulary;

pub use batch::{Applied, Batch, Request, apply, apply_to};
pub use block::{Block, Dialect, Extent, LAST_LINE, Operation, Path, Split, Subject};
pub use elision::{gaps, leaves_out};
pub use hidden::{Hidden, hidden, may_hide};
pub use leading::{is_code, without_listed_numbers};
pub use lines::Lines;
pub use listing::{has_signs, holds_edits, is_edits};
pub use locate::{Alignment, Found, Place, Tier, locate};
pub use occurrences::{longest_prefix, occurrences};
pub use patch::{added, read as read_patch};
pub use read::read;
pub use reason::{Reason, Warning};
pub use search_replace::path as naming;
pub use search_replace::{Marker, MarkerKind, Pair, marker, read as read_search_replace};
pub use tags::read as read_tags;
pub use unified::{are_names, read as read_unified};

#[cfg(test)]
mod tests;
