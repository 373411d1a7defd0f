//! Estimates a validator's work before it starts: two dozen lines of `anyOf` and `$ref` can ask for
//! more than any computer can do, and the validator can't be interrupted.
//!
//! The estimate is an upper bound. It walks the schema and the value like a validator without
//! shortcuts, and stops as soon as the budget is spent.

use std::collections::HashMap;

use serde_json::Value;

use super::pointer;
use super::reference::{References, Target};
use crate::steps::Steps;

/// The steps for the analysis of one schema: far more than real programs need, and a few
/// milliseconds.
const STEPS: u64 = 200_000;
/// The steps for validating one value.
const STEPS_OF_A_VALUE: u64 = 2_000_000;
/// The limit of nested references and values. The validator is recursive.
const DEEPEST: usize = 1024;

/// The remaining work.
#[derive(Debug)]
pub(super) struct Budget<'a> {
    left: u64,
    spent: u64,
    steps: Steps<'a>,
}

impl<'a> Budget<'a> {
    fn new(left: u64, steps: Steps<'a>) -> Self {
        Self { left, spent: 0, steps }
    }

    /// For all analyses of one schema, until `cancelled` returns true.
    pub fn of_schema(cancelled: &'a dyn Fn() -> bool) -> Self {
        Self::new(STEPS, Steps::new(cancelled))
    }

    /// For validating one value where nothing waits for the answer.
    pub fn of_value() -> Self {
        Self::new(STEPS_OF_A_VALUE, Steps::always())
    }

    #[cfg(test)]
    pub fn of_steps(left: u64) -> Self {
        Self::new(left, Steps::always())
    }

    /// Takes steps. Returns false if too few are left or the analysis is cancelled, and keeps
    /// returning false.
    pub fn spend(&mut self, steps: u64) -> bool {
        let left = self.left.checked_sub(steps);
        self.left = left.unwrap_or_default();
        self.spent = self.spent.saturating_add(steps);
        left.is_some() && self.steps.take(steps).is_some()
    }

    /// Counts steps that the budget doesn't limit. Returns `None` if the analysis is cancelled.
    pub fn count(&mut self, steps: u64) -> Option<()> {
        self.steps.take(steps)
    }

    /// Whether so little was spent that all errors can be collected: an error of `anyOf` contains
    /// the errors of every branch.
    pub fn allows_details(&self) -> bool {
        self.spent <= STEPS
    }
}

/// A schema prepared for counting. Subschemas have numbers; references are numbers too.
#[derive(Debug)]
pub(super) struct Cost {
    nodes: Vec<Node>,
    /// The numbers of the schemas, by their pointers.
    numbers: HashMap<String, usize>,
}

#[derive(Debug, Default)]
struct Node {
    /// The work per value, in addition to one step for the schema itself.
    values: u64,
    unique: bool,
    /// It visits again what these have visited: `unevaluatedProperties`, `unevaluatedItems`.
    twice: bool,
    /// Schemas applied to the same value.
    inside: Vec<usize>,
    properties: HashMap<String, usize>,
    /// Schemas applied to some or all properties.
    entries: Vec<usize>,
    names: Option<usize>,
    prefix: Vec<usize>,
    /// Schemas applied to some or all items.
    items: Vec<usize>,
}

impl Cost {
    pub fn new(references: &References<'_>, root: &Value) -> Self {
        let mut reader = Reader { references, numbers: HashMap::new(), open: Vec::new() };
        reader.enter(String::new(), root);
        let mut nodes = Vec::new();
        while let Some((at, schema)) = reader.open.get(nodes.len()).cloned() {
            nodes.push(reader.node(&at, schema));
        }
        Self { nodes, numbers: reader.numbers }
    }

    /// Spends the cost of validating `value` by the schema at a pointer; false if the budget is too
    /// small.
    pub fn spend(&self, at: &str, value: &Value, budget: &mut Budget<'_>) -> bool {
        // The validator doesn't visit a schema that wasn't counted.
        self.numbers.get(at).is_none_or(|number| self.visit(*number, value, 0, budget))
    }

