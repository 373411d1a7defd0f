//! The strongly connected components of the graph, found by Tarjan's algorithm without recursion.
//! The result for one program is cached for everything that it leads to.

use rustc_hash::FxHashMap;

use super::{Id, State};
use crate::steps::Steps;

#[derive(Debug, Default)]
pub(super) struct Components {
    of: Vec<Option<Id>>,
    /// The members of every component that contains a ring.
    rings: FxHashMap<Id, Vec<Id>>,
    /// A known node hasn't been read yet: more may be reachable from it.
    pub(super) partial: bool,
}

/// A node being visited, and how many of its edges were followed.
struct Frame {
    node: Id,
    next: usize,
}

impl Components {
    pub(super) fn knows(&self, node: Id) -> bool {
        self.of.get(node).is_some_and(Option::is_some)
    }

    pub(super) fn clear(&mut self) {
        self.of.clear();
        self.rings.clear();
        self.partial = false;
    }

    /// How many programs are on rings with a node.
    pub(super) fn size(&self, node: Id) -> usize {
        let part = self.of.get(node).copied().flatten();
        part.and_then(|part| self.rings.get(&part)).map_or(0, Vec::len)
    }

    /// Whether both are on one ring.
    pub(super) fn meet(&self, a: Id, b: Id) -> bool {
        let part = |node: Id| self.of.get(node).copied().flatten();
        part(a).is_some_and(|found| part(b) == Some(found) && self.rings.contains_key(&found))
    }
}

impl State {
    /// Finds the components of all nodes reachable from a node. Returns `None` if cancelled.
    pub(super) fn find_components(&mut self, start: Id, steps: &mut Steps<'_>) -> Option<()> {
        if self.components.knows(start) {
            return Some(());
        }
        let mut components = std::mem::take(&mut self.components);
        let found = self.walk(start, &mut components, steps);
        // Tarjan's algorithm emits only complete components, so a cancelled walk leaves a valid
        // cache.
        self.components = components;
        found
    }

    fn walk(&self, start: Id, components: &mut Components, steps: &mut Steps<'_>) -> Option<()> {
        components.of.resize(self.nodes.len(), None);
        // The number under which a node was reached, and the lowest that it leads back to.
        let mut reached: FxHashMap<Id, (usize, usize)> = FxHashMap::from_iter([(start, (0, 0))]);
        let mut frames = vec![Frame { node: start, next: 0 }];
        let mut stack = vec![start];
        let is_unread = |id: Id| self.nodes.get(id).is_none_or(|node| node.read.is_none());
        components.partial |= is_unread(start);
        while let Some(frame) = frames.last_mut() {
            steps.take(1)?;
            let node = frame.node;
            let edge = self.nodes.get(node).and_then(|node| node.edges.get(frame.next));
            frame.next += 1;
            if let Some(edge) = edge {
                if edge.bare || components.knows(edge.to) {
                    continue;
                }
                match reached.get(&edge.to).copied() {
                    Some((number, _)) => lower(&mut reached, node, number),
                    None => {
                        let number = reached.len();
                        reached.insert(edge.to, (number, number));
                        components.partial |= is_unread(edge.to);
                        stack.push(edge.to);
                        frames.push(Frame { node: edge.to, next: 0 });
                    }
                }
                continue;
            }
            frames.pop();
            let Some((number, low)) = reached.get(&node).copied() else { continue };
            if let Some(parent) = frames.last() {
                lower(&mut reached, parent.node, low);
            }
            if number == low {
                let from = stack.iter().rposition(|member| *member == node).unwrap_or(stack.len());
                let members = stack.split_off(from);
                for member in &members {
                    if let Some(part) = components.of.get_mut(*member) {
                        *part = Some(node);
                    }
                }
                let itself = || {
                    self.nodes.get(node).is_some_and(|own| {
                        own.edges.iter().any(|edge| edge.to == node && !edge.bare)
                    })
                };
                if members.len() > 1 || itself() {
                    components.rings.insert(node, members);
                }
            }
        }
        Some(())
    }
}

fn lower(reached: &mut FxHashMap<Id, (usize, usize)>, node: Id, number: usize) {
    if let Some((_, low)) = reached.get_mut(&node) {
        *low = number.min(*low);
    }
}
