//! Properties of every format.

pub mod tiny;
mod traces;
