//! What holds for reading templates.

mod syntax;
