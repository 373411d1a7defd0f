//! Folds: one per item.

use super::Packs;
use crate::answer::{Fold, FoldKind};

/// All folds beyond those of Markdown.
pub(super) fn folds(packs: &Packs) -> Vec<Fold> {
    packs
        .layout
        .items
        .iter()
        .map(|item| Fold { span: item.line.start..item.end, kind: FoldKind::Region })
        .collect()
}
