//! Selectors: an address for every chunk of a Markdown document, `doc::heading:h2[1]/block:code[0]`
//! (SEL of the conformance list). Nothing here reads a file.
//!
//! - [`grammar`]: a selector as a value; [`parser`]: reads one, with the place of every part and of
//!   the first mistake
//! - [`namespace`]: what documents are called
//! - [`tree`]: what a document is made of: headings, sections, blocks
//! - [`resolve`]: what a selector means in a tree; [`content`]: what of that is shown; [`page`]:
//!   words, and pages of them
//! - [`inventory`]: what there is to select; [`selection`]: what is selected
//! - [`mention`]: where in a document selectors are written; [`command`]: in command lines
//! - [`failure`]: why a selector means nothing; [`suggest`]: what was meant by a selector that
//!   means nothing: [`repair`], or what is written [`alike`]

pub mod alike;
pub mod command;
pub mod content;
pub mod failure;
pub mod grammar;
pub mod inventory;
pub mod mention;
pub mod namespace;
pub mod page;
pub mod parser;
pub mod repair;
pub mod resolve;
pub mod selection;
pub mod suggest;
pub mod tree;

pub use content::{Content, Pagination, contents};
pub use grammar::{BlockType, Index, Problem, ProblemKind, Query, Segment, SegmentKind, Selector};
pub use namespace::namespace;
pub use parser::parse;
pub use resolve::{Match, Pages, resolve};
pub use tree::{Node, NodeKind, Tree};

#[cfg(test)]
mod tests;
