//! Parsing templates.

mod laws;
mod limits;
mod syntax;
