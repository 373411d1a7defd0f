//! serde_yaml, with which Codex reads: strict, on top of libyaml. Only keys that it asks for must
//! be unique.

use super::Read;
use super::scalar::{self, Dialect};
use crate::yaml::Tree;

pub(super) fn read(tree: &Tree) -> Read {
    scalar::read(
        tree,
        Dialect {
            plain: |_| None,
            unique: |key| matches!(key, "name" | "description" | "metadata"),
            tags: false,
            merges: false,
        },
    )
}
