//! Go's `text/template`, complete, over JSON values (MDL-13 to MDL-18). Nothing here knows of any file format.
//!
//! - [`node`]: what a template is made of, with the place of everything; [`error`]: what is wrong with one.
//! - [`function`]: the functions that templates may call, documented.

pub mod error;
pub mod function;
pub mod node;
