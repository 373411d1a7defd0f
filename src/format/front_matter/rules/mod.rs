//! The rule on front matter of any file. Agent files have their own rule for the same mistakes.

pub mod front_matter;
