//! The types that a schema gives to values in templates: which fields they have, and their kinds
//! (MDL-18).
//!
//! A [`Type`] is a union of parts; a part is an intersection of schemas. A schema that is too
//! complex to follow becomes the unknown type, about which nothing is reported.

mod distinction;
mod expand;
mod field;
mod graph;
mod integers;
mod listed;
mod summary;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use serde_json::Value;

use super::function::Kinds;
pub use field::Field;
pub(super) use field::Lookup;
use graph::Graph;

/// The types of an input schema. Clones share the data.
#[derive(Debug, Clone)]
pub struct Types {
    graph: Arc<Graph>,
    /// The fields of the input as a whole.
    fields: Arc<OnceLock<Vec<(String, Field)>>>,
}

/// The types of one compiled schema. They can't be used with another schema.
impl PartialEq for Types {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.graph, &other.graph)
    }
}

impl Eq for Types {}

/// The type of a value. Clones are cheap.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Type {
    /// Never empty.
    parts: Arc<[Part]>,
    /// The schemas that declare it, as written: the property, not the target of its `$ref`.
    declared: Arc<[u32]>,
    /// The value may be missing.
    missing: bool,
}

/// Values of some kinds that satisfy all of some schemas.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Part {
    kinds: Kinds,
    /// In ascending order.
    nodes: Box<[u32]>,
    /// The element type of a list made by a function.
    element: Option<Type>,
}

impl Types {
    /// The types of a program's input; unknown without a schema.
    pub fn new(input: Option<&Value>) -> Self {
        let graph = Arc::new(Graph::read(input.unwrap_or(&Value::Bool(true))));
        Self { graph, fields: Arc::default() }
    }

    /// The types of a schema: these, if it's the same one.
    #[must_use]
    pub fn updated(&self, input: Option<&Value>) -> Self {
        match self.graph.schema == *input.unwrap_or(&Value::Bool(true)) {
            true => self.clone(),
            false => Self::new(input),
        }
    }

    /// The input as a whole: `$`, and `.` at the start.
    pub fn root(&self) -> Type {
        self.graph.type_of(0)
    }

    /// Whether a type includes the input as a whole.
    pub fn is_root(&self, kind: &Type) -> bool {
        kind.parts.iter().any(|part| part.nodes.contains(&0))
    }

    /// The meaning of a field name.
    pub fn field(&self, of: &Type, name: &str) -> Field {
        self.graph.field(of, name)
    }

    /// Whether an object of this type can't have the field.
    pub fn forbids(&self, of: &Type, name: &str) -> bool {
        self.graph.forbids(of, name)
    }

    /// Whether a schema describes every object of a type, not just those of one shape.
    pub fn is_described_by(&self, of: &Type, pointer: &str) -> bool {
        let mut objects = of.parts.iter().filter(|part| part.kinds.holds(Kinds::OBJECT));
        objects.all(|part| {
            let mut nodes = part.nodes.iter().filter_map(|id| self.graph.node(*id));
            nodes.any(|node| node.pointer == pointer)
        })
    }

    pub(super) fn lookup(&self, of: &Type, name: &str) -> Lookup {
        self.graph.lookup(of, name)
    }

    /// Every declared field, in source order.
    pub fn fields(&self, of: &Type) -> Vec<(String, Field)> {
        self.graph.fields(of)
    }

    /// The same, but the fields of the whole input are cached.
    pub fn known_fields(&self, of: &Type) -> Cow<'_, [(String, Field)]> {
        if *of == self.root() {
            return Cow::Borrowed(self.fields.get_or_init(|| self.fields(of)));
        }
        Cow::Owned(self.fields(of))
    }

    /// The shapes of an object that remain if the field `key` is one of these values, or if `equal`
    /// is false, none of them; and the fields that they all have. `None` if nothing is ruled out.
    pub fn distinguished(
        &self,
        of: &Type,
        key: &str,
        values: &[Value],
        equal: bool,
    ) -> Option<(Type, Vec<&str>)> {
        self.graph.distinguished(of, key, values, equal)
    }

    /// The values that `range` visits: the elements of lists, the values of objects.
    pub fn element(&self, of: &Type) -> Type {
        self.graph.element(of)
    }

    /// The element at an index.
    pub fn item(&self, of: &Type, index: usize) -> Type {
        self.graph.item(of, index)
    }

    pub fn kinds(&self, of: &Type) -> Kinds {
        of.kinds()
    }

    /// Whether the schema allows a value; `None` if it doesn't enumerate them.
    pub fn lists(&self, of: &Type, value: &Value) -> Option<bool> {
        self.graph.lists(of, value)
    }

    /// All values that the schema allows, if it enumerates them.
    pub fn values(&self, of: &Type) -> Option<Vec<&Value>> {
        self.graph.values(of)
    }

    /// Some of them, or none if it doesn't.
    pub(super) fn first_values(&self, of: &Type, most: usize) -> Vec<Value> {
        let values = self.graph.allowed(of).into_iter().flatten();
        let mut seen = rustc_hash::FxHashSet::default();
        values.filter(|value| seen.insert(listed::key(value))).take(most).cloned().collect()
    }

    /// How many characters or elements a string or list has, at least and at most; `None` if the
    /// schema doesn't describe it.
    pub fn length(&self, of: &Type) -> Option<(usize, Option<usize>)> {
        self.graph.length(of)
    }

    /// In one line: `array of object { name: string, age?: integer }`.
    pub fn summary(&self, of: &Type) -> String {
        self.graph.summary(of)
    }

    /// The JSON pointers of the schemas that declare its fields.
    pub fn objects(&self, of: &Type) -> Vec<String> {
        let nodes = of
            .parts
            .iter()
            .flat_map(|part| part.nodes.iter())
            .filter_map(|id| self.graph.node(*id));
        let mut pointers: Vec<String> =
            nodes.filter(|node| node.lists_fields).map(|node| node.pointer.clone()).collect();
        pointers.dedup();
        pointers
    }

    /// The JSON pointers of all schemas that describe it.
    pub fn schemas<'s>(&'s self, of: &'s Type) -> impl Iterator<Item = &'s str> {
        let nodes = of.parts.iter().flat_map(|part| part.nodes.iter());
        nodes.filter_map(|id| self.graph.node(*id)).map(|node| node.pointer.as_str())
    }

    /// The JSON pointers of its declarations.
    pub fn places(&self, of: &Type) -> Vec<String> {
        of.declared
            .iter()
            .filter_map(|id| self.graph.nodes.get(*id as usize))
            .map(|node| node.pointer.clone())
            .collect()
    }
}

