//! Markdown: lines, sections, blocks, highlights. CommonMark with GFM tables, strikethrough and
//! task lists.
//!
//! A **section** is the unit of work: a piece of the document that can be read without the rest,
//! because no block crosses its ends. [`scanner`] finds where sections begin, [`block`] parses a
//! section's blocks, [`highlight`] its highlights. Offsets inside a section are relative to its
//! start, so an edit before it changes nothing in it.

pub mod block;
pub mod destination;
pub mod front;
pub mod highlight;
mod html;
mod line;
pub mod memo;
pub mod plain;
mod scanner;
pub mod section;
mod trace;

pub use block::{Block, BlockKind, Blocks, Link, LinkKind};
pub use section::{Directive, Section, SectionKind};
pub use trace::{Trace, Traces};
