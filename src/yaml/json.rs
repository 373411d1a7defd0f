//! Converts YAML to JSON: expands aliases and merge keys, turns keys into strings, and reports what
//! JSON can't represent.

use std::collections::HashSet;

use serde_json::{Map, Number, Value};

use super::node::{Kind, Mapping, Node, Scalar, Span};
use super::resolve::{Anchors, ScalarType, is_merge, scalar_type};

/// How many nodes aliases may add to one value; a long string counts as several.
const ALIAS_BUDGET: usize = 50_000;
/// The nesting limit of a value with its aliases expanded.
const DEPTH: usize = 400;

/// A value as JSON, with the problems of the conversion.
#[derive(Debug, Clone, PartialEq)]
pub struct Converted {
    pub value: Value,
    /// In source order, as far as aliases allow.
    pub problems: Vec<Problem>,
}

/// Something in YAML that JSON can't represent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    pub span: Span,
    pub kind: ProblemKind,
    pub message: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProblemKind {
    /// A key that isn't a string, with its text; it is used as a string.
    NonStringKey(String),
    /// NaN or infinity; read as null.
    NotFinite,
    /// Aliases exceed the expansion budget.
    AliasLimit,
    UndefinedAlias,
    /// An alias inside its own anchor.
    RecursiveAlias,
    /// A duplicate key; the last one is used.
    DuplicateKey(String),
    /// The value of `<<` isn't a mapping.
    BadMerge,
}

/// Converts a node and everything below it to JSON. `anchors` are the document's, see
/// `Tree::anchors`.
pub fn to_json(node: &Node, anchors: &Anchors<'_>) -> Converted {
    let mut converter = Converter {
        anchors,
        problems: Vec::new(),
        seen: HashSet::new(),
        active: Vec::new(),
        budget: ALIAS_BUDGET,
        depth: 0,
        spent: false,
    };
    let value = converter.value(node);
    Converted { value, problems: converter.problems }
}

struct Converter<'a, 't> {
    anchors: &'a Anchors<'t>,
    problems: Vec<Problem>,
    /// The spans of problems: the content of an anchor is visited once for each of its aliases.
    seen: HashSet<(usize, usize)>,
    /// The aliases being expanded: their span and the name.
    active: Vec<(Span, *const Node)>,
    budget: usize,
    depth: usize,
    spent: bool,
}

impl Converter<'_, '_> {
    fn problem(&mut self, span: &Span, kind: ProblemKind, message: impl Into<String>) {
        if self.seen.insert((span.start, span.end)) {
            self.problems.push(Problem { span: span.clone(), kind, message: message.into() });
        }
    }

    fn limit(&mut self, span: &Span) -> Value {
        if !self.spent {
            self.spent = true;
            let span = self.active.first().map_or(span.clone(), |(span, _)| span.clone());
            let problem = Problem {
                span,
                kind: ProblemKind::AliasLimit,
                message: "this alias expands to too much data; write the value out or make it \
                    smaller"
                    .into(),
            };
            self.problems.push(problem);
        }
        Value::Null
    }

    fn value(&mut self, node: &Node) -> Value {
        if self.spent && !self.active.is_empty() {
            return Value::Null;
        }
        if self.depth >= DEPTH {
            return self.limit(&node.span);
        }
        if !self.active.is_empty() {
            let cost = 1 + node.as_str().map_or(0, |text| text.len() / 64);
            match self.budget.checked_sub(cost) {
                Some(rest) => self.budget = rest,
                None => return self.limit(&node.span),
            }
        }
        self.depth += 1;
        let value = match &node.kind {
            Kind::Scalar(scalar) => self.scalar(node, scalar),
            Kind::Sequence(sequence) => {
                Value::Array(sequence.items.iter().map(|item| self.value(item)).collect())
            }
            Kind::Mapping(mapping) => {
                let mut map = Map::new();
                self.mapping(mapping, &mut map);
                Value::Object(map)
            }
            Kind::Alias(name) => self.expand(node, name, Self::value).unwrap_or(Value::Null),
        };
        self.depth -= 1;
        value
    }