impl Type {
    /// The unknown type.
    pub fn any() -> Self {
        Self::of(Kinds::ANY)
    }

    /// The numbers of the schemas that declare it. Two types with a common number have a common
    /// declaration.
    pub fn declarations(&self) -> &[u32] {
        &self.declared
    }

    /// All values of some kinds.
    pub fn of(kinds: Kinds) -> Self {
        Self::of_parts(vec![Part { kinds, nodes: Box::default(), element: None }])
    }

    /// Lists of values of a type.
    pub fn list_of(element: Self) -> Self {
        Self::of_parts(vec![Part {
            kinds: Kinds::LIST,
            nodes: Box::default(),
            element: Some(element),
        }])
    }

    fn of_parts(parts: Vec<Part>) -> Self {
        Self { parts: parts.into(), declared: Arc::default(), missing: false }
    }

    pub fn kinds(&self) -> Kinds {
        self.parts.iter().fold(Kinds::NONE, |kinds, part| kinds.or(part.kinds))
    }

    /// At least some of its values are unknown.
    pub fn is_unknown(&self) -> bool {
        self.parts.iter().any(Part::is_unknown)
    }

    /// A type of constants and functions, without a schema.
    pub fn is_computed(&self) -> bool {
        self.parts.iter().all(|part| part.nodes.is_empty())
    }

    /// The schema allows null.
    pub fn may_be_null(&self) -> bool {
        self.parts.iter().any(|part| part.kinds.holds(Kinds::NULL) && !part.is_unknown())
    }

    /// The value may be missing.
    pub fn may_be_missing(&self) -> bool {
        self.missing
    }

    #[must_use]
    pub fn or_missing(mut self, missing: bool) -> Self {
        self.missing |= missing;
        self
    }

    /// The type if the value exists and isn't null.
    #[must_use]
    pub fn present(&self) -> Self {
        let mut present = self.only(Kinds::ANY.without(Kinds::NULL));
        present.missing = false;
        present
    }

    /// The type if the value exists, even as null.
    #[must_use]
    pub fn there(&self) -> Self {
        Self { missing: false, ..self.clone() }
    }

    /// The type restricted to these kinds; unchanged if that leaves none.
    #[must_use]
    pub fn only(&self, kinds: Kinds) -> Self {
        if self.parts.iter().all(|part| kinds.holds(part.kinds)) {
            return self.clone();
        }
        let parts =
            self.parts.iter().map(|part| Part { kinds: part.kinds.and(kinds), ..part.clone() });
        let parts: Vec<Part> = parts.filter(|part| !part.kinds.is_none()).collect();
        match parts.is_empty() {
            true => self.clone(),
            false => Self {
                parts: parts.into(),
                declared: Arc::clone(&self.declared),
                missing: self.missing,
            },
        }
    }

    /// Values of either type.
    #[must_use]
    pub fn or(&self, other: &Self) -> Self {
        if self == other {
            return self.clone();
        }
        let mut declared = self.declared.to_vec();
        declared.extend(other.declared.iter().filter(|id| !self.declared.contains(id)));
        declared.truncate(expand::MOST_PARTS);
        let parts = expand::merged(self.parts.iter().chain(other.parts.iter()).cloned());
        Self {
            parts: parts.into(),
            declared: declared.into(),
            missing: self.missing || other.missing,
        }
    }
}

impl Part {
    fn is_unknown(&self) -> bool {
        self.kinds.or(Kinds::NULL) == Kinds::ANY
    }
}
