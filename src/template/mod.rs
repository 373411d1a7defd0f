//! Go's `text/template`, complete, over JSON values (MDL-13 to MDL-18). This room is independent of
//! file formats.
//!
//! - [`node`]: the syntax tree, with spans; [`error`]: syntax errors.
//! - [`function`]: the functions that templates may call, documented.
//! - [`parse()`]: parses any text as a template.
//! - [`render()`]: renders a template with an input.
//! - [`part`]: its parts in source order; [`around`]: what surrounds an offset; [`binding`]: which
//!   variable is meant; [`typing`]: the word being typed.
//! - [`types`]: the types that a schema gives to a template's values; [`check`]: checks a template
//!   against them.

pub mod around;
pub mod binding;
mod blocks;
pub mod check;
pub mod error;
pub mod function;
mod lex;
mod literal;
mod misspelling;
pub mod node;
mod number;
mod parse;
pub mod part;
mod pipeline;
pub mod render;
pub mod types;
pub mod typing;
mod variables;
pub mod walk;

pub use parse::{Ends, Outlook, Piece, parse, read};
pub use render::render;

#[cfg(test)]
mod tests;
