//! Edit blocks, in a bare reply or in an assistant's turn in an LLMD document: how they are
//! written, what applying them does, and their mistakes.

pub mod apply;
pub mod chain;
pub mod check;
pub mod files;
pub mod identity;
mod renames;
mod repair;
pub mod rules;
pub mod written;
