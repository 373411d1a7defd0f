//! The rules on fences.

pub(in crate::format) mod indented_fence;
