//! Edit blocks wherever they stand, in a bare reply or in what an assistant says in an LLMD
//! document: how the blocks of a text are written, what becomes of them, and what can be wrong with
//! them.

pub mod apply;
pub mod chain;
pub mod check;
pub mod files;
pub mod identity;
mod renames;
mod repair;
pub mod rules;
pub mod written;
