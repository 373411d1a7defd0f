//! What can be wrong with any file.

mod unreadable;

pub use unreadable::UNREADABLE;

use crate::rule::Rule;

/// All rules, by code.
pub fn all() -> Vec<&'static Rule> {
    vec![&UNREADABLE]
}
