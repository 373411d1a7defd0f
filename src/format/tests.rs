//! What is true of every format.

pub mod tiny;
mod traces;
