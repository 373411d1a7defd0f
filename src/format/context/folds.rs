//! Folds: an item each.

use super::Packs;
use crate::answer::{Fold, FoldKind};

/// Every fold beyond those of Markdown itself.
pub(super) fn folds(packs: &Packs) -> Vec<Fold> {
    packs
        .layout
        .items
        .iter()
        .map(|item| Fold { span: item.line.start..item.end, kind: FoldKind::Region })
        .collect()
}
