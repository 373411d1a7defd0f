//! Selectors: an address for every chunk of a Markdown document, `doc::heading:h2[1]/block:code[0]`
//! (SEL of the conformance list). Nothing here reads a file.
//!
//! - [`grammar`]: a selector as a value; [`parser`]: parses one, with the span of every part and of
//!   the first error
//! - [`mod@namespace`]: the names of documents
//! - [`tree`]: the nodes of a document: headings, sections, blocks
//! - [`mod@resolve`]: finds a selector's nodes in a tree; [`content`]: the displayed part of them;
//!   [`page`]: words, and pages of them
//! - [`inventory`]: lists everything to select; [`selection`]: selects
//! - [`mention`]: selectors written in a document; [`command`]: in command lines
//! - [`failure`]: why a selector doesn't match; [`suggest`]: suggestions for one that doesn't, by
//!   [`repair`] or by similarity ([`alike`])

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
