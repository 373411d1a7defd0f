//! Which parts of `input` YAML mistakes leave in doubt: a slip in one description must not hide the
//! mistakes of the body.

use super::program::Header;
use crate::schema::pointer;
use crate::yaml::{Error, ErrorKind, Kind, Node};

/// The part of `input` that can't be relied upon.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Doubt {
    /// All of it is reliable.
    Nothing,
    /// Only these schemas and those below them are unreliable: their JSON pointers.
    Parts(Vec<String>),
    /// None of it is reliable: it is missing, not a valid schema, or a mistake may have moved its
    /// fields.
    Everything,
}

impl Doubt {
    pub(super) fn of(header: &Header) -> Self {
        let input = header.schemas().input.as_ref();
        if input.is_none_or(|schema| !schema.problems.is_empty() || !schema.errors.is_empty()) {
            return Self::Everything;
        }
        if header.tree().errors.is_empty() {
            return Self::Nothing;
        }
        let (Some(front), Some(entry)) = (&header.front, header.entry("input")) else {
            return Self::Everything;
        };
        let start = entry.span.start;
        let keys =
            header.fields.iter().map(|field| field.key.span.start.saturating_sub(front.yaml.start));
        // Lines after the last one of `input` may have belonged to it.
        let end = keys.filter(|key| *key > start).min().unwrap_or(front.yaml.len());
        let mut parts = Vec::new();
        for error in &header.tree().errors {
            if error.kind == ErrorKind::Limit {
                return Self::Everything;
            }
            if error.span.end <= start || end <= error.span.start {
                continue;
            }
            match of_error(&entry.value, error) {
                Extent::Nothing => {}
                Extent::Schema(pointer) if pointer.is_empty() => return Self::Everything,
                Extent::Schema(pointer) => parts.push(pointer),
                Extent::Everything => return Self::Everything,
            }
        }
        if parts.is_empty() { Self::Nothing } else { Self::Parts(parts) }
    }

    /// Whether the schema at a pointer can be relied upon.
    pub fn spares(&self, schema: &str) -> bool {
        match self {
            Self::Nothing => true,
            Self::Everything => false,
            Self::Parts(parts) => !parts.iter().any(|part| {
                schema
                    .strip_prefix(part.as_str())
                    .is_some_and(|below| below.is_empty() || below.starts_with('/'))
            }),
        }
    }
}

/// How far a mistake reaches.
enum Extent {
    Nothing,
    /// The schema at this pointer.
    Schema(String),
    Everything,
}

/// Keywords whose values say nothing about the fields of objects.
const ANNOTATIONS: &[&str] =
    &["description", "title", "$comment", "default", "pattern", "format", "contentMediaType"];

fn of_error(input: &Node, error: &Error) -> Extent {
    let holds = |node: &Node| {
        node.span.start <= error.span.start
            && error.span.start < node.span.end
            && error.span.end <= node.span.end
    };
    let mut path: Vec<String> = Vec::new();
    let mut node = input;
    loop {
        let (segment, next) = match &node.kind {
            // The ends of its parts are only a guess.
            Kind::Mapping(mapping) if mapping.flow => return Extent::Schema(schema_of(&path)),
            Kind::Sequence(list) if list.flow => return Extent::Schema(schema_of(&path)),
            Kind::Mapping(mapping) => {
                let Some(entry) = mapping.entries.iter().find(|entry| holds(&entry.value)) else {
                    return Extent::Everything;
                };
                let Some(key) = entry.key.as_str() else { return Extent::Everything };
                (key.to_owned(), &entry.value)
            }
            Kind::Sequence(list) => {
                let Some((index, item)) =
                    list.items.iter().enumerate().find(|(_, item)| holds(item))
                else {
                    return Extent::Everything;
                };
                (index.to_string(), item)
            }
            Kind::Scalar(_) => {
                let annotates = path.last().is_some_and(|key| ANNOTATIONS.contains(&key.as_str()));
                return match annotates {
                    true => Extent::Nothing,
                    false => Extent::Schema(schema_of(&path)),
                };
            }
            Kind::Alias(_) => return Extent::Everything,
        };
        path.push(segment);
        node = next;
    }
}

/// Keywords whose value is a schema, and those whose value has schemas for values or items.
const SCHEMA: &[&str] = &["items", "additionalProperties", "not", "if", "then", "else", "contains"];
const SCHEMAS: &[&str] = &[
    "properties",
    "patternProperties",
    "$defs",
    "definitions",
    "allOf",
    "anyOf",
    "oneOf",
    "prefixItems",
];

/// The pointer of the innermost schema on a path, counted from the root.
fn schema_of(path: &[String]) -> String {
    let mut found = 0;
    let mut at = 0;
    // The path leads from schema to schema, until it enters another value.
    while let Some(key) = path.get(at) {
        if SCHEMA.contains(&key.as_str()) {
            at += 1;
        } else if SCHEMAS.contains(&key.as_str()) && at + 1 < path.len() {
            at += 2;
        } else {
            break;
        }
        found = at;
    }
    pointer::from_path(path.get(..found).unwrap_or_default())
}
