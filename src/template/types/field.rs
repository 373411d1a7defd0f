//! The types of fields and elements.

use std::collections::BTreeSet;

use rustc_hash::FxHashSet;
use serde_json::Value;

use super::graph::{Additional, Graph, Node, Range, kind_of};
use super::listed::{Listed, key};
use super::{Part, Type};
use crate::template::function::Kinds;

/// The meaning of a name after a dot.
#[derive(Debug, Clone, PartialEq)]
pub enum Field {
    Declared {
        kind: Type,
        /// It always exists.
        required: bool,
        /// JSON pointers into the schema.
        places: Vec<String>,
    },
    /// Undeclared, but not forbidden.
    Open,
    /// The schema has no such field.
    Unknown,
    /// These values have no fields.
    NotAnObject(Kinds),
}

/// The same without the places.
pub(in crate::template) enum Lookup {
    /// The value may be missing.
    Declared(Type),
    Open,
    Unknown,
    NotAnObject(Kinds),
}

impl Graph {
    pub fn field(&self, of: &Type, name: &str) -> Field {
        match self.lookup(of, name) {
            Lookup::Declared(kind) => {
                let places = kind
                    .declared
                    .iter()
                    .filter_map(|id| self.node(*id))
                    .map(|node| node.pointer.clone())
                    .collect();
                Field::Declared { required: !kind.missing, places, kind }
            }
            Lookup::Open => Field::Open,
            Lookup::Unknown => Field::Unknown,
            Lookup::NotAnObject(kinds) => Field::NotAnObject(kinds),
        }
    }

    pub fn lookup(&self, of: &Type, name: &str) -> Lookup {
        let (mut found, mut objects, mut unknown): (Option<Type>, bool, bool) =
            (None, false, false);
        for part in of.parts.iter().filter(|part| part.kinds.holds(Kinds::OBJECT)) {
            objects = true;
            match self.part_field(part, name) {
                Lookup::Declared(kind) => {
                    found = Some(found.map_or_else(|| kind.clone(), |found| found.or(&kind)))
                }
                Lookup::Open => {
                    let any = Type::any();
                    found = Some(found.map_or_else(|| any.clone(), |found| found.or(&any)));
                }
                Lookup::Unknown | Lookup::NotAnObject(_) => unknown = true,
            }
        }
        match found {
            None if !objects => Lookup::NotAnObject(of.kinds()),
            None => Lookup::Unknown,
            Some(found) if found.declared.is_empty() && found.is_unknown() => Lookup::Open,
            Some(found) => Lookup::Declared(found.or_missing(unknown)),
        }
    }

    pub fn forbids(&self, of: &Type, name: &str) -> bool {
        let forbids = |node: &Node| {
            let is_own = node.properties.contains_key(name)
                || node.patterns.iter().any(|(pattern, _)| pattern.matches(name));
            node.additional == Additional::Closed && !is_own
                || node.names.as_ref().is_some_and(|names| !names.matches(name))
        };
        let mut objects = of.parts.iter().filter(|part| part.kinds.holds(Kinds::OBJECT));
        objects.all(|part| part.nodes.iter().filter_map(|id| self.node(*id)).any(forbids))
    }

    fn part_field(&self, part: &Part, name: &str) -> Lookup {
        let nodes: Vec<&Node> = part.nodes.iter().filter_map(|id| self.node(*id)).collect();
        let (mut own, mut extra) = (Vec::new(), Vec::new());
        let (mut open, mut closed, mut lists) = (false, false, false);
        for node in &nodes {
            let before = own.len();
            own.extend(node.properties.get(name));
            own.extend(
                node.patterns
                    .iter()
                    .filter(|(pattern, _)| pattern.matches(name))
                    .map(|(_, id)| *id),
            );
            if own.len() > before {
                continue;
            }
            lists |= node.lists_fields
                || !node.patterns.is_empty()
                || node.names.as_ref().is_some_and(|names| !names.matches(name));
            match node.additional {
                Additional::Absent => {}
                Additional::Closed => closed = true,
                Additional::Open => open = true,
                Additional::Schema(id) => extra.push(id),
            }
        }
        let required =
            nodes.iter().any(|node| node.required.iter().any(|required| required == name));
        let declared = |ids: &[u32]| match ids {
            [id] => self.type_of(*id).or_missing(!required),
            _ => self.expand(ids).or_missing(!required),
        };
        let forbidden =
            nodes.iter().any(|node| node.names.as_ref().is_some_and(|names| !names.matches(name)));
        match (own.as_slice(), extra.as_slice()) {
            ([], _) if forbidden => Lookup::Unknown,
            ([], []) if closed => Lookup::Unknown,
            ([], []) if open || required || !lists => Lookup::Open,
            ([], []) => Lookup::Unknown,
            ([], extra) => Lookup::Declared(declared(extra)),
            (own, _) => Lookup::Declared(declared(own)),
        }
    }

