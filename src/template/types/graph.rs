//! A schema, compiled once into the facts that templates need. Every subschema has a number;
//! references are numbers too.

use std::collections::{BTreeMap, HashMap};
use std::sync::OnceLock;

use serde_json::{Map, Value, json};

use super::Type;
use super::listed::Listed;
use crate::schema::{self, Compiled, References, Target, compile, pointer};
use crate::template::function::Kinds;

#[derive(Debug)]
pub(super) struct Graph {
    pub schema: Value,
    pub nodes: Vec<Node>,
    /// The types of schemas, created on demand.
    types: Vec<OnceLock<Type>>,
}

/// The facts of one schema by itself.
#[derive(Debug, Default)]
pub(super) struct Node {
    pub pointer: String,
    pub kinds: Kinds,
    /// No value satisfies it.
    pub never: bool,
    /// `enum` or `const`.
    pub values: Option<Listed>,
    /// How many characters a string has, and how many elements a list, at least and at most.
    pub characters: Range,
    pub elements: Range,
    /// It has `properties`, even if empty, or declares that the root is an object.
    pub lists_fields: bool,
    pub properties: BTreeMap<String, u32>,
    pub patterns: Vec<(Pattern, u32)>,
    /// `propertyNames`.
    pub names: Option<Pattern>,
    pub additional: Additional,
    pub required: Vec<String>,
    pub prefix: Vec<u32>,
    pub items: Option<u32>,
    /// The value must also satisfy these: `$ref`, `allOf`.
    pub all: Vec<u32>,
    /// And one of each of these lists: `anyOf`, `oneOf`, `then` and `else`. Everything satisfies an
    /// empty choice.
    pub choices: Vec<Vec<Vec<u32>>>,
}

/// A smallest and a largest number; `None` if unlimited.
pub(super) type Range = (usize, Option<usize>);

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) enum Additional {
    /// No constraint.
    #[default]
    Absent,
    Closed,
    Open,
    Schema(u32),
}

/// A schema for names, compiled on demand.
#[derive(Debug)]
pub(super) struct Pattern {
    schema: Value,
    compiled: OnceLock<Option<Compiled>>,
}

impl Pattern {
    fn new(schema: Value) -> Self {
        Self { schema, compiled: OnceLock::new() }
    }

    /// A schema that fails to compile matches everything.
    pub fn matches(&self, name: &str) -> bool {
        let compiled = self.compiled.get_or_init(|| compile(&self.schema).ok());
        compiled.as_ref().is_none_or(|compiled| compiled.may_allow(&Value::String(name.to_owned())))
    }
}

impl Graph {
    pub fn read(root: &Value) -> Self {
        let references = References::new(root);
        let mut reader = Reader { references: &references, ids: HashMap::new(), open: Vec::new() };
        reader.enter(String::new(), root);
        let mut nodes = Vec::new();
        while let Some((at, schema)) = reader.open.get(nodes.len()).cloned() {
            nodes.push(reader.node(at, schema));
        }
        let types = nodes.iter().map(|_| OnceLock::new()).collect();
        Self { schema: root.clone(), nodes, types }
    }

    pub fn node(&self, id: u32) -> Option<&Node> {
        self.nodes.get(id as usize)
    }

    /// The type of the schema with this number.
    pub fn type_of(&self, id: u32) -> Type {
        self.types
            .get(id as usize)
            .map_or_else(Type::any, |known| known.get_or_init(|| self.expand(&[id])).clone())
    }
}

struct Reader<'a, 'r> {
    references: &'r References<'a>,
    ids: HashMap<String, u32>,
    /// Every visited schema, by its number.
    open: Vec<(String, &'a Value)>,
}

impl<'a> Reader<'a, '_> {
    fn enter(&mut self, at: String, schema: &'a Value) -> u32 {
        if let Some(id) = self.ids.get(&at) {
            return *id;
        }
        let id = u32::try_from(self.open.len()).unwrap_or(u32::MAX);
        self.ids.insert(at.clone(), id);
        self.open.push((at, schema));
        id
    }

    fn node(&mut self, at: String, schema: &'a Value) -> Node {
        let mut node = Node { kinds: Kinds::ANY, pointer: at.clone(), ..Node::default() };
        match schema {
            Value::Bool(false) => node.never = true,
            Value::Object(entries) => self.keywords(&at, schema, entries, &mut node),
            _ => {}
        }
        node
    }

