//! Objects of several shapes, distinguished by the value of one field.

use std::collections::BTreeSet;

use serde_json::Value;

use super::Type;
use super::field::Lookup;
use super::graph::Graph;
use super::listed::Listed;
use crate::template::function::Kinds;

impl Graph {
    /// The shapes that are left if `key` is one of these values, or none of them, and the fields
    /// that all of these certainly have. `None` if that rules out no shape, or all.
    pub fn distinguished(
        &self,
        of: &Type,
        key: &str,
        values: &[Value],
        equal: bool,
    ) -> Option<(Type, Vec<&str>)> {
        let values = Listed::new(values.to_vec());
        let parts = of.parts.iter().filter(|part| part.kinds.holds(Kinds::OBJECT));
        let left: Vec<_> = parts
            .clone()
            .filter(|part| self.admits(&Type::of_parts(vec![(*part).clone()]), key, &values, equal))
            .cloned()
            .collect();
        if left.is_empty() || left.len() == parts.count() {
            return None;
        }
        let nodes = left.iter().flat_map(|part| part.nodes.iter()).filter_map(|id| self.node(*id));
        let names: BTreeSet<&str> =
            nodes.flat_map(|node| node.properties.keys()).map(String::as_str).collect();
        let left = Type { parts: left.into(), ..of.clone() };
        let names = names.into_iter().filter(
            |name| matches!(self.lookup(&left, name), Lookup::Declared(kind) if !kind.missing),
        );
        let names = names.collect();
        Some((left, names))
    }

    fn admits(&self, shape: &Type, key: &str, values: &Listed, equal: bool) -> bool {
        match self.lookup(shape, key) {
            Lookup::Declared(kind) if equal => {
                values.values.iter().any(|value| self.lists(&kind, value).unwrap_or(true))
            }
            Lookup::Declared(kind) => match self.allowed(&kind) {
                Some(mut allowed) => kind.missing || allowed.any(|allowed| !values.holds(allowed)),
                None => true,
            },
            Lookup::Open => true,
            Lookup::Unknown | Lookup::NotAnObject(_) => !equal,
        }
    }
}