    pub fn fields(&self, of: &Type) -> Vec<(String, Field)> {
        let mut names: BTreeSet<(u32, &str)> = BTreeSet::new();
        for node in of
            .parts
            .iter()
            .filter(|part| part.kinds.holds(Kinds::OBJECT))
            .flat_map(|part| part.nodes.iter())
            .filter_map(|id| self.node(*id))
        {
            names.extend(node.properties.iter().map(|(name, id)| (*id, name.as_str())));
        }
        let mut fields: Vec<(String, Field)> = Vec::new();
        let mut seen = BTreeSet::new();
        for (_, name) in names.into_iter().filter(|(_, name)| seen.insert(*name)) {
            fields.push((name.to_owned(), self.field(of, name)));
        }
        fields
    }

    pub fn element(&self, of: &Type) -> Type {
        self.elements(of, None)
    }

    pub fn item(&self, of: &Type, index: usize) -> Type {
        self.elements(of, Some(index))
    }

    fn elements(&self, of: &Type, index: Option<usize>) -> Type {
        let mut all: Option<Type> = None;
        let mut add =
            |kind: Type| all = Some(all.take().map_or_else(|| kind.clone(), |all| all.or(&kind)));
        for part in of.parts.iter() {
            if part.kinds.holds(Kinds::LIST) {
                match &part.element {
                    Some(element) => add(element.clone()),
                    None => self.part_items(part, index).into_iter().for_each(&mut add),
                }
            }
            if part.kinds.holds(Kinds::OBJECT) && index.is_none() {
                self.part_values(part).into_iter().for_each(&mut add);
            }
        }
        all.unwrap_or_else(Type::any)
    }

    /// The types of a list's elements: one, or one for each leading position and one for the rest.
    fn part_items(&self, part: &Part, index: Option<usize>) -> Vec<Type> {
        let nodes: Vec<&Node> = part.nodes.iter().filter_map(|id| self.node(*id)).collect();
        let longest = nodes.iter().map(|node| node.prefix.len()).max().unwrap_or_default();
        let at = |index: usize| {
            let ids: Vec<u32> = nodes
                .iter()
                .filter_map(|node| node.prefix.get(index).copied().or(node.items))
                .collect();
            match ids.as_slice() {
                [] => Type::any(),
                [id] => self.type_of(*id),
                _ => self.expand(&ids),
            }
        };
        let closed = nodes
            .iter()
            .any(|node| node.items.and_then(|id| self.node(id)).is_some_and(|items| items.never));
        match index {
            Some(index) => vec![at(index)],
            None => (0..longest + usize::from(!closed || longest == 0))
                .take(super::expand::MOST_PARTS)
                .map(at)
                .collect(),
        }
    }

    /// The types of an object's values.
    fn part_values(&self, part: &Part) -> Vec<Type> {
        let nodes: Vec<&Node> = part.nodes.iter().filter_map(|id| self.node(*id)).collect();
        let named = nodes.iter().flat_map(|node| node.properties.values());
        let patterns = nodes.iter().flat_map(|node| node.patterns.iter().map(|(_, id)| id));
        let extra = nodes.iter().filter_map(|node| {
            if let Additional::Schema(id) = &node.additional { Some(id) } else { None }
        });
        let mut types: Vec<Type> = named
            .chain(patterns)
            .chain(extra)
            .take(super::expand::MOST_PARTS)
            .map(|id| self.type_of(*id))
            .collect();
        let lists = nodes.iter().any(|node| node.lists_fields)
            && nodes.iter().all(|node| node.additional != Additional::Open);
        let closed = lists
            || nodes
                .iter()
                .any(|node| matches!(node.additional, Additional::Closed | Additional::Schema(_)));
        if !closed || types.is_empty() {
            types.push(Type::any());
        }
        types
    }

