//! The rule on front matter of any file: agent files report the same with their own.

pub mod front_matter;
