//! The rules for any file.

mod unreadable;

pub use unreadable::UNREADABLE;

use crate::format::front_matter::rules::front_matter;
use crate::rule::Rule;

/// All rules, by code.
pub fn all() -> Vec<&'static Rule> {
    vec![&front_matter::RULE, &UNREADABLE]
}