    /// How many characters or elements a string or list has; `None` if the schema doesn't know the
    /// value.
    pub fn length(&self, of: &Type) -> Option<Range> {
        let mut all: Option<Range> = None;
        let counted = Kinds::STRING.or(Kinds::LIST);
        for part in of.parts.iter().filter(|part| !part.kinds.and(counted).is_none()) {
            if part.nodes.is_empty() || part.is_unknown() {
                return None;
            }
            for (kind, range) in [(Kinds::STRING, true), (Kinds::LIST, false)] {
                if !part.kinds.holds(kind) {
                    continue;
                }
                let ranges = part.nodes.iter().filter_map(|id| self.node(*id)).map(|node| {
                    let range = if range { node.characters } else { node.elements };
                    node.values
                        .as_ref()
                        .and_then(|listed| lengths(&listed.values, kind))
                        .unwrap_or(range)
                });
                // All of a part's schemas apply, but only one of the parts.
                let range =
                    ranges.reduce(|a, b| (a.0.max(b.0), smaller(a.1, b.1))).unwrap_or_default();
                all = Some(all.map_or(range, |all| {
                    (all.0.min(range.0), all.1.zip(range.1).map(|(a, b)| a.max(b)))
                }));
            }
        }
        all
    }

    pub fn values(&self, of: &Type) -> Option<Vec<&Value>> {
        let mut seen = FxHashSet::default();
        Some(self.allowed(of)?.filter(|value| seen.insert(key(value))).collect())
    }

    /// The same values, some of them more than once.
    pub fn allowed<'s, 't>(
        &'s self,
        of: &'t Type,
    ) -> Option<impl Iterator<Item = &'s Value> + use<'s, 't>> {
        let parts = of.parts.iter().map(|part| Some((part, self.listed(part)?)));
        let parts: Vec<_> = parts.collect::<Option<_>>()?;
        Some(parts.into_iter().flat_map(|(part, (first, others))| {
            first.values.iter().filter(move |value| {
                part.kinds.holds(kind_of(value)) && others.iter().all(|other| other.holds(value))
            })
        }))
    }

    /// Whether this is one of them.
    pub fn lists(&self, of: &Type, value: &Value) -> Option<bool> {
        let mut found = false;
        for part in of.parts.iter() {
            let (first, others) = self.listed(part)?;
            // `1` may be listed as `1.0`.
            let kind = kind_of(value);
            let kind = if Kinds::NUMBER.holds(kind) { Kinds::NUMBER } else { kind };
            found |= !part.kinds.and(kind).is_none()
                && first.holds(value)
                && others.iter().all(|other| other.holds(value));
        }
        Some(found)
    }

    /// The lists of a part, which all apply.
    fn listed(&self, part: &Part) -> Option<(&Listed, Vec<&Listed>)> {
        let mut listed = part.nodes.iter().filter_map(|id| self.node(*id)?.values.as_ref());
        Some((listed.next()?, listed.collect()))
    }
}

/// The lengths of the listed values of a kind.
fn lengths(values: &[Value], kind: Kinds) -> Option<Range> {
    let lengths = values.iter().filter(|value| kind_of(value) == kind).filter_map(|value| {
        value.as_str().map(|text| text.chars().count()).or(value.as_array().map(Vec::len))
    });
    let lengths: Vec<usize> = lengths.collect();
    Some((*lengths.iter().min()?, lengths.iter().max().copied()))
}

/// The smaller limit.
fn smaller(a: Option<usize>, b: Option<usize>) -> Option<usize> {
    a.into_iter().chain(b).min()
}
