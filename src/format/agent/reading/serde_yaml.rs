//! serde_yaml, which Codex uses: strict, based on libyaml. Only the keys that Codex reads must be
//! unique.

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
