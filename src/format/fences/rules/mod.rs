//! The rules on fences.

pub mod indented_fence;
