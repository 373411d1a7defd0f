//! Expands schemas into parts: follows references and `allOf`, and makes each choice of `anyOf` and
//! `oneOf` a separate part.

use std::collections::BTreeSet;

use super::graph::Graph;
use super::{Part, Type};
use crate::template::function::Kinds;

/// A type with more parts becomes the unknown type.
pub(super) const MOST_PARTS: usize = 48;
/// The limit of schemas visited for one type.
const MOST_STEPS: usize = 4096;

struct Draft {
    nodes: BTreeSet<u32>,
    open: Vec<u32>,
    kinds: Kinds,
}

impl Graph {
    /// The values that satisfy all of these schemas.
    pub fn expand(&self, ids: &[u32]) -> Type {
        let mut drafts =
            vec![Draft { nodes: BTreeSet::new(), open: ids.to_vec(), kinds: Kinds::ANY }];
        let (mut parts, mut steps) = (Vec::new(), 0);
        while let Some(mut draft) = drafts.pop() {
            let Some(id) = draft.open.pop() else {
                parts.push(Part {
                    kinds: draft.kinds,
                    nodes: draft.nodes.into_iter().collect(),
                    element: None,
                });
                continue;
            };
            steps += 1;
            if steps > MOST_STEPS || drafts.len() + parts.len() > MOST_PARTS {
                parts.clear();
                break;
            }
            let Some(node) = self.node(id).filter(|_| !draft.nodes.contains(&id)) else {
                drafts.push(draft);
                continue;
            };
            draft.kinds = draft.kinds.and(node.kinds);
            // A schema that no value satisfies isn't a choice.
            if node.never || draft.kinds.is_none() {
                continue;
            }
            draft.nodes.insert(id);
            draft.open.extend(&node.all);
            let mut forks = vec![draft];
            for choice in &node.choices {
                forks = forks
                    .iter()
                    .flat_map(|fork| choice.iter().map(|ids| fork.with(ids)))
                    .take(MOST_PARTS + 1)
                    .collect();
            }
            drafts.extend(forks.into_iter().rev());
        }
        let parts = merged(parts.into_iter());
        let parts = if parts.is_empty() { vec![Part::any()] } else { parts };
        Type { parts: parts.into(), declared: ids.into(), missing: false }
    }
}

impl Draft {
    fn with(&self, ids: &[u32]) -> Self {
        let open = self.open.iter().chain(ids).copied().collect();
        Self { nodes: self.nodes.clone(), open, kinds: self.kinds }
    }
}

impl Part {
    pub(super) fn any() -> Self {
        Self { kinds: Kinds::ANY, nodes: Box::default(), element: None }
    }
}

/// The same parts without duplicates; the unknown type if there are too many.
pub(super) fn merged(parts: impl Iterator<Item = Part>) -> Vec<Part> {
    let mut merged: Vec<Part> = Vec::new();
    for part in parts {
        match merged
            .iter_mut()
            .find(|known| known.nodes == part.nodes && known.element == part.element)
        {
            Some(known) => known.kinds = known.kinds.or(part.kinds),
            None => merged.push(part),
        }
    }
    match merged.len() > MOST_PARTS {
        true => vec![Part::any()],
        false => merged,
    }
}