    /// Calls `then` with the node that an alias refers to.
    fn expand<T>(
        &mut self,
        alias: &Node,
        name: &str,
        then: impl FnOnce(&mut Self, &Node) -> T,
    ) -> Option<T> {
        let Some(target) = self.anchors.get(name, alias.span.start) else {
            let message = format!("undefined anchor `&{name}`; define it above this alias");
            self.problem(&alias.span, ProblemKind::UndefinedAlias, message);
            return None;
        };
        let target_place = std::ptr::from_ref(target);
        let within = target.span.start <= alias.span.start && alias.span.end <= target.span.end;
        if within || self.active.iter().any(|(_, active)| *active == target_place) {
            let message =
                format!("`*{name}` is inside its own anchor, so it would never end; remove it");
            self.problem(&alias.span, ProblemKind::RecursiveAlias, message);
            return None;
        }
        self.active.push((alias.span.clone(), target_place));
        let result = then(self, target);
        self.active.pop();
        Some(result)
    }

    fn scalar(&mut self, node: &Node, scalar: &Scalar) -> Value {
        match scalar_type(node) {
            ScalarType::Null => Value::Null,
            ScalarType::Bool(value) => Value::Bool(value),
            ScalarType::Str => Value::String(scalar.text.clone()),
            kind => match number(&scalar.text, kind) {
                Some(number) => Value::Number(number),
                None => {
                    let message =
                        "JSON can't represent this number; write a finite one, or quote it";
                    self.problem(&node.span, ProblemKind::NotFinite, message);
                    Value::Null
                }
            },
        }
    }

    fn mapping(&mut self, mapping: &Mapping, map: &mut Map<String, Value>) {
        for entry in mapping.entries.iter().filter(|entry| !is_merge(entry)) {
            let key = self.key(&entry.key);
            let value = self.value(&entry.value);
            if map.insert(key.clone(), value).is_some() {
                let message = format!("duplicate key `{key}`; remove one, or the last one is used");
                self.problem(&entry.key.span, ProblemKind::DuplicateKey(key), message);
            }
        }
        for entry in mapping.entries.iter().filter(|entry| is_merge(entry)) {
            match &entry.value.kind {
                Kind::Sequence(sequence) => {
                    sequence.items.iter().for_each(|item| self.merge(item, map))
                }
                _ => self.merge(&entry.value, map),
            }
        }
    }

    /// Adds the entries of a merge key, except for existing keys.
    fn merge(&mut self, source: &Node, map: &mut Map<String, Value>) {
        let (Value::Object(entries), false) = (self.value(source), self.spent) else {
            if !self.spent {
                self.problem(
                    &source.span,
                    ProblemKind::BadMerge,
                    "`<<` takes a mapping or a list of mappings; refer to one with `*alias`",
                );
            }
            return;
        };
        for (key, value) in entries {
            map.entry(key).or_insert(value);
        }
    }

    fn key(&mut self, key: &Node) -> String {
        if let (Kind::Scalar(scalar), ScalarType::Str) = (&key.kind, scalar_type(key)) {
            return scalar.text.clone();
        }
        let text = match (&key.kind, self.value(key)) {
            (Kind::Scalar(scalar), _) => scalar.text.clone(),
            (Kind::Alias(_), Value::String(text)) => return text,
            (_, value) => value.to_string(),
        };
        let message = format!("JSON keys are strings, so `{text}` is read as one; quote it");
        self.problem(&key.span, ProblemKind::NonStringKey(text.clone()), message);
        text
    }
}

/// The JSON of a number; `None` if it is not finite.
fn number(text: &str, kind: ScalarType) -> Option<Number> {
    if kind == ScalarType::Int {
        let (radix, body) = match (text.strip_prefix("0x"), text.strip_prefix("0o")) {
            (Some(hex), _) => (16, hex),
            (_, Some(octal)) => (8, octal),
            _ => (10, text.strip_prefix('+').unwrap_or(text)),
        };
        if let Ok(value) = i64::from_str_radix(body, radix) {
            return Some(value.into());
        }
        if let Ok(value) = u64::from_str_radix(body, radix) {
            return Some(value.into());
        }
        if radix != 10 {
            // Too large for every reader's JSON integers; close enough as a float.
            let value = body
                .chars()
                .filter_map(|digit| digit.to_digit(radix))
                .fold(0.0, |sum: f64, digit| sum * f64::from(radix) + f64::from(digit));
            return Number::from_f64(value);
        }
    }
    Number::from_f64(text.parse().ok()?)
}
