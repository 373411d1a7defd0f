//! The npm package `yaml`: YAML 1.2, strict.

use super::Read;
use super::scalar::{self, Dialect};
use crate::yaml::Tree;

pub(super) fn read(tree: &Tree) -> Read {
    scalar::read(tree, Dialect { plain: |_| None, unique: |_| true, tags: false, merges: false })
}