    fn keywords(
        &mut self,
        at: &str,
        schema: &'a Value,
        entries: &'a Map<String, Value>,
        node: &mut Node,
    ) {
        let values = match (entries.get("const"), entries.get("enum")) {
            (Some(value), _) => Some(vec![value.clone()]),
            (None, Some(Value::Array(values))) => Some(values.clone()),
            _ => None,
        };
        node.kinds = kinds(schema, values.as_deref());
        node.values = values.map(Listed::new);
        let count = |keyword: &str| {
            entries.get(keyword).and_then(Value::as_u64).and_then(|n| usize::try_from(n).ok())
        };
        node.characters = (count("minLength").unwrap_or_default(), count("maxLength"));
        node.elements = (count("minItems").unwrap_or_default(), count("maxItems"));
        for keyword in ["$ref", "$dynamicRef"] {
            let Some(reference) = entries.get(keyword).and_then(Value::as_str) else { continue };
            if let Target::Found { pointer, schema } = self.references.resolve(at, reference) {
                let id = self.enter(pointer, schema);
                node.all.push(id);
            }
        }
        self.object(at, entries, node);
        node.prefix = self.each(at, entries, "prefixItems");
        node.items = entries
            .get("items")
            .filter(|items| !items.is_array())
            .map(|items| self.enter(pointer::join(at, "items"), items));
        let all = self.each(at, entries, "allOf");
        node.all.extend(all);
        for keyword in ["anyOf", "oneOf"] {
            let choice = self.each(at, entries, keyword);
            if !choice.is_empty() {
                node.choices.push(choice.into_iter().map(|id| vec![id]).collect());
            }
        }
        self.conditions(at, entries, node);
    }

    fn object(&mut self, at: &str, entries: &'a Map<String, Value>, node: &mut Node) {
        node.lists_fields = entries.contains_key("properties")
            || at.is_empty() && entries.get("type").is_some_and(|kind| kind == "object");
        for (name, schema) in
            entries.get("properties").and_then(Value::as_object).into_iter().flatten()
        {
            let id = self.enter(pointer::join(&pointer::join(at, "properties"), name), schema);
            node.properties.insert(name.clone(), id);
        }
        for (pattern, schema) in
            entries.get("patternProperties").and_then(Value::as_object).into_iter().flatten()
        {
            let id =
                self.enter(pointer::join(&pointer::join(at, "patternProperties"), pattern), schema);
            node.patterns.push((Pattern::new(json!({ "pattern": pattern })), id));
        }
        // The reference wouldn't resolve.
        node.names = entries
            .get("propertyNames")
            .filter(|names| !names.to_string().contains("$ref"))
            .map(|names| Pattern::new(names.clone()));
        for keyword in ["unevaluatedProperties", "additionalProperties"] {
            match entries.get(keyword) {
                Some(Value::Bool(false)) => node.additional = Additional::Closed,
                Some(Value::Bool(true)) => node.additional = Additional::Open,
                Some(schema @ Value::Object(_)) => {
                    node.additional =
                        Additional::Schema(self.enter(pointer::join(at, keyword), schema))
                }
                _ => {}
            }
        }
        let required = entries.get("required").and_then(Value::as_array).into_iter().flatten();
        node.required = required.filter_map(|name| name.as_str().map(str::to_owned)).collect();
    }

    /// `if` with `then`, or `else`; the schemas that a property brings along, or none. `not` only
    /// excludes values, so it's ignored.
    fn conditions(&mut self, at: &str, entries: &'a Map<String, Value>, node: &mut Node) {
        let mut optional = |keyword: &str| {
            entries.get(keyword).map(|schema| self.enter(pointer::join(at, keyword), schema))
        };
        if let (Some(condition), then, otherwise) =
            (optional("if"), optional("then"), optional("else"))
        {
            let holds = std::iter::once(condition).chain(then).collect();
            node.choices.push(vec![holds, otherwise.into_iter().collect()]);
        }
        for (name, schema) in
            entries.get("dependentSchemas").and_then(Value::as_object).into_iter().flatten()
        {
            let id =
                self.enter(pointer::join(&pointer::join(at, "dependentSchemas"), name), schema);
            node.choices.push(vec![vec![id], Vec::new()]);
        }
    }

    fn each(&mut self, at: &str, entries: &'a Map<String, Value>, keyword: &str) -> Vec<u32> {
        let at = pointer::join(at, keyword);
        let items =
            entries.get(keyword).and_then(Value::as_array).into_iter().flatten().enumerate();
        items.map(|(index, schema)| self.enter(pointer::item(&at, index), schema)).collect()
    }
}

/// The kinds in `type`, as far as a listed value has them.
fn kinds(schema: &Value, values: Option<&[Value]>) -> Kinds {
    let named = schema::Type::declared(schema).into_iter().fold(Kinds::NONE, |kinds, kind| {
        kinds.or(match kind {
            schema::Type::String => Kinds::STRING,
            schema::Type::Integer => Kinds::INTEGER,
            schema::Type::Number => Kinds::NUMBER,
            schema::Type::Boolean => Kinds::BOOLEAN,
            schema::Type::Object => Kinds::OBJECT,
            schema::Type::Array => Kinds::LIST,
            schema::Type::Null => Kinds::NULL,
        })
    });
    let named = if named.is_none() { Kinds::ANY } else { named };
    match values {
        Some(values) => {
            values.iter().fold(Kinds::NONE, |kinds, value| kinds.or(kind_of(value))).and(named)
        }
        None => named,
    }
}

/// The kind of a value.
pub(super) fn kind_of(value: &Value) -> Kinds {
    match schema::Type::of(value) {
        schema::Type::String => Kinds::STRING,
        schema::Type::Integer => Kinds::INTEGER,
        schema::Type::Number => Kinds::FLOAT,
        schema::Type::Boolean => Kinds::BOOLEAN,
        schema::Type::Object => Kinds::OBJECT,
        schema::Type::Array => Kinds::LIST,
        schema::Type::Null => Kinds::NULL,
    }
}
