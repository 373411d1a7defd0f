//! serde_yaml, with which Codex reads: strict, on top of libyaml. Only keys that it asks for must
//! be unique.

use super::Read;
use super::scalar::{self, Dialect};

pub(super) fn read(text: &str) -> Read {
    scalar::read(
        text,
        Dialect {
            plain: |_| None,
            unique: |key| matches!(key, "name" | "description" | "metadata"),
            tags: false,
            merges: false,
        },
    )
}
