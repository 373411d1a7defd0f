//! What holds for reading templates.

mod laws;
mod limits;
mod syntax;
