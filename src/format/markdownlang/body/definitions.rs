//! The templates that a body defines and calls by name.

use super::groups::PlacedGroup;
use crate::template::node::{Node, Quoted, Template};
use crate::text::Span;

/// The definitions and calls in one unit, with offsets from its start.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Names {
    /// In the order in which they end, as in Go.
    pub definitions: Vec<Definition>,
    /// The names that `template` calls, in document order.
    pub calls: Vec<Quoted>,
}

/// A `define` or `block` in a unit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Definition {
    pub name: Quoted,
    /// From its first brace to its last.
    pub span: Span,
    /// It contains only whitespace and comments: another definition may replace it.
    pub blank: bool,
}

/// The definition that Go uses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Defined {
    pub name: String,
    /// The unit that contains it: an index for [`super::Body::unit`].
    pub unit: usize,
    /// Its name with quotes, in the unit.
    pub name_span: Span,
    /// From its first brace to its last, in the unit.
    pub span: Span,
    pub blank: bool,
}

/// A definition of a name that is already defined.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Duplicate {
    pub definition: Defined,
}

impl Names {
    pub(super) fn read(template: &Template) -> Self {
        let mut names = Self::default();
        names.add(&template.nodes);
        names
    }

    /// The parser reads blocks up to this nesting depth.
    fn add(&mut self, nodes: &[Node]) {
        for node in nodes {
            match node {
                Node::Branch(branch) => branch.arms.iter().for_each(|arm| self.add(&arm.body)),
                Node::Call(call) => self.calls.push(call.name.clone()),
                Node::Definition(definition) => {
                    self.add(&definition.body);
                    let end = definition
                        .end
                        .as_ref()
                        .map_or(definition.action.span.end, |end| end.span.end);
                    let span = definition.action.span.start..end;
                    self.definitions.push(Definition {
                        name: definition.name.clone(),
                        span,
                        blank: definition.blank,
                    });
                }
                Node::Text(_)
                | Node::Comment(_)
                | Node::Output { .. }
                | Node::Break(_)
                | Node::Continue(_)
                | Node::Broken(_) => {}
            }
        }
    }
}

/// The definitions of all units that Go uses, by name, and the duplicates.
pub(super) fn collect(groups: &[PlacedGroup]) -> (Vec<Defined>, Vec<Duplicate>) {
    let (mut found, mut duplicates): (Vec<Defined>, Vec<Duplicate>) = (Vec::new(), Vec::new());
    let mut known = rustc_hash::FxHashMap::default();
    let groups = groups.iter().filter(|group| group.has_definitions);
    let units = groups.flat_map(|group| (group.index..).zip(group.contents()));
    for (unit, definition) in units.flat_map(|(index, (_, content))| {
        content.names.definitions.iter().map(move |found| (index, found))
    }) {
        let Definition { name: Quoted { value, span: name_span }, span, blank } = definition;
        // A name being typed doesn't count.
        if name_span.is_empty() {
            continue;
        }
        let first = known.get(value).and_then(|first: &usize| found.get_mut(*first));
        let new = || Defined {
            name: value.clone(),
            unit,
            name_span: name_span.clone(),
            span: span.clone(),
            blank: *blank,
        };
        match first {
            None => {
                known.insert(value.clone(), found.len());
                found.push(new());
            }
            Some(first) if first.blank => *first = new(),
            Some(_) if *blank => {}
            Some(_) => duplicates.push(Duplicate { definition: new() }),
        }
    }
    found.sort_by(|a, b| a.name.cmp(&b.name));
    duplicates
        .sort_by_key(|duplicate| (duplicate.definition.unit, duplicate.definition.name_span.start));
    (found, duplicates)
}
