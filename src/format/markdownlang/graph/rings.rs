//! Rings: the imports that lead from a program back to itself.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::{Edge, Graph, Id, State, fingerprint};
use crate::steps::Steps;
use crate::text::Span;
use crate::world::{Aspect, World};

/// At most this many imports of a ring are listed.
const MOST_STEPS: usize = 32;

/// Among more programs that import each other, the shortest ring isn't searched, which would cost
/// each of them a walk over all the others. The first imports of some ring are listed instead.
const MOST_MEMBERS: usize = 256;

/// The rings that the imports of one program belong to.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Rings {
    /// The index of an import, and the shortest ring that it belongs to.
    pub rings: Vec<(usize, Ring)>,
    /// Zero without a ring; equal for equal rings.
    pub id: u64,
}

/// A ring, from the import of a program to the one that leads back to it.
#[derive(Debug, Default, PartialEq, Eq, Hash)]
pub struct Ring {
    pub steps: Vec<Step>,
    /// The number of imports left out.
    pub more: usize,
    /// The number of programs that import each other, if it is too large to search for the shortest
    /// ring.
    pub among: Option<usize>,
}

/// An import in a ring, and its file.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Step {
    pub path: PathBuf,
    pub span: Span,
    line: u32,
}

/// The import cycles through a program.
pub static RINGS: Aspect = Aspect { name: "rings", state, spans_files: true };

fn state(world: &dyn World, path: &Path) -> u64 {
    let rings = world
        .look(path)
        .ok()
        .and_then(|source| Graph::of(world).rings(world, path, &source, &|| false));
    rings.map_or(0, |rings| rings.id)
}

impl State {
    /// Returns `None` if cancelled.
    pub(super) fn rings_of(&mut self, own: Id, steps: &mut Steps<'_>) -> Option<Arc<Rings>> {
        self.find_components(own, steps)?;
        if let Some(known) = self.rings.get(&own) {
            return Some(Arc::clone(known));
        }
        let found = Arc::new(self.find_rings(own, steps)?);
        self.rings.insert(own, Arc::clone(&found));
        Some(found)
    }

    fn find_rings(&self, own: Id, steps: &mut Steps<'_>) -> Option<Rings> {
        if !self.components.meet(own, own) {
            return Some(Rings::default());
        }
        let edges = self.node(own).into_iter().flat_map(|node| &node.edges);
        let size = self.components.size(own);
        if size > MOST_MEMBERS {
            let inside = edges.filter(|edge| !edge.bare && self.components.meet(edge.to, own));
            let rings: Vec<(usize, Ring)> =
                inside.map(|edge| (edge.index, self.some_ring(own, edge, size))).collect();
            return Some(Rings { id: fingerprint(&rings), rings });
        }
        let distances = self.distances(own, steps)?;
        let rings: Vec<(usize, Ring)> = edges
            .filter(|edge| !edge.bare && distances.contains_key(&edge.to))
            .map(|edge| (edge.index, self.ring(own, edge, &distances)))
            .collect();
        Some(Rings { id: fingerprint(&rings), rings })
    }

    /// The distance to `own`, in imports, of every program on a ring with it.
    fn distances(&self, own: Id, steps: &mut Steps<'_>) -> Option<FxHashMap<Id, usize>> {
        let mut found = FxHashMap::from_iter([(own, 0)]);
        let mut open = VecDeque::from([(own, 0)]);
        while let Some((id, distance)) = open.pop_front() {
            for importer in self.node(id).into_iter().flat_map(|node| &node.importers).copied() {
                steps.take(1)?;
                let leads = || {
                    self.node(importer).is_some_and(|node| {
                        node.edges.iter().any(|edge| edge.to == id && !edge.bare)
                    })
                };
                if self.components.meet(importer, own) && !found.contains_key(&importer) && leads()
                {
                    found.insert(importer, distance + 1);
                    open.push_back((importer, distance + 1));
                }
            }
        }
        Some(found)
    }

    /// The start of a ring through an import, among many programs: the first import of each that
    /// stays among them.
    fn some_ring(&self, own: Id, first: &Edge, size: usize) -> Ring {
        let mut ring = Ring { among: Some(size), ..Ring::default() };
        let (mut from, mut edge) = (own, first);
        while ring.steps.len() < MOST_STEPS {
            let path = self.node(from).map(|node| node.path.clone()).unwrap_or_default();
            ring.steps.push(Step { path, span: edge.span.clone(), line: edge.line });
            let edges = self.node(edge.to).map(|node| node.edges.as_slice()).unwrap_or_default();
            let next = edges
                .iter()
                .find(|next| !next.bare && self.components.meet(next.to, own))
                .filter(|_| edge.to != own);
            let Some(next) = next else { break };
            (from, edge) = (edge.to, next);
        }
        ring
    }

    /// The shortest ring through an import; of several, the one whose imports come first in their
    /// files.
    fn ring(&self, own: Id, first: &Edge, distances: &FxHashMap<Id, usize>) -> Ring {
        let mut ring = Ring::default();
        let (mut from, mut edge) = (own, first);
        loop {
            if ring.steps.len() < MOST_STEPS {
                let path = self.node(from).map(|node| node.path.clone()).unwrap_or_default();
                ring.steps.push(Step { path, span: edge.span.clone(), line: edge.line });
            } else {
                ring.more += 1;
            }
            let left = distances.get(&edge.to).copied().unwrap_or_default();
            let Some(next) = left.checked_sub(1) else { return ring };
            let edges = self.node(edge.to).map(|node| node.edges.as_slice()).unwrap_or_default();
            let Some(found) =
                edges.iter().find(|other| !other.bare && distances.get(&other.to) == Some(&next))
            else {
                return ring;
            };
            (from, edge) = (edge.to, found);
        }
    }
}
