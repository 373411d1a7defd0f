//! Go's `text/template`, complete, over JSON values (MDL-13 to MDL-18). Nothing here knows of any
//! file format.
//!
//! - [`node`]: what a template is made of, with the place of everything; [`error`]: what is wrong
//!   with one.
//! - [`function`]: the functions that templates may call, documented.
//! - [`parse()`]: reads a template, whatever is wrong with it.
//! - [`render()`]: a template filled in with an input.
//! - [`part`]: its parts in the order of the text; [`around`]: what stands around a place;
//!   [`binding`]: which variable is meant; [`typing`]: what is being typed.
//! - [`types`]: what a schema says of the values that a template is given; [`check`]: what that
//!   says of a template.

pub mod around;
pub mod binding;
mod blocks;
pub mod check;
pub mod error;
pub mod function;
mod lex;
mod literal;
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