    fn visit(&self, number: usize, value: &Value, depth: usize, budget: &mut Budget<'_>) -> bool {
        let Some(node) = self.nodes.get(number) else { return true };
        let own = match value {
            Value::String(text) => text.len() as u64 / 64,
            Value::Array(items) if node.unique => 2 * items.len() as u64,
            _ => 0,
        };
        if depth > DEEPEST || !budget.spend(1 + node.values + own) {
            return false;
        }
        let visit = |number: &usize, value: &Value, budget: &mut Budget<'_>| {
            self.visit(*number, value, depth + 1, budget)
        };
        for _ in 0..=usize::from(node.twice) {
            if !node.inside.iter().all(|inside| visit(inside, value, budget)) {
                return false;
            }
        }
        match value {
            Value::Object(entries) => entries.iter().all(|(name, value)| {
                node.properties.get(name).is_none_or(|number| visit(number, value, budget))
                    && node.entries.iter().all(|number| visit(number, value, budget))
                    && node
                        .names
                        .is_none_or(|number| visit(&number, &Value::String(name.clone()), budget))
            }),
            Value::Array(items) => {
                items.iter().zip(&node.prefix).all(|(item, number)| visit(number, item, budget))
                    && items
                        .iter()
                        .all(|item| node.items.iter().all(|number| visit(number, item, budget)))
            }
            _ => true,
        }
    }
}

struct Reader<'a, 'r> {
    references: &'r References<'a>,
    numbers: HashMap<String, usize>,
    open: Vec<(String, &'a Value)>,
}

impl<'a> Reader<'a, '_> {
    fn enter(&mut self, at: String, schema: &'a Value) -> usize {
        if let Some(number) = self.numbers.get(&at) {
            return *number;
        }
        let number = self.open.len();
        self.numbers.insert(at.clone(), number);
        self.open.push((at, schema));
        number
    }

    fn node(&mut self, at: &str, schema: &'a Value) -> Node {
        let mut node = Node::default();
        for (keyword, value) in schema.as_object().into_iter().flatten() {
            let below = pointer::join(at, keyword);
            let listed = |value: &'a Value| value.as_array().into_iter().flatten().enumerate();
            let named = |value: &'a Value| value.as_object().into_iter().flatten();
            match keyword.as_str() {
                "$ref" | "$dynamicRef" => node.inside.extend(self.referenced(at, value)),
                "not" | "if" | "then" | "else" => node.inside.push(self.enter(below, value)),
                "allOf" | "anyOf" | "oneOf" => {
                    let schemas = listed(value)
                        .map(|(index, schema)| self.enter(pointer::item(&below, index), schema));
                    node.inside.extend(schemas);
                }
                "dependentSchemas" | "dependencies" => {
                    let schemas = named(value)
                        .map(|(name, schema)| self.enter(pointer::join(&below, name), schema));
                    node.inside.extend(schemas);
                }
                "properties" => {
                    node.properties = named(value)
                        .map(|(name, schema)| {
                            (name.clone(), self.enter(pointer::join(&below, name), schema))
                        })
                        .collect();
                }
                "patternProperties" => {
                    let schemas = named(value)
                        .map(|(name, schema)| self.enter(pointer::join(&below, name), schema));
                    node.entries.extend(schemas);
                }
                "additionalProperties" => node.entries.push(self.enter(below, value)),
                "unevaluatedProperties" => {
                    node.twice = true;
                    node.entries.push(self.enter(below, value));
                }
                "propertyNames" => node.names = Some(self.enter(below, value)),
                "prefixItems" => {
                    node.prefix = listed(value)
                        .map(|(index, schema)| self.enter(pointer::item(&below, index), schema))
                        .collect();
                }
                "items" | "contains" => node.items.push(self.enter(below, value)),
                "unevaluatedItems" => {
                    node.twice = true;
                    node.items.push(self.enter(below, value));
                }
                "enum" | "required" => {
                    node.values += value.as_array().map_or(0, |values| values.len() as u64)
                }
                "dependentRequired" => {
                    node.values += named(value)
                        .map(|(_, names)| 1 + names.as_array().map_or(0, Vec::len) as u64)
                        .sum::<u64>()
                }
                "pattern" => node.values += 16,
                "uniqueItems" => node.unique = value.as_bool() == Some(true),
                _ => {}
            }
        }
        node
    }

    /// The targets of a reference. A dynamic one may point to any anchor with its name.
    fn referenced(&mut self, at: &str, value: &Value) -> Vec<usize> {
        let Some(reference) = value.as_str() else { return Vec::new() };
        let mut found = Vec::new();
        if let Target::Found { pointer, schema } = self.references.resolve(at, reference) {
            found.push(self.enter(pointer, schema));
        }
        let name = reference.rsplit('#').next().unwrap_or_default();
        let anchors = self.references.places.iter().filter(|place| {
            place.value.get("$dynamicAnchor").and_then(Value::as_str) == Some(name)
        });
        let anchors: Vec<_> = if name.is_empty() {
            Vec::new()
        } else {
            anchors.map(|place| (place.pointer.clone(), place.value)).collect()
        };
        found.extend(anchors.into_iter().map(|(at, schema)| self.enter(at, schema)));
        found.dedup();
        found
    }
}
