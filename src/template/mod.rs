//! Go's `text/template`, complete, over JSON values (MDL-13 to MDL-18). Nothing here knows of any file format.
//!
//! - [`node`]: what a template is made of, with the place of everything; [`error`]: what is wrong with one.
//! - [`function`]: the functions that templates may call, documented.
//! - [`types`]: what a schema says of the values that a template is given.

pub mod error;
pub mod function;
pub mod node;
pub mod types;
