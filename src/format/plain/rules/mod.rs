//! The rules for any file.

pub mod front_matter;
mod unreadable;

pub use unreadable::UNREADABLE;

use crate::rule::Rule;

/// All rules, by code.
pub fn all() -> Vec<&'static Rule> {
    vec![&front_matter::RULE, &UNREADABLE]
}
