//! Selectors: an address for every chunk of a Markdown document, `doc::heading:h2[1]/block:code[0]` (SEL of the conformance
//! list). Nothing here reads a file.
//!
//! - [`grammar`]: a selector as a value, with the place of every part and of the first mistake
//! - [`tree`]: what a document is made of: headings, sections, blocks
//! - [`resolve`]: what a selector means in a tree; [`page`]: words, and pages of them
//! - [`suggest`]: what was meant by a selector that means nothing

pub mod grammar;
pub mod page;
pub mod resolve;
pub mod suggest;
pub mod tree;

pub use grammar::{BlockType, Problem, ProblemKind, Segment, SegmentKind, Selector, parse};
pub use resolve::{Match, resolve};
pub use tree::{Node, NodeKind, Tree};

#[cfg(test)]
mod tests;
