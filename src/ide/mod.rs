//! The requests of an editor, one file each. The command line uses the same functions.
//!
//! Every function takes a [`Document`](crate::document::Document) and a
//! [`Context`](crate::format::Context) and answers with byte ranges and strings. Formats handle
//! their front matter and body; headings, links and blocks are handled here, for every kind of
//! file.

pub mod apply;
pub mod blocks;
pub mod call_hierarchy;
pub mod code_actions;
pub mod code_lens;
pub mod completion;
pub mod conversions;
pub mod definition;
pub mod diagnostics;
pub mod disable;
pub mod document_highlight;
pub mod folding;
pub mod graph;
pub mod hover;
pub mod inlay_hints;
pub mod insertion;
pub mod linked_editing;
pub mod links;
pub mod opaque;
pub mod overview;
pub mod preview;
pub mod references;
pub mod rename;
pub mod review;
pub mod selection;
pub mod selectors;
pub mod semantic_tokens;
pub mod signature_help;
pub mod symbols;
pub mod verdicts;
pub mod workspace;
pub mod workspace_symbols;
