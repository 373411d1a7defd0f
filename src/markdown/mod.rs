//! What Markdown is: lines, sections, blocks, syntax trees. CommonMark with GFM tables,
//! strikethrough and task lists.
//!
//! A **section** is the unit of work: a piece of the document that can be read without the rest,
//! because no block reaches over its ends. [`scanner`] finds where sections begin, [`block`] reads
//! what one means, [`tree`] what the cursor in one touches. Offsets inside a section count from its
//! start, so an edit before it changes nothing in it.

pub mod block;
pub mod front;
pub mod highlight;
mod html;
mod line;
pub mod memo;
mod scanner;
pub mod section;
pub mod tree;

pub use block::{Block, BlockKind, Blocks, Link, LinkKind};
pub use section::{Directive, Section, SectionKind};
